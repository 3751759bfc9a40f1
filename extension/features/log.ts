import { DisposableStore } from '../core/base/disposable.ts';
import type { Services } from '../services.ts';
import { commands } from '../shared/ids.ts';
import type { Feature } from './start.ts';

export const logFeature: Feature<Services> = {
  name: 'log',
  register({ commands: registry, channel }) {
    const owned = new DisposableStore();
    owned.add(registry.register(commands.openLog, false, () => channel.show()));
    return owned;
  },
};
