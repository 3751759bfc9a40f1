// Bundles `casebook localize` alone, for measuring it before or without the whole build: node test/bench/localize/bundle.mjs OUT.mjs
import { build } from 'esbuild';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const out = resolve(process.argv[2] ?? join(root, '.cache/localize/localize.mjs'));
const entry = `
import { localizeCommand } from ${JSON.stringify(join(root, 'extension/cli/localize.ts'))};
import { nullLogger } from ${JSON.stringify(join(root, 'extension/core/base/logger.ts'))};
const context = { write: (text) => process.stdout.write(text), writeError: (text) => process.stderr.write(text), readStdin: async () => '', cwd: process.cwd(), env: process.env, signal: new AbortController().signal, logger: nullLogger };
process.exitCode = await localizeCommand.run(process.argv.slice(2), context);
`;
await mkdir(dirname(out), { recursive: true });
await build({
  stdin: { contents: entry, resolveDir: root, loader: 'ts' }, outfile: out, bundle: true, minify: true, platform: 'node', target: 'node22', format: 'esm', logLevel: 'warning',
  banner: { js: "import { createRequire as casebookRequire } from 'node:module'; const require = casebookRequire(import.meta.url);" },
});
await build({
  entryPoints: [join(root, 'extension/core/evidence/scout/worker.ts')], outfile: join(dirname(out), 'scout-worker.mjs'), bundle: true, minify: true, platform: 'node', target: 'node22', format: 'esm', logLevel: 'warning',
  banner: { js: "import { createRequire as casebookRequire } from 'node:module'; const require = casebookRequire(import.meta.url);" },
});
await cp(join(root, 'node_modules/@vscode/tree-sitter-wasm/wasm'), join(dirname(out), 'grammars'), { recursive: true });
await writeFile(join(dirname(out), 'package.json'), '{"type":"module"}');
console.log(out);
