import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunGuard, endOfStopped } from '../../../extension/core/agents/limits.ts';
import { type RunStep, completed, withOneEnd } from '../../../extension/core/agents/run-events.ts';
import { Failure } from '../../../extension/core/base/failure.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const never = new AbortController().signal;

describe('the guard', () => {
  it('ends the run at its time limit, not before', () => {
    const guard = new RunGuard({ milliseconds: 1000 }, never);
    vi.advanceTimersByTime(999);
    expect(guard.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect([guard.signal.aborted, guard.exceeded]).toEqual([true, 'limit_time']);
    expect(endOfStopped(guard)).toMatchObject({ outcome: 'timed_out', reason: 'limit_time' });
  });

  it('lets the clock stand still while people are asked, also when two questions overlap', async () => {
    const guard = new RunGuard({ milliseconds: 1000 }, never);
    vi.advanceTimersByTime(400);
    const answers: (() => void)[] = [];
    const waits = [0, 1].map(() => guard.whilePaused(() => new Promise<void>((resolve) => answers.push(resolve))));
    vi.advanceTimersByTime(60_000);
    answers[0]?.();
    await waits[0];
    vi.advanceTimersByTime(60_000);
    expect(guard.signal.aborted).toBe(false);
    answers[1]?.();
    await waits[1];
    vi.advanceTimersByTime(599);
    expect(guard.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(guard.exceeded).toBe('limit_time');
  });

  it('counts every kind of token, and money only where it is known', () => {
    const guard = new RunGuard({ tokens: 100, usd: 1 }, never);
    guard.add({ inputTokens: 40, cachedTokens: 30, outputTokens: 30, turns: 1 });
    expect(guard.signal.aborted).toBe(false);
    expect(guard.usage.usd).toBeUndefined();
    guard.add({ outputTokens: 1 });
    expect(guard.exceeded).toBe('limit_tokens');
    const money = new RunGuard({ usd: 1 }, never);
    money.add({ usd: 0.6 });
    money.add({ usd: 0.6 });
    expect(money.exceeded).toBe('limit_money');
  });

  it('T22: counts a cost that nobody knows as too high where a person set the money limit, and says so', () => {
    const usual = new RunGuard({ usd: 1 }, never);
    expect(usual.unknownCost()).toContain('cannot be kept');
    expect(usual.signal.aborted).toBe(false);
    expect(new RunGuard({ turns: 1, refuseUnknownCost: true }, never).unknownCost()).toBeUndefined();
    const set = new RunGuard({ usd: 1, refuseUnknownCost: true }, never);
    expect(set.unknownCost()).toBeUndefined();
    expect(set.mayTakeTurn()).toBe(false);
    expect(endOfStopped(set)).toMatchObject({ outcome: 'failed', reason: 'limit_money', message: expect.stringContaining('does not say what it costs') as string });
  });

  it('keeps the first reason: a stop after a limit is the limit, a limit after a stop is the stop', () => {
    const stop = new AbortController();
    const guard = new RunGuard({ turns: 1 }, stop.signal);
    guard.add({ turns: 2 });
    stop.abort();
    expect(endOfStopped(guard)).toMatchObject({ reason: 'limit_turns' });
    const other = new RunGuard({ turns: 1 }, stop.signal);
    other.add({ turns: 2 });
    expect(endOfStopped(other)).toMatchObject({ outcome: 'cancelled', reason: 'user_stopped' });
  });
});

describe('exactly one end', () => {
  const typesOf = async (body: (guard: RunGuard) => AsyncGenerator<RunStep, typeof completed>, signal = never): Promise<string[]> => {
    const guard = new RunGuard({}, signal);
    const out: string[] = [];
    for await (const event of withOneEnd(guard, body(guard))) out.push(event.type === 'ended' ? `${event.outcome}/${event.reason ?? ''}` : event.type);
    return out;
  };
  it('J18: whatever the body does', async () => {
    expect(await typesOf(async function* () { yield { type: 'text', text: 'x' }; return completed; })).toEqual(['text', 'completed/']);
    expect(await typesOf(async function* () { yield { type: 'text', text: 'x' }; throw new Error('boom'); })).toEqual(['text', 'failed/crashed']);
    expect(await typesOf(async function* () { yield { type: 'text', text: 'x' }; throw new Failure('refused', 'no'); })).toEqual(['text', 'failed/refused']);
    expect(await typesOf(async function* () { yield { type: 'text', text: 'x' }; throw new Failure('io', 'disk'); })).toEqual(['text', 'failed/crashed']);
    expect(await typesOf(async function* (guard) { yield { type: 'text', text: 'x' }; guard.signal.throwIfAborted(); return completed; }, AbortSignal.abort())).toEqual(['text', 'cancelled/user_stopped']);
  });
});
