import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saveAttachment } from '../../../extension/features/case-panel/attachment.ts';
import { aTicket } from './fakes.ts';

const bytes = new Uint8Array([137, 80, 78, 71]);
const blob = 'ab'.repeat(32);
const blobs = { get: async (hash: string) => (hash === blob ? bytes : undefined) };

async function aCaseWith(name: string) {
  return { folder: await mkdtemp(join(tmpdir(), 'casebook-attachment-')), ticket: { ...aTicket(), attachments: [{ name, blob, readable: true }] } };
}

describe('an image that came with a ticket', () => {
  it.each([
    ['screen shot.png', 'abababab-screen-shot.png'],
    ['../../../.bashrc', 'abababab-bashrc'],
    ['\u202e', 'abababab-attachment'],
  ])('called %j is put beside the case as %s, for this user only', async (name, expected) => {
    const state = await aCaseWith(name);
    const path = await saveAttachment(state, blob, blobs);
    expect(basename(path)).toBe(expected);
    expect(dirname(path)).toBe(join(state.folder, 'attachments'));
    expect([...(await readFile(path))]).toEqual([...bytes]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is not given out when the ticket does not name it', async () => {
    await expect(saveAttachment(await aCaseWith('a.png'), 'cd'.repeat(32), { get: async () => bytes })).rejects.toMatchObject({ reason: 'file_gone' });
  });
});
