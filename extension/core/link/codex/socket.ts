import { randomBytes } from 'node:crypto';
import { chmod, link, lstat, rename, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { Failure, messageOf } from '../../base/failure.ts';
import { ensurePrivateFolder, errorCode } from '../../base/files.ts';
import { answersAt } from '../discovery/files.ts';
import type { LinkFailureReason } from '../failure.ts';

/** Bytes of one request; it is an id and a folder. */
const longestRequest = 64 * 1024;
/** Codex makes one connection for each prompt and asks at once. Milliseconds. */
const silenceTime = 5000;
const mostConnections = 16;

export interface CodexSocket {
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Listens where Codex asks for the editor's context: length (u32, little endian) and JSON in both directions, guarded by who may open the file and by nothing else. The path belongs to
 * whoever was there first, another window or Codex's own extension; it is never taken from somebody who answers. Rejects with Failure `no_lock`.
 */
export async function openCodexSocket(path: string, respond: (request: unknown) => Promise<unknown>): Promise<CodexSocket> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    serve(socket, respond);
  });
  server.maxConnections = mostConnections;
  try {
    await ensurePrivateFolder(dirname(path));
    await removeIfDead(path);
    // Bound under another name and linked into place, since binding and then narrowing would show it wide for a moment.
    const own = join(dirname(path), `.${randomBytes(6).toString('hex')}`);
    await listen(server, own);
    try {
      await chmod(own, 0o600);
      await link(own, path);
    } finally {
      await rm(own, { force: true });
    }
  } catch (error) {
    server.close();
    const taken = errorCode(error) === 'EEXIST';
    throw new Failure<LinkFailureReason>('no_lock', taken ? `Codex gets its context from another program or window, which has ${path}.` : `Codex cannot find this window: ${path} cannot be made (${messageOf(error)}).`, { cause: error });
  }
  const made = (await lstat(path)).ino;
  return {
    path,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
      if ((await lstat(path).catch(() => undefined))?.ino === made) await rm(path, { force: true });
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays for good: once it listens, an error is one connection's that could not be taken.
    server.on('error', reject);
    server.listen(path, resolve);
  });
}

/** A socket on which nobody listens never comes to life again. It is looked at once more under another name, so that of two windows that find it dead neither takes the other's new one. */
async function removeIfDead(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || !found.isSocket() || (await answersAt({ path }))) return;
  const aside = join(dirname(path), `.${randomBytes(6).toString('hex')}`);
  await rename(path, aside);
  if (await answersAt({ path: aside })) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

function serve(socket: Socket, respond: (request: unknown) => Promise<unknown>): void {
  let seen: Buffer = Buffer.alloc(0);
  socket.setTimeout(silenceTime, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk]);
    for (let frame = next(seen); frame !== undefined; frame = next(seen)) {
      if (frame === 'bad') {
        socket.destroy();
        return;
      }
      seen = frame.rest;
      respond(frame.value).then(
        (answer) => void socket.write(encode(answer)),
        () => socket.destroy(),
      );
    }
  });
}

/** Undefined: not all of it is there. */
function next(seen: Buffer): { value: unknown; rest: Buffer } | 'bad' | undefined {
  if (seen.length < 4) return undefined;
  const length = seen.readUInt32LE(0);
  if (length > longestRequest) return 'bad';
  if (seen.length < 4 + length) return undefined;
  try {
    return { value: JSON.parse(seen.subarray(4, 4 + length).toString('utf8')), rest: seen.subarray(4 + length) };
  } catch {
    return 'bad';
  }
}

function encode(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}
