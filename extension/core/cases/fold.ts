import type { EventBody } from '../journal/kinds/index.ts';
import type { AnyEvent } from '../journal/port.ts';
import { sha256 } from '../base/hash.ts';
import { applyToRun, newRun } from './fold-run.ts';
import { settleVerdict } from './fold-verdict.ts';
import type { CaseState, GateState, ReplyState } from './state.ts';

/**
 * A case as the reduction of its events, in the order in which the journal gives them. Pure.
 * Undefined when there is no readable `case.opened` (an erased case, or events of another one).
 */
export function foldCase(events: Iterable<AnyEvent>): CaseState | undefined {
  let state: CaseState | undefined;
  for (const event of events) state = applyEvent(state, event);
  if (state === undefined) return undefined;
  return { ...state, status: statusOf(state), ...settleVerdict(state) };
}

/** One event onto a case under construction; the derived parts (status, proof, blockers) are settled by `foldCase`. */
function applyEvent(state: CaseState | undefined, event: AnyEvent): CaseState | undefined {
  if (event.body === null) return state;
  if (event.kind === 'case.opened' && event.case !== undefined) return openedCase(event.case, event);
  if (state === undefined || event.case !== state.id) return state;
  const next = applyToCase(state, event);
  const runs = event.run === undefined ? next.runs : next.runs.map((run) => (run.id === event.run ? applyToRun(run, event) : run));
  return { ...next, runs, lastEventAt: event.ts > next.lastEventAt ? event.ts : next.lastEventAt };
}

function openedCase(id: string, event: AnyEvent & { kind: 'case.opened' }): CaseState | undefined {
  if (event.body === null) return undefined;
  const { ticket, snapshot, folder, title, ambient } = event.body;
  return {
    id,
    title,
    folder,
    openedAt: event.ts,
    lastEventAt: event.ts,
    status: 'open',
    ticket,
    revisions: [],
    snapshot,
    runs: [],
    citations: [],
    questions: [],
    gates: [],
    treeChanges: [],
    ambient,
  };
}

function applyToCase(state: CaseState, event: AnyEvent): CaseState {
  if (event.body === null) return state;
  switch (event.kind) {
    case 'case.closed':
      return { ...state, closedAt: event.ts };
    case 'ticket.revised':
      return { ...state, ticket: event.body.ticket, revisions: [...state.revisions, { hash: event.body.ticket.hash, revision: event.body.ticket.revision, at: event.ts }] };
    case 'scout.ended':
      return { ...state, scout: event.body };
    case 'run.started':
      return event.run === undefined ? state : { ...state, runs: [...state.runs, newRun(event.run, event.session, event.ts, event.body)] };
    case 'run.ended':
      return { ...state, questions: state.questions.map((question) => (question.run === event.run && question.answers === undefined ? { ...question, closed: true } : question)) };
    case 'report.written':
      return { ...state, report: { markdown: event.body.markdown, partial: event.body.partial, at: event.ts } };
    case 'citations.checked':
      return { ...state, citations: event.body.citations, snapshot: event.body.snapshot ?? state.snapshot };
    case 'tree.changed':
      return { ...state, treeChanges: treeChangesOf(event.body) };
    case 'question.asked':
      return { ...state, questions: [...state.questions, { id: event.body.id, at: event.ts, questions: event.body.questions, run: event.run }] };
    case 'question.answered': {
      const { id, answers } = event.body;
      // Two windows may answer at once: the first answer in the record counts, as it did for the agent.
      return { ...state, questions: state.questions.map((question) => (question.id === id && question.answers === undefined ? { ...question, answers } : question)) };
    }
    case 'verdict.submitted':
    case 'verdict.accepted':
    case 'verdict.overridden':
      return applyVerdict(state, event);
    case 'reply.drafted':
    case 'reply.edited':
    case 'reply.checked':
    case 'finding.overridden':
      return applyReply(state, event);
    case 'gate.opened':
    case 'gate.decided':
    case 'gate.carried_out':
      return applyGate(state, event);
    default:
      return state;
  }
}

function treeChangesOf({ files, checkpoint }: EventBody<'tree.changed'>): CaseState['treeChanges'] {
  return files.map(({ by, ...file }) => ({ ...file, ...(by === undefined ? {} : { by }), ...(checkpoint === undefined ? {} : { checkpoint }) }));
}

type EventOf<K extends AnyEvent['kind']> = AnyEvent & { kind: K };

function applyVerdict(state: CaseState, event: EventOf<'verdict.submitted' | 'verdict.accepted' | 'verdict.overridden'>): CaseState {
  if (event.body === null) return state;
  const current = state.verdict;
  if (event.kind === 'verdict.submitted') {
    const { verdict, recovered, downgraded } = event.body;
    const run = state.runs.find((candidate) => candidate.id === event.run);
    const engine = run?.engine ?? 'replay';
    if (current?.decision !== undefined) return { ...state, verdict: { ...current, later: { event: event.id, verdict, at: event.ts, engine } } };
    return {
      ...state,
      verdict: {
        event: event.id,
        verdict,
        at: event.ts,
        engine,
        recovered,
        replay: run?.replay ?? true,
        downgraded,
        effective: effectiveOf(verdict),
        proof: { holds: false, why: '' },
      },
    };
  }
  if (current === undefined) return state;
  const who = { by: event.actor.name, at: event.ts };
  if (event.kind === 'verdict.accepted') {
    const later = current.later?.event === event.body.verdictEvent ? current.later : undefined;
    const { later: _replaced, ...kept } = current;
    const chosen = later === undefined ? current : { ...kept, event: later.event, verdict: later.verdict, at: later.at, engine: later.engine };
    return { ...state, verdict: { ...chosen, decision: { kind: 'accepted', ...who }, effective: effectiveOf(chosen.verdict) } };
  }
  const { classification, bugConfirmation, confidence, reason } = event.body;
  const effective = { classification, confidence, bugConfirmation };
  return { ...state, verdict: { ...current, decision: { kind: 'overridden', ...who, reason, ...effective }, effective } };
}

function effectiveOf(verdict: NonNullable<CaseState['verdict']>['verdict']): NonNullable<CaseState['verdict']>['effective'] {
  const { classification, bugConfirmation, confidence } = verdict;
  return { classification, confidence, bugConfirmation };
}

function applyReply(state: CaseState, event: EventOf<'reply.drafted' | 'reply.edited' | 'reply.checked' | 'finding.overridden'>): CaseState {
  if (event.body === null) return state;
  if (event.kind === 'reply.drafted' || event.kind === 'reply.edited') {
    const edited = event.kind === 'reply.edited';
    // A person's words are kept: a later run's draft does not replace an edited one.
    if (!edited && state.reply?.edited === true) return state;
    const reply: ReplyState = { text: event.body.text, edited, findings: [], overridden: {}, blockers: [], posted: state.reply?.posted };
    return { ...state, reply };
  }
  if (state.reply === undefined) return state;
  if (event.kind === 'reply.checked') return sha256(state.reply.text) === event.body.hash ? { ...state, reply: { ...state.reply, findings: event.body.findings } } : state;
  return { ...state, reply: { ...state.reply, overridden: { ...state.reply.overridden, [event.body.rule]: event.body.reason } } };
}

function applyGate(state: CaseState, event: EventOf<'gate.opened' | 'gate.decided' | 'gate.carried_out'>): CaseState {
  if (event.body === null) return state;
  if (event.kind === 'gate.opened') return { ...state, gates: [...state.gates, event.body] };
  const body = event.body;
  const change = (gate: GateState): GateState => {
    if (gate.id !== body.id) return gate;
    if ('decision' in body) return { ...gate, decision: body.decision };
    return { ...gate, outcome: body.outcome, url: body.url, message: body.message };
  };
  const gates = state.gates.map(change);
  const gate = gates.find((candidate) => candidate.id === body.id);
  const posted = 'outcome' in body && body.outcome === 'confirmed' && gate?.action === 'post_reply' && state.reply !== undefined;
  return { ...state, gates, ...(posted && state.reply !== undefined ? { reply: { ...state.reply, posted: { url: body.url ?? '', at: event.ts } } } : {}) };
}

function statusOf(state: CaseState): CaseState['status'] {
  if (state.closedAt !== undefined) return 'closed';
  const last = state.runs.at(-1);
  if (last !== undefined && last.ended === undefined) {
    const asked = state.questions.some((question) => question.run === last.id && question.answers === undefined);
    return asked ? 'needs_you' : 'running';
  }
  if (last?.ended?.outcome === 'interrupted') return 'interrupted';
  if (state.verdict !== undefined) return 'concluded';
  return last === undefined || last.ended?.outcome === 'cancelled' ? 'open' : 'failed';
}
