/**
 * The ids in code (extension/shared/ids.ts), in package.json and the words in package.nls.json agree, both ways: nothing contributed that the code does not know,
 * nothing in code that is not contributed, no word missing, none left over.
 */
import { build } from 'esbuild';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './lib/paths.mjs';

const json = async (path) => JSON.parse(await readFile(join(root, path), 'utf8'));

async function ids() {
  const { outputFiles } = await build({ entryPoints: [join(root, 'extension/shared/ids.ts')], bundle: true, write: false, format: 'esm', logLevel: 'silent' });
  return await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** @returns {Promise<string[]>} what does not agree */
export async function checkIds() {
  const [table, manifest, words] = await Promise.all([ids(), json('package.json'), existsSync(join(root, 'package.nls.json')) ? json('package.nls.json') : {}]);
  return compareIds(table, manifest, words);
}

/** The comparison itself, on data; see test/unit/scripts/check-ids.test.ts. */
export function compareIds(table, manifest, words) {
  const { commands = [], configuration = [], views = {}, viewsContainers = {}, menus = {}, mcpServerDefinitionProviders = [] } = manifest.contributes ?? {};
  const sections = [configuration].flat();
  const problems = [
    ...bothWays('command', Object.values(table.commands), commands.map((command) => command.command)),
    ...bothWays('setting', Object.values(table.settings), sections.flatMap((section) => Object.keys(section.properties ?? {}))),
    ...bothWays('view', Object.values(table.views), [...Object.values(views).flat(), ...Object.values(viewsContainers).flat()].map((view) => view.id)),
    ...bothWays('MCP server', Object.values(table.mcpServers ?? {}), mcpServerDefinitionProviders.map((server) => server.id)),
  ];
  const known = new Set(Object.values(table.commands));
  for (const [menu, entries] of Object.entries(menus)) {
    for (const { command } of entries) if (command?.startsWith('casebook.') && !known.has(command)) problems.push(`menu ${menu} names ${command}, which no command has`);
  }
  for (const command of commands) if (!command.category) problems.push(`command ${command.command} has no category`);
  for (const [name, property] of sections.flatMap((section) => Object.entries(section.properties ?? {}))) {
    if (!property.markdownDescription) problems.push(`setting ${name} has no markdownDescription`);
  }
  return [...problems, ...contextProblems(table, manifest), ...wordProblems(manifest, words)];
}

function bothWays(what, inCode, inManifest) {
  return [
    ...inCode.filter((id) => !inManifest.includes(id)).map((id) => `${what} ${id} is in ids.ts, not in package.json`),
    ...inManifest.filter((id) => !inCode.includes(id)).map((id) => `${what} ${id} is in package.json, not in ids.ts`),
    ...inManifest.filter((id, index) => inManifest.indexOf(id) !== index).map((id) => `${what} ${id} is in package.json twice`),
  ];
}

/** Context keys of ours in `when` and `enablement` clauses. Commands, views and settings may be named there too. */
function contextProblems(table, manifest) {
  const known = new Set([...Object.values(table.contextKeys), ...Object.values(table.views), ...Object.values(table.commands), ...Object.values(table.settings), ...Object.values(table.panels ?? {})]);
  const clauses = [];
  walk(manifest.contributes, (value, key) => (key === 'when' || key === 'enablement') && clauses.push(value));
  const used = new Set(clauses.flatMap((clause) => clause.match(/\bcasebook(?:\.\w+)+/g) ?? []));
  return [...used].filter((key) => !known.has(key)).map((key) => `a when clause names ${key}, which is not in ids.ts`);
}

function wordProblems(manifest, words) {
  const used = new Set();
  const plain = [];
  walk(manifest, (value, key, path) => {
    const word = /^%(.+)%$/.exec(value)?.[1];
    if (word !== undefined) used.add(word);
    else if (path[0] === 'contributes' && ['title', 'label', 'category', 'markdownDescription', 'description', 'name', 'contextualTitle', 'contents', 'displayName'].includes(key)) plain.push(`${path.join('.')}: ${value}`);
  });
  walk(manifest.contributes, (value, key, path) => {
    if (path.some((part) => part.endsWith('Descriptions')) && !/^%.+%$/.test(value)) plain.push(`${path.join('.')}: ${value}`);
  });
  return [
    ...[...used].filter((word) => !(word in words)).map((word) => `package.nls.json lacks ${word}`),
    ...Object.keys(words).filter((word) => !used.has(word)).map((word) => `package.nls.json has ${word}, which package.json does not use`),
    ...plain.map((text) => `not in package.nls.json: ${text}`),
  ];
}

/** Calls `visit(string, key, path)` for every string below `value`. */
function walk(value, visit, path = []) {
  if (typeof value === 'string') visit(value, path.findLast((part) => !/^\d+$/.test(part)), path);
  else if (value !== null && typeof value === 'object') for (const [key, child] of Object.entries(value)) walk(child, visit, [...path, key]);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = await checkIds();
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
