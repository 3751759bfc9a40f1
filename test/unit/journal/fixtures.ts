import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface Fixture {
  /** Starts the script with these arguments under the Node that runs the tests. */
  start(...args: string[]): Running;
  remove(): void;
}

export interface Running {
  process: ChildProcess;
  /** Lines of standard output so far; complete once `exited` has settled. */
  lines: string[];
  exited: Promise<number | NodeJS.Signals | null>;
}

/** Bundles a TypeScript fixture so that a plain child process can run it. */
export async function bundleFixture(name: string): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'casebook-fixture-'));
  const outfile = join(folder, 'fixture.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'fixtures', name)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return {
    start: (...args) => run(outfile, args),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function run(script: string, args: string[]): Running {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
  return { process: child, lines, exited };
}
