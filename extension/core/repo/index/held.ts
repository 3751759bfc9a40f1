import type { Disposable } from '../../base/disposable.ts';
import { countingFolders, rulesFingerprint } from '../folders.ts';
import { type Indexes, type OpenedIndex, type OpenInput, openIndex } from './open.ts';
import { FolderWatch } from './watch.ts';

/** An index that was true when its folders were already watched. */
interface Held {
  opened: OpenedIndex;
  watch: FolderWatch;
  rules: string;
  /** When it was last looked at, by the clock of the input. */
  lookedAt: number;
}

/** Writing through a memory map rings no bell; after this long a root is looked at again. Milliseconds. */
const longestTrust = 10 * 60_000;

/** Folders may come while they are being listed; after this many tries the repository is too lively to be held. */
const tries = 3;

/**
 * Indexes that a living process keeps between searches. As long as the watch over a root is quiet its index is true as it stands, and no file is listed,
 * looked at or read; after any change at all (or where nothing can be watched) the root is looked at as if for the first time.
 */
export class HeldIndexes implements Indexes, Disposable {
  private readonly held = new Map<string, Held>();
  private readonly wanted = new Map<string, OpenInput>();

  async open(input: OpenInput): Promise<OpenedIndex> {
    const key = keyOf(input);
    const held = this.held.get(key);
    if (held !== undefined && (await isStillTrue(held, input))) return { ...held.opened, filesLookedAt: 0, filesRead: 0, filesIndexed: 0, close: () => undefined };
    this.letGo(key);
    if (input.cacheFolder !== undefined) this.wanted.set(key, input);
    return openIndex(input);
  }

  /** Watches the roots that were opened since, for the next search. To be called when nobody waits: each root is looked at once more. */
  async settle(signal: AbortSignal): Promise<void> {
    for (const [key, input] of this.wanted) {
      this.wanted.delete(key);
      const held = await hold({ ...input, signal });
      if (held === undefined) continue;
      if (signal.aborted) dispose(held);
      else this.held.set(key, held);
    }
  }

  forget(): void {
    for (const key of [...this.held.keys()]) this.letGo(key);
  }

  dispose(): void {
    this.wanted.clear();
    this.forget();
  }

  private letGo(key: string): void {
    const held = this.held.get(key);
    this.held.delete(key);
    if (held !== undefined) dispose(held);
  }
}

function keyOf({ root, git, cacheFolder }: OpenInput): string {
  return [root, git === undefined ? 'walk' : 'git', cacheFolder ?? ''].join('\0');
}

function dispose({ opened, watch }: Held): void {
  watch.dispose();
  opened.close();
}

async function isStillTrue({ watch, rules, lookedAt }: Held, { root, git, signal, now }: OpenInput): Promise<boolean> {
  return now() - lookedAt < longestTrust && (await watch.isQuiet()) && (await rulesFingerprint(root, git, signal)) === rules;
}

/** First the watch, then the look: whatever changes after it was looked at is noticed. */
async function hold(input: OpenInput): Promise<Held | undefined> {
  const { root, git, signal } = input;
  const rules = await rulesFingerprint(root, git, signal);
  const watch = rules === undefined ? undefined : await watchAll(input);
  if (rules === undefined || watch === undefined) return undefined;
  let opened: OpenedIndex | undefined;
  try {
    const lookedAt = input.now();
    opened = await openIndex(input);
    const held = { opened, watch, rules, lookedAt };
    // A listing by walking within git's reach means that git was asked in vain; what it would say next is not watched.
    if ((git === undefined || opened.listing.by === 'git') && (await isStillTrue(held, input))) return held;
  } catch (error) {
    opened?.close();
    watch.dispose();
    throw error;
  }
  opened.close();
  watch.dispose();
  return undefined;
}

/** A watch over all folders that count: those that were there after the watch began, too. */
async function watchAll({ root, git, signal }: OpenInput): Promise<FolderWatch | undefined> {
  for (let i = 0; i < tries; i++) {
    const folders = await countingFolders(root, git, signal);
    const watch = folders && FolderWatch.start(root, folders);
    if (watch === undefined) return undefined;
    const now = await countingFolders(root, git, signal).catch(() => undefined);
    if (now?.join('\0') === folders?.join('\0')) return watch;
    watch.dispose();
  }
  return undefined;
}
