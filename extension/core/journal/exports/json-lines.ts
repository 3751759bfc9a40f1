import { Failure } from '../../base/failure.ts';
import type { Layout } from '../layout.ts';
import { readBytes } from '../lines.ts';
import type { AnyEvent, Gap, JournalFailureReason } from '../port.ts';

const longestRaw = 1024 * 1024;

/**
 * One case as JSON lines in causal order: `{"event":…}` each, and `{"gap":…,"raw":"<base64>"}` where bytes are no event.
 * Blobs (exact bytes, unmasked) are not part of it; events name them by hash.
 */
export async function exportJsonLines(caseId: string, items: AsyncIterable<AnyEvent | { gap: Gap }>, layout: Layout, signal?: AbortSignal): Promise<string> {
  const lines: string[] = [];
  let events = 0;
  for await (const item of items) {
    signal?.throwIfAborted();
    if ('gap' in item) {
      const { gap } = item;
      const raw = await readBytes(layout.segment(gap.session, gap.segment), gap.offset, Math.min(gap.length, longestRaw));
      lines.push(JSON.stringify({ gap, raw: raw.toString('base64') }));
    } else {
      events += 1;
      lines.push(JSON.stringify({ event: item }));
    }
  }
  if (events === 0) throw new Failure<JournalFailureReason>('not_found', `there is no case ${caseId} in this journal`);
  return `${lines.join('\n')}\n`;
}
