import { join } from 'node:path';
import type { Clock } from '../core/base/clock.ts';
import type { Journal } from '../core/journal/port.ts';
import type { Git } from '../core/repo/git.ts';
import { nodeDisk } from '../core/review/apply/disk.ts';
import { createCheckpoints } from '../core/review/checkpoints.ts';
import { createDesk } from '../core/review/desk/desk.ts';
import { setsOf } from '../core/review/provenance/branch.ts';
import { lineOrigin } from '../core/review/provenance/line-origin.ts';
import { patchProposal } from '../core/review/sources/patch.ts';
import { workingTreeProposal } from '../core/review/sources/working-tree.ts';
import type { Core, CorePorts } from './ports.ts';

export interface ReviewDeps {
  journal: Journal;
  clock: Clock;
  person: string;
  git: Git;
  home: string;
}

/** The review desk of a process with what feeds it. Writes under way are on record beside all journals, since another workspace may hold the same folders. */
export function createReview(ports: CorePorts, deps: ReviewDeps): Pick<Core, 'review' | 'checkpoints' | 'changes' | 'provenance'> {
  const { journal, clock, person, git } = deps;
  const { roots } = ports;
  const review = createDesk({
    journal,
    clock,
    logger: ports.logger.child('review'),
    person,
    roots,
    disk: nodeDisk(),
    stateFolder: join(deps.home, 'writes'),
    ...(ports.buffers === undefined ? {} : { buffers: ports.buffers }),
    finish: () => ports.review?.finish() ?? 'whenDecided',
    policies: () => ports.review?.policies() ?? [],
  });
  const looking = { git, folder: journal.folder, clock };
  return {
    review,
    checkpoints: createCheckpoints({ ...looking, journal, desk: review, roots, person, ...(ports.saves === undefined ? {} : { saves: ports.saves }) }),
    changes: {
      workingTree: async (base, signal) => {
        await review.ready();
        return workingTreeProposal(roots(), base, looking, signal);
      },
      patch: async (input, signal) => {
        await review.ready();
        return patchProposal(input, roots(), looking, signal);
      },
    },
    provenance: {
      lineOrigin: (query, signal) => lineOrigin(query, { journal, git, roots }, signal),
      setsOf: (what, signal) => setsOf(what, { desk: review, git, roots }, signal),
    },
  };
}
