// From "Review Working Tree" to the first file on the screen, by the number of changed files, beside what git itself takes to tell the same changes:
//   node test/bench/opening.mjs [files…]
// Prints one JSON object: milliseconds of each step, the longest time for which the event loop was held, and the ratio of gathering to `git diff --histogram` in the same run.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [63, 500, 2000];
const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'casebook-bench-'));
const text = Array.from({ length: 120 }, (_none, index) => `  const value${index} = compute(${index * 7919}, "some text of usual length");\n`).join('');

/** A repository with this many changed files, of three times as many. */
function repository(/** @type {number} */ count) {
  const repo = join(folder, `repo-${count}`);
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], { cwd: repo, maxBuffer: 1 << 28 });
  const path = (/** @type {number} */ index) => join(repo, `src/${index % 40}/f${index}.ts`);
  for (let index = 0; index < count * 3; index += 1) {
    mkdirSync(dirname(path(index)), { recursive: true });
    writeFileSync(path(index), `// ${index}\n${text}`);
  }
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  for (let index = 0; index < count; index += 1) writeFileSync(path(index), readFileSync(path(index), 'utf8').replace('value50 =', 'changed50 =').replace('value100 =', 'changed100 ='));
  return { repo, diff: () => git('diff', '--histogram', '--no-ext-diff') };
}

try {
  // The core looks beside itself for its library, and above for its version.
  cpSync(join(here, '../../extension/library'), join(folder, 'dist/library'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "version": "0" }');
  const script = join(folder, 'dist/part.mjs');
  await build({ entryPoints: [join(here, 'opening-part.ts')], outfile: script, bundle: true, platform: 'node', format: 'esm', target: 'node22', logLevel: 'error', loader: { '.md': 'text', '.yaml': 'text' }, banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" } });
  const { measureOpening } = await import(pathToFileURL(script).href);
  /** @type {Record<string, unknown>} */
  const results = {};
  for (const count of counts) {
    const { repo, diff } = repository(count);
    // Once for the cache of the disk, as whoever changed the files has done.
    diff();
    const began = performance.now();
    diff();
    const git = performance.now() - began;
    const steps = await measureOpening(repo, join(folder, `home-${count}`));
    results[`files${count}`] = { git: Math.round(git), ratio: Math.round((steps.gather.milliseconds / git) * 100) / 100, ...Object.fromEntries(Object.entries(steps).map(([step, { milliseconds, longestWork }]) => [step, { milliseconds: Math.round(milliseconds), longestWork: Math.round(longestWork) }])) };
  }
  console.log(JSON.stringify({ node: process.version, results }, null, 1));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
