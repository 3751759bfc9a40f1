import { appendFile, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Keeps a journal that lies inside a work tree out of git, by the repository's own `info/exclude` (never the user's .gitignore). Does
 * nothing where there is no repository. Only files are read and written here: a repository's git is not run for this.
 */
export async function excludeFromGit(folder: string): Promise<void> {
  const found = await findRepository(dirname(folder));
  if (found === undefined) return;
  const pattern = `/${relative(found.top, folder).split(sep).join('/')}/`;
  const path = join(found.common, 'info', 'exclude');
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.split('\n').includes(pattern)) return;
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}${pattern}\n`);
}

/** The work tree's top and the folder that all its work trees share. */
async function findRepository(from: string): Promise<{ top: string; common: string } | undefined> {
  for (let top = from; ; top = dirname(top)) {
    const entry = join(top, '.git');
    const kind = await stat(entry).catch(() => undefined);
    if (kind?.isDirectory() === true) return { top, common: entry };
    if (kind?.isFile() === true) {
      // A linked work tree or a submodule: the file names its own folder, which names the common one if there is another.
      const target = /^gitdir: (.+)$/m.exec(await readFile(entry, 'utf8'))?.[1];
      if (target === undefined) return undefined;
      const own = resolve(top, target.trim());
      const common = await readFile(join(own, 'commondir'), 'utf8').catch(() => '.');
      return { top, common: resolve(own, common.trim()) };
    }
    if (dirname(top) === top) return undefined;
  }
}
