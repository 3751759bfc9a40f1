import type { Logger } from '../core/base/logger.ts';
import type { LanguageModel } from '../core/agents/language-model.ts';
import type { Verbs } from '../core/agents/verbs/port.ts';
import type { Cases } from '../core/cases/port.ts';
import type { Journal } from '../core/journal/port.ts';
import type { DeskTool } from '../core/mcp/tool.ts';
import type { EngineName, RunLimits } from '../core/model/run.ts';
import type { Ticket } from '../core/model/ticket.ts';
import type { Root } from '../core/repo/roots.ts';
import type { ReviewPolicy } from '../core/review/desk/policies.ts';
import type { Checkpoints, PersonSaves } from '../core/review/checkpoints.ts';
import type { SetState } from '../core/review/desk/state.ts';
import type { Buffers, ReviewDesk } from '../core/review/port.ts';
import type { LineOrigin, LineQuery } from '../core/review/provenance/line-origin.ts';
import type { Gathered } from '../core/review/sources/gathered.ts';
import type { PatchInput } from '../core/review/sources/patch.ts';
import type { TicketSources } from '../core/tickets/registry.ts';
import type { TextOrigin } from '../core/tickets/sources/text.ts';
import type { TicketQuery } from '../core/tickets/source.ts';

/** What the core needs of whoever hosts it (the editor, a terminal): plain values and small functions, read at each use where they may change. */
export interface CorePorts {
  program: 'extension' | 'cli';
  version: string;
  /** The folder of the built files: `library/`, `grammars/`, `cli.js`, `scout-worker.js`. */
  dist: string;
  env: Readonly<Record<string, string | undefined>>;
  /** How this process runs a script of ours: node, or the editor's binary as node. */
  node: { command: string; env: Readonly<Record<string, string>> };
  logger: Logger;
  roots: () => readonly Root[];
  /** Against which relative references of tickets are resolved. */
  cwd: string;
  /** The journal lies in the workspace instead of the user's state folder. */
  journalInWorkspace?: boolean;
  /** Somebody can answer while a run goes on. */
  attended: boolean;
  limits(): RunLimits;
  model(engine: EngineName): string | undefined;
  github: { token(): Promise<string | undefined>; baseUrl?: string | undefined; queries?(): readonly TicketQuery[]; onWait?(milliseconds: number, why: string): void };
  ticketFolders(): readonly string[];
  claudePath(): string | undefined;
  openaiCompatible: { baseUrl(): string | undefined; model(): string | undefined; key(): Promise<string | undefined> };
  /** Models that the editor offers; absent in a terminal. */
  languageModels?: (signal: AbortSignal) => Promise<readonly LanguageModel[]>;
  /** How sets are settled; policies only where somebody at this machine wrote them. */
  review?: { finish(): 'whenDecided' | 'ask'; policies(): readonly ReviewPolicy[] };
  /** Open editors with unsaved text; absent in a terminal. */
  buffers?: Buffers;
  /** Files that the person saved from an editor, to tell their hand from others'; absent in a terminal. */
  saves?: PersonSaves;
  /** What a person has in front of them right now; asked only for a case that was opened with ambient context on. */
  focus?(): EditorFocus | undefined;
  /** Read tools that only the host can give: diagnostics, symbols. */
  hostTools?: readonly DeskTool[];
  /** The workspace is trusted; until then no program is started. Absent in a terminal, where calling the command is the trust. */
  trusted?(): boolean;
  /** The editor's own programs; absent, or where it knows none: the search path is tried. */
  findPrograms?(): Promise<{ git: string | undefined; ripgrep: string | undefined }>;
}

/** The file and selection somebody works in. Lines are 1-based; `text` is empty without a selection. */
export interface EditorFocus {
  root: string;
  file: string;
  line: number;
  endLine: number;
  text: string;
}

/** The core, put together. */
export interface Core {
  /** Of Casebook. */
  readonly version: string;
  /** The folders of the workspace, as they are now. */
  readonly roots: () => readonly Root[];
  readonly cases: Cases;
  /** Agents, called for a question or a judgement. */
  readonly agents: Verbs;
  readonly review: ReviewDesk;
  readonly checkpoints: Checkpoints;
  /** Change sets that nobody proposed: put what they gather on the desk with `review.add`. */
  readonly changes: ChangeSources;
  readonly provenance: Provenance;
  readonly journal: Journal;
  readonly sources: Pick<TicketSources, 'all' | 'byId' | 'forReference'>;
  readonly records: Records;
  /** Looks at the programs and the repository again: what was not allowed before trust was given. Nothing in a restricted workspace. */
  recognise(): Promise<void>;
  /** Programs that were found, for people who ask why something does not work. */
  readonly programs: { git: string | undefined; ripgrep: string | undefined };
  /** Throws Failure `bad_content` when the text is empty or too large. */
  ticketFromText(text: string, origin: TextOrigin, file?: string): Ticket;
  /** Ends runs, detaches callers of the desk, writes what is pending, closes. */
  close(why?: 'reload' | 'shutdown'): Promise<void>;
}

export interface ChangeSources {
  /** What differs from a revision (default HEAD), already on disk. Fails with SourceFailureReason. */
  workingTree(base: string | undefined, signal: AbortSignal): Promise<Gathered>;
  /** What a patch would change. Fails with SourceFailureReason. */
  patch(input: PatchInput, signal: AbortSignal): Promise<Gathered>;
}

export interface Provenance {
  /** Sets of a case, or of the branch that is checked out: named by its commits, or settled since it left its base on files it has changed. Oldest first. */
  setsOf(what: { case: string } | { branch: true; base?: string }, signal: AbortSignal): Promise<SetState[]>;
  /** Who decided a line of a file as it is now. */
  lineOrigin(query: LineQuery, signal: AbortSignal): Promise<LineOrigin>;
}

/** What people do with the journal as a whole. */
export interface Records {
  /** Walks every chain and says what it found; `ok` is false at the first broken place. */
  verify(signal: AbortSignal): Promise<VerifyReport>;
  /** One self-contained HTML page, or JSON lines, of one case; blobs masked. */
  exportCase(caseId: string, format: 'html' | 'jsonl', signal: AbortSignal): Promise<string>;
  /** What "erase" would remove, for the question before it. */
  erasable(caseId: string, signal: AbortSignal): Promise<{ events: number; blobs: number }>;
  /** Histories with cases, of this repository from before it was moved: to be offered, newest first. */
  moved(): Promise<MovedOffer[]>;
  /** Brings one of them here; Failure `not_found` when it is not offered any more, `in_use` while another process writes to it. */
  bringHere(key: string, via: string): Promise<void>;
}

export interface MovedOffer {
  key: string;
  /** Where the project was. */
  path: string;
  openedAt: string;
  cases: number;
  unfinished: boolean;
}

export interface VerifyReport {
  ok: boolean;
  events: number;
  erased: number;
  /** One line per finding, the first bad place first. */
  findings: string[];
}
