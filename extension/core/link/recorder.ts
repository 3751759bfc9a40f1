import { messageOf } from '../base/failure.ts';
import type { Logger } from '../base/logger.ts';
import type { EventKind } from '../journal/kinds/index.ts';
import type { Journal, NewEvent } from '../journal/port.ts';
import { casebookActor } from '../model/actor.ts';

/** Puts what happens at the link on record. Nobody waits for it, and where it cannot be recorded the log says so. */
export type LinkRecorder = <K extends EventKind>(kind: K, body: NewEvent<K>['body']) => void;

export function linkRecorder(journal: Pick<Journal, 'append'>, logger: Logger): LinkRecorder {
  return (kind, body) => {
    journal.append({ kind, body, actor: casebookActor('link') }).catch((error: unknown) => logger.warn('something at the link could not be recorded', { kind, message: messageOf(error) }));
  };
}
