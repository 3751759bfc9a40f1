import type { FileChange, SetOutcome } from '../../extension/core/model/change.ts';
import type { HunkView } from '../../extension/shared/review-protocol.ts';
import { plural } from '../shared/words.ts';
import type { CallerNote, FileFilter, FileStatus } from './model.ts';

/** Every word that the review panel shows or speaks. */

const kind: Record<FileChange['kind'], { word: string; letter: string }> = {
  modify: { word: 'Modified', letter: 'M' },
  create: { word: 'New', letter: 'A' },
  delete: { word: 'Deleted', letter: 'D' },
  rename: { word: 'Renamed', letter: 'R' },
  mode: { word: 'Mode changed', letter: 'P' },
  symlink: { word: 'Symbolic link', letter: 'L' },
  binary: { word: 'Binary', letter: 'B' },
  notebook: { word: 'Notebook', letter: 'N' },
};

const outcome: Record<SetOutcome, string> = {
  accepted: 'Accepted',
  partly_accepted: 'Partly accepted',
  rejected: 'Rejected',
  abandoned: 'Abandoned',
  decided_elsewhere: 'Decided in the agent’s terminal',
  superseded: 'Replaced by a later proposal',
  expired: 'Expired',
  failed: 'Could not be written',
};

const caller: Record<CallerNote, string> = {
  applied: 'These changes are on disk already: accepting keeps them, rejecting restores what was there before.',
  nobody_waits: 'Nobody waits for an answer. Accepted changes are written by Casebook.',
  gone: 'The agent is not waiting any more. What you accept is written by Casebook after the files were checked again; the agent can be told in its next prompt.',
  writes_itself: 'The agent writes the files itself once you accept. Casebook then looks whether it wrote what you accepted.',
  no_part: 'This agent takes all or nothing. If you accept a part, Casebook writes that part, the agent is told “rejected”, and the words for its next prompt are offered.',
  no_edit: 'This agent cannot take text that you have changed. Casebook writes your version, and the agent is told “rejected”.',
  no_empty: 'This agent cannot take an empty file.',
  no_words: 'Your reasons and comments cannot be sent with the answer; they are offered for the agent’s next prompt.',
};

const status: Record<FileStatus, string> = { undecided: 'Undecided', accepted: 'Accepted', rejected: 'Rejected', mixed: 'Accepted in part' };

const filter: Record<FileFilter, string> = { all: 'All files', undecided: 'Undecided', unreviewed: 'Not reviewed', commented: 'With comments', conflicts: 'With conflicts' };

const why: Record<string, string> = {
  binary: 'This is a binary file. It is decided as a whole.',
  undecodable: 'The encoding of this file is not known. It is decided as a whole.',
  too_large: 'This file is too large to be shown by lines. It is decided as a whole.',
  lfs_pointer: 'This is a Git LFS pointer. It is decided as a whole.',
  encoding_changed: 'The proposal changes the encoding. It is decided as a whole.',
  unencodable: 'The proposal has characters that the encoding of the file cannot hold. It is decided as a whole.',
};

const hunkTitle: Record<HunkView['kind'], string> = {
  lines: 'Lines',
  final_newline: 'End of file',
  create: 'New file',
  delete: 'Deleted file',
  rename: 'Renamed',
  mode: 'File mode',
  symlink: 'Symbolic link',
  content: 'Content',
};

const rebased = {
  decided_before: 'Another change to these files was decided meanwhile. This set now stands on the result; look again at what is marked undecided.',
  changed_on_disk: 'Files have changed on disk or in an editor. This set now stands on what is there; look again at what is marked undecided.',
  asked: 'This set was compared again with what is there now.',
} as const;

export const keys: readonly [string, string][] = [
  ['n / p', 'Next / previous change, also across files'],
  ['j / k', 'Next / previous line'],
  [']  /  [', 'Next / previous file'],
  ['a / r', 'Accept / reject the change, or the chosen lines'],
  ['u', 'Take the decision back'],
  ['x', 'Choose the line, to decide single lines'],
  ['e', 'Edit the change'],
  ['c', 'Comment on the line'],
  ['C', 'Comment on the line before the change'],
  ['v', 'Mark the file as reviewed'],
  ['A / R', 'Accept / reject the rest of the file'],
  ['s', 'Unified or side by side'],
  ['o', 'Open in the diff editor'],
  ['/', 'Search in the changes'],
  ['?', 'This list'],
];

export const words = {
  kind, outcome, caller, status, filter, why, hunkTitle, rebased,
  panel: 'Review of a change set',
  empty: { title: 'No change set', hint: 'Open one from the Reviews view.' },
  problem: 'Dismiss',

  header: {
    pending: 'Pending',
    settled: 'Settled',
    taken_back: 'Taken back',
    waiting: (name: string) => `${name} is waiting`,
    not_waiting: (name: string) => `${name} is not waiting`,
    revision: (revision: number) => `On newer files, version ${revision + 1}`,
    conflictsLeft: (left: number) => `Everything else is accepted. ${left === 1 ? 'One conflict is' : `${left} conflicts are`} left: there both sides changed the same lines, so each is decided by itself.`,
    notRecording: 'Not recording: decisions wait until the journal can be written',
    restricted: 'Restricted Mode: looking only',
    applying: 'Being written',
    totals: (files: number, added: number, removed: number) => `${plural(files, 'file')}, ${plural(added, 'line')} added, ${plural(removed, 'line')} removed`,
    left: (left: number) => (left === 0 ? 'Everything is decided' : `${plural(left, 'change')} undecided`),
    origin: 'Origin',
    version: (version: string) => `version ${version}`,
    against: (against: string) => `compared with ${against}`,
    run: (run: string) => `run ${run}`,
    openCase: 'Open Case',
    actions: 'Actions on the whole set',
    acceptAll: 'Accept All',
    rejectAll: 'Reject All',
    finish: 'Finish Review',
    finishHint: 'Writes what was accepted and answers the agent.',
    undo: 'Undo',
    redo: 'Redo',
    refresh: 'Compare Again',
    native: 'Open in Diff Editor',
    copy: 'Copy Words for the Agent',
    keys: 'Keys',
    more: 'About this set',
    explanation: 'What the agent says',
    reason: 'Reason for the agent, sent when the set is settled',
    comment: 'Comment on the whole set',
    citations: 'Places of the case in these files',
    decidedBy: (names: string) => `Decided by ${names}`,
    answer: (verdict: string) => `The agent was told: ${verdict}.`,
    unheard: 'Nobody was waiting for the answer.',
    observed: { matches: 'On disk is what was accepted.', differs: 'What the agent wrote differs from what was accepted.', not_seen: 'The agent has not written the files yet.' },
    policy: (name: string) => `Decided by the policy “${name}”.`,
  },

  files: {
    list: 'Files of the set',
    filter: 'Which files',
    path: 'Filter by path',
    search: 'Search in the changes',
    searchHint: 'Enter searches in all changed lines',
    hits: (count: number, more: boolean) => (count === 0 ? 'Nothing found' : `${more ? 'First ' : ''}${plural(count, 'place')}`),
    clear: 'Close',
    none: 'No file passes the filter.',
    shown: (shown: number, all: number) => `${shown} of ${plural(all, 'file')}`,
    reviewed: 'reviewed',
    edited: 'edited by you',
    conflicts: (count: number) => plural(count, 'conflict'),
    counts: (added: number, removed: number) => `${added} added, ${removed} removed`,
    comments: (count: number) => plural(count, 'comment'),
    by: { origin: '', person: 'saved by you meanwhile', unknown: 'author unknown' },
    hit: (line: number) => `Line ${line}: `,
  },

  file: {
    accept: 'Accept File',
    reject: 'Reject File',
    acceptRest: 'Accept Rest',
    rejectRest: 'Reject Rest',
    reviewed: 'Reviewed',
    backToProposal: 'Back to Proposal',
    edited: 'Edited by you',
    native: 'Diff Editor',
    comment: 'Comment',
    layout: { unified: 'Side by Side', split: 'Unified' },
    hideBlank: 'Hide White Space',
    showBlank: 'Show White Space',
    hidden: (count: number) => `${plural(count, 'white-space change')} hidden`,
    from: (path: string) => `from ${path}`,
    warnings: 'Before you accept',
    conflicts: (count: number) => `${plural(count, 'place')} changed on both sides: in what is there now, and in the proposal.`,
    loading: 'Comparing…',
    nothing: 'Nothing differs any more.',
    cutHunks: (shown: number, all: number) => `Only the first ${shown.toLocaleString('en')} of ${all.toLocaleString('en')} changes are drawn. The rest is decided with the file, or in the diff editor.`,
    choose: 'Choose a file.',
    actions: 'Actions on the file',
    rows: 'Changes of the file',
  },

  hunk: {
    name: (number: number) => `Change ${number}`,
    accept: 'Accept',
    reject: 'Reject',
    undo: 'Undo',
    edit: 'Edit',
    lines: 'Lines…',
    comment: 'Comment',
    accepted: 'Accepted',
    rejected: 'Rejected',
    edited: 'Edited by you',
    conflict: 'Conflict',
    whitespace: 'White space only',
    parts: (decided: number, all: number) => `${decided} of ${plural(all, 'line')} decided`,
    chosen: (count: number) => `${plural(count, 'line')} chosen`,
    acceptChosen: 'Accept Chosen',
    rejectChosen: 'Reject Chosen',
    done: 'Done',
    tooManyLines: 'This change is too large to be decided line by line here.',
    tooLargeToEdit: 'This change is too large to be edited here. Open it in the diff editor.',
    conflictSays: 'Both sides changed these lines. Removed lines are what is there now, added lines are the proposal.',
    origin: 'The lines the proposal was made on',
    newline: (adds: boolean) => (adds ? 'Adds the missing line end at the end of the file.' : 'Removes the line end at the end of the file.'),
    noLines: 'The file is empty.',
    at: (base: string, proposed: string) => `${base} → ${proposed}`,
    label: (number: number, says: string) => `Change ${number}, ${says}`,
    undecided: 'undecided',
  },

  line: {
    added: 'Added',
    removed: 'Removed',
    unchanged: 'Unchanged',
    number: (line: number) => `line ${line}`,
    choose: (line: number) => `Choose line ${line}`,
    comment: (line: number) => `Comment on line ${line}`,
    cut: (length: number) => `… ${length.toLocaleString('en')} characters in all`,
    waiting: 'Loading',
    end: (end: string) => `Line end ${end}`,
  },

  gap: {
    lines: (count: number) => plural(count, 'unchanged line'),
    more: 'Show More',
    up: 'Show More Above',
    down: 'Show More Below',
    all: 'Show All',
  },
  hidden: { says: 'White-space change hidden', show: 'Show' },

  comment: {
    label: 'Comment',
    save: 'Keep Comment',
    cancel: 'Cancel',
    remove: 'Remove Comment',
    gathered: 'Comments are gathered here and sent together with the decision.',
    about: (place: string) => `Comment on ${place}`,
    lines: (from: number, to: number | undefined, side: string) => (to === undefined || to === from ? `line ${from} (${side})` : `lines ${from}–${to} (${side})`),
    side: { base: 'before', proposed: 'proposed' },
    placeholder: 'What should the agent know?',
  },

  edit: { label: 'Your text in place of the proposal', save: 'Keep Edit', cancel: 'Cancel', hint: 'Nothing is decided by an edit. Ctrl+Enter keeps it.', parts: 'It begins with what you decided line by line; once kept, the change is decided anew.' },

  confirm: { title: 'The proposal may be incomplete', accept: 'Accept Anyway', cancel: 'Cancel', more: (count: number) => `and ${plural(count, 'more file')}` },
  reject: {
    all: 'Reject everything that is undecided?',
    some: 'Reject what was saved meanwhile?',
    counts: (changes: number, files: number) => `${plural(changes, 'change')} in ${plural(files, 'file')}`,
    deleted: (files: number) => `${plural(files, 'new file')} will be deleted.`,
    saved: (files: number) => `You have saved ${plural(files, 'file')} meanwhile. What you changed there may be lost:`,
    confirm: 'Reject',
  },
  help: { title: 'Keys of the review panel', close: 'Close' },

  facts: { absent: 'nothing', size: 'Size', hash: 'SHA-256', mode: 'Mode', target: 'Points to', before: 'Before', after: 'After' },

  announce: {
    settled: (text: string) => `The change set is settled: ${text}.`,
    rebased: 'The change set has changed. Look at it again.',
    standing: (standing: boolean) => (standing ? 'The changes are on disk again.' : 'The changes were taken back.'),
    detached: 'The agent is not waiting any more. The set stays pending.',
    left: (left: number) => (left === 0 ? 'Everything is decided.' : `${plural(left, 'change')} undecided.`),
    lastHunk: 'This was the last change.',
    firstHunk: 'This is the first change.',
    reviewed: (on: boolean) => (on ? 'Marked as reviewed.' : 'Mark taken off.'),
    allDecided: 'Everything in this file is decided. Press n for the next one.',
  },
} as const;
