import type { Git } from './git.ts';
import { withoutUserInfo } from './checkout.ts';

/** By what a repository is known again after its folder was moved. Either may be missing. */
export interface Identity {
  /** Object name of the oldest root commit. */
  firstCommit?: string;
  /** URL of `origin`, without credentials. */
  remote?: string;
}

/** Reads the identity; undefined where there is no repository. A history too long to walk within `signal` gives the remote alone. */
export async function repositoryIdentity(git: Git, folder: string, signal: AbortSignal): Promise<Identity | undefined> {
  const read = (args: string[]) => git.text(folder, args, { signal, codes: [0, 1] }).then((text) => text.trim().split('\n').at(-1) || undefined, () => undefined);
  const [firstCommit, remote] = await Promise.all([read(['rev-list', '--max-parents=0', 'HEAD']), read(['config', '--get', 'remote.origin.url'])]);
  if (firstCommit === undefined && remote === undefined) return undefined;
  return { ...(firstCommit === undefined ? {} : { firstCommit }), ...(remote === undefined ? {} : { remote: withoutUserInfo(remote) }) };
}
