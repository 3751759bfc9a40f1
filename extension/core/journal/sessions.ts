import { readHead } from './heads.ts';
import type { Layout } from './layout.ts';
import { parseBody } from './envelope.ts';
import { type ProcessIdentity, processState } from './liveness.ts';
import { listSegments, scanSegment } from './scan.ts';

/** Who writes, or wrote, each session; from the opening record at its start. */
export class Sessions {
  private readonly identities = new Map<string, Partial<ProcessIdentity>>();

  constructor(
    private readonly layout: Layout,
    private readonly own: string | undefined,
  ) {}

  /** A session that ended in order is `dead`: nobody will write to it again. */
  async state(session: string): Promise<'own' | 'alive' | 'dead' | 'unknown'> {
    if (session === this.own) return 'own';
    if ((await readHead(this.layout, session))?.closed === true) return 'dead';
    return processState(await this.identity(session));
  }

  /** Pid, start time and host of a session's process, as far as its file says. */
  async identity(session: string): Promise<Partial<ProcessIdentity>> {
    const known = this.identities.get(session);
    if (known !== undefined) return known;
    const found = await this.readIdentity(session);
    // A session just being made has no opening record yet; ask again next time.
    if (found.pid !== undefined) this.identities.set(session, found);
    return found;
  }

  private async readIdentity(session: string): Promise<Partial<ProcessIdentity>> {
    const [first] = await listSegments(this.layout, session);
    if (first === undefined) return {};
    for await (const found of scanSegment(this.layout, session, first.name)) {
      if (found.kind !== 'record') continue;
      if (found.record.head.kind !== 'journal.opened' || found.record.body === undefined) return {};
      const body = parseBody(found.record.body);
      return typeof body === 'object' && body !== null ? body : {};
    }
    return {};
  }
}
