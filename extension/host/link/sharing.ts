import type { Disposable } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import type { SharingRules } from '../../core/link/shared-editor.ts';
import { Sharing } from '../../core/repo/sharing.ts';
import { settings as ids } from '../../shared/ids.ts';
import type { SettingsReader } from '../settings.ts';

/** Where the workspace's own pause is kept: of this person and this machine, never in the repository. */
const pauseKey = 'casebook.link.paused';

interface Memory {
  get<T>(key: string, fallback: T): T;
  update(key: string, value: unknown): Thenable<void>;
}

/** What this window shares with agents: the settings, and the pause that a person switches on and off. Whatever forbids, wins. */
export class WindowSharing implements SharingRules, Disposable {
  private readonly changed = new Emitter<void>();
  private known: { text: string; sharing: Sharing } | undefined;
  readonly onChange = this.changed.subscribe;

  constructor(
    private readonly settings: Pick<SettingsReader, 'get' | 'everywhere'>,
    private readonly memory: Memory,
  ) {}

  paused(): boolean {
    return this.pausedHere || this.pausedBySetting;
  }

  /** Paused with the command, in this workspace. */
  get pausedHere(): boolean {
    return this.memory.get(pauseKey, false);
  }

  /** Paused in the user's settings or in the workspace's: neither can switch on what the other has switched off. */
  get pausedBySetting(): boolean {
    return this.settings.everywhere(ids.linkShareContext).includes('paused');
  }

  async pause(paused: boolean): Promise<void> {
    await this.memory.update(pauseKey, paused ? true : undefined);
    this.changed.fire();
  }

  files(): Sharing {
    const more = [...new Set(this.settings.everywhere(ids.linkDenyGlobs).flat())];
    const text = JSON.stringify(more);
    if (this.known?.text !== text) this.known = { text, sharing: new Sharing(more) };
    return this.known.sharing;
  }

  mask(): boolean {
    return this.settings.get(ids.linkMaskSecrets);
  }

  /** Settings have changed. */
  refresh(): void {
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
