import type { ScoutResult } from '../../../model/code.ts';
import type { Ticket } from '../../../model/ticket.ts';
import type { Submission } from '../../../model/verdict.ts';
import { type EnginePort, type EngineStatus, ownCode, type RunEvent, type RunRequest } from '../../engine.ts';
import { DeskSession } from '../../desk-session.ts';
import { RunGuard } from '../../limits.ts';
import { type Ended, type RunStep, completed, failed, withOneEnd } from '../../run-events.ts';
import { scoutReport } from './report.ts';
import { mostEvidence, scoutVerdict } from './verdict.ts';

/** What the scout has to go on for a run: the case's ticket and what the search found; undefined when the search did not end well. */
export type ScoutMaterial = (request: RunRequest) => Promise<Scouted | undefined>;

export interface Scouted {
  ticket: Ticket;
  result: ScoutResult;
  /** The text of a line of the snapshot, for the quote of a citation; undefined where there is none. */
  lineAt?: (file: string, line: number) => Promise<string | undefined>;
}

/** A quote is for recognising a place, not for reading the code. UTF-16 units. */
const longestQuote = 200;

/** The engine that is always there: no model, no network, the same answer every time. */
export class ScoutEngine implements EnginePort {
  readonly name = 'scout';
  readonly capabilities = ownCode;

  constructor(private readonly material: ScoutMaterial) {}

  async probe(): Promise<EngineStatus> {
    return { usable: true, label: 'Scout (search by rules, no model)', destination: 'this machine' };
  }

  start(request: RunRequest, signal: AbortSignal): AsyncIterable<RunEvent> {
    const guard = new RunGuard(request.limits, signal);
    return withOneEnd(guard, this.run(request, guard));
  }

  private async *run(request: RunRequest, guard: RunGuard): AsyncGenerator<RunStep, Ended> {
    const session = new DeskSession(request.desk, guard);
    const material = await this.material(request);
    guard.signal.throwIfAborted();
    if (!material) return failed('empty_result', 'The search brought nothing to build on');
    const result = await inSnapshot(material);
    const verdict = await withQuotes(scoutVerdict(material.ticket, result), material);
    guard.signal.throwIfAborted();
    yield { type: 'note', level: 'info', text: 'No model is asked: the verdict is what the search alone can carry' };
    yield { type: 'text', text: verdict.summary };
    await request.desk.report(scoutReport(verdict, result));
    guard.signal.throwIfAborted();
    const answer = await session.submit(verdict);
    yield { type: 'usage', usage: guard.add({ usd: 0 }) };
    return session.accepted ? completed : failed('invalid_result', answer.text);
  }
}

/**
 * The findings without the files that the snapshot does not hold: left out for their size or name, or written after it was taken.
 * A cited one would be missing, and the whole verdict refused for it. Only so many suspects are looked at as a verdict can cite.
 */
async function inSnapshot({ result, lineAt }: Scouted): Promise<ScoutResult> {
  if (lineAt === undefined) return result;
  const isHeld = async (root: string, file: string, line: number): Promise<boolean> => (await lineAt(`${root}/${file}`, line)) !== undefined;
  const suspects: ScoutResult['suspects'] = [];
  for (const suspect of result.suspects) {
    if (suspects.length >= mostEvidence) break;
    if (await isHeld(suspect.root, suspect.file, suspect.lines[0]?.[0] || 1)) suspects.push(suspect);
  }
  const { pinned, ...rest } = result;
  const isPinHeld = pinned !== undefined && (await isHeld(pinned.root, pinned.file, pinned.line));
  return { ...rest, suspects, ...(isPinHeld ? { pinned } : {}) };
}

/** The verdict with what stands at each cited line, so that its citations can be verified and not only located. */
async function withQuotes(verdict: Submission, { lineAt }: Scouted): Promise<Submission> {
  if (lineAt === undefined) return verdict;
  const evidence = await Promise.all(
    verdict.evidence.map(async (item) => {
      const text = item.line === undefined ? undefined : (await lineAt(item.file, item.line))?.trim();
      return text === undefined || text === '' || text.length > longestQuote ? item : { ...item, quote: text };
    }),
  );
  return { ...verdict, evidence };
}
