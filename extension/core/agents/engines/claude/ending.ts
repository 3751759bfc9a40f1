import type { RunOutcome, RunReason } from '../../../model/run.ts';
import type { ClaudeResult } from './messages.ts';

export interface ProcessEnd {
  code: number | null;
  signal: string | null;
  /** The last of what it wrote to standard error. */
  stderr: string;
  result: ClaudeResult | undefined;
}

export interface ClaudeEnding {
  outcome: RunOutcome;
  reason?: RunReason;
  message?: string;
}

/**
 * What the end of a Claude Code process means, when it was not stopped from our side. Exit codes say little: an API error is a `success` with
 * `is_error`, an interrupt exits 0 without a result line.
 */
export function endingOf(end: ProcessEnd): ClaudeEnding {
  const { result } = end;
  if (!result) return withoutResult(end);
  const message = (result.result ?? result.errors.map(String).join('; ')).slice(0, 500);
  if (result.subtype === 'error_max_turns') return { outcome: 'failed', reason: 'limit_turns', message: 'Claude Code reached its limit of turns' };
  if (result.subtype === 'error_max_budget_usd') return { outcome: 'failed', reason: 'limit_money', message: 'Claude Code reached its money limit' };
  if (!result.is_error && result.subtype === 'success') return { outcome: 'completed' };
  if (result.stop_reason === 'refusal') return { outcome: 'failed', reason: 'refused', message: message || 'The model refused to go on' };
  if (typeof result.api_error_status === 'number') return { outcome: 'failed', reason: reasonOfStatus(result.api_error_status), message };
  if (/not logged in|please run \/login|invalid api key/i.test(message)) return { outcome: 'failed', reason: 'not_signed_in', message };
  if (result.terminal_reason === 'api_error') return { outcome: 'failed', reason: 'network', message };
  return { outcome: 'failed', reason: 'crashed', message: message || result.subtype };
}

function reasonOfStatus(status: number): RunReason {
  if (status === 401 || status === 403) return 'not_signed_in';
  if (status === 429 || status === 529) return 'rate_limited';
  if (status === 404) return 'no_model';
  return status >= 500 ? 'network' : 'protocol';
}

function withoutResult(end: ProcessEnd): ClaudeEnding {
  const words = end.stderr.trim().slice(-500);
  if (end.signal === 'SIGKILL' || end.code === 137) return { outcome: 'failed', reason: 'crashed', message: 'Claude Code was killed' };
  // 0 without a result is what an interrupt leaves; 143 and 130 are signals from outside.
  if (end.code === 0 || end.code === 143 || end.code === 130 || end.signal !== null) return { outcome: 'interrupted', message: 'Claude Code was stopped from outside of Casebook' };
  return { outcome: 'failed', reason: 'crashed', message: words || `Claude Code ended with code ${String(end.code)} and without a result` };
}
