import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../base/failure.ts';
import type { LinkFailureReason } from '../failure.ts';
import type { Discovery, DiscoveryPlace } from './discovery.ts';
import { type Announcer, markOf, ownMark, sweep, writeDiscovery } from './files.ts';

/** The lock file by which Copilot CLI finds an editor: `<uuid>.lock` (docs/link.md). */
const lockFile = z.object({
  socketPath: z.string(),
  scheme: z.enum(['unix', 'pipe']),
  headers: z.object({ Authorization: z.string() }),
  pid: z.number().int(),
  ideName: z.string(),
  timestamp: z.number(),
  workspaceFolders: z.array(z.string()),
  isTrusted: z.boolean(),
  casebook: ownMark,
});

export function copilotFolder({ home }: Pick<DiscoveryPlace, 'home'>): string {
  return join(home, '.copilot', 'ide');
}

export const copilotDiscovery: Discovery = {
  family: 'copilot',
  async announce({ socket, token, folders, version, pid, trusted }, place) {
    if (socket === undefined) throw new Failure<LinkFailureReason>('no_lock', 'Copilot CLI cannot find this window: there is no socket for it.');
    const folder = copilotFolder(place);
    await sweep(folder, announcerOf, place.logger);
    const content: z.infer<typeof lockFile> = {
      socketPath: socket,
      scheme: process.platform === 'win32' ? 'pipe' : 'unix',
      headers: { Authorization: `Nonce ${token}` },
      pid,
      ideName: 'Casebook',
      timestamp: Date.now(),
      workspaceFolders: [...folders],
      isTrusted: trusted,
      casebook: markOf(version),
    };
    return writeDiscovery(join(folder, `${uuidOf(socket)}.lock`), content);
  },
};

/** The same for the same socket, so that a lock that is written anew takes the place of the one before. */
function uuidOf(socket: string): string {
  const hex = createHash('sha256').update(socket).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function announcerOf(_name: string, content: unknown): Announcer | undefined {
  const found = lockFile.safeParse(content).data;
  return found === undefined ? undefined : { mark: found.casebook, at: { path: found.socketPath } };
}
