import { posix } from 'node:path';
import { Failure } from '../base/failure.ts';
import type { Snapshot, SnapshotRoot } from '../model/code.ts';
import type { Git } from './git.ts';
import { readObjects } from './objects.ts';
import { plainBytes, plainFiles, type PlainEntry } from './plain-snapshot.ts';
import { cleanRelative } from './roots.ts';
import { findRepository, objectEnvironment } from './snapshot.ts';
import { type CodeReader, maxReadBytes } from './work-tree.ts';

/** What a snapshot holds under a path. `id` is the object or content hash; for links `read` gives the target's text. */
export interface SnapshotEntry {
  path: string;
  kind: 'file' | 'link' | 'folder' | 'submodule';
  id: string;
  size: number;
}

/** One root's content, whatever keeps it. */
interface RootStore {
  entries(paths: readonly string[], signal: AbortSignal): Promise<Map<string, SnapshotEntry>>;
  list(signal: AbortSignal): Promise<string[]>;
  bytes(entries: readonly SnapshotEntry[], signal: AbortSignal): Promise<Map<string, Uint8Array>>;
}

export type Resolved = { ok: true; entry: SnapshotEntry } | { ok: false; why: string };

const forever = new AbortController().signal;
const cacheBytes = 64 * 1024 * 1024;

/** Reads files as they were when a snapshot was taken. Links are followed inside their root only. Keep one per snapshot: it caches. */
export class SnapshotReader implements CodeReader {
  private readonly stores = new Map<string, Promise<RootStore>>();
  private readonly resolved = new Map<string, Resolved>();
  private readonly cache = new Map<string, Uint8Array>();
  private cached = 0;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly deps: { git: Git; folder: string },
  ) {}

  async read(path: string, signal: AbortSignal = forever): Promise<Uint8Array | undefined> {
    const found = await this.resolve(path, signal);
    if (!found.ok || found.entry.kind !== 'file') return undefined;
    const root = rootOf(this.snapshot, path);
    if (!root) return undefined;
    const key = `${root.name}\0${found.entry.id}`;
    const known = this.cache.get(key);
    if (known) return known;
    const store = await this.store(root, signal);
    const bytes = (await store.bytes([found.entry], signal)).get(found.entry.id);
    if (bytes) this.keep(key, bytes);
    return bytes;
  }

  /** All files of a root, as paths from it. Fails with `no_such_object` when the root is unknown. */
  async list(rootName: string, signal: AbortSignal = forever): Promise<string[]> {
    const root = this.snapshot.roots.find((candidate) => candidate.name === rootName);
    if (!root) throw new Failure('no_such_object', `the snapshot has no root ${rootName}`);
    return (await this.store(root, signal)).list(signal);
  }

  /** Reads many files at once, in a few git calls; later `read`s answer from memory. */
  async prefetch(paths: readonly string[], signal: AbortSignal = forever): Promise<void> {
    for (const root of this.snapshot.roots) {
      const own = paths.filter((path) => path.startsWith(`${root.name}/`)).map((path) => path.slice(root.name.length + 1));
      if (own.length === 0) continue;
      const store = await this.store(root, signal);
      const entries = await store.entries(own, signal);
      const files = [...entries.values()].filter((entry) => entry.kind === 'file');
      for (const entry of files) this.resolved.set(`${root.name}/${entry.path}`, { ok: true, entry });
      for (const [id, bytes] of await store.bytes(files, signal)) this.keep(`${root.name}\0${id}`, bytes);
    }
  }

  /** Finds the entry of `root/path`, following links on the way; says why there is none. */
  async resolve(path: string, signal: AbortSignal = forever): Promise<Resolved> {
    const known = this.resolved.get(path);
    if (known) return known;
    const root = rootOf(this.snapshot, path);
    if (!root) return { ok: false, why: 'no root has this name' };
    const found = await this.follow(root, path.slice(root.name.length + 1), signal);
    this.resolved.set(path, found);
    return found;
  }

  private async follow(root: SnapshotRoot, path: string, signal: AbortSignal): Promise<Resolved> {
    const store = await this.store(root, signal);
    let at = path;
    for (let links = 0; links < 20; links += 1) {
      const clean = cleanRelative(at);
      if (!clean.ok) return { ok: false, why: links === 0 ? clean.why : 'a link leads out of the root' };
      const steps = clean.path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
      const entries = await store.entries(steps, signal);
      const link = steps.map((step) => entries.get(step)).find((entry) => entry?.kind === 'link');
      if (!link) {
        const entry = entries.get(clean.path);
        return entry ? { ok: true, entry } : { ok: false, why: 'there is no such file in the snapshot' };
      }
      const target = (await store.bytes([link], signal)).get(link.id);
      if (!target) return { ok: false, why: 'a link on the way cannot be read' };
      const text = new TextDecoder().decode(target);
      if (posix.isAbsolute(text)) return { ok: false, why: 'a link leads out of the root' };
      at = posix.normalize(posix.join(posix.dirname(link.path), text, clean.path.slice(link.path.length + 1)));
    }
    return { ok: false, why: 'its links go round in circles' };
  }

  private store(root: SnapshotRoot, signal: AbortSignal): Promise<RootStore> {
    const known = this.stores.get(root.name);
    if (known) return known;
    const made = root.kind === 'git' ? openGitStore(root, this.deps, signal) : openPlainStore(root, this.deps.folder);
    this.stores.set(root.name, made);
    made.catch(() => this.stores.delete(root.name));
    return made;
  }

  private keep(key: string, bytes: Uint8Array): void {
    if (this.cached + bytes.length > cacheBytes) {
      this.cache.clear();
      this.cached = 0;
    }
    this.cache.set(key, bytes);
    this.cached += bytes.length;
  }
}

function rootOf(snapshot: Snapshot, path: string): SnapshotRoot | undefined {
  return snapshot.roots.find((root) => path.startsWith(`${root.name}/`));
}

async function openGitStore(root: SnapshotRoot, deps: { git: Git; folder: string }, signal: AbortSignal): Promise<RootStore> {
  const repository = await findRepository(deps.git, root.path, signal);
  if (!repository) throw new Failure('not_a_repository', `${root.path} is no longer a git repository`);
  const env = await objectEnvironment(repository, deps.folder);
  return new GitStore(deps.git, root.path, root.tree ?? '', env);
}

class GitStore implements RootStore {
  constructor(
    private readonly git: Git,
    private readonly cwd: string,
    private readonly tree: string,
    private readonly env: Record<string, string>,
  ) {}

  async entries(paths: readonly string[], signal: AbortSignal): Promise<Map<string, SnapshotEntry>> {
    const found = new Map<string, SnapshotEntry>();
    for (let at = 0; at < paths.length; at += 200) {
      const records = await this.git.records(this.cwd, ['ls-tree', '-z', '-l', '--full-tree', this.tree, '--', ...paths.slice(at, at + 200)], { signal, env: this.env });
      for (const record of records) {
        const entry = treeEntry(record);
        if (entry) found.set(entry.path, entry);
      }
    }
    return found;
  }

  async list(signal: AbortSignal): Promise<string[]> {
    const records = await this.git.records(this.cwd, ['ls-tree', '-r', '-z', '--full-tree', this.tree], { signal, env: this.env });
    return records.filter((record) => record.includes(' blob ')).map((record) => record.slice(record.indexOf('\t') + 1));
  }

  async bytes(entries: readonly SnapshotEntry[], signal: AbortSignal): Promise<Map<string, Uint8Array>> {
    const ids = entries.filter((entry) => entry.size <= maxReadBytes).map((entry) => entry.id);
    return readObjects(this.git, this.cwd, ids, { signal, env: this.env });
  }
}

/** `<mode> <type> <id> <size>\t<path>` of `ls-tree -l`. */
function treeEntry(record: string): SnapshotEntry | undefined {
  const fields = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/su.exec(record);
  if (!fields) return undefined;
  const [, mode = '', type = '', id = '', size = '', path = ''] = fields;
  const kind = type === 'tree' ? 'folder' : type === 'commit' ? 'submodule' : mode === '120000' ? 'link' : 'file';
  return { path, kind, id, size: Number(size) || 0 };
}

async function openPlainStore(root: SnapshotRoot, folder: string): Promise<RootStore> {
  const files = (await plainFiles(folder, root.listing ?? '')) ?? [];
  const byPath = new Map(files.map((file) => [file.path, file]));
  const byHash = new Map(files.map((file) => [file.hash, file]));
  const entry = (file: PlainEntry): SnapshotEntry => ({ path: file.path, kind: file.link === undefined ? 'file' : 'link', id: file.hash, size: file.size });
  return {
    async entries(paths) {
      const known = paths.flatMap((path) => byPath.get(path) ?? []);
      return new Map(known.map((file) => [file.path, entry(file)]));
    },
    async list() {
      return files.map((file) => file.path);
    },
    async bytes(entries) {
      const found = new Map<string, Uint8Array>();
      for (const wanted of entries) {
        const file = byPath.get(wanted.path) ?? byHash.get(wanted.id);
        const bytes = file && (file.link === undefined ? await plainBytes(folder, root.path, file) : new TextEncoder().encode(file.link));
        if (bytes) found.set(wanted.id, bytes);
      }
      return found;
    },
  };
}
