import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, connectTo, type LinkTable, linkTable, tokenHeader } from '../../unit/link/harness.ts';

/** One line of a transcript: a frame of the agent (as it was recorded from the real one, `/ws` for the workspace), what is decided meanwhile, or our answers to both. */
type Line = { agent: { id?: number; method: string } } | { person: 'accept' | 'reject' | { edit: string } } | { file: string; text: string } | { editor: unknown };

const folder = join(import.meta.dirname, 'golden');

/** `CASEBOOK_GOLDEN=write` takes the present answers into the files. */
describe.each(readdirSync(folder))('the transcript %s', (name) => {
  it('is as recorded', async () => {
    const lines = (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n').map((line) => JSON.parse(line) as Line);
    const table = await linkTable({ 'a.txt': 'line one\nline two\nline three\n', 'crlf.txt': 'one\r\ntwo\r\n' });
    try {
      const played = await play(table, lines.filter((line) => !('editor' in line)));
      if (process.env['CASEBOOK_GOLDEN'] === 'write') await writeFile(join(folder, name), `${played.map((line) => JSON.stringify(line)).join('\n')}\n`);
      expect(played).toEqual(lines);
    } finally {
      await table.link.close('shutdown');
    }
  });
});

async function play(table: LinkTable, lines: readonly Line[]): Promise<Line[]> {
  const client = await connectTo(table.link.port, { [tokenHeader]: table.token });
  const played: Line[] = [];
  const answerTo = async (id: number): Promise<void> => {
    const answer = await client.hear((frame) => ((frame as Answer).id === id ? (frame as Answer) : undefined));
    played.push({ editor: JSON.parse(JSON.stringify(answer).replaceAll(table.root, '/ws')) as unknown });
  };
  let waiting: number | undefined;
  for (const line of lines) {
    played.push(line);
    if ('agent' in line) {
      const frame = JSON.stringify(line.agent);
      client.raw(frame.replaceAll('/ws/', `${table.root}/`));
      const { id } = line.agent;
      if (frame.includes('"openDiff"')) waiting = id;
      else if (id !== undefined) await answerTo(id);
    } else if ('file' in line) {
      await writeFile(join(table.root, line.file), line.text);
    } else if ('person' in line) {
      await decide(table, line.person);
      if (waiting !== undefined) await answerTo(waiting);
    }
  }
  await client.close();
  return played;
}

async function decide(table: LinkTable, what: 'accept' | 'reject' | { edit: string }): Promise<void> {
  const { desk } = table;
  let state = await table.oneSet();
  if (typeof what === 'object') state = await desk.edit(state.id, state.files[0]?.key ?? '', what.edit, { via: 'test', revision: state.revision });
  await desk.decideAll(state.id, what === 'reject' ? 'reject' : 'accept', { via: 'test', revision: state.revision });
}
