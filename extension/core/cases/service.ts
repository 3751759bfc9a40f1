import type { EnginePort, EngineStatus } from '../agents/engine.ts';
import { Consents } from '../agents/consents.ts';
import { chooseEngine, probeWithin } from '../agents/engines/choose.ts';
import type { Scouted } from '../agents/engines/scout/engine.ts';
import { Failure } from '../base/failure.ts';
import { sha256 } from '../base/hash.ts';
import { newId } from '../base/ids.ts';
import type { EventKind } from '../journal/kinds/index.ts';
import type { CaseListing, NewEvent } from '../journal/port.ts';
import { rankSimilar } from '../tickets/similar.ts';
import type { Actor } from '../model/actor.ts';
import { casebookActor } from '../model/actor.ts';
import type { Citation } from '../model/code.ts';
import type { EngineName } from '../model/run.ts';
import type { Ticket } from '../model/ticket.ts';
import type { Answer } from '../model/verdict.ts';
import { CaseFiles, caseFolder } from './case-files.ts';
import type { CasesDeps } from './deps.ts';
import { Gates } from './gates.ts';
import { Investigation } from './investigation.ts';
import { LiveCases } from './live-cases.ts';
import type { CaseFailureReason, Cases } from './port.ts';
import type { CaseState, RunState } from './state.ts';

type Override = Parameters<Cases['overrideVerdict']>[1];

/** Builds the use cases of tickets under work on top of the rooms below. */
export function createCases(deps: CasesDeps): Cases {
  return new CaseService(deps);
}

class CaseService implements Cases {
  private readonly live: LiveCases;
  private readonly gates: Gates;
  private readonly consents: Consents;
  private readonly engineList: readonly EnginePort[];
  /** What the scout found for runs under way, for the scout engine to answer from. */
  private readonly scouted = new Map<string, Scouted>();
  private readonly running = new Set<Promise<void>>();
  readonly onChange: Cases['onChange'];

  constructor(private readonly deps: CasesDeps) {
    this.live = new LiveCases(deps.journal);
    this.gates = new Gates(deps);
    this.consents = new Consents(deps.journal);
    this.onChange = this.live.onChange;
    this.engineList = deps.engines(async (request) => this.scouted.get(request.run));
  }

  async open(ticket: Ticket, options: { via: string; ambient?: boolean; reopens?: string }): Promise<string> {
    const id = newId('case');
    const snapshot = await this.deps.evidence.takeSnapshot(AbortSignal.timeout(300_000));
    const { ambient, reopens, via } = options;
    const folder = this.folder(id);
    await this.append(id, 'case.opened', { ticket, snapshot, folder, title: ticket.title, ambient, reopens }, this.person(via));
    return id;
  }

  async investigate(caseId: string, options: Parameters<Cases['investigate']>[1], signal: AbortSignal): Promise<CaseState> {
    const state = await this.state(caseId);
    if (state.status === 'running' || state.status === 'needs_you') throw new Failure<CaseFailureReason>('already_running', 'This case is already being investigated.');
    const { engine, why } = await chooseEngine(options.engine, this.engineList, this.deps.limits(), (candidate, destination) => this.consents.has(candidate.name, destination), signal);
    const run = newId('run');
    const investigation = new Investigation({
      deps: this.deps,
      files: this.filesOf(caseId),
      state,
      run,
      engine,
      choice: why,
      mode: options.mode ?? 'fresh',
      replay: options.replay,
      onScouted: (result) => this.scouted.set(run, { ticket: state.ticket, result, lineAt: (file, line) => this.deps.evidence.lineAt(file, line, state.snapshot, signal) }),
      afterVerdict: () => this.checkReply(caseId),
    });
    const running = investigation.run(signal).finally(() => {
      this.scouted.delete(run);
      this.running.delete(running);
    });
    this.running.add(running);
    await running;
    return this.state(caseId);
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.running);
  }

  async stop(caseId: string, via: string): Promise<void> {
    const run = openRun(await this.state(caseId));
    if (run === undefined) return;
    await this.append(caseId, 'run.stop_asked', {}, this.person(via), run.id);
  }

  async state(caseId: string): Promise<CaseState> {
    const state = await this.live.state(caseId);
    const run = openRun(state);
    return run !== undefined && (await this.closedAsInterrupted(state, run)) ? this.live.state(caseId) : state;
  }

  list(options?: { limit?: number; offset?: number; text?: string }): Promise<CaseListing[]> {
    return this.deps.journal.listCases(options);
  }

  async similar(ticket: Ticket): Promise<{ case: string; title: string; classification?: string; why: string }[]> {
    const earlier = await this.deps.journal.listCases({ limit: 200 });
    const known = await Promise.all(earlier.map((listing) => this.live.state(listing.case).catch(() => undefined)));
    const states = known.filter((state) => state !== undefined);
    return rankSimilar(
      ticket,
      states.map((state) => ({ case: state.id, title: state.title, ticket: state.ticket, files: state.citations.map((citation) => citation.file), classification: state.verdict?.effective.classification })),
    );
  }

  async engines(signal: AbortSignal): Promise<{ name: EngineName; status: EngineStatus; leavesMachine: boolean; consented: boolean }[]> {
    return Promise.all(
      this.engineList.map(async (engine) => {
        const status = await probeWithin(engine, this.deps.limits(), signal);
        const { leavesMachine } = engine.capabilities;
        const consented = !leavesMachine || (status.usable && (await this.consents.has(engine.name, status.destination)));
        return { name: engine.name, status, leavesMachine, consented };
      }),
    );
  }

  giveConsent(engine: EngineName, destination: string, covers: string[], via: string): Promise<void> {
    return this.consents.give(engine, destination, covers, this.person(via));
  }

  forgetConsents(via: string): Promise<void> {
    return this.consents.withdraw(this.person(via));
  }

  async refreshTicket(caseId: string, signal: AbortSignal): Promise<CaseState> {
    const state = await this.state(caseId);
    const ticket = await this.deps.refetch(state.ticket, signal);
    const actor = casebookActor('tickets');
    if (ticket.hash === state.ticket.hash) await this.append(caseId, 'ticket.refreshed', { hash: ticket.hash, revision: ticket.revision, stale: ticket.stale !== undefined }, actor);
    else await this.append(caseId, 'ticket.revised', { ticket, previousHash: state.ticket.hash }, actor);
    return this.state(caseId);
  }

  async answer(caseId: string, questionId: string, answers: Answer[], via: string): Promise<void> {
    const state = await this.state(caseId);
    const question = state.questions.find((candidate) => candidate.id === questionId);
    if (question === undefined) throw new Failure<CaseFailureReason>('not_found', 'There is no such question in this case.');
    if (question.answers !== undefined) throw new Failure<CaseFailureReason>('closed', 'This question was already answered.');
    if (question.closed === true) throw new Failure<CaseFailureReason>('closed', 'The run that asked this has ended.');
    await this.append(caseId, 'question.answered', { id: questionId, answers }, this.person(via), question.run);
  }

  async acceptVerdict(caseId: string, via: string): Promise<void> {
    const { verdict } = await this.state(caseId);
    if (verdict === undefined) throw new Failure<CaseFailureReason>('no_verdict', 'There is no verdict to accept.');
    await this.append(caseId, 'verdict.accepted', { verdictEvent: verdict.later?.event ?? verdict.event }, this.person(via));
    await this.checkReply(caseId);
  }

  async overrideVerdict(caseId: string, override: Override, via: string): Promise<void> {
    const { verdict } = await this.state(caseId);
    if (verdict === undefined) throw new Failure<CaseFailureReason>('no_verdict', 'There is no verdict to override.');
    await this.append(caseId, 'verdict.overridden', { verdictEvent: verdict.event, ...override }, this.person(via));
    await this.checkReply(caseId);
  }

  async editReply(caseId: string, text: string, via: string): Promise<void> {
    await this.append(caseId, 'reply.edited', { text }, this.person(via));
    await this.checkReply(caseId);
  }

  async overrideFinding(caseId: string, rule: string, reason: string, via: string): Promise<void> {
    await this.append(caseId, 'finding.overridden', { rule, reason }, this.person(via));
  }

  async openGate(caseId: string, action: 'post_reply' | 'set_labels', payload: string, via: string): ReturnType<Cases['openGate']> {
    return this.gates.open(await this.state(caseId), action, payload, this.person(via));
  }

  async decideGate(caseId: string, gate: string, decision: 'approved' | 'refused', payloadHash: string, via: string): Promise<void> {
    await this.gates.decide(await this.state(caseId), gate, decision, payloadHash, this.person(via));
  }

  async recheck(caseId: string, cause: 'tree_changed' | 'asked'): Promise<CaseState> {
    const state = await this.state(caseId);
    const claims = state.citations.map(({ file, line, endLine, quote, note, origin }) => ({ file, line, endLine, quote, note, origin }));
    const citations = await this.deps.evidence.check(claims, state.snapshot, AbortSignal.timeout(60_000));
    // Work and record grow with what changed: the same states again are no event.
    if (!sameStates(citations, state.citations)) {
      await this.append(caseId, 'citations.checked', { citations, cause }, casebookActor('citations'));
      await this.filesOf(caseId).writeCitations(citations);
    }
    return this.state(caseId);
  }

  async close(caseId: string, via: string): Promise<void> {
    await this.append(caseId, 'case.closed', {}, this.person(via));
  }

  async erase(caseId: string, reason: string, via: string): Promise<void> {
    await this.deps.erase(caseId, reason, this.person(via));
    this.live.forget(caseId);
  }

  folder(caseId: string): string {
    return caseFolder(this.deps.casesFolder, caseId);
  }

  /** A run without an end whose process is provably gone was interrupted; exactly one process gets to say so. */
  private async closedAsInterrupted(state: CaseState, run: RunState): Promise<boolean> {
    const { journal } = this.deps;
    if (run.owner === undefined || (await journal.sessionState(run.owner)) !== 'dead') return false;
    if (!(await journal.takeOver('run', run.id, run.owner))) return false;
    const foundAt = new Date(this.deps.clock.now()).toISOString();
    await this.append(state.id, 'run.ended', { outcome: 'interrupted', reason: 'host_gone', message: `The process that ran it is gone (${run.steps.length} steps were recorded).`, foundAt, usage: run.usage }, casebookActor('cases'), run.id);
    return true;
  }

  private async checkReply(caseId: string): Promise<void> {
    const state = await this.live.state(caseId);
    if (state.reply === undefined) return;
    const findings = await this.deps.checkReply(state.reply.text, state);
    await this.append(caseId, 'reply.checked', { hash: sha256(state.reply.text), findings }, casebookActor('reply'));
  }

  private filesOf(caseId: string): CaseFiles {
    return new CaseFiles(this.folder(caseId), this.deps.mask);
  }

  private person(via: string): Actor {
    return { kind: 'person', name: this.deps.person, via };
  }

  private append<K extends EventKind>(caseId: string, kind: K, body: NewEvent<K>['body'], actor: Actor, run?: string): Promise<unknown> {
    return this.deps.journal.append({ kind, body, actor, case: caseId, ...(run === undefined ? {} : { run }) });
  }
}

function openRun(state: CaseState): RunState | undefined {
  return state.runs.findLast((run) => run.ended === undefined);
}

function sameStates(a: readonly Citation[], b: readonly Citation[]): boolean {
  return a.length === b.length && a.every((citation, index) => citation.state === b[index]?.state && citation.movedTo === b[index]?.movedTo && citation.actual === b[index]?.actual);
}
