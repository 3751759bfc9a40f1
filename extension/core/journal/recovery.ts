import { join } from 'node:path';
import { ensurePrivateFolder, writeFileAtomic } from '../base/files.ts';
import { makeOnce } from './claims.ts';
import { readHead } from './heads.ts';
import type { Layout } from './layout.ts';
import { readBytes } from './lines.ts';
import type { Gap } from './port.ts';
import { listSegments, listSessions, scanSegment } from './scan.ts';

export interface Recovered {
  gap: Gap;
  /** Where the bad bytes were copied, below the journal's folder. */
  file: string;
}

const longestKept = 16 * 1024 * 1024;

/**
 * Looks at the ends of sessions whose writer died: from the kept head on, bytes that are no record are copied to `gaps/` and reported, once
 * per session over all processes. The segment itself is never touched. Sessions that ended in order, or may still live, are left alone.
 */
export async function recoverDead(layout: Layout, isDead: (session: string) => Promise<boolean>): Promise<Recovered[]> {
  const recovered: Recovered[] = [];
  await ensurePrivateFolder(layout.gaps);
  for (const session of await listSessions(layout)) {
    const head = await readHead(layout, session);
    if (head?.closed === true || !(await isDead(session))) continue;
    const gaps = await gapsAfter(layout, session, head?.segment, head?.offset ?? 0);
    if (gaps.length === 0 || !(await makeOnce(join(layout.gaps, `${session}.json`), JSON.stringify(gaps)))) continue;
    for (const gap of gaps) recovered.push({ gap, file: await setAside(layout, gap) });
  }
  return recovered;
}

async function gapsAfter(layout: Layout, session: string, segment: string | undefined, offset: number): Promise<Gap[]> {
  const gaps: Gap[] = [];
  for (const { name, size } of await listSegments(layout, session)) {
    if (segment !== undefined && name < segment) continue;
    const from = name === segment ? Math.min(offset, size) : 0;
    for await (const found of scanSegment(layout, session, name, { from })) if (found.kind !== 'record') gaps.push(found.gap);
  }
  return gaps;
}

async function setAside(layout: Layout, gap: Gap): Promise<string> {
  const name = `${gap.session}.${gap.segment}.${gap.offset}.bin`;
  const bytes = await readBytes(layout.segment(gap.session, gap.segment), gap.offset, Math.min(gap.length, longestKept));
  await writeFileAtomic(join(layout.gaps, name), bytes);
  return join('gaps', name);
}
