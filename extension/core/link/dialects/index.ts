import { claude } from './claude.ts';
import type { Dialect } from './dialect.ts';
import { kitsoki } from './kitsoki.ts';

/** The dialect of a client that came over WebSocket, by the name it gives; an unknown one gets the published shapes, which are Claude's. */
export function dialectOf(client: string): Dialect {
  return client.toLowerCase().startsWith('kitsoki') ? kitsoki : claude;
}
