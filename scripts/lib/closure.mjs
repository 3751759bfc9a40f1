import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/**
 * The files that loading `entry` loads, without those behind a dynamic import, read from the last build's metafile.
 * @param {string} entry path from the root, for example dist/main.js
 * @returns {string[]} paths from the root
 */
export function staticClosure(entry) {
  const { extension, webview } = JSON.parse(readFileSync(join(root, '.cache/build.json'), 'utf8'));
  const outputs = { ...extension.outputs, ...webview.outputs };
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path)) return;
    const output = outputs[path];
    if (output === undefined) throw new Error(`${path} is not in the last build.`);
    seen.add(path);
    for (const { path: imported, kind, external } of output.imports) if (!external && kind === 'import-statement') visit(imported);
  };
  visit(entry);
  return [...seen];
}
