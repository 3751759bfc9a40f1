import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameRoots } from '../core/repo/roots.ts';
import { Failure } from '../core/base/failure.ts';
import { composeCore, type Core, type CorePorts } from '../compose.ts';
import type { RunLimits } from '../core/model/run.ts';
import { tokenFromEnvironment } from '../core/tickets/github/token.ts';
import type { CliContext } from './command.ts';

/** Options that every command working on cases takes. */
export const coreOptions = {
  repo: { type: 'string', multiple: true },
  home: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export interface OpenOptions {
  repo?: string[] | undefined;
  home?: string | undefined;
  model?: string | undefined;
  limits?: RunLimits;
  claude?: string | undefined;
}

/** Builds the core for a terminal: the given folders are the roots, the first of them the workspace. Rejects with Failure `bad_reference` for a folder that is none. */
export async function openCore(context: CliContext, options: OpenOptions): Promise<Core> {
  const roots = await nameRoots(await Promise.all((options.repo ?? ['.']).map((folder) => folderAt(resolve(context.cwd, folder)))));
  const { env } = context;
  // Built files lie beside each other; run from source, the library is in the folder above.
  const dist = dirname(fileURLToPath(import.meta.url)).replace(/[\\/](?:chunks|cli)$/, '');
  return composeCore({
    program: 'cli',
    version: await versionOf(dist),
    dist,
    env: options.home === undefined ? env : { ...env, CASEBOOK_HOME: resolve(context.cwd, options.home) },
    node: { command: process.execPath, env: {} },
    roots: () => roots,
    cwd: context.cwd,
    logger: context.logger,
    attended: false,
    limits: () => options.limits ?? {},
    model: () => options.model,
    github: githubOf(context),
    ticketFolders: () => [],
    claudePath: () => options.claude ?? env['CASEBOOK_CLAUDE'],
    openaiCompatible: { baseUrl: () => env['OPENAI_BASE_URL'], model: () => options.model ?? env['OPENAI_MODEL'], key: async () => env['OPENAI_API_KEY'] },
  });
}

/** GitHub as a terminal has it: an Enterprise server by CASEBOOK_GITHUB_URL, and the token that belongs to the server. */
export function githubOf(context: CliContext): CorePorts['github'] {
  const { env } = context;
  const baseUrl = env['CASEBOOK_GITHUB_URL'];
  return {
    token: async () => tokenFromEnvironment(env, baseUrl !== undefined && baseUrl !== ''),
    baseUrl: baseUrl === '' ? undefined : baseUrl,
    onWait: (milliseconds, why) => context.writeError(`${why}; waiting ${Math.ceil(milliseconds / 1000)} s …\n`),
  };
}

/** The version of the package that `dist` belongs to. */
async function versionOf(dist: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dist, '..', 'package.json'), 'utf8')) as { version: string };
  return version;
}

async function folderAt(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new Failure('bad_reference', `${folder} is not a folder.`);
  return folder;
}
