import { spawn } from 'node:child_process';
import { bin, root } from './paths.mjs';

/** The environment of every tool: this project's own Node and tools come first. */
export function toolEnv(extra = {}) {
  return { ...process.env, PATH: `${bin}:${process.env.PATH}`, ...extra };
}

/**
 * Runs a program to its end.
 * @returns {Promise<{code: number, output: string, stdout: string}>} `output` is both streams in order of arrival; code 127 when it could not start.
 */
export function run(command, args, { cwd = root, env = {}, echo = false, input } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env: toolEnv(env), stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
    let output = '';
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      output += chunk;
      if (echo) process.stdout.write(chunk);
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
      if (echo) process.stderr.write(chunk);
    });
    child.on('error', (error) => done({ code: 127, output: String(error), stdout }));
    child.on('close', (code, signal) => done({ code: code ?? (signal ? 128 : 1), output, stdout }));
    if (input !== undefined) child.stdin.end(input);
  });
}

/** Like `run`, but a failure throws with the end of the output. */
export async function must(command, args, options = {}) {
  const result = await run(command, args, options);
  if (result.code !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended with ${result.code}:\n${result.output.split('\n').slice(-40).join('\n')}`);
  }
  return result;
}

/** Whether a program is on the PATH. */
export async function has(program) {
  return (await run('sh', ['-c', 'command -v -- "$1"', 'sh', program])).code === 0;
}

/** Says what happens on standard error, so that standard output carries results only. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}
