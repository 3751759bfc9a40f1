import type { Journal } from '../journal/port.ts';
import type { Actor } from '../model/actor.ts';
import type { EngineName } from '../model/run.ts';

/** Who has agreed that code and ticket text of this workspace may leave for where. Drawn from the journal; a withdrawal ends all before it. */
export class Consents {
  constructor(private readonly journal: Journal) {}

  async has(engine: EngineName, destination: string): Promise<boolean> {
    let given = false;
    for await (const event of this.journal.read({ kinds: ['consent.given', 'consent.withdrawn'] })) {
      if ('gap' in event || event.body === null) continue;
      if (event.kind === 'consent.withdrawn') given = false;
      else if (event.kind === 'consent.given' && event.body.engine === engine && event.body.destination === destination) given = true;
    }
    return given;
  }

  async give(engine: EngineName, destination: string, covers: string[], actor: Actor): Promise<void> {
    await this.journal.append({ kind: 'consent.given', body: { engine, destination, covers }, actor });
  }

  async withdraw(actor: Actor): Promise<void> {
    await this.journal.append({ kind: 'consent.withdrawn', body: {}, actor });
  }
}
