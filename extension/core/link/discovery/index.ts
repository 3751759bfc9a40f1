import { messageOf } from '../../base/failure.ts';
import { tokenFor } from '../../mcp/auth.ts';
import { claudeDiscovery } from './claude.ts';
import { copilotDiscovery } from './copilot.ts';
import type { Announcement, Discovery, DiscoveryPlace } from './discovery.ts';
import type { Announced } from './files.ts';
import { geminiDiscovery } from './gemini.ts';
import { qwenDiscovery } from './qwen.ts';

/** Every discovery file by which agents find a window. */
export const discoveries: readonly Discovery[] = [claudeDiscovery, geminiDiscovery, qwenDiscovery, copilotDiscovery];

export const families: readonly string[] = discoveries.map(({ family }) => family);

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
    private readonly ways: readonly Discovery[],
    /** Asked anew at each announcement, by family. */
    private readonly serves: (family: string) => boolean = () => true,
  ) {}

  /** Family → file, of those that were written. */
  get written(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.files.map(({ family, announced }) => [family, announced.file]));
  }

  /** Writes all of them, also over earlier ones; each with a token of its family, made from the window's. What cannot be written is in `failed`; the others are there all the same. */
  async announce(what: Announcement): Promise<void> {
    const failed: NotAnnounced[] = [];
    for (const discovery of this.ways) {
      if (!this.serves(discovery.family)) {
        await this.withdraw(discovery.family);
        continue;
      }
      try {
        const announced = await discovery.announce({ ...what, token: tokenFor(what.token, discovery.family) }, this.place);
        // One that is called otherwise now (another port) does not stay behind.
        await this.withdraw(discovery.family, announced.file);
        this.files = [...this.files, { family: discovery.family, announced }];
      } catch (error) {
        failed.push({ family: discovery.family, why: messageOf(error) });
        this.place.logger.warn('a discovery file cannot be written', { family: discovery.family, message: messageOf(error) });
      }
    }
    this.failed = failed;
  }

  /** Forgets what was written for a family, and removes it unless it is the file named. */
  private async withdraw(family: string, but?: string): Promise<void> {
    const [gone, kept] = [this.files.filter((one) => one.family === family), this.files.filter((one) => one.family !== family)];
    this.files = kept;
    for (const { announced } of gone) if (announced.file !== but) await announced.remove();
  }

  async remove(): Promise<void> {
    const files = this.files;
    this.files = [];
    for (const { announced } of files) await announced.remove();
  }
}
