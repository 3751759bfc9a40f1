import { wellFormed } from '../../base/text.ts';
import type { NewEvent } from '../port.ts';
import { safeCut } from './hold-back.ts';
import { applyRanges, type Masker } from './masker.ts';

/** A piece of streamed text that may be written: clean, with the event it goes into. */
export interface Chunk {
  event: NewEvent;
  text: string;
  masked: number;
  replaced: number;
}

interface Held {
  event: NewEvent;
  text: string;
}

const streamed: ReadonlySet<string> = new Set(['run.texted', 'run.thought']);

/**
 * The texts that runs are streaming. Of each the last word stays here until the next chunk, or any other event of the same run or
 * case, shows that it is complete; so the record is one word behind the model, and a token cut in two is masked all the same.
 */
export class TextStreams {
  private readonly held = new Map<string, Held>();

  constructor(private readonly masker: Masker) {}

  /**
   * Takes an event in. `before` is held text that has to be written first; `own` is what may be written of this event's text now
   * (possibly nothing of it: an empty text), undefined when the event is no streamed text.
   */
  async take(event: NewEvent, body: unknown): Promise<{ before: Chunk[]; own?: Chunk }> {
    const text = streamed.has(event.kind) && event.run !== undefined ? textIn(body) : undefined;
    const key = `${event.run ?? ''} ${event.kind}`;
    const before = await this.drain((held) => isSame(event, held), text === undefined ? undefined : key);
    if (text === undefined) return { before };
    const all = wellFormedStream(`${this.held.get(key)?.text ?? ''}${text}`);
    const ranges = await this.masker.ranges(all.text);
    const cut = safeCut(all.text, ranges);
    const inside = ranges.filter((range) => range.end <= cut);
    this.held.delete(key);
    const rest = all.text.slice(cut) + all.half;
    if (rest !== '') this.held.set(key, { event, text: rest });
    return { before, own: { event, text: applyRanges(all.text.slice(0, cut), inside), masked: inside.length, replaced: all.replaced } };
  }

  /** Gives (and forgets) what is held and wanted; `except` stays held. */
  async drain(wanted: (held: NewEvent) => boolean, except?: string): Promise<Chunk[]> {
    const chunks: Chunk[] = [];
    for (const [key, { event, text }] of Array.from(this.held)) {
      if (key === except || !wanted(event)) continue;
      this.held.delete(key);
      const clean = wellFormed(text);
      chunks.push({ event, ...(await this.masker.text(clean.text)), replaced: clean.replaced });
    }
    return chunks;
  }
}

/** Whether an event says that the stream it is compared with has moved on: one of the same run, or of the same case where it names no run. */
function isSame(event: NewEvent, held: NewEvent): boolean {
  if (event.run !== undefined) return event.run === held.run;
  return event.case !== undefined && event.case === held.case;
}

/** As `wellFormed`, but a first half at the very end may find its second in the next chunk and is kept apart. */
function wellFormedStream(text: string): { text: string; replaced: number; half: string } {
  const half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';
  return { ...wellFormed(half === '' ? text : text.slice(0, -1)), half };
}

function textIn(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'text' in body && typeof body.text === 'string' ? body.text : undefined;
}
