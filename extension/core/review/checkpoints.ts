import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../base/failure.ts';
import { newId } from '../base/ids.ts';
import type { Journal } from '../journal/port.ts';
import type { Actor } from '../model/actor.ts';
import { casebookActor } from '../model/actor.ts';
import type { Snapshot } from '../model/code.ts';
import type { Root } from '../repo/roots.ts';
import { takeSnapshot } from '../repo/snapshot.ts';
import type { CheckpointFailureReason } from './failure.ts';
import type { ReviewDesk } from './port.ts';
import { checkpointProposal } from './sources/checkpoint.ts';
import type { Gathered, Left, SavedByPerson, SourceDeps } from './sources/gathered.ts';

/** What the editor knows of the person's own hand: absolute real paths of files they saved at or after a time (milliseconds). Absent in a terminal. */
export interface PersonSaves {
  since(time: number): ReadonlySet<string>;
}

export interface CheckpointsDeps extends SourceDeps {
  journal: Journal;
  desk: Pick<ReviewDesk, 'add' | 'ready'>;
  roots(): readonly Root[];
  /** Account name of the person at this machine. */
  person: string;
  saves?: PersonSaves;
}

/** A state of the workspace from which changes are told, still open. */
export interface OpenCheckpoint {
  id: string;
  at: string;
  why: 'asked' | 'run' | 'session';
  /** What it was taken before, in words. */
  label: string;
  case?: string;
  run?: string;
  by: Actor;
  snapshot: Snapshot;
}

/** A file that is not as it was. `person`: saved from an editor by the user meanwhile, so perhaps not the agent's. */
export interface CheckpointChange {
  root: string;
  path: string;
  from?: string;
  change: 'added' | 'modified' | 'deleted' | 'renamed';
  by: 'origin' | 'person';
}

export interface CheckpointChanges {
  checkpoint: OpenCheckpoint;
  files: CheckpointChange[];
  left: Left[];
}

export interface TakeOptions {
  why: OpenCheckpoint['why'];
  label: string;
  /** Surface the person asked from; required for `asked`. */
  via?: string;
  case?: string;
  run?: string;
}

/**
 * Changes that nobody asks about: a snapshot is taken, and what differs from it later is told, reviewed (accept keeps, reject restores) or let go.
 * State is a fold of the journal, so every window and terminal knows the same checkpoints. Fails with CheckpointFailureReason, or as git does.
 */
export interface Checkpoints {
  take(options: TakeOptions, signal: AbortSignal): Promise<string>;
  /** Oldest first. */
  open(): Promise<OpenCheckpoint[]>;
  changes(checkpoint: string, signal: AbortSignal): Promise<CheckpointChanges>;
  /** Puts what changed on the desk and closes the checkpoint. No `set`: nothing that can be reviewed differs. */
  review(checkpoint: string, via: string, signal: AbortSignal): Promise<{ set?: string; left: Left[] }>;
  close(checkpoint: string, via: string): Promise<void>;
  /** Every open checkpoint with what changed since then, oldest first. */
  watched(signal: AbortSignal): Promise<CheckpointChanges[]>;
  /** Open checkpoints since which somebody else than the person changed files that nobody has looked at. */
  notUnderReview(signal: AbortSignal): Promise<CheckpointChanges[]>;
  /** Watches one of Casebook's own runs: a checkpoint that is closed at the end if nothing changed, and stays open for review otherwise. */
  watchRun(of: { label: string; case: string; run: string }, signal: AbortSignal): Promise<RunWatch>;
}

export interface RunWatch {
  /** Call once, after the run. `checkpoint`: the one that stays open. */
  end(signal: AbortSignal): Promise<{ files: CheckpointChange[]; checkpoint?: string }>;
}

export function createCheckpoints(deps: CheckpointsDeps): Checkpoints {
  return new JournaledCheckpoints(deps);
}

class JournaledCheckpoints implements Checkpoints {
  constructor(private readonly deps: CheckpointsDeps) {}

  async take(options: TakeOptions, signal: AbortSignal): Promise<string> {
    const { why, label, via } = options;
    await this.deps.desk.ready();
    const snapshot = await takeSnapshot(this.deps.roots(), this.deps, signal);
    const checkpoint = newId('cp');
    const actor: Actor = why === 'asked' ? this.person(via ?? 'palette') : casebookActor('checkpoints');
    await this.deps.journal.append({ kind: 'checkpoint.taken', actor, ...ofCase(options), body: { checkpoint, snapshot, why, label } });
    return checkpoint;
  }

  async open(): Promise<OpenCheckpoint[]> {
    const { open } = await this.fold();
    return [...open.values()];
  }

  async changes(checkpoint: string, signal: AbortSignal): Promise<CheckpointChanges> {
    const found = await this.find(checkpoint);
    return asChanges(found, await this.gather(found, signal));
  }

  async review(checkpoint: string, via: string, signal: AbortSignal): Promise<{ set?: string; left: Left[] }> {
    const found = await this.find(checkpoint);
    const { proposal, left } = await this.gather(found, signal);
    const set = proposal && (await this.deps.desk.add(proposal, via));
    // Only once the set is on record: after a crash in between the checkpoint still offers the same changes.
    await this.end(found, this.person(via), set);
    return { left, ...(set === undefined ? {} : { set }) };
  }

  async close(checkpoint: string, via: string): Promise<void> {
    await this.end(await this.find(checkpoint), this.person(via));
  }

  async watched(signal: AbortSignal): Promise<CheckpointChanges[]> {
    const found: CheckpointChanges[] = [];
    for (const checkpoint of await this.open()) found.push(asChanges(checkpoint, await this.gather(checkpoint, signal)));
    return found;
  }

  async notUnderReview(signal: AbortSignal): Promise<CheckpointChanges[]> {
    return (await this.watched(signal)).filter(({ files }) => files.some((file) => file.by !== 'person'));
  }

  async watchRun(of: { label: string; case: string; run: string }, signal: AbortSignal): Promise<RunWatch> {
    const checkpoint = await this.take({ ...of, why: 'run' }, signal);
    return {
      end: async (later) => {
        const { files, checkpoint: open } = await this.changes(checkpoint, later);
        if (files.some((file) => file.by !== 'person')) return { files, checkpoint };
        await this.end(open, casebookActor('checkpoints'));
        return { files };
      },
    };
  }

  private async gather(checkpoint: OpenCheckpoint, signal: AbortSignal): Promise<Gathered> {
    const { saves } = this.deps;
    const saved = saves === undefined ? undefined : await savedFiles(saves.since(Date.parse(checkpoint.at)), checkpoint.snapshot);
    const savedByPerson: SavedByPerson | undefined = saved && ((root, path) => saved.has(`${root}/${path}`));
    const origin = { client: 'checkpoint', against: checkpoint.id, ...ofCase(checkpoint) };
    const base = { snapshot: checkpoint.snapshot, title: `Changes since ${checkpoint.label}`, origin };
    return checkpointProposal(base, { ...this.deps, ...(savedByPerson === undefined ? {} : { savedByPerson }) }, signal);
  }

  private async find(checkpoint: string): Promise<OpenCheckpoint> {
    const { open, closed } = await this.fold();
    const found = open.get(checkpoint);
    if (found !== undefined) return found;
    if (closed.has(checkpoint)) throw new Failure<CheckpointFailureReason>('closed', 'This checkpoint was closed.');
    throw new Failure<CheckpointFailureReason>('not_found', `There is no checkpoint ${checkpoint}.`);
  }

  private async fold(): Promise<{ open: Map<string, OpenCheckpoint>; closed: Set<string> }> {
    const open = new Map<string, OpenCheckpoint>();
    const closed = new Set<string>();
    for await (const event of this.deps.journal.read({ kinds: ['checkpoint.taken', 'checkpoint.closed'] })) {
      if ('gap' in event || event.body === null) continue;
      if (event.kind === 'checkpoint.closed') closed.add(event.body.checkpoint);
      else if (event.kind === 'checkpoint.taken') {
        const { checkpoint, snapshot, why, label } = event.body;
        open.set(checkpoint, { id: checkpoint, at: event.ts, why, label, by: event.actor, snapshot, ...ofCase(event) });
      }
    }
    for (const id of closed) open.delete(id);
    return { open, closed };
  }

  private async end(checkpoint: OpenCheckpoint, actor: Actor, set?: string): Promise<void> {
    await this.deps.journal.append({ kind: 'checkpoint.closed', actor, ...ofCase(checkpoint), body: { checkpoint: checkpoint.id, ...(set === undefined ? {} : { set }) } });
  }

  private person(via: string): Actor {
    return { kind: 'person', name: this.deps.person, via };
  }
}

function ofCase(of: { case?: string; run?: string }): { case?: string; run?: string } {
  return { ...(of.case === undefined ? {} : { case: of.case }), ...(of.run === undefined ? {} : { run: of.run }) };
}

/** Saved paths as `root/path`; the snapshot's roots are real paths already. */
async function savedFiles(paths: ReadonlySet<string>, snapshot: Snapshot): Promise<Set<string>> {
  const found = new Set<string>();
  for (const path of paths) {
    const real = await realpath(path).catch(() => path);
    for (const root of snapshot.roots) if (real.startsWith(join(root.path, '/'))) found.add(`${root.name}/${real.slice(root.path.length + 1).replaceAll('\\', '/')}`);
  }
  return found;
}

function asChanges(checkpoint: OpenCheckpoint, { proposal, left }: Gathered): CheckpointChanges {
  const files = (proposal?.files ?? []).map((file): CheckpointChange => {
    const change = file.from !== undefined ? 'renamed' : file.base?.kind === 'absent' ? 'added' : file.proposed.kind === 'absent' ? 'deleted' : 'modified';
    return { root: file.root, path: file.path, ...(file.from === undefined ? {} : { from: file.from }), change, by: file.by === 'person' ? 'person' : 'origin' };
  });
  return { checkpoint, files, left };
}
