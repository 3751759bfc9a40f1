/**
 * What our activation costs beside an empty extension's, in the same extension hosts: `npm run bench:activation`.
 * Each round is a fresh workbench, and the meter is there before the window is trusted, as we are; the order changes from round to round, since whoever is first pays for a colder process. Prints medians, their difference and their ratio as JSON,
 * by the clock and by processor time (which other work on the machine lengthens less).
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRepository, packFixture } from '../../workbench/harness/fixtures.ts';
import { vsix } from '../../workbench/harness/paths.ts';
import { Session } from '../../workbench/harness/session.ts';

interface Measure {
  found: boolean;
  wasActive: boolean;
  ms: number;
  /** Processor time of the host meanwhile. */
  cpuMs: number;
  rssKb: number;
}

const ours = 'casebook.casebook';
const empty = 'casebook-test.empty';
const rounds = Number(process.argv[2] ?? 6);

const extensions = [vsix, await packFixture('empty-extension'), await packFixture('activation-meter')];
const folder = await makeRepository('activation', { 'src/a.ts': 'export const a = 1;\n' });
const results = await mkdtemp(join(tmpdir(), 'casebook-bench-'));
const measures: Record<string, Measure>[] = [];
try {
  for (let round = 0; round < rounds; round++) {
    const file = join(results, `${round}.jsonl`);
    const order = round % 2 === 0 ? [ours, empty] : [empty, ours];
    const session = await Session.start({ name: 'bench', extensions, folder, env: { CASEBOOK_METER: order.join(','), CASEBOOK_METER_FILE: file } });
    try {
      measures.push(JSON.parse(await appears(file)) as Record<string, Measure>);
    } finally {
      await session.stop();
    }
  }
} finally {
  await rm(results, { recursive: true, force: true });
}

for (const [id, { found, wasActive }] of measures.flatMap((measure) => Object.entries(measure))) {
  if (!found || wasActive) throw new Error(`${id} ${found ? 'was active before it was measured' : 'is not installed'}`);
}
const report = (of: 'ms' | 'cpuMs'): object => {
  const [mine, theirs] = [median(ours, of), median(empty, of)];
  return { ours: mine, empty: theirs, more: round1(mine - theirs), ratio: round1(mine / theirs) };
};
console.log(JSON.stringify({ rounds, clock: report('ms'), processor: report('cpuMs'), all: measures }, null, 2));

function median(id: string, of: 'ms' | 'cpuMs'): number {
  const values = measures.map((measure) => measure[id]?.[of] ?? Number.NaN).toSorted((a, b) => a - b);
  const middle = Math.floor(values.length / 2);
  return round1(values.length % 2 === 1 ? (values[middle] ?? Number.NaN) : ((values[middle - 1] ?? Number.NaN) + (values[middle] ?? Number.NaN)) / 2);
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The first line of a file that the meter writes once, after the start-up is over. */
async function appears(file: string): Promise<string> {
  const until = Date.now() + 60_000;
  while (Date.now() < until) {
    const line = (await readFile(file, 'utf8').catch(() => '')).split('\n')[0];
    if (line) return line;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error('The meter wrote nothing within 60 s');
}
