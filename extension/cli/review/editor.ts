import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Terminal } from '../terminal.ts';

/** The person's editor, as other terminal programs find it: $VISUAL, $EDITOR, vi. It may have arguments. */
export function editorCommand(env: Readonly<Record<string, string | undefined>>): string[] {
  const words = (env['VISUAL'] || env['EDITOR'] || 'vi').trim().split(/\s+/u);
  return words[0] === '' ? ['vi'] : words;
}

/** Lets a person change a text in their editor. Undefined when the editor could not be started, ended with a failure, or nothing was changed. */
export async function editInEditor(terminal: Terminal, env: Readonly<Record<string, string | undefined>>, text: string, path: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'casebook-edit-'));
  try {
    // Under its own name, so that the editor knows the language.
    const file = join(folder, basename(path));
    await writeFile(file, text, { mode: 0o600 });
    const [command = 'vi', ...args] = editorCommand(env);
    if ((await terminal.run(command, [...args, file])) !== 0) return undefined;
    const edited = await readFile(file, 'utf8');
    return edited === text ? undefined : edited;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
