import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** Packages whose files are copied, not bundled. */
const copied = ['@vscode/tree-sitter-wasm'];

/**
 * The licence texts of every package that is shipped, from the inputs of the bundles.
 * Throws when a package has neither a licence text nor a name of one: it must not be shipped unseen.
 * @param {string[]} inputs paths from the root, as esbuild's metafile names them
 */
export async function notices(inputs) {
  const folders = new Set(copied.map((name) => `node_modules/${name}`));
  for (const input of inputs) {
    const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (folder !== undefined) folders.add(folder);
  }
  const sections = [];
  for (const folder of [...folders].sort()) sections.push(await section(folder));
  return ['Casebook contains the following software, each under its own licence.', ...sections].join(`\n\n${'-'.repeat(80)}\n\n`) + '\n';
}

async function section(folder) {
  const path = join(root, folder);
  const manifest = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));
  const files = existsSync(path) ? (await readdir(path)).filter((name) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(name)) : [];
  const license = typeof manifest.license === 'string' ? manifest.license : manifest.license?.type;
  if (files.length === 0 && license === undefined) throw new Error(`${folder} names no licence.`);
  const texts = await Promise.all(files.sort().map((name) => readFile(join(path, name), 'utf8')));
  const author = typeof manifest.author === 'string' ? manifest.author : manifest.author?.name;
  const body = texts.length > 0 ? texts.map((text) => text.trim()).join('\n\n') : `Licence: ${license}${author ? `, ${author}` : ''}`;
  return `${manifest.name} ${manifest.version} (${license ?? 'see below'})\n\n${body}`;
}
