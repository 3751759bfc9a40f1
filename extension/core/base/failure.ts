/**
 * The one error type that crosses a room's border: data that code branches on, with words for the log.
 * Each room exports its closed union of reasons; the words a user reads live in `shared/words.ts`, keyed by reason.
 */
export class Failure<Reason extends string = string> extends Error {
  readonly reason: Reason;
  /** Anything a reader of the log needs; must survive `JSON.stringify` and hold no secret. */
  readonly detail?: unknown;

  constructor(reason: Reason, message: string, options: { detail?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.reason = reason;
    if (options.detail !== undefined) this.detail = options.detail;
  }

  /** The same failure as plain data, for journals, JSON output and webviews. */
  toJSON(): { reason: Reason; message: string; detail?: unknown } {
    return { reason: this.reason, message: this.message, ...(this.detail === undefined ? {} : { detail: this.detail }) };
  }
}

/** Whether `error` is a Failure, optionally one of the given reasons. */
export function isFailure<Reason extends string>(error: unknown, ...reasons: Reason[]): error is Failure<Reason> {
  return error instanceof Failure && (reasons.length === 0 || reasons.some((reason) => reason === (error as Failure).reason));
}

/** A sentence for a log or a terminal out of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
