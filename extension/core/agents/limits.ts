import { type RunLimits, type RunReason, type Usage, zeroUsage } from '../model/run.ts';

type LimitReason = Extract<RunReason, 'limit_time' | 'limit_turns' | 'limit_tokens' | 'limit_money'>;

/**
 * Watches a run's hard limits for every engine, also for those that promise to watch them: `signal` aborts with the first limit that is
 * reached, and with the caller's own signal. The time a person takes to answer a question is not the run's, so the clock stands still then.
 * Call `dispose` at the end of the run. A token counts however it was billed: input, cached input and output alike.
 */
export class RunGuard {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;
  private left: number | undefined;
  private paused = 0;
  private sum: Usage = zeroUsage;
  private hit: LimitReason | undefined;
  private unpriced = false;
  readonly signal: AbortSignal;

  constructor(
    readonly limits: RunLimits,
    private readonly caller: AbortSignal,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.signal = AbortSignal.any([caller, this.controller.signal]);
    this.left = limits.milliseconds;
    this.startTimer();
  }

  /** Which limit ended the run, if one did. */
  get exceeded(): LimitReason | undefined {
    return this.hit;
  }

  get usage(): Usage {
    return this.sum;
  }

  /** Whether the caller stopped the run before any limit did. */
  get stopped(): boolean {
    return this.caller.aborted && this.hit === undefined;
  }

  /** Takes the sums over the run so far, and ends the run if one is over its limit. `usd` absent means that nobody knows the price. */
  used(usage: Usage): void {
    this.sum = usage;
    const { tokens, usd, turns } = this.limits;
    if (turns !== undefined && usage.turns > turns) this.end('limit_turns');
    if (tokens !== undefined && usage.inputTokens + usage.cachedTokens + usage.outputTokens > tokens) this.end('limit_tokens');
    if (usd !== undefined && usage.usd !== undefined && usage.usd > usd) this.end('limit_money');
  }

  /** Adds to the sums; see `used`. */
  add(part: Partial<Usage>): Usage {
    const usd = part.usd === undefined ? this.sum.usd : (this.sum.usd ?? 0) + part.usd;
    this.used({
      inputTokens: this.sum.inputTokens + (part.inputTokens ?? 0),
      outputTokens: this.sum.outputTokens + (part.outputTokens ?? 0),
      cachedTokens: this.sum.cachedTokens + (part.cachedTokens ?? 0),
      turns: this.sum.turns + (part.turns ?? 0),
      ...(usd === undefined ? {} : { usd }),
    });
    return this.sum;
  }

  /** Whether another turn may begin; ends the run when not, before the turn costs anything. */
  mayTakeTurn(): boolean {
    if (this.limits.turns !== undefined && this.sum.turns >= this.limits.turns) this.end('limit_turns');
    return !this.signal.aborted;
  }

  /** Whether the run ended over a cost that nobody knows, under a money limit that a person set. */
  get costUnknown(): boolean {
    return this.unpriced;
  }

  /**
   * Tells that something is, or is about to be, used whose price nobody knows. An unknown cost is no cost of 0: where a person set the money
   * limit it ends the run, before anything is paid; for the default limit the sentence for the record is given. Undefined without a money limit.
   */
  unknownCost(): string | undefined {
    const { usd, refuseUnknownCost } = this.limits;
    if (usd === undefined) return undefined;
    if (refuseUnknownCost === true) {
      this.unpriced ||= !this.signal.aborted;
      this.end('limit_money');
      return undefined;
    }
    return `The money limit of ${usd} USD cannot be kept: this engine reports no prices. The limits on time, turns and tokens hold.`;
  }

  /** Runs `wait` with the clock standing still. */
  async whilePaused<T>(wait: () => Promise<T>): Promise<T> {
    if (this.paused++ === 0) this.stopTimer();
    try {
      return await wait();
    } finally {
      if (--this.paused === 0) this.startTimer();
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.left = undefined;
  }

  private startTimer(): void {
    if (this.left === undefined || this.signal.aborted) return;
    this.startedAt = this.now();
    this.timer = setTimeout(() => this.end('limit_time'), this.left);
  }

  private stopTimer(): void {
    if (this.left === undefined) return;
    clearTimeout(this.timer);
    this.left = Math.max(0, this.left - (this.now() - this.startedAt));
  }

  private end(reason: LimitReason): void {
    if (this.signal.aborted) return;
    this.hit = reason;
    clearTimeout(this.timer);
    this.controller.abort(reason);
  }
}

const limitWords: Record<LimitReason, string> = {
  limit_time: 'The run reached its time limit',
  limit_turns: 'The run reached its limit of turns',
  limit_tokens: 'The run reached its limit of tokens',
  limit_money: 'The run reached its money limit',
};

/** The end of a run that was stopped from our side, by the caller or by a limit; undefined when it was not. */
export function endOfStopped(guard: RunGuard): { outcome: 'cancelled' | 'timed_out' | 'failed'; reason: RunReason; message: string } | undefined {
  if (guard.costUnknown) return { outcome: 'failed', reason: 'limit_money', message: `The money limit of ${guard.limits.usd ?? 0} USD cannot be kept: the engine does not say what it costs. Unset the limit, or choose an engine that reports prices` };
  if (guard.exceeded) return { outcome: guard.exceeded === 'limit_time' ? 'timed_out' : 'failed', reason: guard.exceeded, message: limitWords[guard.exceeded] };
  if (guard.stopped) return { outcome: 'cancelled', reason: 'user_stopped', message: 'The run was stopped' };
  return undefined;
}
