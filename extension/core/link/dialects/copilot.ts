import { z } from 'zod';
import type { Outcome } from '../../review/port.ts';
import type { AmbientContext } from '../ambient.ts';
import { jsonAnswer, linkTool, type LinkAnswer, type LinkTool, refusal } from '../tool.ts';
import type { Dialect, DialectContext, Mention, Notice } from './dialect.ts';
import { diagnosticsOf, uriOf } from './editor-tools.ts';

/**
 * Copilot CLI, as measured (docs/link.md). It writes an accepted file itself and takes no other text than its own: what a person edits or takes in part is rejected to it
 * and written by Casebook. A rejection ends its turn.
 */
export const copilot: Dialect = {
  name: 'copilot',
  capabilities: { writer: 'agent', canEdit: false, canPartial: false, canEmpty: true, redelivers: false, canExplain: false },
  tools: (context) => [...diffTools(context), ...editorState(context)],
  context: ({ selection }) => (selection === undefined ? [] : [{ method: 'selection_changed', params: selectionOf(selection) }]),
  diagnostics: (paths) => ({ method: 'diagnostics_changed', params: { uris: paths.map(uriOf) } }),
  mention: referenceNotice,
};

function diffTools({ diffs }: DialectContext): LinkTool[] {
  return [
    linkTool({
      name: 'open_diff',
      description: 'Proposes new contents for a file and waits until somebody has decided: SAVED or REJECTED.',
      input: z.object({ original_file_path: z.string(), new_file_contents: z.string(), tab_name: z.string() }),
      async run(input, signal) {
        const { outcome, text } = await diffs.propose({ tab: input.tab_name, path: input.original_file_path, text: input.new_file_contents }, signal);
        return answerFor(outcome, text, input.tab_name);
      },
    }),
    linkTool({
      name: 'close_diff',
      description: 'Closes a diff of this client.',
      input: z.object({ tab_name: z.string() }),
      async run({ tab_name: tab }) {
        const closed = diffs.close(tab);
        return jsonAnswer({ success: true, already_closed: !closed, tab_name: tab, message: closed ? 'The diff is closed.' : 'No such diff is open.' });
      },
    }),
  ];
}

function editorState({ editor, roots }: DialectContext): LinkTool[] {
  return [
    linkTool({
      name: 'get_vscode_info',
      description: 'What this editor is.',
      input: z.object({}),
      readOnly: true,
      run: async () => jsonAnswer({ appName: 'Casebook', workspaceFolders: roots().map(({ path }) => path) }),
    }),
    linkTool({
      name: 'get_selection',
      description: 'What is selected in the text editor in front.',
      input: z.object({}),
      needsWindow: true,
      readOnly: true,
      async run() {
        const found = await editor.selection();
        return jsonAnswer(found === undefined ? null : { ...selectionOf(found), current: true });
      },
    }),
    linkTool({
      name: 'get_diagnostics',
      description: 'Problems that the editor knows of, of one file (its URI) or of all.',
      input: z.object({ uri: z.string().optional() }),
      needsWindow: true,
      readOnly: true,
      run: async ({ uri }) => jsonAnswer(await diagnosticsOf({ editor, roots }, uri)),
    }),
    linkTool({
      name: 'update_session_name',
      description: 'Tells what this session is called.',
      input: z.object({ name: z.string() }),
      run: async () => jsonAnswer({ success: true }),
    }),
  ];
}

/** Where nobody decided, neither word is true: a failed call leaves the question open in the agent's own terminal. */
function answerFor(outcome: Outcome, text: string | undefined, tab: string): LinkAnswer {
  if (text !== undefined) return jsonAnswer({ success: true, result: 'SAVED', trigger: 'accepted_via_button', tab_name: tab, message: 'The person accepted the change.' });
  if (outcome.answer?.verdict === 'reject') return jsonAnswer({ success: true, result: 'REJECTED', trigger: 'rejected_via_button', tab_name: tab, message: 'The person rejected the change.' });
  return refusal(outcome.outcome === 'decided_elsewhere' ? 'This change was decided elsewhere.' : 'Nobody has decided about this change: the review ended without an answer.');
}

function selectionOf({ path, text, start, end }: NonNullable<AmbientContext['selection']>): Record<string, unknown> {
  return { text, filePath: path, fileUrl: uriOf(path), selection: { start, end, isEmpty: text === '' } };
}

/** A place in a file; without lines the whole of it. The client reads the text itself. */
function referenceNotice({ path, lines }: Mention): Notice {
  const selection = lines === undefined ? null : { start: { line: lines.first, character: 0 }, end: { line: lines.last + 1, character: 0 } };
  return { method: 'add_file_reference', params: { filePath: path, fileUrl: uriOf(path), selection, selectedText: null } };
}
