import type { Proposal } from '../../core/review/port.ts';
import type { Services } from '../../services.ts';
import type { DiffRequest } from './request.ts';

/** What differs on disk in the paths that a program named; undefined when nothing does. */
export async function workingTreeOf(_services: Services, _request: DiffRequest & { kind: 'paths' }): Promise<Proposal | undefined> {
  return undefined;
}
