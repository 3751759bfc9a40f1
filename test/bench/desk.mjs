// A set on the desk from its proposal to its outcome, with the longest time for which the event loop was held (goal: work ≤ 50 ms):
//   node test/bench/desk.mjs
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'casebook-bench-'));
const line = (/** @type {number} */ index) => `  const value${index} = compute(${index * 7919}, "some text of usual length");`;
const text = (/** @type {number} */ count, /** @type {(old: string, index: number) => string} */ change = (old) => old) => `${Array.from({ length: count }, (_none, index) => change(line(index), index)).join('\n')}\n`;
const tenth = (/** @type {string} */ old, /** @type {number} */ index) => (index % 10 === 0 ? `${old} // changed` : old);
/** @type {Record<string, Record<string, [string, string]>>} */
const sets = {
  oneSmallFile: { 'a.ts': [text(200), text(200, tenth)] },
  rewriteOf20000: { 'a.ts': [text(20_000), text(20_000, (_old, index) => `new text ${index * 31}`)] },
  everyTenthOf20000: { 'a.ts': [text(20_000), text(20_000, tenth)] },
  files500: Object.fromEntries(Array.from({ length: 500 }, (_none, index) => [`src/${index % 20}/f${index}.ts`, [text(300), text(300, (old, at) => (at % 3 === 0 ? `${old} // ${index}` : old))]])),
};
try {
  const script = join(folder, 'part.mjs');
  await build({ entryPoints: [join(here, 'desk-part.ts')], outfile: script, bundle: true, platform: 'node', format: 'esm', target: 'node22', logLevel: 'error', banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" } });
  const { measureSet } = await import(pathToFileURL(script).href);
  /** @type {Record<string, unknown>} */
  const results = {};
  for (const [name, files] of Object.entries(sets)) {
    const steps = await measureSet(files);
    results[name] = Object.fromEntries(Object.entries(steps).map(([step, held]) => [step, Object.fromEntries(Object.entries(/** @type {Record<string, number>} */ (held)).map(([what, value]) => [what, Math.round(value * 10) / 10]))]));
  }
  console.log(JSON.stringify({ node: process.version, results }, null, 1));
} finally {
  await rm(folder, { recursive: true, force: true });
}
