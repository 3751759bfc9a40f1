import { countDecided, type ReviewComment } from '../../model/change.ts';
import type { SetState } from './state.ts';

/** What was decided of one file, for telling it in words. */
export interface ToldFile {
  key: string;
  accepted: number;
  rejected: number;
  edited: number;
  /** What the person changed, as a unified diff. */
  personsPatch?: string | undefined;
}

export interface Told {
  title: string;
  outcome: 'accepted' | 'partly_accepted' | 'rejected';
  /** The decided state is on disk, whoever wrote it. */
  applied: boolean;
  files: readonly ToldFile[];
  reason?: string | undefined;
  comments: readonly ReviewComment[];
}

/**
 * A person's review in plain words for an agent's next prompt: what was taken, what was not, what was changed by hand, and each remark with the lines it is about.
 * The text of the person and of the code stands as it is.
 */
export function wordsForAgent(told: Told): string {
  const lines = [`Your change "${told.title}" was reviewed: ${outcomeWords[told.outcome]}.`];
  if (told.applied && told.outcome !== 'rejected') lines.push('The accepted state is on disk now; read the files again before you change them further.');
  for (const file of told.files) {
    const parts = [counted(file.accepted, 'accepted'), counted(file.rejected, 'rejected'), counted(file.edited, 'accepted with changes by the reviewer')].filter((part) => part !== '');
    if (told.outcome === 'partly_accepted' || file.edited > 0) lines.push(`- ${file.key}: ${parts.join(', ')}`);
    if (file.personsPatch !== undefined) lines.push('', "  The reviewer's changes to your proposal:", fenced(file.personsPatch, 'diff'));
  }
  if (told.reason !== undefined && told.reason.trim() !== '') lines.push('', `Reason: ${told.reason.trim()}`);
  if (told.comments.length > 0) lines.push('', 'Comments:', ...told.comments.map(commentWords));
  return lines.join('\n');
}

/** The reason and the comments alone, for callers that can carry them with their answer; undefined when there are none. */
export function remarks(reason: string | undefined, comments: readonly ReviewComment[]): string | undefined {
  const parts = [...(reason === undefined || reason.trim() === '' ? [] : [reason.trim()]), ...comments.map(commentWords)];
  return parts.length === 0 ? undefined : parts.join('\n');
}

const outcomeWords = { accepted: 'accepted', partly_accepted: 'accepted in part', rejected: 'rejected' } as const;

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? 'hunk' : 'hunks'} ${what}`;
}

function commentWords(comment: ReviewComment): string {
  const place = comment.file === undefined ? '' : comment.line === undefined ? `${comment.file}: ` : `${comment.file}:${comment.line}${comment.endLine === undefined || comment.endLine === comment.line ? '' : `-${comment.endLine}`}${comment.side === 'base' ? ' (before the change)' : ''}: `;
  const excerpt = comment.excerpt === undefined || comment.excerpt.trim() === '' ? '' : `\n${comment.excerpt.split('\n').map((line) => `  > ${line}`).join('\n')}`;
  return `- ${place}${comment.text.trim()}${excerpt}`;
}

/** A fence longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/u, '')}\n${fence}`;
}

/** A settled set as it is told; undefined while it is pending or when nobody decided. */
export function toldOf(state: SetState): Told | undefined {
  const { settled } = state;
  if (settled === undefined || (settled.outcome !== 'accepted' && settled.outcome !== 'partly_accepted' && settled.outcome !== 'rejected')) return undefined;
  return {
    title: state.title,
    outcome: settled.outcome,
    applied: settled.standing === true,
    files: settled.files.map((file) => ({ key: `${file.root}/${file.path}`, accepted: countDecided(file, 'accept'), rejected: countDecided(file, 'reject'), edited: countDecided(file, 'edited'), personsPatch: file.personsPatch })),
    reason: settled.reason,
    comments: state.comments,
  };
}
