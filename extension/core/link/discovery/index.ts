import { messageOf } from '../../base/failure.ts';
import { claudeDiscovery } from './claude.ts';
import type { Announcement, Discovery, DiscoveryPlace } from './discovery.ts';
import type { Announced } from './files.ts';

/** Every way in which agents find a window. */
export const discoveries: readonly Discovery[] = [claudeDiscovery];

/** A family that cannot find this window, and why. */
export interface NotAnnounced {
  family: string;
  why: string;
}

/** The discovery files of one link, all with the same content. */
export class Announcements {
  private files: { family: string; announced: Announced }[] = [];
  failed: readonly NotAnnounced[] = [];

  constructor(
    private readonly place: DiscoveryPlace,
    private readonly families: readonly Discovery[] = discoveries,
  ) {}

  /** Family → file, of those that were written. */
  get written(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.files.map(({ family, announced }) => [family, announced.file]));
  }

  /** Writes all of them, also over earlier ones. What cannot be written is in `failed`; the others are there all the same. */
  async announce(what: Announcement): Promise<void> {
    const failed: NotAnnounced[] = [];
    for (const discovery of this.families) {
      try {
        const announced = await discovery.announce(what, this.place);
        // One that is called otherwise now (another port) does not stay behind.
        for (const earlier of this.files.filter((one) => one.family === discovery.family && one.announced.file !== announced.file)) await earlier.announced.remove();
        this.files = [...this.files.filter((one) => one.family !== discovery.family), { family: discovery.family, announced }];
      } catch (error) {
        failed.push({ family: discovery.family, why: messageOf(error) });
        this.place.logger.warn('a discovery file cannot be written', { family: discovery.family, message: messageOf(error) });
      }
    }
    this.failed = failed;
  }

  async remove(): Promise<void> {
    const files = this.files;
    this.files = [];
    for (const { announced } of files) await announced.remove();
  }
}
