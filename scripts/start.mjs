/**
 * The main job on the example: sets up what it needs, builds, investigates the example's ticket in the source that it is about, and says how to go on.
 *
 *   npm start [-- EXAMPLE]     EXAMPLE: a folder under examples/, spreadsheet-crash when not given
 */
import { join, relative } from 'node:path';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { continueOnNode24 } from './lib/node24.mjs';
import { root } from './lib/paths.mjs';
import { say, toolEnv } from './lib/run.mjs';
import { fetchSource } from './lib/source.mjs';
import { setUp } from './setup.mjs';

await setUp('start');
continueOnNode24();

const name = process.argv[2] ?? 'spreadsheet-crash';
const example = join(root, 'examples', name);
if (!existsSync(join(example, 'ticket.md'))) {
  say(`No example "${name}" under examples/.`);
  process.exit(2);
}
const { buildAll } = await import('./build.mjs');
say('Building…');
await buildAll();
const source = await fetchSource(example);
const ticket = relative(root, join(example, 'ticket.md'));
const command = ['dist/cli.js', 'investigate', '--ticket', ticket, '--repo', source, '--engine', 'scout'];
say(`\n$ node ${command.join(' ')}\n`);
const { status, error } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env: toolEnv() });
if (error) throw error;
if (status !== 0) process.exit(status ?? 1);
say(`
The same on your own ticket and repository (a Markdown, JSON or text file; a folder, with or without git):

  node dist/cli.js investigate --ticket TICKET.md --repo FOLDER --engine scout

With a model instead of the scout alone: --engine claude (the Claude Code you have installed) or --engine openai-compatible; "node dist/cli.js help investigate" says more.

In VS Code, in the browser, with the extension installed and the example's source open (sets up the editor on the first run, a few minutes):

  npm run workbench
`);
