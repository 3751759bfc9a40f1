import { type Disposable, DisposableStore } from '../core/base/disposable.ts';
import type { Logger } from '../core/base/logger.ts';

/** One contribution. `register` only wires things up; whatever is heavy waits for its first use. */
export interface Feature<Services> {
  readonly name: string;
  register(services: Services): Disposable;
}

/**
 * Starts every feature: one that throws is logged and the others still start. The time each took is logged,
 * since all of it is activation time.
 */
export function startFeatures<Services extends { readonly log: Logger }>(features: readonly Feature<Services>[], services: Services, now: () => number = () => performance.now()): Disposable {
  const log = services.log.child('features');
  const started = new DisposableStore();
  for (const feature of features) {
    const before = now();
    try {
      started.add(feature.register(services));
      log.debug(`${feature.name} started`, { milliseconds: Math.round((now() - before) * 10) / 10 });
    } catch (error) {
      log.error(`${feature.name} did not start`, error);
    }
  }
  return started;
}
