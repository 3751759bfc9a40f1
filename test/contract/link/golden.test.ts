import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tokenFor } from '../../../extension/core/mcp/auth.ts';
import { type Answer, connectTo, type LinkTable, linkTable, tokenHeader, type WireClient } from '../../unit/link/harness.ts';
import { connectHttp, type HttpClient } from '../../unit/link/http-client.ts';

/** One line of a transcript: by whose discovery file the agent came (else Claude's), a frame of the agent (as it was recorded from the real one, `/ws` for the workspace), what is decided meanwhile, or our answers to both. */
type Line = { comesBy: 'gemini' | 'qwen' | 'copilot' } | { agent: { id?: number; method: string } } | { person: 'accept' | 'reject' | { edit: string } } | { file: string; text: string } | { editor: unknown };

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
  const [first] = lines;
  const family = first !== undefined && 'comesBy' in first ? first.comesBy : undefined;
  const client = await connect(table, family);
  const played: Line[] = [];
  const hear = async (fits: (frame: Answer & { method?: string }) => boolean): Promise<void> => {
    const frame = await client.hear((one) => (fits(one as Answer) ? one : undefined));
    played.push({ editor: JSON.parse(JSON.stringify(frame).replaceAll(table.root, '/ws')) as unknown });
  };
  const blocks = family === 'gemini' || family === 'qwen' ? /^$/u : /"open_?diff"/iu;
  let waiting: number | undefined;
  for (const line of lines) {
    played.push(line);
    if ('agent' in line) {
      const frame = JSON.stringify(line.agent);
      client.raw(frame.replaceAll('/ws/', `${table.root}/`));
      const { id } = line.agent;
      if (blocks.test(frame)) waiting = id;
      else if (id !== undefined) await hear((one) => one.id === id);
      if (family !== undefined && line.agent.method === 'notifications/initialized') await (client as HttpClient).listen();
    } else if ('file' in line) {
      await writeFile(join(table.root, line.file), line.text);
    } else if ('person' in line) {
      await decide(table, line.person);
      if (waiting !== undefined) await hear((one) => one.id === waiting);
      else if (family !== undefined) await hear(({ method }) => method?.startsWith('ide/diff') === true);
    }
  }
  await client.close();
  return played;
}

async function connect(table: LinkTable, family: 'gemini' | 'qwen' | 'copilot' | undefined): Promise<Omit<WireClient, 'socket'>> {
  const token = tokenFor(table.token, family ?? 'claude');
  if (family === undefined) return connectTo(table.link.port, { [tokenHeader]: token });
  if (family !== 'copilot') return connectHttp({ port: table.link.port }, `Bearer ${token}`, undefined);
  const { socketPath } = JSON.parse(await readFile(table.link.files['copilot'] ?? '', 'utf8')) as { socketPath: string };
  return connectHttp({ socketPath }, `Nonce ${token}`, undefined);
}

async function decide(table: LinkTable, what: 'accept' | 'reject' | { edit: string }): Promise<void> {
  const { desk } = table;
  let state = await table.oneSet();
  if (typeof what === 'object') state = await desk.edit(state.id, state.files[0]?.key ?? '', what.edit, { via: 'test', revision: state.revision });
  await desk.decideAll(state.id, what === 'reject' ? 'reject' : 'accept', { via: 'test', revision: state.revision });
}
