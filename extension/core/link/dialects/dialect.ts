import type { CallerCapabilities } from '../../model/change.ts';
import type { Root } from '../../repo/roots.ts';
import type { OpenDiffs } from '../diffs.ts';
import type { Editor } from '../editor.ts';
import type { LinkTool } from '../tool.ts';

/** What the tools of one session work with. */
export interface DialectContext {
  diffs: OpenDiffs;
  editor: Editor;
  roots: () => readonly Root[];
}

/** One family of clients: the tools under the names and in the shapes it speaks, and what it can be told of a decision. */
export interface Dialect {
  readonly name: string;
  readonly capabilities: CallerCapabilities;
  tools(context: DialectContext): readonly LinkTool[];
}
