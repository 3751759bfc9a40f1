import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { settings } from '../../shared/ids.ts';

/** A command line for an agent's own terminal, with what makes it find the editor and ask before it writes. */
interface Startable {
  label: string;
  detail: string;
  command: (program: string) => string;
  program: string;
}

const agents: readonly Startable[] = [
  { label: 'Claude Code', program: 'claude', detail: 'claude --ide --permission-mode manual', command: (program) => `${program} --ide --permission-mode manual` },
  { label: 'Gemini CLI', program: 'gemini', detail: 'gemini', command: (program) => program },
  { label: 'Qwen Code', program: 'qwen', detail: 'qwen', command: (program) => program },
  { label: 'Copilot CLI', program: 'copilot', detail: 'copilot', command: (program) => program },
  { label: 'Codex', program: 'codex', detail: 'codex', command: (program) => program },
  { label: 'opencode', program: 'opencode', detail: 'opencode', command: (program) => program },
];

/** Asks which agent, and types its command into a new terminal: the person's own shell, its profile and its history are at work, and an agent that is missing says so itself. */
export async function startAgent({ prompter, settings: reader }: Services): Promise<void> {
  const picked = await prompter.pick(agents.map((agent) => ({ label: agent.label, description: agent.detail, icon: 'terminal', value: agent })), { title: vscode.l10n.t('Start a Coding Agent'), placeholder: vscode.l10n.t('Which one? It opens in a terminal of its own.') });
  if (picked.kind !== 'picked') return;
  const { value: agent } = picked;
  const configured = agent.program === 'claude' ? reader.get(settings.claudePath) : '';
  const terminal = vscode.window.createTerminal({ name: agent.label });
  terminal.show();
  terminal.sendText(agent.command(configured === '' ? agent.program : quoted(configured)));
}

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;
