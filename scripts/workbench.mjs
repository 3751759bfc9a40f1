/**
 * VS Code in the browser with the extension installed and a folder open, for a person to click through.
 *
 *   npm run workbench [-- FOLDER]     FOLDER: what to open; the first example's source when not given
 *
 * Its settings and extensions live in the cache, apart from your own VS Code; the journal is the same as the terminal command's. Ctrl+C ends it.
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { continueOnNode24 } from './lib/node24.mjs';
import { cache, codeServerEntry, root, vsix } from './lib/paths.mjs';
import { must, say, toolEnv } from './lib/run.mjs';
import { fetchSource } from './lib/source.mjs';
import { setUp } from './setup.mjs';

await setUp('workbench');
continueOnNode24();

const { buildAll } = await import('./build.mjs');
const { packageVsix } = await import('./package.mjs');
say('Building…');
await buildAll();
await packageVsix();

const example = join(root, 'examples/spreadsheet-crash');
const folder = process.argv[2] ? resolve(process.argv[2]) : await fetchSource(example);
// Beside the example's source, so that it is at hand where a file is asked for.
if (!process.argv[2]) await cp(join(example, 'ticket.md'), join(folder, '..', 'ticket.md'));

const base = join(cache, 'workbench');
const settings = join(base, 'data/User/settings.json');
await mkdir(join(base, 'data/User'), { recursive: true });
if (!existsSync(settings)) await writeFile(settings, `${JSON.stringify({ 'workbench.startupEditor': 'none', 'telemetry.telemetryLevel': 'off', 'extensions.autoUpdate': false }, null, 2)}\n`);
const common = [codeServerEntry, '--config', join(base, 'code-server.yaml'), '--user-data-dir', join(base, 'data'), '--extensions-dir', join(base, 'extensions')];
await must(process.execPath, [...common, '--install-extension', vsix, '--force']);

const child = spawn(process.execPath, [...common, '--auth', 'none', '--bind-addr', `127.0.0.1:${process.env.PORT ?? 0}`, '--disable-telemetry', '--disable-update-check'], {
  env: toolEnv(), stdio: ['ignore', 'pipe', 'inherit'],
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.stdout.on('data', (chunk) => {
  const url = /HTTP server listening on (http:\/\/[^\s/]+)/.exec(String(chunk))?.[1];
  if (url) {
    say(`\nOpen   ${url}/?folder=${encodeURIComponent(folder)}\n`);
    say(`Trust the folder, then run "Casebook: Investigate Ticket…" from the palette (F1) with the file\n  ${process.argv[2] ? 'of your ticket' : join(folder, '..', 'ticket.md')}\nor with pasted text. Ctrl+C here ends the editor.`);
  }
});
child.on('exit', (code) => process.exit(code ?? 0));
