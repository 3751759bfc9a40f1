/**
 * Builds the extension, the terminal command and the webviews into dist/.
 *
 *   node scripts/build.mjs [--dev]     --dev: not minified, with source maps
 *
 * One bundle, split into chunks: what main, the terminal command and the worker share is shipped once, and whatever is behind a dynamic import is loaded
 * when it is first used. The metafile goes to .cache/build.json; the size checks read it.
 */
import { build } from 'esbuild';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dist, root } from './lib/paths.mjs';
import { notices } from './lib/notices.mjs';
import { webviewOptions } from './lib/webviews.mjs';

/** The languages that the scout outlines; each is one file of the tree-sitter package. */
const grammars = ['javascript', 'typescript', 'tsx', 'python', 'java', 'go', 'rust', 'ruby', 'php', 'c-sharp', 'cpp'];

/** CommonJS packages inside an ES module bundle ask for node's modules through `require`. */
const requireBanner = "import { createRequire as casebookRequire } from 'node:module'; const require = casebookRequire(import.meta.url);";

/** Output name → source. An entry without a source yet is left out. */
const entries = { main: 'extension/main.ts', cli: 'extension/cli.ts', 'scout-worker': 'extension/core/evidence/scout/worker.ts' };

const existing = (list) => Object.fromEntries(Object.entries(list).filter(([, path]) => existsSync(join(root, path))));

export async function buildAll({ dev = false } = {}) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const common = {
    absWorkingDir: root, bundle: true, format: 'esm', metafile: true, write: false, minify: !dev, sourcemap: dev, logLevel: 'warning', legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.CASEBOOK_VERSION': JSON.stringify(version) }, loader: { '.md': 'text', '.yaml': 'text', '.svg': 'text' },
  };
  const extension = await build({
    ...common, entryPoints: existing(entries), outdir: 'dist', chunkNames: 'chunks/[name]-[hash]', splitting: true,
    platform: 'node', target: 'node22', external: ['vscode'], banner: { js: requireBanner },
  });
  const webview = await build({
    ...webviewOptions, outdir: 'dist/webview', metafile: true, write: false, minify: !dev, sourcemap: dev, logLevel: 'warning',
  });
  // Only now: a build that fails leaves the last good one in place.
  await rm(dist, { recursive: true, force: true });
  await writeAll([...extension.outputFiles, ...webview.outputFiles]);
  await copyData();
  await writeFile(join(dist, 'NOTICES.txt'), await notices([...Object.keys(extension.metafile.inputs), ...Object.keys(webview.metafile.inputs)]));
  await finishCli();
  await mkdir(join(root, '.cache'), { recursive: true });
  await writeFile(join(root, '.cache/build.json'), JSON.stringify({ extension: extension.metafile, webview: webview.metafile }));
}

async function writeAll(files) {
  for (const { path, contents } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contents);
  }
}

async function copyData() {
  const wasm = join(root, 'node_modules/@vscode/tree-sitter-wasm/wasm');
  await mkdir(join(dist, 'grammars'), { recursive: true });
  for (const file of ['tree-sitter.wasm', ...grammars.map((name) => `tree-sitter-${name}.wasm`)]) await cp(join(wasm, file), join(dist, 'grammars', file));
  if (existsSync(join(root, 'extension/library'))) await cp(join(root, 'extension/library'), join(dist, 'library'), { recursive: true, filter: (path) => !path.endsWith('.ts') });
}

/** `npx casebook` and `bin` need the first line and the mode. */
async function finishCli() {
  const path = join(dist, 'cli.js');
  if (!existsSync(path)) return;
  const text = await readFile(path, 'utf8');
  if (!text.startsWith('#!')) await writeFile(path, `#!/usr/bin/env node\n${text}`);
  await chmod(path, 0o755);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await buildAll({ dev: process.argv.includes('--dev') });
