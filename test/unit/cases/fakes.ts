import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineCapabilities, EnginePort, EngineStatus, RunEvent, RunRequest } from '../../../extension/core/agents/engine.ts';
import { systemClock } from '../../../extension/core/base/clock.ts';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import type { CasesDeps, TreeChange } from '../../../extension/core/cases/deps.ts';
import { createCases } from '../../../extension/core/cases/service.ts';
import { createMemoryJournal, type MemoryJournal } from '../../../extension/core/journal/memory.ts';
import type { Citation, ScoutResult, Snapshot } from '../../../extension/core/model/code.ts';
import type { EngineName } from '../../../extension/core/model/run.ts';
import { ticket, type Ticket } from '../../../extension/core/model/ticket.ts';
import type { TicketReply } from '../../../extension/core/tickets/source.ts';

export const never = new AbortController().signal;

/** A ticket with little in it, changed by `over`. */
export function aTicket(over: Partial<Ticket> = {}): Ticket {
  return ticket.parse({ id: 'text:1', source: 'text', key: '1', title: 'Saving fails', description: 'It says "cannot save".', findings: {}, revision: 'r1', hash: 'h1', fetchedAt: '2026-01-01T00:00:00Z', ...over });
}

export const aSnapshot: Snapshot = { takenAt: '2026-01-01T00:00:00Z', roots: [{ name: 'app', path: '/app', kind: 'git', commit: 'abc', dirty: [], dirtyCount: 0 }] };

export const aScoutResult: ScoutResult = {
  clues: [],
  suspects: [{ root: 'app', file: 'src/save.ts', score: 1, lines: [[3, 5]], symbols: [], why: [{ signal: 'body', weight: 1, text: 'mentions save' }] }],
  history: [],
  related: [],
  stats: {},
};

export const aSubmission = {
  classification: 'bug',
  bugConfirmation: 'confirmed',
  confidence: 'high',
  summary: 'Saving drops the last line.',
  evidence: [{ file: 'app/src/save.ts', line: 3, quote: 'lines.slice(0, -1)' }],
  explanationForSupport: 'The last line is left out when a file is saved.',
  proposedCustomerReply: 'Thank you for the report. The team will look deeper into this.',
  suggestedNextStep: 'Fix the slice.',
};

const capabilities: EngineCapabilities = { toolLimits: true, sandbox: false, schemaOutput: false, writeApproval: true, resume: true, cost: false, tokens: true, leavesMachine: false };

/** An engine that plays a script: a generator over the run's request. */
export function scriptedEngine(script: (request: RunRequest, signal: AbortSignal) => AsyncIterable<RunEvent>, over: { name?: EngineName; leavesMachine?: boolean; status?: EngineStatus } = {}): EnginePort {
  return {
    name: over.name ?? 'claude',
    capabilities: { ...capabilities, leavesMachine: over.leavesMachine ?? false },
    probe: async () => over.status ?? { usable: true, label: 'Scripted', destination: 'this machine' },
    start: script,
  };
}

export interface World {
  journal: MemoryJournal;
  cases: ReturnType<typeof createCases>;
  deps: CasesDeps;
  /** What a check says of a citation; verified by default when it has a quote. */
  states: Map<string, Citation['state']>;
  treeChanges: TreeChange[];
}

/** The use cases over fakes: a memory journal, a code evidence that says what `states` says, and the given engines. */
export async function aWorld(engines: readonly EnginePort[], over: Partial<CasesDeps> = {}): Promise<World> {
  const journal = createMemoryJournal();
  const states = new Map<string, Citation['state']>();
  const treeChanges: TreeChange[] = [];
  const deps: CasesDeps = {
    journal,
    evidence: {
      roots: () => [{ name: 'app', path: '/app' }],
      takeSnapshot: async () => aSnapshot,
      check: async (claims) => claims.map((claim) => ({ ...claim, state: states.get(claim.file) ?? (claim.quote === undefined ? 'located' : 'verified') })),
      lineAt: async () => undefined,
      extract: () => [],
      scout: async () => aScoutResult,
      watchTree: async () => ({ end: async () => ({ files: treeChanges, ...(treeChanges.length > 0 ? { checkpoint: 'cp_1' } : {}) }) }),
    },
    engines: () => engines,
    clock: systemClock,
    logger: nullLogger,
    person: 'ada',
    casesFolder: await mkdtemp(join(tmpdir(), 'casebook-cases-')),
    system: ['You are an analyst.'],
    limits: () => ({ turns: 20 }),
    model: () => undefined,
    attended: true,
    mask: (text) => ({ text, count: 0 }),
    checkReply: async () => [],
    sideEffects: () => [],
    refetch: async (from) => from,
    replyTo: () => undefined,
    erase: async () => undefined,
    shutdown: never,
    ...over,
  };
  return { journal, cases: createCases(deps), deps, states, treeChanges };
}

/** A place to post to that keeps what was posted. */
export function aReplyTarget(over: Partial<TicketReply> = {}): TicketReply & { posted: string[] } {
  const posted: string[] = [];
  return {
    posted,
    post: async (_key, text) => {
      posted.push(text);
      return { url: 'https://tickets.example/1#1', remoteId: '1' };
    },
    read: async () => posted.at(-1) ?? '',
    setLabels: async (_key, labels) => [...labels],
    limit: { length: 65_536, unit: 'code_points' },
    ...over,
  };
}

