import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { NodeProcesses } from '../../../extension/core/base/node-processes.ts';
import { childEnvironment, networkVariables, runToEnd } from '../../../extension/core/base/process.ts';
import { never, tempFolder } from './helpers.ts';

const env = childEnvironment(process.env);
const processes = new NodeProcesses();

/** Whether a process still runs; a zombie that nobody has collected does not. */
function runs(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/su.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a child process', () => {
  it('gives its output, its input and its end', async () => {
    const done = await runToEnd(processes, 'sh', ['-c', 'cat; echo problem >&2; exit 3'], { cwd: tempFolder(), env, signal: never, stdin: 'hello' });
    expect({ ...done, stdout: new TextDecoder().decode(done.stdout) }).toEqual({ code: 3, signal: null, stdout: 'hello', stderr: 'problem\n', truncated: false });
  });

  it('keeps output that is read late', async () => {
    const child = await processes.spawn('sh', ['-c', 'echo early'], { cwd: tempFolder(), env, signal: never });
    await child.exited;
    const chunks: Uint8Array[] = [];
    for await (const chunk of child.stdout) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('early\n');
  });

  it('is written to and read from while it runs', async () => {
    const child = await processes.spawn('cat', [], { cwd: tempFolder(), env, signal: never, keepStdin: true });
    const reader = child.stdout[Symbol.asyncIterator]();
    await child.write('one\n');
    expect(Buffer.from((await reader.next()).value as Uint8Array).toString()).toBe('one\n');
    child.endInput();
    expect(await child.exited).toEqual({ code: 0, signal: null });
    await expect(child.write('late')).rejects.toMatchObject({ reason: 'io' });
  });

  it('is stopped when it writes too much', async () => {
    const done = await runToEnd(processes, 'sh', ['-c', 'yes'], { cwd: tempFolder(), env, signal: never, maxBytes: 1000 });
    expect(done).toMatchObject({ truncated: true, signal: 'SIGTERM' });
    expect(done.stdout.length).toBe(1000);
  });

  it('T23: dies with its grandchildren, even those that ignore the polite signal', async () => {
    const folder = tempFolder();
    const stop = new AbortController();
    const script = `trap '' TERM; (trap '' TERM; echo $BASHPID > ${folder}/grandchild; while :; do sleep 1; done) & while :; do sleep 1; done`;
    const child = await processes.spawn('bash', ['-c', script], { cwd: folder, env, signal: stop.signal, graceMs: 200 });
    await vi.waitFor(() => expect(readFileSync(join(folder, 'grandchild'), 'utf8')).toMatch(/\d\n/u), 10_000);
    const grandchild = Number(readFileSync(join(folder, 'grandchild'), 'utf8'));
    expect(runs(grandchild)).toBe(true);
    stop.abort();
    expect(await child.exited).toMatchObject({ signal: 'SIGKILL' });
    await vi.waitFor(() => expect([runs(child.pid), runs(grandchild)]).toEqual([false, false]), 5000);
  });

  it('leaves nothing of its group behind when it ends by itself', async () => {
    const folder = tempFolder();
    const child = await processes.spawn('bash', ['-c', `sleep 300 & echo $! > ${folder}/left`], { cwd: folder, env, signal: never, graceMs: 200 });
    await child.exited;
    await vi.waitFor(() => expect(runs(Number(readFileSync(join(folder, 'left'), 'utf8')))).toBe(false), 5000);
  });

  it('fails with a reason when it cannot start', async () => {
    const folder = tempFolder();
    await expect(processes.spawn('/nonexistent/program', [], { cwd: folder, env, signal: never })).rejects.toMatchObject({ reason: 'not_found' });
    await expect(processes.spawn('sh', [], { cwd: join(folder, 'nope'), env, signal: never })).rejects.toMatchObject({ reason: 'no_folder' });
    await expect(processes.spawn('sh', ['-c', `touch ${folder}/ran`], { cwd: folder, env, signal: AbortSignal.abort() })).rejects.toMatchObject({ reason: 'cancelled' });
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  it('takes its arguments as they are, without a shell', async () => {
    const done = await runToEnd(processes, 'printf', ['%s|', '$(id)', '`id`', '; id', 'a b'], { cwd: tempFolder(), env, signal: never });
    expect(new TextDecoder().decode(done.stdout)).toBe('$(id)|`id`|; id|a b|');
  });
});

describe('the environment of a child', () => {
  const source = { PATH: '/bin', HOME: '/home/ada', LC_TIME: 'C', GH_TOKEN: 'x', ANTHROPIC_API_KEY: 'x', AWS_SECRET_ACCESS_KEY: 'x', SSH_AUTH_SOCK: '/s', NODE_OPTIONS: '--require x', LD_PRELOAD: 'x', GIT_DIR: '/x', https_proxy: 'http://u:p@h', Path2: undefined };

  it('T07: is a short list of harmless names', () => {
    expect(childEnvironment(source)).toEqual({ PATH: '/bin', HOME: '/home/ada', LC_TIME: 'C' });
  });

  it('takes more only by name, and what is set wins', () => {
    expect(childEnvironment(source, { also: [...networkVariables, 'GH_TOKEN'], set: { HOME: '/tmp' } })).toEqual({ PATH: '/bin', HOME: '/tmp', LC_TIME: 'C', GH_TOKEN: 'x', https_proxy: 'http://u:p@h' });
  });

  it('is all that the child sees', async () => {
    const done = await runToEnd(processes, 'env', [], { cwd: tempFolder(), env: { PATH: process.env['PATH'] ?? '', ONLY: '1' }, signal: never });
    expect(new TextDecoder().decode(done.stdout)).toContain('ONLY=1');
    expect(new TextDecoder().decode(done.stdout)).not.toContain('HOME=');
  });
});
