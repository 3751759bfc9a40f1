import type { Git } from './git.ts';

interface ObjectRun {
  signal: AbortSignal;
  /** Where objects are looked for besides the repository; see `objectEnvironment`. */
  env?: Readonly<Record<string, string>>;
}

/** Content of objects by id; ids that are missing are left out. The caller bounds what it asks for: 512 MiB in all. */
export async function readObjects(git: Git, cwd: string, ids: Iterable<string>, run: ObjectRun): Promise<Map<string, Uint8Array>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const { stdout } = await git.run(cwd, ['cat-file', '--batch'], { ...run, stdin: `${wanted.join('\n')}\n`, maxBytes: 512 * 1024 * 1024 });
  return parseBatch(stdout);
}

/** Sizes of objects in bytes, by id, without reading them. */
export async function objectSizes(git: Git, cwd: string, ids: Iterable<string>, run: ObjectRun): Promise<Map<string, number>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const lines = (await git.text(cwd, ['cat-file', '--batch-check'], { ...run, stdin: `${wanted.join('\n')}\n` })).split('\n');
  return new Map(
    lines.flatMap((line): [string, number][] => {
      const [id = '', type, size] = line.split(' ');
      return type === undefined || size === undefined ? [] : [[id, Number(size)]];
    }),
  );
}

/** `<id> <type> <size>\n<bytes>\n` per object; `<id> missing\n` for one that is gone (git-cat-file(1), "Batch output"). */
function parseBatch(output: Uint8Array): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(10, at);
    if (end === -1) break;
    const [id = '', type = '', size = ''] = new TextDecoder().decode(output.subarray(at, end)).split(' ');
    at = end + 1;
    if (type === 'missing' || size === '') continue;
    found.set(id, output.slice(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}
