import type { Git } from './git.ts';
import type { Repository } from './snapshot.ts';

/** A stored file and where it lies; `path` from the repository's top. */
export interface StoredFile {
  path: string;
  id: string;
  bytes: Uint8Array;
}

const attributeNames = ['text', 'eol', 'ident', 'working-tree-encoding'] as const;

/**
 * Stored content as git would lay it into the working tree: line ends, `ident` and `working-tree-encoding` by attributes and settings, without running a filter program.
 * By path. Files to which nothing of that applies keep their bytes; only the others cost a call of git each.
 */
export async function checkoutForm(git: Git, repository: Repository, files: readonly StoredFile[], signal: AbortSignal): Promise<Map<string, Uint8Array>> {
  const result = new Map(files.map((file) => [file.path, file.bytes]));
  const converted = await convertedPaths(git, repository, files.map((file) => file.path), signal);
  for (const file of files) {
    if (!converted.has(file.path)) continue;
    const { stdout } = await git.run(repository.top, ['cat-file', '--filters', `--path=${file.path}`, file.id], { signal, maxBytes: 256 * 1024 * 1024 });
    result.set(file.path, stdout);
  }
  return result;
}

/** Paths whose stored and checked-out bytes may differ; see gitattributes(5) and git-config(1), `core.autocrlf` and `core.eol`. */
async function convertedPaths(git: Git, repository: Repository, paths: readonly string[], signal: AbortSignal): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const [autocrlf, eol] = await Promise.all(['core.autocrlf', 'core.eol'].map((name) => settingOf(git, repository, name, signal)));
  const attributes = await git.records(repository.top, ['check-attr', '-z', '--stdin', ...attributeNames], { signal, stdin: paths.map((path) => `${path}\0`).join('') });
  const known = new Map<string, Record<string, string>>();
  for (let at = 0; at + 2 < attributes.length; at += 3) {
    const [path = '', name = '', value = ''] = attributes.slice(at, at + 3);
    const own = known.get(path) ?? {};
    own[name] = value;
    known.set(path, own);
  }
  const crlfBySetting = autocrlf === 'true' || (autocrlf !== 'input' && (eol === 'crlf' || (process.platform === 'win32' && eol !== 'lf')));
  const isSet = (value: string | undefined): boolean => value !== undefined && value !== 'unspecified' && value !== 'unset';
  return new Set(
    [...known].flatMap(([path, own]) => {
      const isText = isSet(own['text']) || (own['text'] === 'unspecified' && autocrlf === 'true');
      const ends = own['eol'] === 'crlf' || (isText && own['eol'] !== 'lf' && crlfBySetting);
      return ends || isSet(own['ident']) || isSet(own['working-tree-encoding']) ? [path] : [];
    }),
  );
}

async function settingOf(git: Git, repository: Repository, name: string, signal: AbortSignal): Promise<string | undefined> {
  const { code, stdout } = await git.run(repository.top, ['config', '--get', name], { signal, codes: [0, 1] });
  return code === 0 ? new TextDecoder().decode(stdout).trim().toLowerCase() : undefined;
}
