import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClaudeEngine, type ClaudeOptions } from '../../extension/core/agents/engines/claude/engine.ts';
import { NodeProcesses } from '../../extension/core/base/node-processes.ts';
import { nullLogger } from '../../extension/core/base/logger.ts';
import { deskBundle } from '../fixtures/desk-bundle.ts';
import { agentPath } from './install.mjs';

/** Whether this process can reach nothing but itself, as the whole suite has to. */
export const isolated = (): boolean => Object.values(networkInterfaces()).flat().every((face) => face?.internal === true);

export interface Bench {
  home: string;
  repository: string;
  engine(baseUrl: string, over?: Partial<ClaudeOptions>): ClaudeEngine;
  /** A new folder that goes with the rest. */
  folder(): Promise<string>;
  remove(): Promise<void>;
}

/** A home, a repository and a key of its own for each test, so that nothing of this machine's account is ever touched. */
export async function bench(files: Record<string, string>): Promise<Bench> {
  const all = await mkdtemp(join(tmpdir(), 'casebook-bench-'));
  const [home, repository] = [join(all, 'home'), join(all, 'repo', 'project')];
  await mkdir(home);
  await mkdir(repository, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(repository, name, '..'), { recursive: true });
    await writeFile(join(repository, name), text);
  }
  const { remove, ...deskCommand } = await deskBundle();
  return {
    home,
    repository,
    folder: () => mkdtemp(join(all, 'more-')),
    remove: async () => void (await Promise.all([remove(), rm(all, { recursive: true, force: true })])),
    engine: (baseUrl, over = {}) =>
      new ClaudeEngine({
        processes: new NodeProcesses(),
        logger: nullLogger,
        version: '0.0.0',
        path: () => agentPath('claude'),
        env: () => ({ PATH: process.env['PATH'], HOME: home, ANTHROPIC_API_KEY: 'sk-ant-test-dummy', ANTHROPIC_BASE_URL: baseUrl, SECRET_OF_THE_EDITOR: 'leak-canary' }),
        deskCommand,
        readTools: () => [],
        sandbox: false,
        ...over,
      }),
  };
}
