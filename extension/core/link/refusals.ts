import type { Disposable } from '../base/disposable.ts';
import type { Refusal, RefusalKind } from '../mcp/auth.ts';

/** How long refusals of one kind are gathered after one was told. Milliseconds. */
const gatherFor = 60_000;

/** Tells of refusals without letting whoever causes them fill the record: the first of a kind at once, then at most one a minute with their number. */
export class Refusals implements Disposable {
  private readonly gathering = new Map<RefusalKind, { latest: Refusal; count: number; timer: NodeJS.Timeout }>();

  constructor(private readonly tell: (refusal: Refusal, count: number) => void) {}

  add(refusal: Refusal): void {
    const gathered = this.gathering.get(refusal.kind);
    if (gathered !== undefined) {
      gathered.latest = refusal;
      gathered.count += 1;
      return;
    }
    this.tell(refusal, 1);
    this.gathering.set(refusal.kind, { latest: refusal, count: 0, timer: setTimeout(() => this.flush(refusal.kind), gatherFor).unref() });
  }

  /** Tells what was gathered. */
  dispose(): void {
    for (const kind of [...this.gathering.keys()]) this.flush(kind);
  }

  private flush(kind: RefusalKind): void {
    const gathered = this.gathering.get(kind);
    this.gathering.delete(kind);
    if (gathered === undefined) return;
    clearTimeout(gathered.timer);
    if (gathered.count > 0) this.tell(gathered.latest, gathered.count);
  }
}
