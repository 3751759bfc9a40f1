// Compares reviewing a proposal (decoding, line diff, hunks with ids) with `git diff --no-index --histogram` of the same two files, in one run:
//   node test/bench/review.mjs [rounds]
// Prints one JSON object: medians in milliseconds, their ratio, and the longest time for which the event loop was held, by the clock
// (`longestBlock`, which on a busy machine also counts waiting for a processor) and by own work (goals: ratio ≤ 3, work ≤ 50 ms).
// `ratioWithoutStart` leaves out of git's time what `git version` takes, that is the start of a process.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const rounds = Number(process.argv[2] ?? 7);
const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'casebook-bench-'));

const line = (/** @type {number} */ index) => `  const value${index} = compute(${index * 7919}, "some text of usual length");`;
const many = Array.from({ length: 20_000 }, (_value, index) => line(index));
const text = (/** @type {string[]} */ lines) => `${lines.join('\n')}\n`;
/** @type {Record<string, [string, string]>} */
const cases = {
  oneLineIn20000: [text(many), text(many.toSpliced(10_000, 1, 'changed'))],
  everyHundredthOf20000: [text(many), text(many.map((old, index) => (index % 100 === 0 ? `${old} // changed` : old)))],
  totalRewriteOf20000: [text(many), text(many.map((_old, index) => `new text ${index * 31}`))],
  rewriteWithCommonLines: [text(many.map((old, index) => (index % 3 === 0 ? '}' : old))), text(many.map((_old, index) => (index % 4 === 0 ? '}' : `other ${index}`)))],
  repeatedLines: [text(many.map((_old, index) => `line ${(index * 31) % 50}`)), text(many.map((_old, index) => `line ${(index * 17) % 53}`))],
  movedHalf: [text(many), text([...many.slice(10_000), ...many.slice(0, 10_000)])],
  shuffled: [text(many), text(many.map((_old, index) => many[(index * 7919) % many.length] ?? ''))],
  oneLineIn100000: [text(Array.from({ length: 5 }, () => many).flat()), text(Array.from({ length: 5 }, () => many).flat().toSpliced(50_000, 1, 'changed'))],
};

const median = (/** @type {number[]} */ values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const round = (/** @type {number} */ value) => Math.round(value * 100) / 100;
const timed = (/** @type {string[]} */ args) => {
  const start = performance.now();
  const { status } = spawnSync('git', args, { cwd: folder, maxBuffer: 1 << 28 });
  if (status === null || status > 1) throw new Error(`git ${args.join(' ')} ended with ${status}`);
  return performance.now() - start;
};

try {
  const script = join(folder, 'part.mjs');
  await build({ entryPoints: [join(here, 'review-part.ts')], outfile: script, bundle: true, platform: 'node', format: 'esm', target: 'node22', logLevel: 'error' });
  const { measure } = await import(pathToFileURL(script).href);
  /** @type {Record<string, unknown>} */
  const results = {};
  for (const [name, [base, proposed]] of Object.entries(cases)) {
    await writeFile(join(folder, 'base'), base);
    await writeFile(join(folder, 'proposed'), proposed);
    const [before, after] = [Buffer.from(base), Buffer.from(proposed)];
    const ours = [];
    const git = [];
    const start = [];
    // By turns, so that what else the machine does falls on both.
    for (let index = 0; index < rounds; index += 1) {
      ours.push(await measure(before, after));
      git.push(timed(['diff', '--no-index', '--histogram', '--no-ext-diff', 'base', 'proposed']));
      start.push(timed(['version']));
    }
    const [own, its, begin] = [median(ours.map((result) => result.milliseconds)), median(git), median(start)];
    results[name] = { ours: round(own), git: round(its), ratio: round(own / its), ratioWithoutStart: round(own / Math.max(1, its - begin)), longestBlock: round(median(ours.map((result) => result.longestBlock))), longestWork: round(median(ours.map((result) => result.longestWork))), hunks: ours[0]?.hunks };
  }
  console.log(JSON.stringify({ node: process.version, rounds, results }, null, 2));
} finally {
  await rm(folder, { recursive: true, force: true });
}
