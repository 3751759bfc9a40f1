import type { FileChange } from '../../model/change.ts';
import { type DecodeOptions, hashSteps } from './document.ts';
import { entryHunk, type Hunk, hunksOf } from './hunks.ts';
import { pairBytes, pairText, type Side, type WholeWhy } from './pair.ts';
import { runInSlices, runNow, type Sliced } from './slices.ts';

/** What stands under a path. `mode`: permission bits where they are known or asked for. */
export type Content = { kind: 'absent' } | { kind: 'file'; bytes: Uint8Array; mode?: number } | { kind: 'link'; target: string };

/** Content as an agent may also give it: text whose encoding and line ends are the base's business. */
export type ProposedContent = Content | { kind: 'text'; text: string; mode?: number };

export interface FileInput {
  root: string;
  /** From the root, with forward slashes; after the change. */
  path: string;
  /** A rename: the path before; `base` is what stands there. */
  from?: string;
  base: Content;
  proposed: ProposedContent;
  decode?: DecodeOptions;
}

/** One file of a change set, ready to be decided. `hunks` is empty when nothing would change. */
export interface FileReview {
  kind: FileChange['kind'];
  root: string;
  path: string;
  from?: string;
  base: Content;
  /** With exact bytes, also where text was proposed. */
  proposed: Content;
  /** By lines, as a whole with the reason, or `none` where no bytes change. */
  body: { kind: 'lines'; base: Side; proposed: Side } | { kind: 'whole'; why: WholeWhy } | { kind: 'none' };
  hunks: Hunk[];
}

/** `reviewFile` without holding the event loop. Fails `cancelled` when the signal aborts. */
export function reviewFile(input: FileInput, options: { signal?: AbortSignal; sliceMs?: number } = {}): Promise<FileReview> {
  return runInSlices(reviewSteps(input), options);
}

/** For small files and tests. */
export function reviewFileNow(input: FileInput): FileReview {
  return runNow(reviewSteps(input));
}

function* reviewSteps(input: FileInput): Sliced<FileReview> {
  const { root, path, from, base } = input;
  const key = `${root}/${path}`;
  const proposed: Content = input.proposed.kind === 'text' ? { ...withMode(input.proposed.mode), kind: 'file', bytes: Buffer.from(input.proposed.text.toWellFormed(), 'utf8') } : input.proposed;
  const common = { root, path, ...(from === undefined ? {} : { from }), base };
  const renames = from !== undefined && from !== path ? [entryHunk(key, 'rename', [from])] : [];
  if (base.kind !== 'file' || proposed.kind !== 'file') {
    const what = base.kind === 'absent' ? 'create' : proposed.kind === 'absent' ? 'delete' : 'symlink';
    const facts = [yield* factOf(base), yield* factOf(proposed)];
    const same = facts[0] === facts[1];
    const kind = renames.length > 0 ? 'rename' : base.kind === 'link' || proposed.kind === 'link' ? 'symlink' : what;
    const hunks = [...renames, ...(same ? [] : [entryHunk(key, what, facts)])];
    return { ...common, kind, proposed, body: { kind: 'none' }, hunks };
  }
  const modes = proposed.mode !== undefined && base.mode !== undefined && (proposed.mode & 0o7777) !== (base.mode & 0o7777) ? [entryHunk(key, 'mode', [base.mode & 0o7777, proposed.mode & 0o7777])] : [];
  const pair = input.proposed.kind === 'text' ? yield* pairText(base.bytes, input.proposed.text, input.decode) : yield* pairBytes(base.bytes, proposed.bytes, input.decode);
  const final: Content = { kind: 'file', bytes: pair.proposedBytes, ...withMode(proposed.mode) };
  const entries = [...renames, ...modes];
  const kindOf = (otherwise: FileChange['kind']): FileChange['kind'] => (renames.length > 0 ? 'rename' : otherwise);
  if (pair.kind === 'lines') {
    const lines = yield* hunksOf(key, pair.base, pair.proposed, pair.changes);
    const kind = kindOf(lines.length === 0 && modes.length > 0 ? 'mode' : /\.ipynb$/iu.test(path) ? 'notebook' : 'modify');
    return { ...common, kind, proposed: final, body: { kind: 'lines', base: pair.base, proposed: pair.proposed }, hunks: [...entries, ...lines] };
  }
  const same = Buffer.compare(base.bytes, pair.proposedBytes) === 0;
  const whole = same ? [] : [entryHunk(key, 'content', [yield* hashSteps(base.bytes), yield* hashSteps(pair.proposedBytes)])];
  return { ...common, kind: kindOf(same && modes.length > 0 ? 'mode' : 'binary'), proposed: final, body: same ? { kind: 'none' } : { kind: 'whole', why: pair.why }, hunks: [...entries, ...whole] };
}

function withMode(mode: number | undefined): { mode?: number } {
  return mode === undefined ? {} : { mode };
}

function* factOf(content: Content): Sliced<string> {
  if (content.kind === 'absent') return 'absent';
  return content.kind === 'link' ? `link ${content.target}` : `file ${yield* hashSteps(content.bytes)}`;
}
