import { z } from 'zod';
import { messageOf } from '../../base/failure.ts';
import type { CallerCapabilities } from '../../model/change.ts';
import type { AmbientContext } from '../ambient.ts';
import { jsonAnswer, linkTool, type LinkTool } from '../tool.ts';
import type { Dialect, DialectContext, Notice } from './dialect.ts';

/** An empty accepted text is ignored by these clients, which then write what was proposed. They write files themselves; a reason reaches nobody. */
const capabilities: CallerCapabilities = { writer: 'agent', canEdit: true, canPartial: true, canEmpty: false, redelivers: false, canExplain: false };

/** Files that these clients take; they drop what is beyond. */
const mostFiles = 10;

/** The editor companion that Gemini CLI and its descendants look for, as measured (docs/link.md): a diff is answered at once, and its outcome is told later. */
export function companion(name: string, client: string): Dialect {
  return { name, client, capabilities, tools: diffTools, context: (context) => [contextNotice(context)] };
}

function diffTools(context: DialectContext): readonly LinkTool[] {
  return [
    linkTool({
      name: 'openDiff',
      description: 'Proposes new contents for a file. Answered at once; ide/diffAccepted or ide/diffRejected follows when somebody has decided.',
      input: z.object({ filePath: z.string(), newContent: z.string() }),
      async run({ filePath, newContent }) {
        context.session.background((signal) => follow(context, { filePath, newContent }, signal));
        return { texts: [] };
      },
    }),
    linkTool({
      name: 'closeDiff',
      description: 'Closes a diff of this client and tells its text.',
      input: z.object({ filePath: z.string(), suppressNotification: z.boolean().optional() }),
      async run({ filePath }) {
        const content = await context.diffs.textShown(filePath);
        context.diffs.close(filePath);
        // Raw text, as the published protocol has it, is not understood; without a text the client writes what it proposed.
        return content === undefined ? { texts: [] } : jsonAnswer({ content });
      },
    }),
  ];
}

/**
 * Tells the outcome in the client's words. Where nobody decided here, nothing is said and its own dialog in the terminal stays open; but not when the link ends: a
 * client that loses its editor in the middle of a diff hangs and takes no key any more.
 */
async function follow(context: DialectContext, { filePath, newContent }: { filePath: string; newContent: string }, signal: AbortSignal): Promise<void> {
  const { session } = context;
  const rejected = (): void => session.notify('ide/diffRejected', { filePath });
  try {
    const { outcome, text } = await context.diffs.propose({ tab: filePath, path: filePath, text: newContent }, signal);
    if (text !== undefined) session.notify('ide/diffAccepted', { filePath, content: text });
    else if (outcome.answer?.verdict === 'reject' || signal.aborted) rejected();
  } catch (error) {
    context.logger.warn('a change cannot be reviewed in the editor; it is left to the agent’s own dialog', { filePath, message: messageOf(error) });
    if (signal.aborted) rejected();
  }
}

/** Lines and characters count from 1. Only the file that was in front last can be the active one. */
function contextNotice({ selection, editors, trusted }: AmbientContext): Notice {
  const openFiles = editors.slice(0, mostFiles).map(({ path, shownAt, active }, index) => {
    const file = { path, timestamp: shownAt };
    if (index > 0 || !active) return { ...file, isActive: false };
    const here = selection?.path === path ? selection : undefined;
    return { ...file, isActive: true, ...(here === undefined ? {} : { cursor: { line: here.end.line + 1, character: here.end.character + 1 }, ...(here.text === '' ? {} : { selectedText: here.text }) }) };
  });
  return { method: 'ide/contextUpdate', params: { workspaceState: { openFiles, isTrusted: trusted } } };
}
