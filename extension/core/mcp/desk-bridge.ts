import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { Failure, messageOf } from '../base/failure.ts';
import { newToken, sameSecret } from './auth.ts';
import { type DeskServerOptions, serveDesk } from './desk-server.ts';

export type DeskFailureReason = 'no_desk' | 'refused' | 'io';

/** How a child finds the desk: in a file of mode 0600, never in its arguments, where every user of the machine could read it. */
const deskFile = z.object({ socket: z.string(), token: z.string() });

/** The variable that tells `casebook mcp-desk` where that file is. */
export const deskFileVariable = 'CASEBOOK_DESK_FILE';

/** A client that has not shown its token within this time is dropped. */
const helloMilliseconds = 10_000;
const helloLimit = 512;

export interface DeskBridge {
  /** Folder of mode 0700 that holds the socket and the file; others may put run files into it. Gone after `close`. */
  readonly folder: string;
  readonly file: string;
  /** Ends every connection and removes the folder. */
  close(): Promise<void>;
}

/**
 * Opens the run's desk to other processes of this user: a UNIX socket (a named pipe on Windows) of mode 0600 in a private folder. A connection
 * sends the run's token as its first line and then speaks MCP; whatever comes with another token is closed unread.
 * Rejects with Failure `io`.
 */
export async function openDeskBridge(options: DeskServerOptions & { parent?: string }): Promise<DeskBridge> {
  const folder = join(options.parent ?? tmpdir(), `casebook-${randomBytes(6).toString('hex')}`);
  const socket = process.platform === 'win32' ? `\\\\.\\pipe\\casebook-${randomBytes(16).toString('hex')}` : join(folder, 'desk.sock');
  const token = newToken();
  const file = join(folder, 'desk.json');
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.once('close', () => open.delete(client));
    client.on('error', () => client.destroy());
    greet(client, token).then(
      () => {
        serveDesk(new StdioServerTransport(client, client), options);
        // A stream that was paused by hand does not start by itself when somebody listens.
        client.resume();
      },
      (error) => {
        options.logger.warn('A connection to the desk was refused', { why: messageOf(error) });
        client.destroy();
      },
    );
  });
  try {
    await mkdir(folder, { mode: 0o700 });
    await listen(server, socket);
    if (process.platform !== 'win32') await chmod(socket, 0o600);
    await writeFile(file, JSON.stringify({ socket, token }), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    server.close();
    await rm(folder, { recursive: true, force: true });
    throw new Failure<DeskFailureReason>('io', `The desk could not be opened: ${messageOf(error)}`, { cause: error });
  }
  return { folder, file, close: () => shut(server, open, folder) };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function shut(server: Server, open: Set<Socket>, folder: string): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const client of open) client.destroy();
  await closed;
  await rm(folder, { recursive: true, force: true });
}

/** Reads the first line and leaves everything after it in the stream. Rejects for a wrong token, a long line, silence, or a closed socket. */
function greet(client: Socket, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    const timer = setTimeout(() => finish(new Error('it said nothing')), helloMilliseconds);
    const gone = (): void => finish(new Error('it went away'));
    const finish = (error?: Error): void => {
      clearTimeout(timer);
      client.off('data', read);
      client.off('close', gone);
      client.pause();
      if (error) reject(error);
      else resolve();
    };
    const read = (chunk: Buffer): void => {
      seen = Buffer.concat([seen, chunk]);
      const end = seen.indexOf(0x0a);
      if (end < 0) return seen.length > helloLimit ? finish(new Error('its first line is too long')) : undefined;
      if (!sameSecret(seen.subarray(0, end).toString('utf8'), token)) return finish(new Error('its token is not this run’s'));
      finish();
      if (end + 1 < seen.length) client.unshift(seen.subarray(end + 1));
    };
    client.on('data', read);
    client.once('close', gone);
  });
}

/**
 * The child's half: connects standard input and output of this process with the desk named by `file`, byte for byte, until either side ends
 * or the signal aborts. Rejects with Failure `no_desk` when the file is missing or damaged or nobody listens, `refused` when the desk
 * closed without a word.
 */
export async function pipeToDesk(file: string, input: Readable, output: Writable, signal: AbortSignal): Promise<void> {
  const { socket, token } = await readDeskFile(file);
  const desk = connect(socket);
  const abort = (): void => void desk.destroy();
  signal.addEventListener('abort', abort, { once: true });
  let heard = false;
  try {
    await new Promise<void>((resolve, reject) => {
      desk.once('error', (error) => reject(new Failure<DeskFailureReason>('no_desk', `The desk cannot be reached: ${error.message}`, { cause: error })));
      desk.once('connect', () => {
        desk.write(`${token}\n`);
        input.pipe(desk);
      });
      desk.on('data', (chunk: Buffer) => {
        heard = true;
        // The agent reads slowly when it is busy; without this its unread answers would pile up here.
        if (!output.write(chunk)) {
          desk.pause();
          output.once('drain', () => desk.resume());
        }
      });
      input.once('end', resolve);
      input.once('error', resolve);
      desk.once('close', resolve);
    });
    if (!heard && desk.destroyed && !signal.aborted && !input.readableEnded) throw new Failure<DeskFailureReason>('refused', 'The desk closed the connection without an answer');
  } finally {
    signal.removeEventListener('abort', abort);
    input.unpipe(desk);
    desk.destroy();
  }
}

async function readDeskFile(file: string): Promise<z.infer<typeof deskFile>> {
  try {
    return deskFile.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new Failure<DeskFailureReason>('no_desk', 'There is no desk to talk to: the run that owned it is over', { cause: error });
  }
}
