import type { Logger } from '../../base/logger.ts';
import type { Announced } from './files.ts';

/** What a discovery file tells of a window. */
export interface Announcement {
  port: number;
  token: string;
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
