import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', 'contract', 'link', 'golden');

/** A call that comes when it likes, beside the others, and so shifts their numbers. */
const besides = 'update_session_name';

interface Frame {
  method?: string;
  params?: { name?: string; [key: string]: unknown };
  [key: string]: unknown;
}

/**
 * The client's frames of the transcript that the contract tests play, and those it has sent now, from its last handshake to its proposal; other names for what differs each time,
 * numbers left out. `CASEBOOK_GOLDEN=write` takes the present ones into the file, with an acceptance after the proposal; the contract test then adds the editor's.
 */
export async function clientFrames(name: string, family: string, frames: readonly unknown[], root: string): Promise<{ recorded: unknown[]; now: unknown[] }> {
  const sent = (JSON.parse(JSON.stringify(frames).replaceAll(root, '/ws').replaceAll(/\([0-9a-f]{6}\)/gu, '(000000)')) as Frame[]).filter(({ method }) => method !== undefined);
  const proposes = (frame: Frame): boolean => /"open_?diff"/iu.test(JSON.stringify(frame));
  const handshake = sent.findLastIndex(({ method }) => method === 'initialize');
  const now = sent.slice(handshake, sent.findIndex(proposes) + 1).map((frame): Frame => ({ jsonrpc: '2.0', ...frame }));
  const file = join(folder, `${name}.jsonl`);
  if (process.env['CASEBOOK_GOLDEN'] === 'write') {
    const lines = [{ comesBy: family }, ...now.flatMap((agent) => (proposes(agent) ? [{ agent }, { person: 'accept' }] : [{ agent }]))];
    await writeFile(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  }
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n').map((line) => JSON.parse(line) as { agent?: Frame });
  return { recorded: comparable(lines.map(({ agent }) => agent).filter((agent) => agent !== undefined)), now: comparable(now) };
}

function comparable(frames: readonly Frame[]): unknown[] {
  const text = JSON.stringify(frames.filter(({ params }) => params?.name !== besides), (key, value: unknown) => (key === 'id' || key === '_meta' ? undefined : value));
  return JSON.parse(text) as unknown[];
}
