import type { Logger } from '../core/base/logger.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;

/** Diagnostics on standard error, from `level` upwards ($CASEBOOK_LOG; `warn` when it is not set). */
export function terminalLogger(level: string | undefined, topic = ''): Logger {
  const from = Math.max(0, levels.indexOf((level ?? 'warn') as (typeof levels)[number]));
  const say = (at: number, message: string, data?: unknown) => {
    if (at < from) return;
    process.stderr.write(`${topic === '' ? '' : `[${topic}] `}${message}${data === undefined ? '' : ` ${JSON.stringify(data)}`}\n`);
  };
  return {
    debug: (message, data) => say(0, message, data),
    info: (message, data) => say(1, message, data),
    warn: (message, data) => say(2, message, data),
    error: (message, data) => say(3, message, data),
    child: (name) => terminalLogger(level, topic === '' ? name : `${topic}:${name}`),
  };
}
