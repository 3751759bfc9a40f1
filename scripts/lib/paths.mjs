import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
export const bin = join(root, 'node_modules/.bin');
/** Node 24, a development dependency: the Node that the host of the extension has, whatever the machine has. */
export const node24 = join(bin, 'node');
/** Downloads and installs that outlive a checkout. */
export const cache = process.env.CASEBOOK_CACHE ?? join(homedir(), '.cache/casebook');
export const vsix = join(root, 'casebook.vsix');
export const dist = join(root, 'dist');

export const codeServerVersion = '4.139.1';
export const codeServerNode = '24.22.3';
export const codeServer = join(cache, `code-server-${codeServerVersion}`);
export const codeServerEntry = join(codeServer, 'node_modules/code-server/out/node/entry.js');
