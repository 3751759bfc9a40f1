/** Time as a port, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch. May jump backwards; never order by it. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is moved. */
export class FakeClock implements Clock {
  constructor(private millis = Date.UTC(2026, 0, 1)) {}
  now(): number {
    return this.millis;
  }
  advance(millis: number): void {
    this.millis += millis;
  }
}
