import { realpath, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Failure } from '../core/base/failure.ts';
import { composeCore, type ComposedCore } from '../compose.ts';
import type { RunLimits } from '../core/model/run.ts';
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
export async function openCore(context: CliContext, options: OpenOptions): Promise<ComposedCore> {
  const roots = await Promise.all((options.repo ?? ['.']).map((folder) => rootAt(resolve(context.cwd, folder))));
  const { env } = context;
  return composeCore({
    program: 'cli',
    env: options.home === undefined ? env : { ...env, CASEBOOK_HOME: resolve(context.cwd, options.home) },
    roots: () => roots,
    cwd: context.cwd,
    logger: context.logger,
    attended: false,
    limits: () => options.limits ?? {},
    model: () => options.model,
    githubToken: async () => env['GH_TOKEN'] ?? env['GITHUB_TOKEN'],
    githubBaseUrl: env['GITHUB_SERVER_URL'],
    claudePath: options.claude ?? env['CASEBOOK_CLAUDE'],
    openaiCompatible: { baseUrl: env['OPENAI_BASE_URL'], model: options.model ?? env['OPENAI_MODEL'], key: async () => env['OPENAI_API_KEY'] },
    signal: context.signal,
  });
}

async function rootAt(folder: string): Promise<{ name: string; path: string }> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new Failure('bad_reference', `${folder} is not a folder.`);
  return { name: basename(folder), path: await realpath(folder) };
}
