import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../../..');

/** The packaged extension under test; `npm run package` makes it. */
export const vsix = join(root, 'casebook.vsix');

/** Where traces, screenshots and logs of failed tests are kept. */
export const artifacts = process.env['CASEBOOK_ARTIFACTS'] ?? join(root, '.cache/workbench');

/**
 * The entry of the installed code-server (set up by `scripts/setup.mjs`), newest version first.
 * Throws when there is none: these tests never skip.
 */
export function codeServerEntry(): string {
  const cache = process.env['CASEBOOK_CACHE'] ?? join(homedir(), '.cache/casebook');
  const folders = existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith('code-server-')).toSorted().toReversed() : [];
  for (const folder of folders) {
    const entry = join(cache, folder, 'node_modules/code-server/out/node/entry.js');
    if (existsSync(entry)) return entry;
  }
  throw new Error(`No code-server under ${cache}: run "node scripts/setup.mjs".`);
}

/** Node 24, which code-server asks for. */
export const node = join(root, 'node_modules/.bin/node');

/** The browser that drives the workbench. */
export function chromium(): string {
  const found = [process.env['CASEBOOK_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    (path) => path !== undefined && existsSync(path),
  );
  if (found === undefined) throw new Error('No Chromium found: run "node scripts/setup.mjs".');
  return found;
}
