import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Git } from './git.ts';

/** What `git status` says of a checkout, relative to the folder asked about. */
export interface Checkout {
  commit?: string;
  branch?: string;
  upstream?: string;
  ahead?: number;
  behind?: number;
  lastFetch?: string;
  remote?: string;
  changes: Change[];
}

/** A path (from the repository's top) that differs from HEAD. */
export interface Change {
  path: string;
  /** `nested`: an untracked folder that is a repository of its own; `submodule`: recorded commit and checked-out one differ. */
  kind: 'tracked' | 'untracked' | 'unmerged' | 'nested' | 'submodule';
  /** Whether index and HEAD differ only, with the file as in the index. */
  stagedOnly: boolean;
}

/** Reads branch, upstream and changes below `cwd`. Nothing is fetched: ahead and behind are as last fetched. */
export async function readCheckout(git: Git, cwd: string, signal: AbortSignal): Promise<Checkout> {
  const args = ['status', '--porcelain=v2', '-z', '--branch', '--ahead-behind', '--untracked-files=all', '--ignore-submodules=dirty', '--no-renames', '--', '.'];
  const checkout = parseStatus(await git.records(cwd, args, { signal }));
  const [lastFetch, remote] = await Promise.all([readLastFetch(git, cwd, signal), readRemote(git, cwd, checkout, signal)]);
  return { ...checkout, ...(lastFetch === undefined ? {} : { lastFetch }), ...(remote === undefined ? {} : { remote }) };
}

/** Parses `git status --porcelain=v2 -z --branch --no-renames` (format: git-status(1), "Porcelain Format Version 2"). */
export function parseStatus(records: readonly string[]): Checkout {
  const checkout: Checkout = { changes: [] };
  for (const record of records) {
    if (record.startsWith('# ')) readHeader(checkout, record.slice(2));
    else {
      const change = readChange(record);
      if (change) checkout.changes.push(change);
    }
  }
  return checkout;
}

function readHeader(checkout: Checkout, header: string): void {
  const [key = '', ...rest] = header.split(' ');
  const value = rest.join(' ');
  if (key === 'branch.oid' && value !== '(initial)') checkout.commit = value;
  if (key === 'branch.head' && value !== '(detached)') checkout.branch = value;
  if (key === 'branch.upstream') checkout.upstream = value;
  const counts = key === 'branch.ab' ? /^\+(\d+) -(\d+)$/u.exec(value) : null;
  if (counts) {
    checkout.ahead = Number(counts[1]);
    checkout.behind = Number(counts[2]);
  }
}

function readChange(record: string): Change | undefined {
  if (record.startsWith('? ')) {
    const path = record.slice(2);
    return path.endsWith('/') ? { path: path.slice(0, -1), kind: 'nested', stagedOnly: false } : { path, kind: 'untracked', stagedOnly: false };
  }
  // 1 XY sub mH mI mW hH hI path | u XY sub m1 m2 m3 mW h1 h2 h3 path
  const fields = record.split(' ');
  const kind = fields[0];
  if (kind !== '1' && kind !== 'u') return undefined;
  const path = fields.slice(kind === '1' ? 8 : 10).join(' ');
  if (fields[2]?.startsWith('S')) return { path, kind: 'submodule', stagedOnly: false };
  return { path, kind: kind === 'u' ? 'unmerged' : 'tracked', stagedOnly: kind === '1' && fields[1]?.[1] === '.' };
}

/** FETCH_HEAD is written by every fetch, in the worktree's own git folder or the common one. */
async function readLastFetch(git: Git, cwd: string, signal: AbortSignal): Promise<string | undefined> {
  const folders = (await git.text(cwd, ['rev-parse', '--git-dir', '--git-common-dir'], { signal })).split('\n').filter((line) => line !== '');
  const times = await Promise.all(folders.map(async (folder) => (await stat(resolve(cwd, folder, 'FETCH_HEAD')).catch(() => undefined))?.mtimeMs ?? 0));
  const newest = Math.max(0, ...times);
  return newest > 0 ? new Date(newest).toISOString() : undefined;
}

async function readRemote(git: Git, cwd: string, checkout: Checkout, signal: AbortSignal): Promise<string | undefined> {
  const { code, stdout } = await git.run(cwd, ['config', '--get-regexp', '-z', '^(remote\\..*\\.url|branch\\..*\\.remote)$'], { signal, codes: [0, 1] });
  if (code === 1) return undefined;
  const settings = new Map(
    new TextDecoder().decode(stdout).split('\0').map((entry): [string, string] => {
      const cut = entry.indexOf('\n');
      return [entry.slice(0, cut), entry.slice(cut + 1)];
    }),
  );
  const tracked = checkout.branch === undefined ? undefined : settings.get(`branch.${checkout.branch}.remote`);
  const url = settings.get(`remote.${tracked ?? 'origin'}.url`) ?? settings.get('remote.origin.url') ?? [...settings].find(([key]) => key.startsWith('remote.'))?.[1];
  return url === undefined ? undefined : withoutUserInfo(url);
}

/** A remote's address without user, password, query and fragment; people put tokens into all of them. */
export function withoutUserInfo(url: string): string {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//iu.exec(url)?.[0];
  if (scheme !== undefined) {
    const rest = url.slice(scheme.length).replace(/[?#].*$/su, '');
    const slash = rest.indexOf('/');
    const authority = slash === -1 ? rest : rest.slice(0, slash);
    return scheme + authority.slice(authority.lastIndexOf('@') + 1) + (slash === -1 ? '' : rest.slice(slash));
  }
  // The scp form, `user@host:path`; a path on this machine has no colon before its first slash.
  const scp = /^[^/@]*@([^/:]+:.*)$/su.exec(url);
  return scp?.[1] ?? url;
}
