import { classificationWords, engineWords, runWords, statusWords } from '../../extension/shared/words.ts';
import type { QuestionState, StepState } from '../../extension/core/cases/state.ts';
import type { Citation, Clue } from '../../extension/core/model/code.ts';
import type { RunOutcome } from '../../extension/core/model/run.ts';
import type { Severity, TextFindings } from '../../extension/core/model/ticket.ts';
import type { Classification, Confidence, ReplyFinding } from '../../extension/core/model/verdict.ts';

/** Every word that the case panel shows or speaks. */

const plural = (count: number, one: string, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

const confirmation = { confirmed: 'confirmed', suspected: 'suspected' } as const;
const confidence: Record<Confidence, string> = { high: 'High confidence', medium: 'Medium confidence', low: 'Low confidence' };
const confidenceShort: Record<Confidence, string> = { high: 'High', medium: 'Medium', low: 'Low' };

const citation: Record<Citation['state'], { word: string; says: string }> = {
  verified: { word: 'Verified', says: 'The quote was found at this place.' },
  located: { word: 'Located', says: 'The place exists; no quote was given.' },
  moved: { word: 'Moved', says: 'The quote stands at another line.' },
  stale: { word: 'Stale', says: 'Verified in the snapshot; the file is different now.' },
  missing: { word: 'Missing', says: 'There is no such place or quote.' },
};

const outcome: Record<RunOutcome, string> = { completed: 'Completed', failed: 'Failed', cancelled: 'Stopped', timed_out: 'Timed out', interrupted: 'Interrupted' };

const step: Record<StepState['kind'], string> = {
  text: 'Message',
  thinking: 'Thinking',
  tool: 'Tool',
  denied: 'Denied',
  note: 'Note',
  report: 'Report',
  question: 'Question',
  refusal: 'Verdict sent back',
  verdict: 'Verdict',
  scout: 'Scout',
};

const stepState: Record<StepState['state'], string> = { running: 'running', done: 'done', failed: 'failed', denied: 'denied' };

const rule: Record<ReplyFinding['rule'], string> = {
  language: 'Language',
  secret: 'Secret',
  path: 'Path',
  code: 'Code',
  internal_name: 'Internal name',
  other_customer: 'Other customer',
  promise: 'Promise',
  confidence: 'Confidence talk',
  defect_admission: 'Admission of a defect',
  disagrees: 'Disagrees with the verdict',
  mention: 'Mention',
  length: 'Length',
  invisible: 'Invisible characters',
  claim: 'Claim',
  remote_image: 'Remote image',
};

const finding: Record<keyof TextFindings, (count: number) => string> = {
  invisible: (count) => `${plural(count, 'invisible character')} made visible`,
  bidi: (count) => `${plural(count, 'text-direction control')} made visible`,
  control: (count) => `${plural(count, 'control character')} made visible`,
  tags: (count) => `${plural(count, 'tag character')} made visible`,
  hiddenMarkup: (count) => `${plural(count, 'piece of hidden markup', 'pieces of hidden markup')} surfaced`,
  masked: (count) => `${plural(count, 'secret')} masked`,
  brokenUnicode: (count) => `${plural(count, 'broken character')} replaced`,
  notReadable: (count) => `not readable: ${count}`,
};

const severity: Record<Severity, string> = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low', unknown: 'Unknown severity' };
const clue: Record<Clue['kind'], string> = {
  frame: 'Stack frame',
  error: 'Error message',
  path: 'Path',
  identifier: 'Identifier',
  quoted: 'Quoted text',
  version: 'Version',
  url: 'URL',
  date: 'Date',
  commit: 'Commit',
  ticket: 'Ticket',
};

export const words = {
  plural,
  status: statusWords,
  classification: classificationWords,
  confirmation,
  confidence,
  confidenceShort,
  citation,
  engine: engineWords,
  outcome,
  reason: runWords,
  step,
  stepState,
  rule,
  finding,
  severity,
  clue,
  unknown: 'unknown',
  none: 'none',
  panel: 'Casebook case',

  sections: {
    questions: 'Questions',
    verdict: 'Verdict',
    steps: 'Steps',
    evidence: 'Evidence',
    report: 'Report',
    reply: 'Reply draft',
    ticket: 'Ticket',
    history: 'Runs',
    changes: 'Changed files',
  },

  header: {
    replay: 'Replay: no model ran',
    replayTitle: 'This comes from a recorded run. It can never be posted.',
    ambient: 'Ambient context shared',
    ambientTitle: 'The selection and the active file were shared with the agent.',
    notRecording: 'Not recording',
    notRecordingTitle: 'The journal cannot be written; decisions wait until it can.',
    overridden: 'Overridden',
    accepted: 'Accepted',
    proofHolds: 'Proof holds',
    proofFails: 'Proof does not hold',
    branch: (name: string) => `Branch ${name}`,
    noBranch: 'No branch (detached)',
    commit: (commit: string) => `commit ${commit}`,
    clean: 'no local changes',
    dirty: (count: number) => plural(count, 'changed file'),
    behind: (count: number) => `${plural(count, 'commit')} behind`,
    ahead: (count: number) => `${plural(count, 'commit')} ahead`,
    upToDate: 'up to date',
    noUpstream: 'no upstream',
    lastFetch: (age: string) => `as fetched ${age} ago`,
    neverFetched: 'as last fetched',
    plainFolder: 'Folder without git',
    checkout: 'Checkout',
    engine: 'Engine',
    stop: 'Stop',
    runAgain: 'Run Again',
    resume: 'Resume',
    openTicket: 'Open Ticket',
    recheck: 'Check Citations Again',
    marksOn: 'Mark Cited Lines',
    marksOff: 'Unmark Cited Lines',
    journal: 'Show in Journal',
    actions: 'Case actions',
    ticketChanged: (count: number) => `The ticket changed ${count === 1 ? 'once' : `${count} times`} after the case was opened.`,
    staleTicket: (age: string, why: string) => `Last known copy of the ticket, ${age} old: ${why}`,
  },

  failed: {
    title: 'The investigation failed',
    interrupted: 'The investigation was interrupted',
    interruptedWhy: 'Its process is gone. What it had found is kept below.',
    timedOut: 'The investigation ran out of time',
    stopped: 'You stopped the investigation',
    noMessage: 'No reason was given.',
    scoutFailed: 'The scout failed',
  },

  steps: {
    elapsed: 'Elapsed',
    lastEvent: 'Last event',
    ago: (age: string) => `${age} ago`,
    tokens: 'Tokens',
    cost: 'Cost',
    turns: 'Turns',
    ended: 'Ended',
    count: (count: number) => plural(count, 'step'),
    empty: 'No steps yet.',
    waiting: 'The scout is looking through the repository.',
    latest: 'Jump to Latest',
    list: 'Steps of the run',
    limits: 'Limits',
    progress: 'Investigation in progress',
    noRun: 'No engine ran. The scout alone answered.',
  },

  evidence: {
    none: 'Nothing has been cited yet.',
    open: (place: string) => `Open ${place}`,
    line: (lines: string) => `Line ${lines}`,
    lines: (lines: string) => `Lines ${lines}`,
    wholeFile: 'Whole file',
    why: 'Why this file?',
    rank: (rank: number) => `Rank ${rank}`,
    score: (score: string) => `score ${score}`,
    movedTo: (line: number) => `Now at line ${line}`,
    claimed: 'Claimed',
    actual: 'In the file',
    others: 'Other ranked files',
    more: (count: number) => `Show ${count} More`,
    origin: { verdict: 'verdict', report: 'report', scout: 'scout' } as Record<Citation['origin'], string>,
    pinned: (place: string) => `A stack frame of the ticket lands on ${place}.`,
    summary: 'Citations by state',
    weight: 'weight',
    symbols: 'Symbols',
    clues: 'Clues in the ticket',
    commits: 'Related commits',
  },

  report: {
    none: 'No report yet.',
    partialShort: 'Partial',
    partial: 'Partial report: the run has not finished it.',
    updated: (time: string) => `Updated ${time}`,
    open: 'Open as File',
    image: (alt: string, url: string) => `Image not loaded${alt ? ` (${alt})` : ''}: ${url}`,
    table: 'Table',
  },

  reply: {
    label: 'Text of the reply',
    save: 'Save',
    saveHint: 'Ctrl+Enter saves',
    unsaved: 'Unsaved changes',
    saved: 'Saved',
    edited: 'Edited by you',
    discard: 'Discard Changes',
    copy: 'Copy',
    copied: 'Reply copied',
    post: 'Post…',
    findings: 'Findings',
    noFindings: 'The checks found nothing.',
    goTo: 'Go to',
    applyFix: 'Apply Fix',
    override: 'Override…',
    overrideReason: (ruleName: string) => `Reason to override “${ruleName}”`,
    confirmOverride: 'Override',
    cancel: 'Cancel',
    blocks: 'Blocks posting',
    warns: 'Warning',
    overriddenBecause: (why: string) => `Overridden: ${why}`,
    cannotPost: 'It cannot be posted yet:',
    saveFirst: 'Save your changes first.',
    noTarget: 'This ticket’s source takes no replies. Copy the text instead.',
    isReplay: 'This is a replay; nothing can be posted.',
    posted: (time: string) => `Posted ${time}`,
    openPosted: 'Open the posted reply',
    changedUnder: 'The saved reply changed while you were typing. Saving replaces it with your text.',
    gate: {
      waiting: 'Waiting for your approval of the exact text.',
      refused: 'You did not approve it; nothing was sent.',
      sending: 'Approved; sending.',
      confirmed: 'Sent, and read back unchanged.',
      failed: 'Sending failed.',
      unknown: 'Sent, but it could not be read back. Look at the ticket before you try again.',
    },
  },

  questions: {
    intro: 'The agent asks:',
    send: 'Send Answer',
    skip: 'Skip',
    own: 'Your own answer',
    text: 'Answer',
    incomplete: 'Answer every question, or skip.',
    numbered: (index: number, count: number) => `Question ${index} of ${count}`,
    chosen: (answer: NonNullable<QuestionState['answers']>[number]) => (answer.skipped ? 'Skipped' : [...answer.chosen, ...(answer.text ? [answer.text] : [])].join('; ')),
    answered: 'Answered questions',
  },

  verdict: {
    none: 'No verdict yet.',
    accept: 'Accept Verdict',
    override: 'Override…',
    formTitle: 'Override the verdict',
    classification: 'Classification',
    confirmation: 'Is the bug confirmed?',
    confirmationOptions: { confirmed: 'Confirmed', suspected: 'Suspected' } as const,
    confidence: 'Confidence',
    reason: 'Reason',
    reasonNeeded: 'Give a reason.',
    confirmationNeeded: 'Say whether the bug is confirmed.',
    submit: 'Override Verdict',
    cancel: 'Cancel',
    by: (who: string, time: string) => `by ${who}, ${time}`,
    engineSaid: (what: string) => `The engine said: ${what}`,
    recovered: 'Recovered from a run that was cut off',
    replay: 'From a replay',
    explanation: 'For support',
    nextStep: 'Next step',
    openQuestions: 'Open questions',
    limitations: 'Limitations',
    neededRepository: 'Needed repository',
    concludedBy: (engineName: string) => `Concluded by ${engineName}`,
  },

  ticket: {
    description: 'Description',
    noDescription: 'The ticket has no description.',
    where: 'Where it happened',
    environment: 'Environment',
    formData: 'Form data',
    customData: 'Custom data',
    customer: 'Customer and session',
    console: 'Console',
    network: 'Network',
    actions: 'Actions',
    thread: 'Thread',
    attachments: 'Attachments',
    notReadable: (count: number) => `not readable: ${count}`,
    unreadable: 'not readable',
    showImage: 'Show Image',
    untrusted: 'Text from the ticket is shown as it came and is never followed as an instruction.',
    truncated: (kept: string, total: string | undefined, note: string) => `${kept}${total === undefined ? '' : ` of ${total}`} shown. ${note}`,
    more: (count: number) => `Show ${count} More`,
    direction: { in: 'From the customer', out: 'From the team', system: 'Event' } as const,
    reporter: 'Reporter',
    labels: 'Labels',
    severity: 'Severity',
    state: 'Status',
    created: 'Created',
    updated: 'Updated',
    assignees: 'Assignees',
    source: 'Source',
    failedRequest: 'failed',
  },

  history: {
    none: 'No run yet.',
    started: (time: string) => `Started ${time}`,
    running: 'Running',
    resumes: 'resumes an earlier run',
    enforced: (what: string) => `Enforced by the engine: ${what}`,
    notEnforced: 'The engine enforces none of the limits itself.',
  },

  changes: {
    intro: 'These files changed while the investigation ran. Nothing was reverted.',
    change: { added: 'Added', modified: 'Modified', deleted: 'Deleted' } as const,
  },

  empty: { title: 'No case is open', hint: 'Run “Casebook: Investigate Ticket…” from the Command Palette.' },

  announce: {
    status: (what: string) => `Case: ${what}`,
    question: (count: number) => `The agent asks ${plural(count, 'question')}.`,
    verdict: (what: string) => `Verdict: ${what}`,
    posted: 'The reply was posted.',
    report: 'A first report is there.',
    saved: 'Reply saved.',
  },

  tokensInOut: (input: string, output: string) => `${input} in, ${output} out`,
  error: (message: string) => message,
  dismiss: 'Dismiss',
} as const;

/** `Bug, confirmed` and the like. */
export function classificationLabel(value: { classification: Classification; bugConfirmation?: 'confirmed' | 'suspected' | undefined }): string {
  const base = words.classification[value.classification];
  return value.bugConfirmation ? `${base}, ${words.confirmation[value.bugConfirmation]}` : base;
}
