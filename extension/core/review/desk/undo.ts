import { Failure } from '../../base/failure.ts';
import type { DeskFailureReason } from '../port.ts';
import type { SetState, WrittenState } from './state.ts';

/**
 * What an undo takes back or a redo writes again. An accepted set whose agent never wrote can be written by a redo too. Fails `nothing_to_undo`.
 */
export function undoable(state: SetState, what: 'undo' | 'redo'): WrittenState {
  const { settled } = state;
  if (settled === undefined) throw new Failure<DeskFailureReason>('nothing_to_undo', 'This change set is still pending.');
  if (settled.written !== undefined && settled.standing === (what === 'undo')) return settled.written;
  if (what === 'redo' && settled.written === undefined && settled.observed?.result === 'not_seen') {
    const files = settled.files.map(({ root, path, from, finalPath, base, final }) => ({ root, path: finalPath, from: from ?? path, before: base, after: final }));
    return { files, folders: [], buffers: [] };
  }
  throw new Failure<DeskFailureReason>('nothing_to_undo', what === 'undo' ? 'Nothing of this change set stands on disk by Casebook.' : 'There is nothing to write again.');
}
