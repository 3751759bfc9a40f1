import { sha256 } from '../../base/hash.ts';
import type { WriteDisk } from './disk.ts';

/** What is, was or shall be at a place, as far as it can be compared. */
export type State = { kind: 'absent' } | { kind: 'file'; hash: string; mode?: number } | { kind: 'link'; target: string };

export type Found = State | { kind: 'folder' | 'other' };

export async function stateAt(disk: WriteDisk, path: string): Promise<Found> {
  const entry = await disk.look(path);
  if (entry === undefined) return { kind: 'absent' };
  if (entry.kind === 'link') return { kind: 'link', target: await disk.readLink(path) };
  if (entry.kind === 'file') return { kind: 'file', hash: sha256(await disk.read(path)), mode: entry.mode };
  return { kind: entry.kind };
}

/** Modes are compared only where both are known and `modes` asks for it. */
export function sameState(a: Found, b: Found, modes: boolean): boolean {
  if (a.kind === 'file' && b.kind === 'file') return a.hash === b.hash && (!modes || a.mode === undefined || b.mode === undefined || a.mode === b.mode);
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  return a.kind === b.kind;
}
