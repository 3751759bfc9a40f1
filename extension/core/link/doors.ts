import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../base/failure.ts';
import type { Logger } from '../base/logger.ts';
import { type Credential, newToken, type Refusal, tokenFor } from '../mcp/auth.ts';
import type { OnChannel } from '../mcp/channel.ts';
import { listen, type Listener, type ListenOptions } from '../mcp/listener.ts';
import { temporaryFolder } from './discovery/discovery.ts';
import { families } from './discovery/index.ts';

/** How clients show the token of a discovery file: Claude Code, Kitsoki and opencode in a header of their own, Gemini, Qwen and others as a bearer. */
const overTcp: readonly Credential[] = [{ header: 'x-claude-code-ide-authorization' }, { header: 'authorization', scheme: 'Bearer' }];
/** Copilot CLI sends what its lock file says. */
const overSocket: readonly Credential[] = [{ header: 'authorization', scheme: 'Nonce' }];

/** The folders of sockets begin like this, by which those that a crash left behind are known. */
export const socketFolderPrefix = 'casebook-link-';

export interface DoorsOptions {
  /** Where the doors were before the window was reloaded. */
  lease: { port: number; token: string } | undefined;
  env: Readonly<Record<string, string | undefined>>;
  onChannel: OnChannel;
  onRefused: (refusal: Refusal) => void;
  logger: Logger;
}

/** Where clients come in. */
export interface Doors {
  readonly port: number;
  readonly token: string;
  /** For clients that take no port; undefined where it cannot be had. */
  readonly socket: string | undefined;
  /** Resolves when every client has what was sent to it and is gone. */
  close(): Promise<void>;
}

/** Opens a port, and a socket where that can be had. Rejects with Failure `cannot_listen`. */
export async function openDoors(options: DoorsOptions): Promise<Doors> {
  const { token, listener } = await openPort(options);
  const socket = await openSocket(token, options);
  return {
    port: listener.port,
    token,
    socket: socket?.path,
    async close() {
      await Promise.all([listener.close(), socket?.close()]);
    },
  };
}

/** At the place of the lease where that can be had; a token is never shown at another port than its own. */
async function openPort({ lease, logger, ...options }: DoorsOptions): Promise<{ token: string; listener: Listener }> {
  const at = async (port: number, token: string) => ({ token, listener: await listen({ at: { port }, credentials: overTcp, tokens: [{ token }, ...families.map((family) => ({ token: tokenFor(token, family), family }))], ...options }) });
  if (lease !== undefined) {
    try {
      return await at(lease.port, lease.token);
    } catch (error) {
      logger.info('the port of this window before its reload is taken; a new one is used', { port: lease.port, message: messageOf(error) });
    }
  }
  return at(0, newToken());
}

/** Without it the clients that need it cannot come; everybody else can. */
async function openSocket(token: string, { env, logger, onChannel, onRefused }: DoorsOptions): Promise<{ path: string; close(): Promise<void> } | undefined> {
  try {
    const path = process.platform === 'win32' ? `\\\\.\\pipe\\casebook-${randomBytes(16).toString('hex')}` : join(await mkdtemp(join(temporaryFolder(env), socketFolderPrefix)), 'agents.sock');
    const tokens: ListenOptions['tokens'] = [{ token: tokenFor(token, 'copilot'), family: 'copilot' }];
    const listener = await listen({ at: { socket: path }, credentials: overSocket, tokens, onChannel, onRefused });
    const close = async (): Promise<void> => {
      await listener.close();
      if (process.platform !== 'win32') await rm(dirname(path), { recursive: true, force: true });
    };
    return { path, close };
  } catch (error) {
    logger.warn('agents that come by a socket cannot find this window', { message: messageOf(error) });
    return undefined;
  }
}
