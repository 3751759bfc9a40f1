import { readFile, readdir } from 'node:fs/promises';
import { pause } from '../../abortable.ts';

/**
 * Waits until no process of the group that `leader` led is alive any more. A child's own exit does not say that: a grandchild without a pipe to
 * us may still be at work until its grace is over. Resolves to whether they are gone within `milliseconds`.
 */
export async function groupGone(leader: number, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (await groupAlive(leader)) {
    if (performance.now() > end) return false;
    await pause(25, new AbortController().signal);
  }
  return true;
}

async function groupAlive(leader: number): Promise<boolean> {
  try {
    process.kill(-leader, 0);
  } catch {
    return false;
  }
  // Something answers, but it may be a zombie that nobody reaps; only Linux can tell.
  if (process.platform !== 'linux') return true;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const members = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').then((text) => inGroup(text, leader), () => false)));
  return members.some(Boolean);
}

/** `pid (name) state ppid pgrp …`; the name may hold anything, so fields are counted from its last bracket. */
function inGroup(stat: string, leader: number): boolean {
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(group) === leader && state !== 'Z' && state !== 'X';
}
