import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cache } from './paths.mjs';
import { must, say } from './run.mjs';

/**
 * The source that an example's ticket is about: a published npm package at a pinned version, fetched once into the cache and checked against its pinned hash.
 * @param {string} example folder with a source.json {package, version, integrity}
 * @returns {Promise<string>} the folder of the source
 */
export async function fetchSource(example) {
  const source = JSON.parse(await readFile(join(example, 'source.json'), 'utf8'));
  const folder = join(cache, 'sources', `${source.package}-${source.version}`, source.package);
  if (existsSync(folder)) return folder;
  say(`Fetching ${source.package}@${source.version} from the npm registry…`);
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'fetch-'));
  try {
    const { stdout } = await must('npm', ['pack', `${source.package}@${source.version}`, '--silent', '--pack-destination', work], { cwd: work });
    const tarball = join(work, stdout.trim().split('\n').at(-1));
    const [algorithm, hash] = source.integrity.split(/-(.*)/s);
    const found = createHash(algorithm).update(await readFile(tarball)).digest('base64');
    if (found !== hash) throw new Error(`${source.package}@${source.version} has another hash than the pinned one: ${algorithm}-${found}`);
    await must('tar', ['-xzf', tarball, '-C', work]);
    await mkdir(dirname(folder), { recursive: true });
    await rename(join(work, 'package'), folder);
    return folder;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
