import type { AnyEvent, Journal } from '../../journal/port.ts';

interface Known {
  set: string;
  openedAt: string;
  settledAt?: string;
}

/**
 * Which sets there are, by their first and last event only: read from the journal once, then kept current by its notices.
 * What a set looks like is a fold of its own events, read when somebody looks.
 */
export class SetList {
  private readonly known = new Map<string, Known>();
  private reading: Promise<void> | undefined;

  constructor(private readonly journal: Pick<Journal, 'read' | 'onEvent'>) {
    journal.onEvent((event) => this.note(event));
  }

  /** Oldest first. */
  async pending(): Promise<string[]> {
    await this.read();
    return [...this.known.values()].filter((one) => one.settledAt === undefined).toSorted((a, b) => compare(a.openedAt, b.openedAt)).map((one) => one.set);
  }

  /** Last settled first. */
  async settled(): Promise<string[]> {
    await this.read();
    return [...this.known.values()].filter((one) => one.settledAt !== undefined).toSorted((a, b) => compare(b.settledAt ?? '', a.settledAt ?? '')).map((one) => one.set);
  }

  private read(): Promise<void> {
    this.reading ??= this.readAll().catch((error: unknown) => {
      this.reading = undefined;
      throw error;
    });
    return this.reading;
  }

  private async readAll(): Promise<void> {
    for await (const item of this.journal.read({ kinds: ['changeset.proposed', 'changeset.settled'] })) if (!('gap' in item)) this.note(item);
  }

  private note(event: AnyEvent): void {
    if (event.set === undefined) return;
    if (event.kind === 'changeset.proposed') {
      // Erased: nothing is left to look at.
      if (event.body !== null && !this.known.has(event.set)) this.known.set(event.set, { set: event.set, openedAt: event.ts });
    } else if (event.kind === 'changeset.settled') {
      const known = this.known.get(event.set);
      if (known !== undefined) known.settledAt ??= event.ts;
    }
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
