import { Failure } from '../base/failure.ts';
import { actor as actorShape } from '../model/actor.ts';
import { type EventBody, type EventKind, eventKinds } from './kinds/index.ts';
import type { JournalFailureReason, NewEvent } from './port.ts';

/**
 * The boundary check of `append`: gives the body with its schema's defaults filled in.
 * Throws Failure `invalid_event` naming the bad fields; the field values are not repeated, because they may hold secrets.
 */
export function validateEvent<K extends EventKind>(event: NewEvent<K>): EventBody<K> {
  const shape = (eventKinds as Partial<typeof eventKinds>)[event.kind];
  if (shape === undefined) throw new Failure<JournalFailureReason>('invalid_event', `unknown event kind ${String(event.kind)}`);
  const who = actorShape.safeParse(event.actor);
  if (!who.success) throw new Failure<JournalFailureReason>('invalid_event', `${event.kind}: who did it is missing or malformed`);
  const parsed = shape.safeParse(event.body);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || '(body)'}: ${issue.code}`);
    throw new Failure<JournalFailureReason>('invalid_event', `${event.kind}: ${problems.join('; ')}`, { detail: { kind: event.kind, problems } });
  }
  return parsed.data as EventBody<K>;
}
