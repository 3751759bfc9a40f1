import type * as vscode from 'vscode';

/** Schemes of the two sides of a file under review; also named in package.json (`onFileSystem:…` and `when` clauses). */
export const schemes = { base: 'casebook-base', proposed: 'casebook-review' } as const;

export type Side = 'base' | 'proposed';

/** One side of one file of a set. `file` is its key in the set, `root/path`. */
export interface ReviewAddress {
  set: string;
  file: string;
  side: Side;
}

/**
 * The parts of the address under which the editor knows a side. The path is the file's own, so that icon, language and breadcrumbs are right; the set is in the
 * query, so that two sets never share a document. No revision: a re-based file is the same document with new content, and a tab never shows an outdated side.
 */
export function partsOf({ set, file, side }: ReviewAddress): { scheme: string; path: string; query: string } {
  return { scheme: schemes[side], path: `/${file}`, query: `set=${set}` };
}

/** What an address of the editor means; undefined for any other document. */
export function addressOf(uri: Pick<vscode.Uri, 'scheme' | 'path' | 'query'> | undefined): ReviewAddress | undefined {
  const side = uri?.scheme === schemes.proposed ? 'proposed' : uri?.scheme === schemes.base ? 'base' : undefined;
  const set = /(?:^|&)set=([^&]+)/u.exec(uri?.query ?? '')?.[1];
  if (uri === undefined || side === undefined || set === undefined || uri.path.length < 2) return undefined;
  return { set, file: uri.path.slice(1), side };
}
