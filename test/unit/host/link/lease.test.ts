import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { LeaseFile } from '../../../../extension/host/link/lease.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'casebook-lease-')), 'storage');
  file = join(folder, 'link-lease.json');
});
const place = { port: 4001, token: 'secret' };
const take = (folders = ['/w']): ReturnType<LeaseFile['take']> => new LeaseFile(folder).take(folders, 0);
const hold = (): ReturnType<LeaseFile['hold']> => new LeaseFile(folder).hold(place, () => ['/w']);

describe('I08: the place of a window over a reload', () => {
  it('is had again once it was released, by one taker alone', async () => {
    await (await hold()).release();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const taken = await Promise.all([take(), take(), take()]);
    expect(taken.filter((one) => one !== undefined)).toEqual([place]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not had as long as its window lives, with other folders, or after a minute', async () => {
    const held = await hold();
    expect(await take()).toBeUndefined();
    await held.release();
    expect(await take(['/w', '/x'])).toBeUndefined();
    await utimes(file, new Date(Date.now() - 61_000), new Date(Date.now() - 61_000));
    expect(await take()).toBeUndefined();
    expect(await new LeaseFile(join(folder, 'none')).take(['/w'], 0)).toBeUndefined();
  });

  it('waits a moment for an extension host that is just going', async () => {
    const held = await hold();
    const waiting = new LeaseFile(folder).take(['/w'], 5000);
    await held.release();
    expect(await waiting).toEqual(place);
  });

  it('is had again after a crash, when its process is proved dead', async () => {
    await hold();
    const child = spawn('true');
    await once(child, 'exit');
    const lease = JSON.parse(await readFile(file, 'utf8')) as { holder: { pid: number } };
    await writeFile(file, JSON.stringify({ ...lease, holder: { ...lease.holder, pid: child.pid } }));
    expect(await take()).toEqual(place);
  });

  it('is given up for good when the link is switched off, and leaves alone what a later window put there', async () => {
    const held = await hold();
    await held.drop();
    expect(await readdir(folder)).toEqual([]);
    const later = await new LeaseFile(folder).hold({ port: 5, token: 'other' }, () => ['/w']);
    await held.release();
    await held.drop();
    await later.release();
    expect(await take()).toEqual({ port: 5, token: 'other' });
  });

  it('takes nothing that is not one', async () => {
    await (await hold()).release();
    await writeFile(file, '{"port":"x"}');
    expect(await take()).toBeUndefined();
  });
});
