import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DoctorInput, Finding } from '../../core/link/doctor.ts';
import { familyNames } from '../../host/link/companions.ts';
import { realPathOf } from '../../host/link/real-path.ts';
import type { Services } from '../../services.ts';
import { commands } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';
import { clientNames, stateWords } from './rows.ts';

/** "Why Does My Agent Not Connect?" */
export const linkDoctorFeature: Feature<Services> = {
  name: 'link doctor',
  register: (services) => services.commands.register(commands.linkDoctor, true, () => explain(services)),
};

async function explain(services: Services): Promise<void> {
  const { diagnose } = await import('../../core/link/doctor.ts');
  const input = await look(services);
  const findings = diagnose(input);
  for (const { level, text } of findings) services.linkChannel.info(`[doctor] ${level}: ${text}`);
  await services.documents.show('Why does my agent not connect.md', page(findings, input.cwd));
}

/** A list rather than a table: paths are long. Problems first, since they are what was asked for. */
function page(findings: readonly Finding[], cwd: string): string {
  const part = (title: string, level: Finding['level']): string => {
    const found = findings.filter((one) => one.level === level);
    return found.length === 0 ? '' : `## ${title}\n\n${found.map(({ text }) => `- ${text}`).join('\n')}\n\n`;
  };
  const problems = part('What stands in the way', 'problem');
  return `# Why does my agent not connect?\n\nLooked at as an agent would that is started in \`${cwd}\`.\n\n${problems === '' ? 'Nothing stands in the way.\n\n' : problems}${part('Worth knowing', 'note')}${part('In order', 'good')}`;
}

async function look(services: Services): Promise<DoctorInput> {
  const { link, companions } = services;
  const folders = services.roots().map(({ path }) => path);
  const { seenLocks } = await import('../../core/link/seen-locks.ts');
  const { env } = process;
  const home = env['HOME'] ?? homedir();
  const configured = env['CLAUDE_CONFIG_DIR'];
  const claude = configured === undefined || configured === '' ? join(home, '.claude') : configured;
  const { state } = link;
  return {
    link: state.kind === 'on' ? { kind: 'on', port: state.link.port, clients: clientNames(state.link.clients) } : { kind: state.kind === 'failed' ? 'failed' : 'off', why: state.kind === 'failed' ? state.why : stateWords(state).long },
    folders,
    cwd: whereAgentsStart(folders),
    locks: await seenLocks([join(claude, 'ide'), join(home, '.claude', 'ide')], link.link?.token),
    unannounced: link.link?.unannounced.map(({ why }) => why) ?? [],
    env: { ...env, ...terminalEnvironment() },
    container: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
    companions: companions.all().map(({ family, name }) => ({ name, agent: familyNames[family] ?? family, served: companions.serves(family) ? ('casebook' as const) : ('other' as const) })),
    claudeMode: await claudeMode(claude),
  };
}

/** The folder of the terminal in front, where its shell tells; agents are started there. */
function whereAgentsStart(folders: readonly string[]): string {
  const cwd = vscode.window.activeTerminal?.shellIntegration?.cwd?.fsPath;
  return realPathOf(cwd ?? folders[0] ?? homedir());
}

/** What the editor's settings add to the environment of every terminal. */
function terminalEnvironment(): Record<string, string | undefined> {
  const platform = { darwin: 'osx', win32: 'windows' }[process.platform as string] ?? 'linux';
  const added = vscode.workspace.getConfiguration('terminal.integrated.env').get<Record<string, string | null>>(platform, {});
  return Object.fromEntries(Object.entries(added).map(([name, value]) => [name, value ?? undefined]));
}

async function claudeMode(folder: string): Promise<string | undefined> {
  try {
    const settings = JSON.parse(await readFile(join(folder, 'settings.json'), 'utf8')) as { permissions?: { defaultMode?: unknown } };
    const mode = settings.permissions?.defaultMode;
    return typeof mode === 'string' ? mode : undefined;
  } catch {
    return undefined;
  }
}
