import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, stat, watch, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { ownIdentity } from '../../../extension/core/journal/liveness.ts';
import { claudeDiscovery, claudeFolder } from '../../../extension/core/link/discovery/claude.ts';
import { connectTo, linkTable, lockOf, tokenHeader } from './harness.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'casebook-locks-')), '.claude', 'ide');
});
const what = { port: 40001, token: 'secret', folders: ['/w/a'], version: '1.2.3', pid: process.pid, trusted: true, socket: undefined };
const put = () => claudeDiscovery.announce(what, { env: { CLAUDE_CONFIG_DIR: dirname(folder) }, home: '/nowhere', logger: nullLogger });

/** A lock of this program, as another window would have left it. */
async function leave(port: number, over: Record<string, unknown> = {}): Promise<string> {
    await mkdir(folder, { recursive: true });
  const file = join(folder, `${port}.lock`);
  await writeFile(file, JSON.stringify({ pid: process.pid, workspaceFolders: ['/w'], ideName: 'Casebook', transport: 'ws', runningInWindows: false, authToken: 'old', casebook: { version: '1', ...ownIdentity() }, ...over }));
  return file;
}
const there = (file: string): Promise<boolean> => stat(file).then(() => true, () => false);

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('I05: the lock file', () => {
  it('is for this user alone from the first sight on, and never seen half', async () => {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    const stop = new AbortController();
    const seen: { mode: number; text: string }[] = [];
    const watching = (async () => {
      for await (const { filename } of watch(folder, { signal: stop.signal })) {
        if (filename?.endsWith('.lock') !== true) continue;
        const file = join(folder, filename);
        seen.push({ mode: (await stat(file)).mode & 0o777, text: await readFile(file, 'utf8') });
        stop.abort();
      }
    })().catch((error: Error) => {
      if (error.name !== 'AbortError') throw error;
    });
    const { file } = await put();
    await watching;
    expect(seen.map(({ mode }) => mode)).toEqual([0o600]);
    expect(JSON.parse(seen[0]?.text ?? '')).toMatchObject({ pid: process.pid, workspaceFolders: ['/w/a'], transport: 'ws', authToken: 'secret', ideName: 'Casebook', runningInWindows: false });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['40001.lock']);
  });
});

describe('I06: the lock of a window that crashed', () => {
  it('is gone before the new one is there', async () => {
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await once(child, 'exit');
    const old = await leave(await closedPort(), { casebook: { version: '1', pid: child.pid, startTime: 'boot/1', host: ownIdentity().host } });
    await put();
    expect(await there(old)).toBe(false);
  });
});

describe('I07: only what is proved dead is swept', () => {
  it('also where another program has the number of the dead process', async () => {
    const sleeper = spawn('sleep', ['60'], { stdio: 'ignore' });
    try {
      const reused = await leave(await closedPort(), { casebook: { version: '1', pid: sleeper.pid, startTime: 'boot/1', host: ownIdentity().host } });
      await put();
      expect(await there(reused)).toBe(false);
    } finally {
      sleeper.kill();
    }
  });
  it('not the lock of a live window, of another machine, of a port that answers, or of another product', async () => {
    const gone = { version: '1', pid: process.pid, startTime: 'boot/1', host: ownIdentity().host };
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const kept = [
      await leave(await closedPort()),
      await leave(await closedPort(), { casebook: { ...gone, host: 'elsewhere' } }),
      await leave((server.address() as AddressInfo).port, { casebook: gone }),
      await leave(await closedPort(), { casebook: undefined, ideName: 'Another editor', pid: 4_000_000 }),
    ];
    await writeFile(join(folder, '12345.lock'), '{half');
    await put();
    for (const file of [...kept, join(folder, '12345.lock')]) expect(await there(file), file).toBe(true);
    server.close();
  });
});

describe('I16: where the lock lies', () => {
  it('is where the client looks', () => {
    expect(claudeFolder({}, '/home/me')).toBe('/home/me/.claude/ide');
    expect(claudeFolder({ CLAUDE_CONFIG_DIR: '' }, '/home/me')).toBe('/home/me/.claude/ide');
    expect(claudeFolder({ CLAUDE_CONFIG_DIR: '/conf' }, '/home/me')).toBe('/conf/ide');
  });
});

describe('I17: a lock that cannot be written', () => {
  it('is said in one sentence, and the server does not go on unseen', async () => {
    await mkdir(join(folder, '..'), { recursive: true });
    await writeFile(folder, 'a file in the way');
    await expect(put()).rejects.toMatchObject({ reason: 'no_lock', message: expect.stringContaining('40001.lock') as string });
    const table = await linkTable({}, { env: { CLAUDE_CONFIG_DIR: join(folder, '..'), TMPDIR: dirname(dirname(folder)) } });
    expect(table.link.unannounced).toEqual([{ family: 'claude', why: expect.stringContaining('cannot be written') as string }]);
    await table.link.close('shutdown');
    await expect(linkTable({}, { env: { CLAUDE_CONFIG_DIR: join(folder, '..'), TMPDIR: folder }, home: folder })).rejects.toMatchObject({ reason: 'no_lock' });
  });
});

describe('when the link ends', () => {
  it('the lock goes, unless another one took its name', async () => {
    const first = await put();
    await first.remove();
    expect(await there(first.file)).toBe(false);
    const second = await put();
    await writeFile(second.file, '{}');
    await second.remove();
    expect(await there(second.file)).toBe(true);
  });
});

describe('I01: a client that comes again and again', () => {
  it('finds the link each time by its lock, shakes hands and gets the tools, also after the link has started anew', async () => {
    const home = await mkdtemp(join(tmpdir(), 'casebook-again-'));
    for (let start = 0; start < 3; start += 1) {
      const { link } = await linkTable({}, { env: { CLAUDE_CONFIG_DIR: home } });
      expect(await readdir(join(home, 'ide'))).toEqual([`${link.port}.lock`]);
      for (let time = 0; time < 3; time += 1) {
        const { authToken } = await lockOf(link);
        const client = await connectTo(link.port, { [tokenHeader]: authToken });
        expect((await client.request('initialize', { protocolVersion: '2024-11-05', clientInfo: { name: 'claude-code', version: '1' } })).result?.protocolVersion).toBe('2024-11-05');
        expect((await client.request('tools/list')).result?.tools?.length).toBeGreaterThan(0);
        await client.close();
      }
      await link.close('shutdown');
      expect(await readdir(join(home, 'ide'))).toEqual([]);
    }
  });
});
