import type { Logger } from '../core/base/logger.ts';
import type { Root } from './roots.ts';
import type { Secrets } from './secrets.ts';
import type { SettingsReader } from './settings.ts';

/** What the core gets from the editor: plain values and small functions, so that `compose.ts` imports no `vscode`. */
export interface CorePorts {
  version: string;
  /** Where `dist/` and `library/` lie. */
  extensionPath: string;
  log: Logger;
  settings: Pick<SettingsReader, 'get'>;
  secrets: Pick<Secrets, 'get'>;
  roots(): Root[];
  /** A GitHub token without asking anybody, or undefined. */
  githubToken(): Promise<string | undefined>;
  /** The editor's own programs; absent: the search path is tried. */
  git?: string;
  ripgrep?: string;
}
