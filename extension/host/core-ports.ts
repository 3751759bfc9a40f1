import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import * as vscode from 'vscode';
import type { CorePorts } from '../compose/ports.ts';
import type { Logger } from '../core/base/logger.ts';
import type { EngineName, RunLimits } from '../core/model/run.ts';
import { settings as ids } from '../shared/ids.ts';
import { createEditorTools } from './agent-tools.ts';
import type { LastEditor } from './ambient.ts';
import { createEditorKnowledge } from './editor-knowledge.ts';
import { createBuffers } from './review/buffers.ts';
import type { GitHubAuth } from './github-auth.ts';
import { languageModels } from './language-model.ts';
import { findGit, findRipgrep, type GitExtension } from './programs.ts';
import type { PersonSaves } from '../core/review/checkpoints.ts';
import type { Root } from './roots.ts';
import { secretNames, type Secrets } from './secrets.ts';
import type { SettingsReader } from './settings.ts';

export interface EditorHost {
  context: Pick<vscode.ExtensionContext, 'extensionPath' | 'extension'>;
  log: Logger;
  settings: Pick<SettingsReader, 'get' | 'isSet'>;
  secrets: Pick<Secrets, 'get'>;
  github: Pick<GitHubAuth, 'token'>;
  lastEditor: Pick<LastEditor, 'focus'>;
  saves: PersonSaves;
  roots(): Root[];
}

/** What the core gets from the editor. Settings are read at each use; only the places of folders are fixed. */
export async function editorPorts(host: EditorHost): Promise<CorePorts> {
  const { settings } = host;
  const orNone = (text: string): string | undefined => (text === '' ? undefined : text);
  return {
    program: 'extension',
    version: (host.context.extension.packageJSON as { version: string }).version,
    dist: join(host.context.extensionPath, 'dist'),
    env: process.env,
    // On the desktop the extension host is Electron, which behaves as node when it is told to; elsewhere the variable means nothing.
    node: { command: process.execPath, env: { ELECTRON_RUN_AS_NODE: '1' } },
    logger: host.log,
    roots: () => host.roots(),
    cwd: host.roots()[0]?.path ?? homedir(),
    journalInWorkspace: settings.get(ids.journalLocation) === 'workspace',
    attended: true,
    limits: () => limitsOf(settings),
    model: (engine) => orNone(modelOf(settings, engine)),
    github: {
      token: () => host.github.token(),
      baseUrl: orNone(settings.get(ids.githubBaseUrl)),
      queries: () => settings.get(ids.githubQueries).map(({ label, query }) => ({ id: query, label, query })),
      onWait: (milliseconds, why) => host.log.info(`GitHub: ${why}`, { milliseconds }),
    },
    ticketFolders: () => ticketFolders(settings, host.roots()),
    claudePath: () => orNone(settings.get(ids.claudePath)),
    openaiCompatible: { baseUrl: () => orNone(settings.get(ids.openaiBaseUrl)), model: () => orNone(modelOf(settings, 'openai-compatible')), key: () => host.secrets.get(secretNames.openaiKey) },
    languageModels,
    review: { finish: () => settings.get(ids.reviewFinish), policies: () => settings.get(ids.reviewPolicies) },
    buffers: createBuffers(),
    saves: host.saves,
    focus: () => host.lastEditor.focus(host.roots()),
    hostTools: createEditorTools(createEditorKnowledge(), () => host.roots()),
    trusted: () => vscode.workspace.isTrusted,
    findPrograms: async () => ({ git: await findGit(vscode.extensions.getExtension('vscode.git') as GitExtension | undefined), ripgrep: findRipgrep(vscode.env.appRoot, existsSync) }),
  };
}

export function limitsOf(settings: Pick<SettingsReader, 'get' | 'isSet'>): RunLimits {
  return {
    milliseconds: Math.round(settings.get(ids.limitMinutes) * 60_000),
    turns: settings.get(ids.limitTurns),
    tokens: settings.get(ids.limitTokens),
    usd: settings.get(ids.limitUsd),
    refuseUnknownCost: settings.isSet(ids.limitUsd),
  };
}

/** An endpoint's models have names of their own; the common setting helps out where that one is empty. */
export function modelOf(settings: Pick<SettingsReader, 'get'>, engine: EngineName): string {
  const own = engine === 'openai-compatible' ? settings.get(ids.openaiModel) : '';
  return own === '' ? settings.get(ids.model) : own;
}

/** Ticket folders that exist, absolute; a relative one is looked for in each root. */
export function ticketFolders(settings: Pick<SettingsReader, 'get'>, roots: readonly Root[]): string[] {
  const found = roots.flatMap((root) => settings.get(ids.ticketFolders, root.path).map((folder) => resolve(root.path, folder)));
  return [...new Set(found)].filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true);
}
