import { Failure } from '../../base/failure.ts';
import type { EngineName, RunLimits } from '../../model/run.ts';
import type { EnginePort, EngineStatus } from '../engine.ts';

export type ChooseFailureReason = 'no_engine' | 'not_consented';

/** What the auto rule tries, in this order. `replay` is never chosen by it; `scout` is always usable, so it always finds one. */
export const autoOrder: readonly EngineName[] = ['vscode-lm', 'claude', 'openai-compatible', 'scout'];

export interface Choice {
  engine: EnginePort;
  status: Extract<EngineStatus, { usable: true }>;
  /** Words for the person and the record: which, by whose wish, and why not the ones before it. */
  why: string;
}

/**
 * Whether text or code may go to this destination. Asked only for engines that leave the machine and are usable. `no` is final for an engine
 * chosen by name; the auto rule goes on to the next.
 */
export type Consent = (engine: EnginePort, destination: string) => Promise<boolean>;

/** Whether an engine can be used now, also under these limits: where a person set a money limit, one that names no prices cannot. */
export async function probeWithin(engine: EnginePort, limits: RunLimits, signal: AbortSignal): Promise<EngineStatus> {
  const status = await engine.probe(signal);
  if (!status.usable || engine.capabilities.cost || limits.usd === undefined || limits.refuseUnknownCost !== true) return status;
  return { usable: false, reason: 'limit_money', message: `it reports no prices, so the money limit of ${limits.usd} USD could not be kept` };
}

/**
 * Picks the engine of a run. A named engine is used or nothing is: rejects with Failure `no_engine` (why it cannot be used) or `not_consented`.
 * `auto` takes the first usable one of `autoOrder`.
 */
export async function chooseEngine(setting: EngineName | 'auto', engines: readonly EnginePort[], limits: RunLimits, consent: Consent, signal: AbortSignal): Promise<Choice> {
  if (setting !== 'auto') return named(setting, engines, limits, consent, signal);
  const passed: string[] = [];
  for (const name of autoOrder) {
    const engine = engines.find((one) => one.name === name);
    if (!engine) continue;
    const status = await probeWithin(engine, limits, signal);
    signal.throwIfAborted();
    if (!status.usable) passed.push(`${name}: ${status.message}`);
    else if (engine.capabilities.leavesMachine && !(await consent(engine, status.destination))) passed.push(`${name}: nothing may be sent to ${status.destination}`);
    else return { engine, status, why: autoWords(status.label, passed) };
  }
  throw new Failure<ChooseFailureReason>('no_engine', 'No engine can be used', { detail: { passed } });
}

async function named(name: EngineName, engines: readonly EnginePort[], limits: RunLimits, consent: Consent, signal: AbortSignal): Promise<Choice> {
  const engine = engines.find((one) => one.name === name);
  if (!engine) throw new Failure<ChooseFailureReason>('no_engine', `There is no engine "${name}" here`);
  const status = await probeWithin(engine, limits, signal);
  if (!status.usable) throw new Failure<ChooseFailureReason>('no_engine', `The engine "${name}" cannot be used: ${status.message}`, { detail: { reason: status.reason } });
  if (engine.capabilities.leavesMachine && !(await consent(engine, status.destination))) {
    throw new Failure<ChooseFailureReason>('not_consented', `Nothing may be sent to ${status.destination}`, { detail: { engine: name, destination: status.destination } });
  }
  return { engine, status, why: `${status.label}, chosen by setting` };
}

function autoWords(label: string, passed: readonly string[]): string {
  return passed.length === 0 ? `${label}: first usable engine` : `${label}: first usable engine (passed over ${passed.join('; ')})`;
}
