import { setTimeout as delay } from 'node:timers/promises';
import { Failure, isFailure, messageOf } from '../base/failure.ts';
import { sha256 } from '../base/hash.ts';
import type { Logger } from '../base/logger.ts';
import type { BlobStore } from '../journal/port.ts';
import type { CallerCapabilities, ChangeOrigin } from '../model/change.ts';
import { fileKey } from '../model/change.ts';
import type { Root } from '../repo/roots.ts';
import { readRegular } from '../repo/work-tree.ts';
import { editedText } from '../review/desk/answered-text.ts';
import { decodeDocument, joinLines } from '../review/files/document.ts';
import type { DeskFailureReason, Outcome, ReviewDesk } from '../review/port.ts';
import type { LinkFailureReason } from './failure.ts';
import { findLinkPlace, type LinkPlace } from './paths.ts';

export interface DiffDeps {
  desk: Pick<ReviewDesk, 'propose' | 'decidedElsewhere' | 'file'>;
  blobs: BlobStore;
  roots: () => readonly Root[];
  /** Whether agents may see a file. */
  shared: (path: string) => boolean;
  logger: Logger;
  /** Told of each set with the file it is about. */
  onProposed(set: string, file: string): void;
  onSettled(set: string, outcome: Outcome): void;
}

/** How an agent's own surface is given time to write what was decided there. Milliseconds. */
const writingTime = 3000;
const lookEvery = 50;

interface OpenDiff {
  tab: string;
  place: LinkPlace;
  proposed: string;
  /** Hash of what stood there when it was opened; undefined: nothing. */
  before: string | undefined;
  set: Promise<string>;
  /** Aborted by a second close, which means that nothing will be written. */
  waiting?: AbortController;
}

/** The diffs that one session waits for. Only its own: no client can close another's. */
export class OpenDiffs {
  private readonly open = new Set<OpenDiff>();

  constructor(
    private readonly deps: DiffDeps,
    private readonly caller: { origin: ChangeOrigin; capabilities: CallerCapabilities },
  ) {}

  /**
   * Puts a proposed text on the review desk and waits for its outcome. `text` in the outcome is the accepted content with LF ends, whatever the file's own are, where
   * one was accepted. Rejects with a LinkFailureReason or DeskFailureReason; nothing is on the desk then.
   */
  async propose(request: { tab: string; path: string; text: string; title?: string }, signal: AbortSignal): Promise<{ outcome: Outcome; text?: string }> {
    if ([...this.open].some((diff) => diff.tab === request.tab)) throw new Failure<LinkFailureReason>('ambiguous', `A diff named ${request.tab} is open already.`);
    const place = await findLinkPlace(this.deps.roots(), request.path);
    const file = { root: place.root.name, path: place.path };
    const known = Promise.withResolvers<string>();
    const diff: OpenDiff = { tab: request.tab, place, proposed: request.text, before: await hashAt(place.real), set: known.promise };
    this.open.add(diff);
    const { origin } = this.caller;
    const capabilities = this.capabilitiesAt(place);
    try {
      const outcome = await this.deps.desk.propose(
        // A byte order mark is the file's, not the text's: the desk keeps the one that is there.
        { title: request.title ?? '', origin, disk: 'proposed', files: [{ ...file, proposed: { kind: 'text', text: place.exists ? request.text.replace(/^\uFEFF/u, '') : request.text } }] },
        { name: origin.client, capabilities, signal, onSet: (set) => (known.resolve(set), this.deps.onProposed(set, fileKey(file))) },
      );
      this.deps.onSettled(outcome.set, outcome);
      if (outcome.answer?.verdict !== 'accept') return { outcome };
      return { outcome, text: await this.finalText(outcome, fileKey(file), request.text) };
    } finally {
      known.resolve('');
      this.open.delete(diff);
      diff.waiting?.abort();
    }
  }

  /** The text that an open diff proposes by now, a person's edits included, with LF ends; undefined where no such diff is open. Of a file that is not shared only what its client wrote. */
  async textShown(tab: string): Promise<string | undefined> {
    const diff = [...this.open].find((one) => one.tab === tab);
    const set = (await diff?.set) ?? '';
    if (diff === undefined || set === '') return undefined;
    if (!this.deps.shared(diff.place.real)) return diff.proposed;
    const { review } = await this.deps.desk.file(set, fileKey({ root: diff.place.root.name, path: diff.place.path }));
    return review.proposed.kind === 'file' ? lfText(review.proposed.bytes) : undefined;
  }

  /**
   * The client closed a diff that nobody had decided here: its user answered on its own surface. The first close comes before anything is written, so the file gets
   * some time; the second means "no". True when such a diff was open.
   */
  close(tab: string): boolean {
    const diff = [...this.open].find((one) => one.tab === tab);
    if (diff === undefined) return false;
    this.settleElsewhere(diff);
    return true;
  }

  /** Closes all of them; gives their number. */
  closeAll(): number {
    const all = [...this.open];
    for (const diff of all) this.settleElsewhere(diff);
    return all.length;
  }

  private settleElsewhere(diff: OpenDiff): void {
    if (diff.waiting !== undefined) return diff.waiting.abort();
    const waiting = new AbortController();
    diff.waiting = waiting;
    const settle = async (): Promise<void> => {
      const set = await diff.set;
      await untilWritten(diff, waiting.signal);
      if (set === '' || !this.open.has(diff)) return;
      await this.deps.desk.decidedElsewhere(set, this.caller.origin.client);
    };
    // Decided at the desk in the same moment: then the client hears that, late, and its own answer stands.
    settle().catch((error: unknown) => {
      if (!isFailure<DeskFailureReason>(error, 'settled', 'closed')) this.deps.logger.warn('a change that was decided in the agent’s own surface could not be settled', { message: messageOf(error) });
    });
  }

  private async finalText({ answer }: Outcome, key: string, proposed: string): Promise<string> {
    return (await editedText(answer, key, this.deps.blobs))?.replaceAll(/\r\n?/gu, '\n') ?? proposed;
  }

  /** A text that is given back could hold lines of the file that its client never saw; without edits and parts there is none but its own. */
  private capabilitiesAt(place: LinkPlace): CallerCapabilities {
    const { capabilities } = this.caller;
    return this.deps.shared(place.real) ? capabilities : { ...capabilities, canEdit: false, canPartial: false };
  }
}

/** As agents take it: with LF ends. Undefined where it is no text. */
export function lfText(bytes: Uint8Array): string | undefined {
  const document = decodeDocument(bytes, { maxBytes: bytes.length });
  return document.kind === 'text' ? joinLines(document.lines).replaceAll(/\r\n?/gu, '\n') : undefined;
}

/** Resolves once the file is other than it was and has stopped changing, or when its time is over. */
async function untilWritten(diff: OpenDiff, signal: AbortSignal): Promise<void> {
  const until = performance.now() + writingTime;
  let last = diff.before;
  while (performance.now() < until && !signal.aborted) {
    const now = await hashAt(diff.place.real);
    if (now !== diff.before && now === last) return;
    last = now;
    await delay(lookEvery, undefined, { signal }).catch(() => undefined);
  }
}

async function hashAt(path: string): Promise<string | undefined> {
  const bytes = await readRegular(path);
  return bytes === undefined ? undefined : sha256(bytes);
}
