import { Failure, isFailure } from '../../base/failure.ts';
import type { Root } from '../../repo/roots.ts';
import type { WriteDisk } from '../apply/disk.ts';
import type { WriteFailureReason } from '../apply/failure.ts';
import { placeOf } from '../apply/places.ts';
import { decodeDocument, joinLines } from '../files/document.ts';
import type { Content } from '../files/file-review.ts';
import { pairText } from '../files/pair.ts';
import { runInSlices } from '../files/slices.ts';
import type { Buffers, DeskFailureReason } from '../port.ts';

/** What is there now: on disk, and in an editor where somebody has unsaved text. */
export interface Present {
  content: Content;
  /** Absolute, links resolved. */
  place: string;
  /** The unsaved text, and the bytes that saving it would write. */
  buffer?: { text: string; bytes: Uint8Array };
}

/** Looks at the files that sets are about, through the same checks of places as the writer. */
export class PresentFiles {
  constructor(
    private readonly disk: WriteDisk,
    private readonly roots: () => readonly Root[],
    private readonly buffers?: Buffers,
  ) {}

  /** What stands at `root/path`. Fails `bad_proposal` for a path that no review may touch. */
  async at(file: { root: string; path: string }, options: { link?: boolean } = {}): Promise<Present> {
    const root = this.roots().find((candidate) => candidate.name === file.root);
    if (root === undefined) throw new Failure<DeskFailureReason>('bad_proposal', `There is no folder named ${file.root} in this workspace.`, { detail: file });
    try {
      const { path: place, entry } = await placeOf(this.disk, root, file.path, options.link !== true, 'follow');
      if (entry === undefined) return { content: { kind: 'absent' }, place };
      if (entry.kind === 'link') return { content: { kind: 'link', target: await this.disk.readLink(place) }, place };
      const bytes = await this.disk.read(place);
      const buffer = await this.bufferOf(place, bytes);
      return { content: { kind: 'file', bytes, mode: entry.mode }, place, ...(buffer === undefined ? {} : { buffer }) };
    } catch (error) {
      if (isFailure<WriteFailureReason>(error)) throw new Failure<DeskFailureReason>('bad_proposal', `${file.root}/${file.path}: ${error.message}`, { detail: { ...file, why: error.reason }, cause: error });
      throw error;
    }
  }

  private async bufferOf(place: string, bytes: Uint8Array): Promise<Present['buffer']> {
    const text = this.buffers?.unsaved(place);
    if (text === undefined) return undefined;
    return { text, bytes: (await runInSlices(pairText(bytes, text))).proposedBytes };
  }
}

/** The text an editor would show for these bytes, or undefined where they are no text. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  const document = decodeDocument(bytes);
  return document.kind === 'text' ? joinLines(document.lines) : undefined;
}
