import { readFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Consents } from './core/agents/consents.ts';
import type { ScoutMaterial } from './core/agents/engines/scout/engine.ts';
import { systemLayers } from './core/agents/prompt/layers.ts';
import { Sharing } from './core/repo/sharing.ts';
import { createVerbs } from './core/agents/verbs/verbs.ts';
import { systemClock } from './core/base/clock.ts';
import { NodeProcesses } from './core/base/node-processes.ts';
import { TrustedProcesses } from './core/base/trusted-processes.ts';
import { checkReply } from './core/cases/reply/check.ts';
import { KnownPeople } from './core/cases/reply/others.ts';
import { sideEffects } from './core/cases/reply/side-effects.ts';
import { createCases } from './core/cases/service.ts';
import type { CaseState } from './core/cases/state.ts';
import { ScoutRunner } from './core/evidence/scout/runner.ts';
import { resolveHome } from './core/journal/home.ts';
import { openJournal } from './core/journal/journal.ts';
import { maskText } from './core/journal/redact/mask-text.ts';
import type { EngineName } from './core/model/run.ts';
import type { ReplyFinding } from './core/model/verdict.ts';
import { Git } from './core/repo/git.ts';
import { repositoryIdentity } from './core/repo/identity.ts';
import { FolderCopies } from './core/tickets/copies.ts';
import type { TicketReply } from './core/tickets/source.ts';
import { createEngines, modelEngines } from './compose/engines.ts';
import { createEvidence } from './compose/evidence.ts';
import type { Core, CorePorts, EditorFocus } from './compose/ports.ts';
import { Programs } from './compose/programs.ts';
import { createRecords } from './compose/records.ts';
import { createReview } from './compose/review.ts';
import { createTickets } from './compose/tickets.ts';

export type { Core, CorePorts } from './compose/ports.ts';

/** A history too long to walk in this time is known by its remote alone. Milliseconds. */
const identityTimeout = 1500;

/** Puts the rooms of the core together for one host. Rejects only when the journal's folder cannot be made. */
export async function composeCore(ports: CorePorts): Promise<Core> {
  const { logger, env } = ports;
  const clock = systemClock;
  const processes = new TrustedProcesses(new NodeProcesses(), () => ports.trusted?.() ?? true);
  const programs = new Programs(ports, processes);
  const git = new Git({ processes, env, path: () => programs.git });
  const workspace = ports.roots()[0]?.path ?? ports.cwd;
  const identify = async () => repositoryIdentity(git, workspace, AbortSignal.timeout(identityTimeout));
  await programs.look();
  const identity = await identify();
  const journal = await openJournal({
    home: resolveHome(env),
    workspace,
    program: ports.program,
    version: ports.version,
    logger,
    ...(identity === undefined ? {} : { identity }),
    ...(ports.journalInWorkspace === true ? { folder: join(workspace, '.casebook', 'journal') } : {}),
  });
  const scout = new ScoutRunner({ worker: ports.program === 'extension' ? join(ports.dist, 'scout-worker.js') : undefined, cacheFolder: join(journal.folder, 'scout'), grammars: join(ports.dist, 'grammars'), git, gitProgram: () => programs.git, env, logger: logger.child('scout') });
  const person = userInfo().username;
  const { review, checkpoints, changes, provenance } = createReview(ports, { journal, clock, person, git, home: resolveHome(env) });
  const evidence = createEvidence({ roots: ports.roots, cwd: ports.cwd, git, folder: journal.folder, clock, scout, checkpoints });
  const copies = new FolderCopies(join(journal.folder, 'tickets'));
  const people = new KnownPeople(journal, copies);
  const tickets = createTickets(ports, { mask: maskText, clock, copies, keep: (bytes) => journal.blobs.put(bytes) });
  const layers = async (persona: string): Promise<string[]> => systemLayers({ persona: await readFile(join(ports.dist, 'library', 'personas', `${persona}.md`), 'utf8') });
  const [investigate, ask, decide, extract] = await Promise.all([layers('resolution-analyst'), layers('assistant'), layers('judge'), layers('interpreter')]);
  const running = new AbortController();
  const engines = (material: ScoutMaterial) => createEngines(ports, { journal, processes, git, mask: maskText, ripgrep: () => programs.ripgrep }, material);
  const runs = { journal, limits: () => ports.limits(), model: (engine: EngineName) => ports.model(engine), mask: maskText, shutdown: running.signal };
  const agents = createVerbs({ ...runs, logger: logger.child('agents'), engines: modelEngines(engines), consents: new Consents(journal), roots: ports.roots, system: { extract, ask, decide } });
  const cases = createCases({
    ...runs,
    evidence,
    engines,
    clock,
    logger: logger.child('cases'),
    person,
    casesFolder: join(journal.folder, 'cases'),
    system: investigate,
    attended: ports.attended,
    checkReply: async (text, state) => replyFindings(text, state, tickets.replyTo(state.ticket), await people.othersFor(state.ticket)),
    sideEffects,
    ambient: () => sharedFocus(ports.focus?.()),
    refetch: tickets.refetch,
    replyTo: tickets.replyTo,
    erase: async (caseId, reason, actor) => void (await journal.erase(caseId, reason, actor)),
  });
  return {
    version: ports.version,
    roots: ports.roots,
    cases,
    agents,
    review,
    checkpoints,
    changes,
    provenance,
    journal,
    sources: tickets.sources,
    records: createRecords(journal),
    get programs() {
      return programs.found;
    },
    async recognise() {
      await programs.look();
      await journal.recognise(await identify());
    },
    ticketFromText: (text, origin, file) => tickets.text.fromText(text, origin, file),
    async close(why = 'shutdown') {
      await review.close(why);
      running.abort(new DOMException('closing', 'AbortError'));
      await cases.settled();
      scout.dispose();
      await journal.close();
    },
  };
}

function replyFindings(text: string, state: CaseState, target: TicketReply | undefined, otherCustomers: readonly string[]): ReplyFinding[] {
  return checkReply(text, {
    ticket: state.ticket,
    ...(state.verdict === undefined ? {} : { verdict: state.verdict.effective }),
    internalNames: state.citations.map((citation) => citation.file),
    otherCustomers,
    home: homedir(),
    mask: maskText,
    suspects: state.scout?.result?.suspects ?? [],
    ...(target === undefined ? {} : { limit: target.limit }),
  });
}

/** The editor's focus as it may be told to a model: nothing of a file that is not shared, secrets masked. */
function sharedFocus(focus: EditorFocus | undefined): { text: string; shared: string } | undefined {
  if (focus === undefined || !new Sharing().isShared(focus.file)) return undefined;
  const place = `${focus.root}/${focus.file}:${focus.line}${focus.endLine === focus.line ? '' : `-${focus.endLine}`}`;
  return { text: focus.text === '' ? place : `${place}\n${maskText(focus.text).text}`, shared: place };
}
