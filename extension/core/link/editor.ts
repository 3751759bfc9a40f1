import type { Subscribe } from '../base/emitter.ts';

/** What the link needs of the editor it stands for. Lines and characters count from 0; paths are absolute and real. */

export interface Position {
  line: number;
  character: number;
}

export interface EditorSelection {
  path: string;
  text: string;
  start: Position;
  end: Position;
}

export interface OpenEditor {
  path: string;
  label: string;
  language: string;
  active: boolean;
  dirty: boolean;
  /** When it was last in front, in milliseconds since 1970; 0: not since the window opened. */
  shownAt: number;
}

/** What may have changed since the editor was last asked; `paths` of diagnostics are absolute and real. */
export type EditorChange = { kind: 'selection' } | { kind: 'editors' } | { kind: 'diagnostics'; paths: readonly string[] };

export interface FileDiagnostics {
  path: string;
  /** The file has changed, and who checks it was not done in time: these may still be those of the text before. */
  unsettled?: true;
  diagnostics: readonly Diagnostic[];
}

export interface Diagnostic {
  message: string;
  severity: 'Error' | 'Warning' | 'Info' | 'Hint';
  start: Position;
  end: Position;
  source?: string;
  code?: string;
}

export interface Editor {
  /** There is a window with documents; without one, most of what follows can only be answered with "nothing". */
  readonly window: boolean;
  readonly onDidChange: Subscribe<EditorChange>;
  /** What is selected in the text editor that was in front last, with an empty text where only a cursor stands; undefined where there is no such editor. */
  selection(): Promise<EditorSelection | undefined>;
  openEditors(): Promise<readonly OpenEditor[]>;
  /** Of one file, or of all that have any. */
  diagnostics(path?: string): Promise<readonly FileDiagnostics[]>;
  /** Shows a file, without taking the keyboard focus unless `focus`. Fails `no_window`, `not_found`. */
  openFile(path: string, options: { start?: Position; end?: Position; focus: boolean }): Promise<void>;
  /** Undefined: the file is not open. */
  isDirty(path: string): Promise<boolean | undefined>;
  /** Undefined: the file is not open; false: the editor refused to save it. */
  save(path: string): Promise<boolean | undefined>;
}
