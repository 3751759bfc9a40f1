import { tmpdir } from 'node:os';
import type { Logger } from '../../base/logger.ts';
import type { Announced } from './files.ts';

/** What a discovery file tells of a window. */
export interface Announcement {
  port: number;
  /** For the family whose file it is. */
  token: string;
  /** For clients that take no port. */
  socket: string | undefined;
  /** Real paths. */
  folders: readonly string[];
  version: string;
  /** Of the process that the agents are to take for the editor. */
  pid: number;
  trusted: boolean;
}

export interface DiscoveryPlace {
  env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  home: string;
  logger: Logger;
}

/** How one family of agents finds a window: the files it looks for, where, and in which shape. */
export interface Discovery {
  readonly family: string;
  /** Sweeps what dead windows of this program left there, then puts its own file in place, whole, for this user alone. Rejects with Failure `no_lock`. */
  announce(what: Announcement, place: DiscoveryPlace): Promise<Announced>;
}

/** The folder for temporary files, as programs with this environment find it: Node's way. */
export function temporaryFolder(env: DiscoveryPlace['env']): string {
  return [env['TMPDIR'], env['TMP'], env['TEMP']].find((one) => one !== undefined && one !== '') ?? (process.platform === 'win32' ? tmpdir() : '/tmp');
}
