import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from '../base/files.ts';

/** What names a process for good: its number, when it started, and where that number means something. */
export interface ProcessIdentity {
  pid: number;
  /** Boot id and start tick, where the system tells (Linux). */
  startTime?: string;
  host: string;
}

/** The identity of this process, for `journal.opened`. */
export function ownIdentity(): ProcessIdentity {
  const startTime = startTimeOf(process.pid);
  return { pid: process.pid, host: thisHost(), ...(startTime === undefined ? {} : { startTime }) };
}

/**
 * Whether that process lives. `dead` only on proof: same machine and pid namespace, and no such process, a zombie, or another
 * start time under the same number. A plain signal 0 is no proof of life, because an unreaped child answers it too.
 */
export function processState(who: Partial<ProcessIdentity>): 'alive' | 'dead' | 'unknown' {
  if (who.pid === undefined || who.host !== thisHost()) return 'unknown';
  if (process.platform === 'linux') {
    const found = statusOf(who.pid);
    if (found === 'unreadable') return 'unknown';
    if (found === undefined || found.zombie) return 'dead';
    if (who.startTime === undefined) return 'unknown';
    return found.startTime === who.startTime ? 'alive' : 'dead';
  }
  try {
    process.kill(who.pid, 0);
    return 'unknown';
  } catch (error) {
    return errorCode(error) === 'ESRCH' ? 'dead' : 'unknown';
  }
}

function startTimeOf(pid: number): string | undefined {
  const status = statusOf(pid);
  return status === undefined || status === 'unreadable' ? undefined : status.startTime;
}

function statusOf(pid: number): { startTime: string; zombie: boolean } | undefined | 'unreadable' {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets and may hold anything; the third is the state, the 22nd the start tick.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return { startTime: `${boot}/${fields[19] ?? ''}`, zombie: fields[0] === 'Z' || fields[0] === 'X' };
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ESRCH' ? undefined : 'unreadable';
  }
}

function thisHost(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // No pid namespaces here.
  }
  return `${hostname()}${namespace === '' ? '' : `#${namespace}`}`;
}
