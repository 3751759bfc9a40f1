import type { Channel } from '../../mcp/channel.ts';
import { claude } from './claude.ts';
import { companion } from './companion.ts';
import type { Dialect } from './dialect.ts';
import { kitsoki } from './kitsoki.ts';
import { mcp } from './mcp.ts';

const gemini = companion('gemini');
const qwen = companion('qwen');

/** The dialect of a client, by the name it gives; an unknown one that came by the lock file gets the published shapes, which are Claude's. */
export function dialectOf(client: string, transport: Channel['transport']): Dialect {
  const name = client.toLowerCase();
  if (name.startsWith('kitsoki')) return kitsoki;
  if (name === 'claude-code') return claude;
  if (name === 'streamable-http-client') return gemini;
  if (name.startsWith('qwen')) return qwen;
  return transport === 'websocket' ? { ...claude, ownTools: true } : mcp;
}
