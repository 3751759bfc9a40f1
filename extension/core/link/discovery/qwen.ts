import { delimiter, join } from 'node:path';
import { z } from 'zod';
import type { Discovery, DiscoveryPlace } from './discovery.ts';
import { type Announcer, markOf, ownMark, sweep, writeDiscovery } from './files.ts';

/** The lock file by which Qwen Code finds an editor: `<port>.lock` (docs/link.md). */
const lockFile = z.object({ port: z.number().int(), workspacePath: z.string(), authToken: z.string(), ppid: z.number().int(), ideName: z.string(), ideInfo: z.object({ name: z.string(), displayName: z.string() }), casebook: ownMark });

export function qwenFolder({ home }: Pick<DiscoveryPlace, 'home'>): string {
  return join(home, '.qwen', 'ide');
}

export const qwenDiscovery: Discovery = {
  family: 'qwen',
  async announce({ port, token, folders, version, pid }, place) {
    const folder = qwenFolder(place);
    await sweep(folder, announcerOf, place.logger);
    const content: z.infer<typeof lockFile> = { port, workspacePath: folders.join(delimiter), authToken: token, ppid: pid, ideName: 'Casebook', ideInfo: { name: 'casebook', displayName: 'Casebook' }, casebook: markOf(version) };
    return writeDiscovery(join(folder, `${port}.lock`), content);
  },
};

function announcerOf(_name: string, content: unknown): Announcer | undefined {
  const found = lockFile.safeParse(content).data;
  return found === undefined ? undefined : { mark: found.casebook, at: { port: found.port } };
}
