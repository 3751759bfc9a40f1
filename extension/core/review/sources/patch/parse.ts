import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from 'diff';
import { messageOf } from '../../../base/failure.ts';
import { type BinaryPart, readBinaryPart } from './binary.ts';

/** One file of a patch. Lines of hunks and texts are Latin-1: one character a byte. Paths are as written, with `a/` and `b/`. */
export interface FilePatch {
  oldPath: string;
  newPath: string;
  kind: 'modify' | 'create' | 'delete' | 'rename' | 'copy';
  /** Git's mode of the file before and after, where the patch names it. */
  oldMode?: string;
  newMode?: string;
  /** Git's id of the content before, often abbreviated. */
  oldId?: string;
  hunks: StructuredPatchHunk[];
  binary?: BinaryPart | 'without_content' | 'malformed';
}

/** A part of a patch that cannot be read: where (its first line) and why. */
export interface UnreadablePart {
  head: string;
  why: string;
}

/** Reads a unified or git patch as bytes (mail headers and signatures around it are passed over). A part that is malformed does not hide the others. */
export function readPatch(bytes: Uint8Array): { files: FilePatch[]; unreadable: UnreadablePart[] } {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const files: FilePatch[] = [];
  const unreadable: UnreadablePart[] = [];
  for (const section of sectionsOf(text)) {
    try {
      for (const file of parsePatch(section)) {
        const read = asFilePatch(file, section);
        if (read !== undefined) files.push(read);
      }
    } catch (error) {
      unreadable.push({ head: decodePath(section.slice(0, section.indexOf('\n')).slice(0, 300)), why: messageOf(error) });
    }
  }
  return { files, unreadable };
}

/** Every `diff --git` begins a file; no line of a hunk can begin so. What stands before the first is a patch of another kind, or words. */
function sectionsOf(text: string): string[] {
  const starts = [...text.matchAll(/^diff --git /gmu)].map((match) => match.index);
  const first = starts[0] ?? text.length;
  const rest = starts.map((start, index) => text.slice(start, starts[index + 1] ?? text.length));
  return [...(/^--- /mu.test(text.slice(0, first)) ? [text.slice(0, first)] : []), ...rest].map(withoutSignature);
}

/** `git format-patch` ends a mail with `-- ` and its version; to a parser of hunks that is one removed line too many. */
function withoutSignature(section: string): string {
  const body = section.replace(/\n-- \r?\n\d[^\n]*\n*$/u, '\n');
  // Mails of a series in one file: the next one's header follows the last hunk.
  return body.replace(/\n-- \r?\n\d[^\n]*\n+From [0-9a-f]{40} [\s\S]*$/u, '\n');
}

function asFilePatch(file: StructuredPatch, section: string): FilePatch | undefined {
  const [oldPath, newPath] = [file.oldFileName, file.newFileName].map((path) => (path === undefined ? undefined : decodePath(path)));
  if (oldPath === undefined || newPath === undefined) return undefined;
  const kind = file.isRename === true ? 'rename' : file.isCopy === true ? 'copy' : file.isCreate === true || oldPath === '/dev/null' ? 'create' : file.isDelete === true || newPath === '/dev/null' ? 'delete' : 'modify';
  const binary = binaryOf(file, section);
  const oldId = /^index ([0-9a-f]+)\.\./mu.exec(section.slice(0, Math.max(0, section.search(/^(?:@@ |GIT binary)/mu))))?.[1];
  return {
    oldPath: oldPath === '/dev/null' ? newPath : oldPath,
    newPath: newPath === '/dev/null' ? oldPath : newPath,
    kind,
    ...(file.oldMode === undefined ? {} : { oldMode: file.oldMode }),
    ...(file.newMode === undefined ? {} : { newMode: file.newMode }),
    ...(oldId === undefined ? {} : { oldId }),
    hunks: file.hunks,
    ...(binary === undefined ? {} : { binary }),
  };
}

function binaryOf(file: StructuredPatch, section: string): FilePatch['binary'] {
  if (file.hunks.length > 0) return undefined;
  const marked = /^GIT binary patch\n/mu.exec(section);
  if (marked !== null) return readBinaryPart(section.slice(marked.index + marked[0].length)) ?? 'malformed';
  return file.isBinary === true ? 'without_content' : undefined;
}

/** Names are bytes here, unless the parser has undone git's quoting, which gives characters already. */
function decodePath(name: string): string {
  if (/[^\u0000-\u00ff]/u.test(name)) return name;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(name, 'latin1'));
  } catch {
    return name;
  }
}
