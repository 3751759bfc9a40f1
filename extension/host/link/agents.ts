import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** An agent that people start in a terminal. */
export interface TerminalAgent {
  name: string;
  /** Its program. */
  program: string;
  /** What it is started with, so that it connects, and asks before it writes. */
  args: readonly string[];
  detail: string;
}

/** How each agent is started so that it finds this window by itself (measured; docs/link.md). None gets a port in its environment: one of them breaks on it, and an old one stays behind in restored terminals. */
export const terminalAgents: readonly TerminalAgent[] = [
  { name: 'Claude Code', program: 'claude', args: ['--ide', '--permission-mode', 'manual'], detail: 'Asks before it writes, so that its changes come here for review' },
  { name: 'Gemini CLI', program: 'gemini', args: [], detail: 'Its changes come here for review' },
  { name: 'Qwen Code', program: 'qwen', args: [], detail: 'Its changes come here for review' },
  { name: 'Copilot CLI', program: 'copilot', args: [], detail: 'Its changes come here for review' },
  { name: 'Codex', program: 'codex', args: [], detail: 'Sees what you look at; what it writes is found with “Review What Changed”' },
  { name: 'opencode', program: 'opencode', args: [], detail: 'Sees what you look at; what it writes is found with “Review What Changed”' },
];

/** Those whose program is on the search path. */
export function installedAgents(path: string | undefined, extensions: readonly string[] = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : ['']): TerminalAgent[] {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  return terminalAgents.filter(({ program }) => folders.some((folder) => extensions.some((extension) => canRun(join(folder, `${program}${extension}`)))));
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
