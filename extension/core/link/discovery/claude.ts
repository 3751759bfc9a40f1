import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../../base/logger.ts';
import type { Discovery } from './discovery.ts';
import { answersAt, markOf, ownMark, removeIfDead, writeDiscovery } from './files.ts';

/** The lock file by which Claude Code, opencode and Kitsoki find an editor: `<port>.lock` (docs/link.md). */
const lockFile = z.object({
  pid: z.number().int(),
  workspaceFolders: z.array(z.string()),
  ideName: z.string(),
  transport: z.literal('ws'),
  runningInWindows: z.boolean(),
  authToken: z.string(),
  casebook: ownMark,
});

/** One folder, since a client that found the same window in two would connect to neither. */
export function claudeFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const configured = env['CLAUDE_CONFIG_DIR'];
  return join(configured === undefined || configured === '' ? join(home, '.claude') : configured, 'ide');
}

export const claudeDiscovery: Discovery = {
  family: 'claude',
  async announce({ port, token, folders, version, pid }, { env, home, logger }) {
    const folder = claudeFolder(env, home);
    await sweep(folder, logger);
    const lock: z.infer<typeof lockFile> = {
      pid,
      workspaceFolders: [...folders],
      ideName: 'Casebook',
      transport: 'ws',
      runningInWindows: process.platform === 'win32',
      authToken: token,
      casebook: markOf(version),
    };
    return writeDiscovery(join(folder, `${port}.lock`), lock);
  },
};

/** Removes what earlier windows of this program left behind. What another product wrote, and what cannot be read, stays. */
async function sweep(folder: string, logger: Logger): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const port = /^(\d{1,5})\.lock$/u.exec(name)?.[1];
    if (port === undefined) continue;
    const lock = await readLock(join(folder, name));
    if (lock !== undefined) await removeIfDead(join(folder, name), { mark: lock.casebook, answers: () => answersAt({ host: '127.0.0.1', port: Number(port) }) }, logger);
  }
}

async function readLock(file: string): Promise<z.infer<typeof lockFile> | undefined> {
  try {
    return lockFile.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
