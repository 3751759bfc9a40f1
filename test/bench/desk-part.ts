import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../extension/core/base/clock.ts';
import { nullLogger } from '../../extension/core/base/logger.ts';
import { openJournal } from '../../extension/core/journal/journal.ts';
import { nodeDisk } from '../../extension/core/review/apply/disk.ts';
import { createDesk } from '../../extension/core/review/desk/desk.ts';
import type { ReviewDesk } from '../../extension/core/review/port.ts';
import { type Held, whileWatched } from './event-loop.ts';

export type Steps = Record<'propose' | 'list' | 'look' | 'decide' | 'accept', Held & { milliseconds: number }>;

const act = { via: 'bench', revision: 0 };
const capabilities = { writer: 'casebook', canEdit: true, canPartial: true, canEmpty: true, redelivers: false, canExplain: true } as const;

/** A set from its proposal to its outcome on a real folder and a real journal. */
export async function measureSet(files: Record<string, [base: string, proposed: string]>): Promise<Steps> {
  const top = await mkdtemp(join(process.env['BENCH_DIR'] ?? tmpdir(), 'casebook-bench-desk-'));
  const root = join(top, 'w');
  await mkdir(root);
  for (const [path, [base]] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), base);
  }
  const journal = await openJournal({ home: join(top, 'home'), workspace: root, program: 'test', version: '0' });
  const desk = createDesk({ journal, clock: systemClock, logger: nullLogger, person: 'bench', roots: () => [{ name: 'w', path: root }], disk: nodeDisk(), stateFolder: join(top, 'writes'), finish: () => 'whenDecided', policies: () => [] });
  try {
    return await steps(desk, files);
  } finally {
    await desk.close('shutdown');
    await journal.close();
    await rm(top, { recursive: true, force: true });
  }
}

async function steps(desk: ReviewDesk, files: Record<string, [string, string]>): Promise<Steps> {
  const proposed = Object.entries(files).map(([path, [, text]]) => ({ root: 'w', path, proposed: { kind: 'text' as const, text } }));
  let id = '';
  const only = ({ milliseconds, longestBlock, longestWork }: Held & { milliseconds: number }) => ({ milliseconds, longestBlock, longestWork });
  const propose = await whileWatched(
    () =>
      new Promise<void>((resolve, reject) => {
        const onSet = (set: string): void => {
          id = set;
          resolve();
        };
        desk.propose({ title: 'bench', origin: { client: 'bench' }, disk: 'proposed', files: proposed }, { name: 'bench', capabilities, signal: new AbortController().signal, onSet }).catch(reject);
      }),
  );
  const list = await whileWatched(() => desk.list());
  const first = (await desk.state(id)).files[0]?.key ?? '';
  const look = await whileWatched(() => desk.file(id, first));
  const hunk = look.result.review.hunks[0]?.id ?? '';
  const one = Object.keys(files).length === 1 && look.result.review.hunks.length === 1;
  const decide = await whileWatched(async () => (one ? undefined : desk.decide(id, [{ file: first, hunk, decision: 'reject' }], act)));
  const accept = await whileWatched(() => desk.decideAll(id, 'accept', act));
  return { propose: only(propose), list: only(list), look: only(look), decide: only(decide), accept: only(accept) };
}
