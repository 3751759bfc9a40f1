import type { Snapshot } from '../../model/code.ts';
import { cleanRelative } from '../../repo/roots.ts';
import type { SnapshotReader } from '../../repo/snapshot-reader.ts';

/** The part of the snapshot reader that checking needs. */
export type CitedCode = Pick<SnapshotReader, 'read' | 'list' | 'resolve' | 'prefetch'>;

export type CitedFile = { ok: true; file: string; why?: string } | { ok: false; file: string; why: string };

/** Turns a cited path into `root/path` of the snapshot, or says why it cannot: outside, unknown, ambiguous, other case. */
export class PathResolver {
  private readonly lists = new Map<string, Promise<string[]>>();

  constructor(
    private readonly snapshot: Snapshot,
    private readonly code: CitedCode,
    private readonly signal: AbortSignal,
  ) {}

  async resolve(cited: string): Promise<CitedFile> {
    const clean = cleanRelative(cited);
    if (!clean.ok) return { ok: false, file: cited, why: clean.why };
    const path = clean.path;
    const prefixed = this.snapshot.roots.some((root) => path.startsWith(`${root.name}/`));
    const direct = prefixed ? await this.code.resolve(path, this.signal) : undefined;
    if (direct?.ok) return direct.entry.kind === 'file' ? { ok: true, file: path } : { ok: false, file: path, why: `this is a ${direct.entry.kind}, not a file` };
    const places: string[] = [];
    for (const root of this.snapshot.roots) {
      const found = await this.code.resolve(`${root.name}/${path}`, this.signal);
      if (found.ok && found.entry.kind === 'file') places.push(`${root.name}/${path}`);
    }
    const [only] = places;
    if (places.length === 1 && only !== undefined) return { ok: true, file: only };
    if (places.length > 1) return { ok: false, file: path, why: `the path is in several roots: ${places.slice(0, 4).join(', ')}` };
    const other = await this.otherCase(path);
    if (other !== undefined) return { ok: false, file: path, why: `there is no such file; with other upper and lower case there is ${other}` };
    return { ok: false, file: path, why: direct && !direct.ok ? direct.why : 'there is no such file in the snapshot' };
  }

  private async otherCase(path: string): Promise<string | undefined> {
    const wanted = path.toLowerCase();
    for (const root of this.snapshot.roots) {
      const list = await this.list(root.name);
      const name = root.name.toLowerCase();
      const found = list.find((file) => {
        const lower = file.toLowerCase();
        return lower === wanted || `${name}/${lower}` === wanted;
      });
      if (found !== undefined) return `${root.name}/${found}`;
    }
    return undefined;
  }

  private list(root: string): Promise<string[]> {
    const known = this.lists.get(root) ?? this.code.list(root, this.signal);
    this.lists.set(root, known);
    return known;
  }
}
