import { z } from 'zod';
import type { Outcome } from '../../review/port.ts';
import { linkTool, type LinkAnswer, refusal } from '../tool.ts';
import { mentionNotice, selectionNotice } from './claude-notices.ts';
import type { Dialect } from './dialect.ts';
import { editorTools } from './editor-tools.ts';

/**
 * Claude Code, as measured (docs/link.md). It writes an accepted file itself and adopts a text that it is given back, so parts and edits are told as the final
 * content. A diff that is lost with its connection is not sent again, and a reason reaches nobody.
 */
export const claude: Dialect = {
  name: 'claude',
  capabilities: { writer: 'agent', canEdit: true, canPartial: true, canEmpty: true, redelivers: false, canExplain: false },
  tools: (context) => [
    linkTool({
      name: 'openDiff',
      description: 'Proposes new contents for a file and waits until somebody has decided: FILE_SAVED with the accepted contents, or DIFF_REJECTED.',
      input: z.object({ old_file_path: z.string(), new_file_path: z.string().optional(), new_file_contents: z.string(), tab_name: z.string() }),
      async run(input, signal) {
        const { outcome, text } = await context.diffs.propose({ tab: input.tab_name, path: input.new_file_path ?? input.old_file_path, text: input.new_file_contents }, signal);
        return answerFor(outcome, text, input.tab_name);
      },
    }),
    linkTool({
      name: 'close_tab',
      description: 'Closes a diff of this client.',
      input: z.object({ tab_name: z.string() }),
      async run({ tab_name: tab }) {
        return { texts: [context.diffs.close(tab) ? 'CLOSED' : 'NOT_OPEN'] };
      },
    }),
    linkTool({
      name: 'closeAllDiffTabs',
      description: 'Closes all diffs of this client.',
      input: z.object({}),
      async run() {
        return { texts: [`CLOSED_${context.diffs.closeAll()}_DIFF_TABS`] };
      },
    }),
    ...editorTools(context),
  ],
  context: (context) => [selectionNotice(context)],
  // Measured: what comes at once is lost, what comes 100 ms later arrives, and the same twice is told to the model once.
  listensLate: [300, 2000],
  mention: mentionNotice,
};

/**
 * The words that have exactly the effect meant. Where nobody decided, neither word is true: a failed call leaves the question open in the agent's own terminal.
 * Never TAB_CLOSED, which the client takes for a yes.
 */
function answerFor(outcome: Outcome, text: string | undefined, tab: string): LinkAnswer {
  if (text !== undefined) return { texts: ['FILE_SAVED', text] };
  if (outcome.answer?.verdict === 'reject') return { texts: ['DIFF_REJECTED', tab] };
  return refusal(outcome.outcome === 'decided_elsewhere' ? 'This change was decided elsewhere.' : 'Nobody has decided about this change: the review ended without an answer.');
}
