import { relative, sep } from 'node:path';
import { maskText } from '../journal/redact/mask-text.ts';
import type { Root } from '../repo/roots.ts';
import { Sharing } from '../repo/sharing.ts';
import type { Editor } from './editor.ts';

/** What a person allows agents to see, read at each use. */
export interface SharingRules {
  /** Nothing of the editor's state is told while it is true. */
  paused(): boolean;
  /** Files that are never shared. */
  files(): Sharing;
  /** Secrets in what is shared are masked. */
  mask(): boolean;
}

/** Whether agents see the file in front: `denied` is about this file, `paused` about all of them. */
export type SharingState = 'on' | 'paused' | 'denied';

/**
 * The editor as agents may see it: every way out of what it knows goes through here, tools and notifications alike. A file that is not shared looks as if it were
 * not open, and so does one that lies in none of the workspace's folders.
 */
export function sharedEditor(editor: Editor, rules: SharingRules, roots: () => readonly Root[]): Editor {
  const visible = (path: string): boolean => !rules.paused() && isShared(path, rules.files(), roots());
  const masked = (text: string): string => (rules.mask() ? maskText(text).text : text);
  return {
    window: editor.window,
    onDidChange: (listener) =>
      editor.onDidChange((change) => {
        if (change.kind !== 'diagnostics') return listener(change);
        const paths = change.paths.filter(visible);
        if (paths.length > 0) listener({ kind: 'diagnostics', paths });
      }),
    async selection() {
      const found = rules.paused() ? undefined : await editor.selection();
      return found !== undefined && visible(found.path) ? { ...found, text: masked(found.text) } : undefined;
    },
    openEditors: async () => (rules.paused() ? [] : (await editor.openEditors()).filter((one) => visible(one.path))),
    async diagnostics(path) {
      if (rules.paused() || (path !== undefined && !visible(path))) return [];
      const found = await editor.diagnostics(path);
      return found.filter((file) => visible(file.path)).map((file) => ({ ...file, diagnostics: file.diagnostics.map((one) => ({ ...one, message: masked(one.message) })) }));
    },
    openFile: (path, options) => editor.openFile(path, options),
    isDirty: async (path) => (visible(path) ? editor.isDirty(path) : undefined),
    save: async (path) => (visible(path) ? editor.save(path) : undefined),
  };
}

/** By its path from the nearest root; what lies in none is not shared. */
export function isShared(path: string, files: Sharing, roots: readonly Root[]): boolean {
  const inside = roots.map((root) => relative(root.path, path)).filter((one) => one !== '' && one !== '..' && !one.startsWith(`..${sep}`));
  return inside.length > 0 && inside.every((one) => files.isShared(one.split(sep).join('/')));
}

const defaultSharing = new Sharing();

/** The usual rules: everything is shared but the files that never are. */
export const usualSharing: SharingRules = { paused: () => false, files: () => defaultSharing, mask: () => true };
