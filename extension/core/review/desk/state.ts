import type { Actor } from '../../model/actor.ts';
import type { CallerAnswer, CallerCapabilities, ChangeOrigin, ContentRef, FileChange, ReviewComment, SetOutcome, SettledFile } from '../../model/change.ts';

/** A change set as its events say it is: plain data without bytes, the same in every process. */
export interface SetState {
  id: string;
  title: string;
  explanation?: string;
  origin: ChangeOrigin;
  disk: 'proposed' | 'applied';
  caller: { name: string; capabilities: CallerCapabilities; /** Still waiting for the outcome. */ attached: boolean };
  status: 'pending' | 'settled';
  /** The write was begun and no end of it is on record: the next finish looks at the disk. */
  applying: boolean;
  /** The last write of it, which failed; nothing of it is on disk. */
  writeFailed?: { reason: string; message: string; at: string };
  revision: number;
  openedAt: string;
  lastEventAt: string;
  /** The journal session whose process settles it. */
  owner: string;
  files: FileState[];
  /** Given with the last decision. */
  reason?: string;
  /** A person wants it settled as it is decided. */
  finishAsked: boolean;
  comments: (ReviewComment & { by: Actor; at: string })[];
  /** Why files were re-based last. */
  rebased?: 'decided_before' | 'changed_on_disk' | 'asked';
  lookedAt: string[];
  settled?: SettledState;
}

export interface FileState extends FileChange {
  /** `root/path`. */
  key: string;
  /** The person's version of the proposed side. */
  draft?: ContentRef;
  /** By hunk or part id. */
  decisions: Record<string, HunkState>;
  /** Decided for all that was undecided at that moment. */
  rest?: HunkState;
  /** Hunks still undecided, as last counted; exact once the owner has looked. */
  left: number;
  conflicts: string[];
  /** Of conflicts, by hunk: the lines that the proposal was made on, where they are few. */
  origins?: Record<string, string[]>;
  /** Looked at by a person in the form shown now. */
  reviewed: boolean;
}

export interface HunkState {
  decision: 'accept' | 'reject';
  by: Actor;
  at: string;
}

export interface SettledState {
  at: string;
  outcome: SetOutcome;
  by: Actor[];
  files: SettledFile[];
  reason?: string;
  answer?: CallerAnswer;
  heard: boolean;
  policy?: string;
  written?: WrittenState;
  /** The written state is on disk; false after an undo. Absent where there is nothing to undo. */
  standing?: boolean;
  observed?: { result: 'matches' | 'differs' | 'not_seen'; actual?: Record<string, ContentRef> };
}

export interface WrittenState {
  files: { root: string; path: string; from?: string; before: ContentRef; after: ContentRef }[];
  folders: string[];
  buffers: string[];
}

/** What is shown of a file: the person's draft, else the proposal. */
export function shownRef(file: FileState): ContentRef {
  return file.draft ?? file.proposed;
}

/** A name for exactly this content, for marks that go when it changes. */
export function refName(ref: ContentRef): string {
  return ref.kind === 'file' ? ref.hash : ref.kind === 'link' ? `link:${ref.target}` : 'absent';
}
