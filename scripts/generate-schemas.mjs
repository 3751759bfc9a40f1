/**
 * schemas/*.schema.json, generated from the zod shapes in core.
 *
 *   node scripts/generate-schemas.mjs [--write]     without --write: checks that the files are up to date
 */
import { build } from 'esbuild';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './lib/paths.mjs';

const folder = join(root, 'schemas');

async function generate() {
  const outfile = join(root, '.cache/schemas.mjs');
  await build({ entryPoints: [join(root, 'scripts/lib/schemas.ts')], outfile, bundle: true, format: 'esm', platform: 'node', target: 'node22', logLevel: 'warning' });
  const { schemaFiles } = await import(`${pathToFileURL(outfile).href}?${Date.now()}`);
  return schemaFiles();
}

/** @returns {Promise<string[]>} what is not up to date */
export async function checkSchemas() {
  const wanted = await generate();
  const present = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.schema.json'));
  const problems = present.filter((name) => !(name in wanted)).map((name) => `schemas/${name} is left over`);
  for (const [name, text] of Object.entries(wanted)) {
    const now = await readFile(join(folder, name), 'utf8').catch(() => undefined);
    if (now !== text) problems.push(`schemas/${name} ${now === undefined ? 'is missing' : 'is stale'}: run "npm run generate-schemas"`);
  }
  return problems;
}

export async function writeSchemas() {
  const wanted = await generate();
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) if (name.endsWith('.schema.json') && !(name in wanted)) await rm(join(folder, name));
  for (const [name, text] of Object.entries(wanted)) await writeFile(join(folder, name), text);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--write')) await writeSchemas();
  const problems = await checkSchemas();
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
