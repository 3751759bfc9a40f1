import type { Channel } from '../../mcp/channel.ts';
import { claude } from './claude.ts';
import { companion } from './companion.ts';
import { copilot } from './copilot.ts';
import type { Dialect } from './dialect.ts';
import { kitsoki } from './kitsoki.ts';
import { mcp } from './mcp.ts';
import { opencode } from './opencode.ts';

const gemini = companion('gemini', 'gemini-cli');
const qwen = companion('qwen', 'qwen-code');

/**
 * The dialect of a client: by the name it gives, or, where that is no name, by the discovery file it came by. An unknown one that came by the lock file gets the
 * published shapes, which are Claude's.
 */
export function dialectOf(client: string, { transport, family }: Pick<Channel, 'transport' | 'family'>): Dialect {
  const name = client.toLowerCase();
  if (name.startsWith('kitsoki')) return kitsoki;
  if (name === 'claude-code') return claude;
  if (name === 'opencode') return opencode;
  if (name === 'streamable-http-client') return family === 'qwen' ? qwen : gemini;
  if (family === 'copilot') return copilot;
  return transport === 'websocket' ? { ...claude, ownTools: true } : mcp;
}
