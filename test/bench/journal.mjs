// Makes a journal of about 600 MB and measures the opening and listing of its cases, each in a process of its own:
//   node test/bench/journal.mjs [megabytes]
// Prints one JSON object: time in milliseconds, extra memory (peak resident size over a process that only loads the code) in megabytes.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const megabytes = Number(process.argv[2] ?? 600);
const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'casebook-bench-'));
try {
  const script = join(folder, 'part.mjs');
  await build({
    entryPoints: [join(here, 'journal-part.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  const part = async (/** @type {string[]} */ ...args) => JSON.parse((await run(process.execPath, [script, ...args, folder], { maxBuffer: 1 << 26 })).stdout);
  const made = await part('make', String(megabytes));
  const base = await part('nothing');
  const results = { made };
  for (const { name, args } of [
    { name: 'withoutIndex', args: ['list', 'first'] },
    { name: 'buildIndex', args: ['list', 'whole'] },
    { name: 'withIndex', args: ['list', 'first'] },
    { name: 'withIndexAgain', args: ['list', 'first'] },
    { name: 'openCaseWithIndex', args: ['read', 'case_7'] },
    { name: 'searchWithIndex', args: ['search', 'needle'] },
    { name: 'withoutSqlite', args: ['list', 'nosqlite'] },
    { name: 'verify', args: ['verify'] },
  ]) {
    const found = await part(...args);
    results[name] = { ...found, extraMegabytes: Math.round(found.peakMegabytes - base.peakMegabytes) };
  }
  console.log(JSON.stringify({ node: process.version, base, ...results }, null, 2));
} finally {
  await rm(folder, { recursive: true, force: true });
}
