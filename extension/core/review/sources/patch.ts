import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import { cleanRelative, type Root } from '../../repo/roots.ts';
import { findRepository } from '../../repo/snapshot.ts';
import type { Content, ProposedContent } from '../files/file-review.ts';
import type { ProposedFile } from '../port.ts';
import type { SourceFailureReason } from '../failure.ts';
import { type Gathered, gathered, type Left, type SourceDeps } from './gathered.ts';
import { diskContent } from './git-changes.ts';
import { applyHunks } from './patch/apply.ts';
import { applyDelta } from './patch/binary.ts';
import { type FilePatch, readPatch } from './patch/parse.ts';

export interface PatchInput {
  /** The patch's exact bytes; its hunks are bytes of files in any encoding. */
  bytes: Uint8Array;
  /** What it is called in lists, e.g. its file name. */
  name: string;
}

/**
 * A unified or git patch as a proposal on what is on disk (`proposed`: accepting writes). Hunks that do not apply exactly, binary changes without their content and paths that fit
 * no root or several are named in `left`; the rest of the patch still comes. Fails `bad_patch` when no change at all can be read.
 */
export async function patchProposal(input: PatchInput, roots: readonly Root[], deps: Pick<SourceDeps, 'git'>, signal: AbortSignal): Promise<Gathered> {
  const { files: patches, unreadable } = readPatch(input.bytes);
  if (patches.length === 0) throw new Failure<SourceFailureReason>('bad_patch', unreadable[0]?.why ?? 'No change can be read in this patch.');
  const left: Left[] = unreadable.map(({ head, why }) => ({ root: '', path: head, why: `this part cannot be read: ${why}` }));
  const places = await Promise.all(roots.map(async (root) => ({ root, prefix: (await findRepository(deps.git, root.path, signal))?.prefix ?? '' })));
  const made = new Map<string, ProposedFile>();
  for (const patch of patches) {
    signal.throwIfAborted();
    const place = await placeOf(patch, places, made);
    if ('why' in place) left.push({ root: '', path: patch.newPath.replace(/^b\//u, ''), why: place.why });
    else await take(patch, place, made, left);
  }
  return gathered(`Patch ${input.name}`, { client: 'patch', against: input.name }, 'proposed', [...made.values()], left);
}

/** Adds one file's change to those made so far; a series of patches may change a file more than once. */
async function take(patch: FilePatch, { root, oldPath, path }: Found, made: Map<string, ProposedFile>, left: Left[]): Promise<void> {
  const key = `${root.name}/${path}`;
  const leave = (why: string): void => void left.push({ root: root.name, path, why });
  const earlier = made.get(`${root.name}/${oldPath}`);
  if (earlier !== undefined && (patch.kind !== 'modify' || earlier.proposed.kind === 'absent')) return leave('the patch changes it more than once, in a way that cannot be put together');
  const onDisk = earlier === undefined ? await diskContent(root, oldPath) : undefined;
  const base = earlier === undefined ? onDisk : exact(earlier.proposed);
  if (base === undefined) return leave('what is on disk is no regular file, or larger than 32 MiB');
  const result = await patched(patch, base, root, path);
  for (const why of result.left) leave(why);
  if ('why' in result) return leave(result.why);
  const first = earlier?.base ?? (patch.kind === 'copy' ? ({ kind: 'absent' } as const) : base);
  made.set(key, { root: root.name, path, ...(patch.kind === 'rename' ? { from: oldPath } : earlier?.from === undefined ? {} : { from: earlier.from }), base: first, proposed: result.content });
}

interface Found {
  root: Root;
  oldPath: string;
  path: string;
}

/** The one root where the patch's file is (or, for a new one, could be). */
async function placeOf(patch: FilePatch, places: readonly { root: Root; prefix: string }[], made: ReadonlyMap<string, ProposedFile>): Promise<Found | { why: string }> {
  const found: (Found & { there: boolean })[] = [];
  for (const { root, prefix } of places) {
    const pair = pathsIn(patch, root, prefix);
    if (pair === undefined) continue;
    const stats = await lstat(join(root.path, pair.oldPath)).catch(() => undefined);
    found.push({ root, ...pair, there: made.has(`${root.name}/${pair.oldPath}`) || (stats !== undefined && !stats.isDirectory()) });
  }
  const wanted = found.filter(({ there }) => there === (patch.kind !== 'create'));
  if (wanted.length === 1 && wanted[0] !== undefined) return wanted[0];
  if (wanted.length > 1) return { why: `several folders could be meant: ${wanted.map(({ root }) => root.name).join(', ')}; apply it with only one of them open` };
  if (found.length === 0) return { why: 'its path leads out of the folders that are open here' };
  return { why: patch.kind === 'create' ? 'it would be a new file, but there is one already' : 'there is no such file here' };
}

/** Paths from a root: those of git start at the top of the repository, with `a/` and `b/` before them. */
function pathsIn(patch: FilePatch, root: Root, prefix: string): { oldPath: string; path: string } | undefined {
  const marks = [patch.oldPath, patch.newPath].map((written) => /^([abciow])\//u.exec(written)?.[1]);
  // With `diff.mnemonicPrefix` git writes other letters, a different one on each side.
  const marked = marks[0] === 'a' || marks[1] === 'b' || (marks[0] !== undefined && marks[1] !== undefined && marks[0] !== marks[1]);
  const inRoot = (written: string): string | undefined => {
    const bare = marked ? written.replace(/^[abciow]\//u, '') : written.replace(/^\.\//u, '');
    const own = prefix !== '' && bare.startsWith(prefix) ? bare.slice(prefix.length) : bare.startsWith(`${root.name}/`) && !marked ? bare.slice(root.name.length + 1) : prefix === '' ? bare : undefined;
    const clean = own === undefined ? undefined : cleanRelative(own);
    return clean?.ok === true && clean.path !== '' && clean.path === own ? own : undefined;
  };
  // `x.orig` and `x` of a plain diff are one file.
  const oldPath = inRoot(patch.kind === 'rename' || patch.kind === 'copy' ? patch.oldPath : patch.newPath);
  const path = inRoot(patch.newPath);
  return oldPath === undefined || path === undefined ? undefined : { oldPath, path };
}

type Made = ({ content: Content } | { why: string }) & { left: string[] };

async function patched(patch: FilePatch, base: Content, root: Root, path: string): Promise<Made> {
  if ((patch.kind === 'rename' || patch.kind === 'copy') && (await lstat(join(root.path, path)).catch(() => undefined)) !== undefined) return { why: 'there is a file of the new name already', left: [] };
  if (patch.binary !== undefined) return binaryMade(patch, base);
  const isLink = patch.newMode === '120000' || (patch.newMode === undefined && base.kind === 'link');
  const text = base.kind === 'file' ? Buffer.from(base.bytes).toString('latin1') : base.kind === 'link' ? Buffer.from(base.target).toString('latin1') : '';
  const { text: result, failed } = applyHunks(text, patch.hunks, isBase(patch, Buffer.from(text, 'latin1')) === true);
  const left = failed.map(({ hunk, line }) => `hunk ${hunk} does not apply (it was made for line ${line})`);
  if (failed.length === patch.hunks.length && failed.length > 0) return { why: 'none of its hunks applies', left };
  if (patch.kind === 'delete') return failed.length > 0 || result !== '' ? { why: 'it would be deleted, but what is on disk is not what the patch deletes', left } : { content: { kind: 'absent' }, left };
  const bytes = Buffer.from(result, 'latin1');
  if (isLink) return { content: { kind: 'link', target: bytes.toString('utf8') }, left };
  return { content: { kind: 'file', bytes, ...modeOf(patch, base) }, left };
}

function binaryMade(patch: FilePatch, base: Content): Made {
  const { binary } = patch;
  if (binary === undefined || binary === 'without_content') return { why: 'a binary change without its content (made without --binary)', left: [] };
  if (binary === 'malformed') return { why: 'its binary content cannot be read', left: [] };
  const known = base.kind === 'file' ? isBase(patch, base.bytes) : patch.kind === 'create';
  if (known !== true) return { why: known === undefined ? 'a binary change that does not say what it was made on' : 'its binary change was made on other content', left: [] };
  if (patch.kind === 'delete') return { content: { kind: 'absent' }, left: [] };
  const old = base.kind === 'file' ? base.bytes : new Uint8Array();
  const bytes = binary.kind === 'literal' ? binary.bytes : applyDelta(old, binary.bytes);
  if (bytes === undefined) return { why: 'its binary change was made on other content', left: [] };
  return { content: { kind: 'file', bytes, ...modeOf(patch, base) }, left: [] };
}

/** Whether the bytes are those that the patch names as its base; undefined when it names none, or only so much of the id that it proves little. */
function isBase(patch: FilePatch, bytes: Uint8Array): boolean | undefined {
  const { oldId } = patch;
  if (oldId === undefined || oldId.length < 7) return undefined;
  // A blob's id is the hash over its header and bytes (gitformat-pack(5)); the length of a whole id tells which hash.
  const id = createHash(oldId.length > 40 ? 'sha256' : 'sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  return id.startsWith(oldId);
}

function exact(content: ProposedContent): Content {
  return content.kind === 'text' ? { kind: 'file', bytes: Buffer.from(content.text) } : content;
}

/** Git's mode is one bit: whether the file can be executed; the others are kept. */
function modeOf(patch: FilePatch, base: Content): { mode?: number } {
  const current = base.kind === 'file' ? base.mode : undefined;
  if (patch.newMode === undefined) return current === undefined || patch.kind === 'copy' ? {} : { mode: current };
  const executable = patch.newMode === '100755';
  if (current === undefined) return { mode: executable ? 0o755 : 0o644 };
  return { mode: executable ? current | ((current & 0o444) >> 2) : current & ~0o111 };
}
