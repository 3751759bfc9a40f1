import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Journal } from '../../journal/port.ts';
import type { Root } from '../../repo/roots.ts';
import type { WriteDisk } from '../apply/disk.ts';
import type { Buffers } from '../port.ts';
import type { ReviewPolicy } from './policies.ts';

export interface DeskDeps {
  journal: Journal;
  clock: Clock;
  logger: Logger;
  /** Account name of the person at this machine. */
  person: string;
  roots: () => readonly Root[];
  disk: WriteDisk;
  /** Where writes under way are on record: shared by all processes that write to these roots, outside of them. */
  stateFolder: string;
  /** Open editors with unsaved text; absent in a terminal. */
  buffers?: Buffers;
  /** Whether a set is settled once nothing is left undecided, or when a person says so. */
  finish: () => 'whenDecided' | 'ask';
  policies: () => readonly ReviewPolicy[];
  /** How long a writing agent is watched after its answer. Milliseconds; default 10 s. */
  observeMs?: number;
}
