// Round trips and fan-out of the link, beside a server of the public SDK with one trivial tool (goal: getCurrentSelection at most twice as long):
//   node test/bench/link.mjs
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'casebook-bench-'));
try {
  const script = join(folder, 'part.mjs');
  await build({ entryPoints: [join(here, 'link-part.ts')], outfile: script, bundle: true, platform: 'node', format: 'esm', target: 'node22', logLevel: 'error', banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" } });
  const { measureLink } = await import(pathToFileURL(script).href);
  /** @type {Record<string, { p50: number; p99: number }>} */
  const times = await measureLink();
  const rounded = (/** @type {number} */ value) => Math.round(value * 100) / 100;
  const results = Object.fromEntries(Object.entries(times).map(([what, { p50, p99 }]) => [what, { p50: rounded(p50), p99: rounded(p99) }]));
  console.log(JSON.stringify({ node: process.version, unit: 'milliseconds', results, timesTheBareServer: rounded((times['getCurrentSelection']?.p50 ?? Number.NaN) / (times['bareTrivialTool']?.p50 ?? Number.NaN)) }, null, 1));
} finally {
  await rm(folder, { recursive: true, force: true });
}
