import { delimiter, join } from 'node:path';
import { z } from 'zod';
import { type Discovery, type DiscoveryPlace, temporaryFolder } from './discovery.ts';
import { type Announcer, markOf, ownMark, sweep, writeDiscovery } from './files.ts';

/** The file by which Gemini CLI finds an editor: `gemini-ide-server-<pid>-<port>.json` (docs/link.md). */
const serverFile = z.object({
  port: z.number().int(),
  workspacePath: z.string(),
  authToken: z.string(),
  /** Without it the client looks for an editor that it knows in its environment. */
  ideInfo: z.object({ name: z.string(), displayName: z.string() }),
  casebook: ownMark,
});

export function geminiFolder({ env }: Pick<DiscoveryPlace, 'env'>): string {
  return join(temporaryFolder(env), 'gemini', 'ide');
}

export const geminiDiscovery: Discovery = {
  family: 'gemini',
  async announce({ port, token, folders, version, pid }, place) {
    const folder = geminiFolder(place);
    await sweep(folder, announcerOf, place.logger);
    const content: z.infer<typeof serverFile> = { port, workspacePath: folders.join(delimiter), authToken: token, ideInfo: { name: 'casebook', displayName: 'Casebook' }, casebook: markOf(version) };
    return writeDiscovery(join(folder, `gemini-ide-server-${pid}-${port}.json`), content);
  },
};

function announcerOf(_name: string, content: unknown): Announcer | undefined {
  const found = serverFile.safeParse(content).data;
  return found === undefined ? undefined : { mark: found.casebook, at: { port: found.port } };
}
