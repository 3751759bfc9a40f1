import type { Services } from '../services.ts';
import { logFeature } from './log.ts';
import type { Feature } from './start.ts';

/** Every contribution, in the order in which it starts. */
export const features: readonly Feature<Services>[] = [logFeature];
