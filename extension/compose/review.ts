import { join } from 'node:path';
import type { Clock } from '../core/base/clock.ts';
import type { Journal } from '../core/journal/port.ts';
import { nodeDisk } from '../core/review/apply/disk.ts';
import { createDesk } from '../core/review/desk/desk.ts';
import type { ReviewDesk } from '../core/review/port.ts';
import type { CorePorts } from './ports.ts';

/** The review desk of a process. Writes under way are on record beside all journals, since another workspace may hold the same folders. */
export function createReview(ports: CorePorts, deps: { journal: Journal; clock: Clock; person: string; home: string }): ReviewDesk {
  return createDesk({
    journal: deps.journal,
    clock: deps.clock,
    logger: ports.logger.child('review'),
    person: deps.person,
    roots: ports.roots,
    disk: nodeDisk(),
    stateFolder: join(deps.home, 'writes'),
    ...(ports.buffers === undefined ? {} : { buffers: ports.buffers }),
    finish: () => ports.review?.finish() ?? 'whenDecided',
    policies: () => ports.review?.policies() ?? [],
  });
}
