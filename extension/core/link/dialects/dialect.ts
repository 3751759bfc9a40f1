import type { Logger } from '../../base/logger.ts';
import type { CallerCapabilities } from '../../model/change.ts';
import type { Root } from '../../repo/roots.ts';
import type { AmbientContext } from '../ambient.ts';
import type { OpenDiffs } from '../diffs.ts';
import type { Editor } from '../editor.ts';
import type { LinkTool } from '../tool.ts';

/** What the tools of one session work with. */
export interface DialectContext {
  diffs: OpenDiffs;
  /** As it is shared. */
  editor: Editor;
  roots: () => readonly Root[];
  session: DialectSession;
  logger: Logger;
}

/** What a dialect may do beside answering a call. */
export interface DialectSession {
  notify(method: string, params: Record<string, unknown>): void;
  /** Work that goes on after its call was answered; never rejects. Its signal aborts when the client is gone, or, with `reload` or `shutdown` as the reason's name, when the link closes and waits for it. */
  background(work: (signal: AbortSignal) => Promise<void>): void;
}

/** A notification, in the words of a dialect. */
export interface Notice {
  method: string;
  params: Record<string, unknown>;
}

/** A place that a person points an agent to. Lines count from 0, the last one included; without them the whole file or folder is meant. */
export interface Mention {
  /** Absolute and real. */
  path: string;
  lines?: { first: number; last: number };
}

/** One family of clients: the tools under the names and in the shapes it speaks, and what it can be told of a decision. */
export interface Dialect {
  readonly name: string;
  /** What its client is called, where that says nothing of it by itself. */
  readonly client?: string;
  readonly capabilities: CallerCapabilities;
  /** Clients of this family also take Casebook's own tools. */
  readonly ownTools?: true;
  tools(context: DialectContext): readonly LinkTool[];
  /** What the present state of the editor is told as. A notice that is the same as the last of its method is not sent. */
  context?(context: AmbientContext): readonly Notice[];
  /** When, after it said that it is ready, the present state is told once more: such clients listen only some time later. Milliseconds. */
  readonly listensLate?: readonly number[];
  /** Diagnostics of these files have changed; absolute and real paths. */
  diagnostics?(paths: readonly string[]): Notice;
  /** Absent: this family cannot be pointed anywhere. */
  mention?(mention: Mention): Notice;
}
