import type * as vscode from 'vscode';
import type { Logger } from '../core/base/logger.ts';

/** The part of a `LogOutputChannel` that is written to; its level is the user's business (Set Log Level). */
export type LogSink = Pick<vscode.LogOutputChannel, 'debug' | 'info' | 'warn' | 'error'>;

/** Longest rendering of one `data` argument, in UTF-16 units: a log is read by people. */
const DATA_LIMIT = 2000;

/** A logger whose lines start with `[topic/sub-topic]`. */
export function createLogger(sink: LogSink, topic = ''): Logger {
  const line = (message: string, data: unknown): string => `${topic === '' ? '' : `[${topic}] `}${message}${data === undefined ? '' : ` ${render(data)}`}`;
  return {
    debug: (message, data) => sink.debug(line(message, data)),
    info: (message, data) => sink.info(line(message, data)),
    warn: (message, data) => sink.warn(line(message, data)),
    error: (message, data) => sink.error(line(message, data)),
    child: (name) => createLogger(sink, topic === '' ? name : `${topic}/${name}`),
  };
}

function render(data: unknown): string {
  const text = data instanceof Error ? describeError(data) : toJson(data);
  return text.length <= DATA_LIMIT ? text : `${text.slice(0, DATA_LIMIT)}… (${text.length - DATA_LIMIT} more)`;
}

function describeError(error: Error): string {
  const reason = 'reason' in error && typeof error.reason === 'string' ? ` (${error.reason})` : '';
  const cause = error.cause instanceof Error ? `; cause: ${describeError(error.cause)}` : '';
  return `${error.stack ?? `${error.name}: ${error.message}`}${reason}${cause}`;
}

/** Never throws: a log line must not become the error it reports. */
function toJson(data: unknown): string {
  try {
    return JSON.stringify(data) ?? String(data);
  } catch {
    return '[not serialisable]';
  }
}
