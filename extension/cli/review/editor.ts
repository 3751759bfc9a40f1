import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Terminal } from '../terminal.ts';
import { lineForTerminal } from '../terminal-text.ts';

/** The person's editor, as other terminal programs find it: $VISUAL, $EDITOR, vi. It may have arguments. */
export function editorCommand(env: Readonly<Record<string, string | undefined>>): string[] {
  const words = (env['VISUAL'] || env['EDITOR'] || 'vi').trim().split(/\s+/u);
  return words[0] === '' ? ['vi'] : words;
}

/** How it went in the editor; without a text, why there is none, in a sentence. */
export type Edit = { text: string } | { text?: undefined; why: string };

/** Lets a person change a text in their editor. */
export async function editInEditor(terminal: Terminal, env: Readonly<Record<string, string | undefined>>, text: string, path: string): Promise<Edit> {
  const folder = await mkdtemp(join(tmpdir(), 'casebook-edit-'));
  try {
    // Under its own name, so that the editor knows the language.
    const file = join(folder, basename(path));
    await writeFile(file, text, { mode: 0o600 });
    const [command = 'vi', ...args] = editorCommand(env);
    const code = await terminal.run(command, [...args, file]);
    if (code === undefined) return { why: `The editor ${lineForTerminal(command)} could not be started; nothing was changed.` };
    if (code !== 0) return { why: `The editor ended with code ${code}; nothing was changed.` };
    const edited = await readFile(file, 'utf8');
    return edited === text ? { why: 'Nothing was changed.' } : { text: edited };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
