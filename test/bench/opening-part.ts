import { nullLogger } from '../../extension/core/base/logger.ts';
import { openCore } from '../../extension/cli/open.ts';
import { type Held, whileWatched } from './event-loop.ts';

export type OpeningSteps = Record<'gather' | 'add' | 'look' | 'first' | 'again' | 'one' | 'decide', Held & { milliseconds: number }>;

/** A working tree put on the desk and looked at, as the command of the editor does it; then compared with the disk again, whole and one file of it, and accepted. */
export async function measureOpening(repo: string, home: string): Promise<OpeningSteps> {
  const core = await openCore({ write: () => undefined, writeError: () => undefined, readStdin: () => Promise.resolve(''), cwd: repo, env: { PATH: process.env['PATH'], HOME: home, CASEBOOK_HOME: home }, signal: new AbortController().signal, logger: nullLogger }, {});
  try {
    const { review, changes } = core;
    const gather = await whileWatched(() => changes.workingTree(undefined, new AbortController().signal));
    const { proposal } = gather.result;
    if (proposal === undefined) throw new Error('nothing has changed');
    const add = await whileWatched(() => review.add(proposal, 'bench'));
    const set = add.result ?? '';
    const look = await whileWatched(async () => {
      await review.list();
      return review.state(set);
    });
    const file = look.result.files[0]?.key ?? '';
    const first = await whileWatched(() => review.file(set, file));
    const again = await whileWatched(() => review.refresh(set));
    const one = await whileWatched(() => review.refresh(set, new Set([file])));
    const decide = await whileWatched(() => review.decideAll(set, 'accept', { via: 'bench', revision: again.result.revision }));
    return { gather, add, look, first, again, one, decide };
  } finally {
    await core.close();
  }
}
