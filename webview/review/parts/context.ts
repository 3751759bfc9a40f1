import type { FileState } from '../../../extension/core/review/desk/state.ts';
import type { FileBody, HunkView, PartView } from '../../../extension/shared/review-protocol.ts';
import type { FileLines } from '../lines.ts';
import type { CommentPlace } from '../rows.ts';
import type { ReviewModel } from './part.ts';

/** Lines of one hunk that a person chooses, to decide them by themselves. */
export interface Choice {
  hunk: string;
  parts: PartView[];
  chosen: ReadonlySet<string>;
}

/** What rows are drawn from, and what they can do. */
export interface DiffContext {
  model: ReviewModel;
  file: FileState;
  body: FileBody | undefined;
  lines: FileLines | undefined;
  layout: 'unified' | 'split';
  choice: Choice | undefined;
  editing: { hunk: string; text: string } | undefined;
  /** Decisions can be taken here and now. */
  act: boolean;
  decide: (hunk: HunkView, decision: 'accept' | 'reject' | 'undone') => void;
  decideChosen: (decision: 'accept' | 'reject') => void;
  decideFile: (decision: 'accept' | 'reject') => void;
  widen: (region: string, head: number, tail: number) => void;
  choose: (hunk: HunkView, part?: PartView) => void;
  endChoice: () => void;
  edit: (hunk: HunkView) => void;
  endEdit: () => void;
  keepEdit: (hunk: HunkView, text: string) => void;
  comment: (place: CommentPlace) => void;
  endComment: () => void;
  keepComment: (place: CommentPlace | undefined, text: string) => void;
  moreLines: number;
}
