import type { AnyEvent } from '../../journal/port.ts';
import type { Actor } from '../../model/actor.ts';
import { fileKey, type FileChange, type HunkDecision } from '../../model/change.ts';
import { type FileState, type HunkState, refName, type SetState, shownRef } from './state.ts';

/** Folds a set's events, in causal order, into its state. Undefined when the proposal is not among them or was erased. */
export function foldSet(events: readonly AnyEvent[]): SetState | undefined {
  let state: SetState | undefined;
  for (const event of events) {
    if (event.kind === 'changeset.proposed') state ??= opened(event);
    else if (state !== undefined && event.set === state.id) {
      applyEvent(state, event);
      state.lastEventAt = event.ts;
    }
  }
  return state;
}

function opened(event: Extract<AnyEvent, { kind: 'changeset.proposed' }>): SetState | undefined {
  if (event.body === null) return undefined;
  const { changeSet, caller } = event.body;
  const conflicts = new Map(event.body.conflicts.map((conflict) => [conflict.file, conflict]));
  return {
    id: changeSet.id,
    title: changeSet.title,
    ...(changeSet.explanation === undefined ? {} : { explanation: changeSet.explanation }),
    origin: changeSet.origin,
    disk: changeSet.disk,
    caller: { ...caller, attached: caller.name !== '' },
    status: 'pending',
    applying: false,
    revision: 0,
    openedAt: event.ts,
    lastEventAt: event.ts,
    owner: event.session,
    files: changeSet.files.map((file) => ({ ...fresh(file), ...conflictsOf(conflicts.get(fileKey(file))) })),
    finishAsked: false,
    comments: [],
    lookedAt: [],
  };
}

function fresh(file: FileChange): FileState {
  return { ...file, key: fileKey(file), decisions: {}, left: file.counts.hunks, conflicts: [], reviewed: false };
}

function conflictsOf(conflict: Body<'changeset.rebased'>['conflicts'][number] | undefined): Pick<FileState, 'conflicts' | 'origins'> {
  return conflict === undefined ? { conflicts: [] } : { conflicts: conflict.hunks, origins: conflict.origins };
}

function applyEvent(state: SetState, event: AnyEvent): void {
  if (event.body === null) return;
  switch (event.kind) {
    case 'changeset.joined':
      state.caller = { ...event.body.caller, attached: state.status === 'pending' };
      if (event.body.answered && state.settled !== undefined) state.settled.heard = true;
      return;
    case 'changeset.detached':
      state.caller.attached = false;
      return;
    case 'ownership.taken':
      state.owner = event.session;
      state.caller.attached = false;
      return;
    case 'changeset.rebased':
      return rebased(state, event.body, event);
    case 'file.edited':
      return edited(state, event.body, event);
    case 'file.reviewed': {
      const file = fileOf(state, fileKey(event.body));
      if (file !== undefined && refName(shownRef(file)) === event.body.hash) file.reviewed = event.body.reviewed;
      return;
    }
    case 'comment.made':
      state.comments.push({ ...event.body.comment, by: event.actor, at: event.ts });
      return;
    case 'comment.removed': {
      const { id } = event.body;
      state.comments = state.comments.filter((comment) => comment.id !== id);
      return;
    }
    case 'hunks.decided':
      return decided(state, event.body, event);
    case 'changeset.finish_asked':
      if (event.body.revision === state.revision) state.finishAsked = true;
      if (event.body.reason !== undefined) state.reason = event.body.reason;
      return;
    case 'changeset.looked_at':
      if (!state.lookedAt.includes(event.body.surface)) state.lookedAt.push(event.body.surface);
      return;
    default:
      ended(state, event);
  }
}

function ended(state: SetState, event: AnyEvent): void {
  if (event.body === null) return;
  if (event.kind === 'changeset.applying') {
    state.applying = true;
    delete state.writeFailed;
  } else if (event.kind === 'changeset.write_failed') {
    state.applying = false;
    state.writeFailed = { reason: event.body.reason, message: event.body.message, at: event.ts };
  }
  // The first end counts; a second one can only come from a process that should not have written it.
  else if (event.kind === 'changeset.settled' && state.settled === undefined) {
    const { deciders, ...body } = event.body;
    state.status = 'settled';
    state.applying = false;
    state.caller.attached = false;
    state.settled = { ...body, at: event.ts, by: deciders, ...(body.written === undefined ? {} : { standing: true }) };
  } else if (event.kind === 'changeset.observed' && state.settled !== undefined) {
    state.settled.observed = event.body;
    // What an agent was seen to have written can be taken back like a write of ours.
    if (event.body.result === 'matches' && state.settled.written === undefined) {
      const files = state.settled.files.map(({ root, finalPath, from, path, base, final }) => ({ root, path: finalPath, from: from ?? path, before: base, after: final }));
      state.settled.written = { files, folders: [], buffers: [] };
      state.settled.standing = true;
    }
  } else if ((event.kind === 'changeset.undone' || event.kind === 'changeset.redone') && state.settled !== undefined) {
    state.settled.standing = event.kind === 'changeset.redone';
    if (event.kind === 'changeset.redone') state.settled.written = event.body.written;
    else state.settled.written ??= event.body.written;
  }
}

type Body<K extends AnyEvent['kind']> = NonNullable<Extract<AnyEvent, { kind: K }>['body']>;
type Stamp = Pick<AnyEvent, 'actor' | 'ts'>;

function rebased(state: SetState, body: Body<'changeset.rebased'>, at: Stamp): void {
  state.revision = body.revision;
  state.rebased = body.why;
  state.applying = false;
  state.finishAsked = false;
  const gone = new Set(body.gone.map(fileKey));
  const changed = new Map(body.files.map((file) => [fileKey(file), file]));
  const conflicts = new Map(body.conflicts.map((conflict) => [conflict.file, conflict]));
  state.files = state.files.flatMap((file) => {
    if (gone.has(file.key)) return [];
    const next = changed.get(file.key);
    if (next === undefined) return [file];
    const { draft, ...change } = next;
    const made: FileState = { ...fresh(change), ...(draft === undefined ? {} : { draft }), ...conflictsOf(conflicts.get(file.key)) };
    carry(made, file, body.carried, at);
    return [made];
  });
}

function edited(state: SetState, body: Body<'file.edited'>, at: Stamp): void {
  const before = fileOf(state, fileKey(body));
  if (before === undefined || body.revision !== state.revision) return;
  const { draft: _old, ...rest } = before;
  const made: FileState = { ...rest, counts: body.counts, decisions: {}, left: body.counts.hunks, reviewed: false, ...(body.draft === undefined ? {} : { draft: body.draft }) };
  delete made.rest;
  carry(made, before, body.carried, at);
  state.files = state.files.map((file) => (file.key === before.key ? made : file));
}

/** Decisions that hold for the new form of a file, with those who took them. */
function carry(made: FileState, before: FileState, carried: readonly HunkDecision[], at: Stamp): void {
  for (const { file, hunk, decision } of carried) {
    if (file !== made.key || decision === 'edited') continue;
    const known = before.decisions[hunk] ?? before.rest;
    made.decisions[hunk] = { decision, by: known?.by ?? at.actor, at: known?.at ?? at.ts };
    made.left = Math.max(0, made.left - 1);
  }
}

function decided(state: SetState, body: Body<'hunks.decided'>, at: Stamp): void {
  // Taken on a form of the set that no longer exists: the person is asked again.
  if (body.revision !== state.revision || state.status === 'settled') return;
  if (body.reason !== undefined) state.reason = body.reason;
  for (const { file: key, hunk, decision } of body.decisions) {
    const file = fileOf(state, key);
    if (file === undefined) continue;
    if (decision === 'undone') takeBack(file, hunk);
    else if (decision !== 'edited') {
      const made: HunkState = { decision, by: at.actor, at: at.ts };
      if (hunk === '*') file.rest ??= made;
      else file.decisions[hunk] = made;
    }
    file.left = body.left[key] ?? file.left;
  }
}

function takeBack(file: FileState, hunk: string): void {
  if (hunk === '*') {
    file.decisions = {};
    delete file.rest;
  } else delete file.decisions[hunk];
}

function fileOf(state: SetState, key: string): FileState | undefined {
  return state.files.find((file) => file.key === key);
}

/** Who had a hand in the decisions of a set, each once. */
export function decidersOf(state: SetState): Actor[] {
  const all = state.files.flatMap((file) => [...Object.values(file.decisions), ...(file.rest === undefined ? [] : [file.rest])]);
  const seen = new Map(all.map(({ by }) => [`${by.kind} ${by.name} ${by.via ?? ''}`, by]));
  return [...seen.values()];
}
