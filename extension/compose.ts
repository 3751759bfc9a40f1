import { Failure } from './core/base/failure.ts';
import type { Core } from './host/core.ts';
import type { CorePorts } from './host/ports.ts';

/** Puts the rooms of the core together. */
export async function composeCore(ports: CorePorts): Promise<Core> {
  throw new Failure('closed', `the core of ${ports.version} is not put together`);
}
