export interface Choice<T> {
  label: string;
  description?: string;
  detail?: string;
  /** Codicon name. */
  icon?: string;
  /** Starts a group of this name before the item. */
  group?: string;
  value: T;
}

export interface Asking {
  title: string;
  placeholder: string;
  /** `[2, 3]` shows as 2/3. */
  step?: [number, number];
}

/** `back` when the user asked for the step before. */
export type Picked<T> = { kind: 'picked'; value: T } | { kind: 'back' } | { kind: 'dismissed' };

/** How the user is asked; the fake for tests is `ScriptedPrompter` in test/unit/host. */
export interface Prompter {
  pick<T>(choices: readonly Choice<T>[] | Promise<readonly Choice<T>[]>, asking: Asking): Promise<Picked<T>>;
  input(asking: Asking & { value?: string; secret?: boolean; validate?: (value: string) => string | undefined }): Promise<Picked<string>>;
  /** A modal with one to three actions; undefined when it was dismissed. Rare: for what cannot be taken back, or leaves the machine. */
  modal<T extends string>(message: string, detail: string, actions: readonly T[]): Promise<T | undefined>;
  inform(message: string, actions?: readonly string[]): Promise<string | undefined>;
  warn(message: string, actions?: readonly string[]): Promise<string | undefined>;
  files(title: string, filters: Record<string, string[]>): Promise<string | undefined>;
  saveAs(title: string, name: string, filters: Record<string, string[]>): Promise<string | undefined>;
  readClipboard(): Promise<string>;
  writeClipboard(text: string): Promise<void>;
  /** Runs work with progress in one of Casebook's views; the signal aborts when the user cancels (notification only). */
  progress<T>(where: { view: string } | { notification: string }, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

