import { mapAtOnce } from '../../base/at-once.ts';
import type { BlobStore } from '../../journal/port.ts';
import type { Actor } from '../../model/actor.ts';
import { casebookActor } from '../../model/actor.ts';
import { countDecided, type HunkVerdict, type SettledFile } from '../../model/change.ts';
import type { WriteEntry } from '../apply/plan.ts';
import { attributeText } from '../files/attribute.ts';
import type { Content, FileReview } from '../files/file-review.ts';
import { type FileResult, outcomeOf, resolveFile, sameContent } from '../files/resolve.ts';
import { runInSlices } from '../files/slices.ts';
import { unifiedDiff } from '../files/unified.ts';
import type { FileView } from '../port.ts';
import type { AnsweredFile, Decided } from './answer.ts';
import { contentOf, keepContent, sameRef } from './contents.ts';
import { filesAtOnce } from './intake.ts';
import { textOfBytes } from './present.ts';
import type { FileState, SetState } from './state.ts';
import { reviewOf, type Views } from './views.ts';
import type { ToldFile } from './words.ts';

/** What the decisions on one file come to: what is recorded, what is told, and what would have to be written. */
export interface FileOutcome {
  settled: SettledFile;
  told: ToldFile;
  answered: AnsweredFile;
  /** The person changed lines that the agent had not touched. */
  outside: boolean;
  /** From what is on disk to what was decided; absent where they are the same. */
  entry?: WriteEntry;
}

/** Works out a decided set. Fails `undecided` when something is not. */
export async function outcomesOf(state: SetState, views: Views, blobs: BlobStore, signal?: AbortSignal): Promise<{ outcome: Decided; files: FileOutcome[] }> {
  const files = await mapAtOnce(state.files, filesAtOnce, (file) => outcomeOfFile(state, file, views, blobs, signal));
  const tallies = files.map(({ told, outside }) => ({ accepted: told.accepted, rejected: told.rejected, edited: told.edited + (outside && told.edited === 0 ? 1 : 0), pending: 0 }));
  const outcome = outcomeOf(tallies);
  return { outcome: outcome === 'pending' ? 'rejected' : outcome, files };
}

async function outcomeOfFile(state: SetState, file: FileState, views: Views, blobs: BlobStore, signal?: AbortSignal): Promise<FileOutcome> {
  const view = await views.file(state, file.key, signal);
  const decisions = new Map([...view.decisions].map(([hunk, decision]) => [hunk, { decision }]));
  const result = resolveFile(view.review, decisions);
  const { decided, outside } = await verdictsOf(file, view, result.after, views, signal);
  // Most files end as the base or the proposal, whose bytes are kept already.
  const final = sameContent(result.after, view.proposed) ? file.proposed : sameContent(result.after, view.review.base) ? file.base : await keepContent(blobs, result.after);
  const draft = file.draft === undefined ? undefined : await contentOf(blobs, file.draft);
  const personsPatch = draft === undefined ? undefined : await patchBetween(file, view.proposed, draft, signal);
  const count = (verdict: HunkVerdict): number => countDecided({ decided }, verdict);
  const moved = result.path !== file.path;
  const entry = entryOf(state, file, view, result);
  return {
    settled: { root: file.root, path: file.path, ...(file.from === undefined ? {} : { from: file.from }), base: file.base, proposed: file.proposed, final, finalPath: result.path, decided, ...(personsPatch === undefined ? {} : { personsPatch }) },
    told: { key: file.key, accepted: count('accept'), rejected: count('reject'), edited: count('edited'), ...(personsPatch === undefined ? {} : { personsPatch }) },
    answered: {
      key: file.key,
      partial: count('reject') > 0 || moved,
      edited: count('edited') > 0 || outside || file.merged === true,
      empty: result.after.kind === 'file' && result.after.bytes.length === 0,
      ...(final.kind === 'file' && !moved && (file.merged === true || !sameRef(final, file.proposed)) ? { final: final.hash } : {}),
    },
    outside,
    ...(entry === undefined ? {} : { entry }),
  };
}

/**
 * What was decided of each hunk of the agent's own proposal. Where the person had edited it, that is read off the final content: left as proposed is accepted,
 * as it was is rejected, anything else edited.
 */
async function verdictsOf(file: FileState, view: FileView, after: Content, views: Views, signal?: AbortSignal): Promise<{ decided: SettledFile['decided']; outside: boolean }> {
  const deciderOf = (hunk: string): Actor => (file.decisions[hunk] ?? file.rest ?? Object.values(file.decisions)[0])?.by ?? casebookActor('desk');
  if (file.draft === undefined) return { decided: grouped([...view.decisions].map(([hunk, decision]) => ({ hunk, decision, by: deciderOf(hunk) }))), outside: false };
  const own = await views.proposal(file, signal);
  const by = deciderOf('');
  const text = after.kind === 'file' ? textOfBytes(after.bytes) : undefined;
  if (own.body.kind === 'lines' && text !== undefined) {
    const told = await runInSlices(attributeText(own, text), signal === undefined ? {} : { signal });
    const whole = own.hunks.filter((hunk) => hunk.kind === 'entry').map((hunk) => ({ hunk: hunk.id, decision: view.decisions.get(hunk.id) ?? ('accept' as const), by: deciderOf(hunk.id) }));
    return { decided: grouped([...whole, ...[...told.decisions].map(([hunk, { decision }]) => ({ hunk, decision, by: deciderOf(hunk) }))]), outside: told.outside.length > 0 };
  }
  const decision: HunkVerdict = sameContent(after, own.base) ? 'reject' : sameContent(after, own.proposed) ? 'accept' : 'edited';
  return { decided: grouped(own.hunks.map((hunk) => ({ hunk: hunk.id, decision, by }))), outside: false };
}

function grouped(hunks: readonly { hunk: string; decision: HunkVerdict; by: Actor }[]): SettledFile['decided'] {
  const groups = Map.groupBy(hunks, ({ decision, by }) => [decision, by.kind, by.name, by.via ?? ''].join('\n'));
  return [...groups.values()].flatMap((group) => (group[0] === undefined ? [] : [{ decision: group[0].decision, by: group[0].by, hunks: group.map((one) => one.hunk) }]));
}

function entryOf(state: SetState, file: FileState, view: FileView, result: FileResult): WriteEntry | undefined {
  if (state.disk === 'proposed') return result.changed ? { root: file.root, path: result.path, from: result.from, before: result.before, after: result.after } : undefined;
  const stays = result.path === file.path && sameContent(view.proposed, result.after);
  return stays ? undefined : { root: file.root, path: result.path, from: file.path, before: view.proposed, after: result.after };
}

async function patchBetween(file: FileState, from: Content, to: Content, signal?: AbortSignal): Promise<string> {
  const { from: _renamed, ...place } = file;
  const review: FileReview = await reviewOf(place, from, to, signal);
  return unifiedDiff(review, { base: `proposed/${file.path}`, proposed: `reviewer/${file.path}` });
}

