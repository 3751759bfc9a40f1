import { join } from 'node:path';
import { z } from 'zod';
import type { Discovery } from './discovery.ts';
import { type Announcer, markOf, ownMark, sweep, writeDiscovery } from './files.ts';

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
    await sweep(folder, announcerOf, logger);
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

function announcerOf(name: string, content: unknown): Announcer | undefined {
  const port = /^(\d{1,5})\.lock$/u.exec(name)?.[1];
  const mark = lockFile.safeParse(content).data?.casebook;
  return port === undefined || mark === undefined ? undefined : { mark, at: { port: Number(port) } };
}
