import { Failure } from '../base/failure.ts';
import type { Editor } from './editor.ts';
import type { LinkFailureReason } from './failure.ts';

/** The editor of `casebook link`: no window, so nothing is selected, open or unsaved, and nobody has checked any file. */
export const headlessEditor: Editor = {
  window: false,
  onDidChange: () => ({ dispose: () => {} }),
  selection: async () => undefined,
  openEditors: async () => [],
  diagnostics: async () => [],
  openFile: async () => {
    throw new Failure<LinkFailureReason>('no_window', 'Casebook runs in a terminal here; there is no editor window to show a file in.');
  },
  isDirty: async () => undefined,
  save: async () => undefined,
};
