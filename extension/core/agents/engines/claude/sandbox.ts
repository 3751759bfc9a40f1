import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Processes, runToEnd } from '../../../base/process.ts';

export interface SandboxPlan {
  /** What the agent reads: stays readable, cannot be written. */
  folders: readonly string[];
  /** The run's private folder: the only place but `state` that can be written. */
  scratch: string;
  /** The agent's own state (sessions, sign-in), which it has to be able to write. */
  state: readonly string[];
  /** Programs that are started inside, wherever they lie. */
  programs: readonly string[];
}

/** Folders of the home with keys in them, hidden from the agent. */
const keyFolders = ['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gh', '.config/gcloud', '.password-store', '.netrc.d'];

const basis = ['--die-with-parent', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];

/**
 * Arguments for bubblewrap that make the whole file system read-only but for scratch and state, hide other temporary files and key folders,
 * and end every process inside when the first one ends, also those that left their process group. The network stays: the model is there.
 */
export async function sandboxArguments(plan: SandboxPlan, home: string = homedir()): Promise<string[]> {
  const keys = await existing(keyFolders.map((name) => join(home, name)));
  const state = await existing(plan.state);
  const below = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
  const stateInRoots = state.filter((path) => plan.folders.some((folder) => below(path, folder)));
  // The fresh /tmp hides programs that lie there; a script's folder holds the parts that it loads.
  const programs = await existing(plan.programs.filter((path) => below(path, '/tmp')).map((path) => dirname(path)));
  return [
    ...basis,
    ...keys.flatMap((path) => ['--tmpfs', path]),
    ...state.flatMap((path) => ['--bind', path, path]),
    // After /tmp and the state, because a root may lie below either; then the state again that lies below a root.
    ...[...plan.folders, ...programs].flatMap((path) => ['--ro-bind', path, path]),
    ...stateInRoots.flatMap((path) => ['--bind', path, path]),
    ...['--bind', plan.scratch, plan.scratch],
    '--',
  ];
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => stat(path).then(() => path, () => undefined)));
  return found.filter((path) => path !== undefined);
}

/** Whether bubblewrap is here and can do all of the above for this user; tried for real, since many systems forbid user namespaces. Never throws. */
export async function sandboxWorks(processes: Processes, signal: AbortSignal): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    // Succeeds only if the write fails.
    const proof = ['/bin/sh', '-c', 'touch /tmp/casebook-probe && ! touch /casebook-probe 2>/dev/null && ! touch "$HOME/.casebook-probe" 2>/dev/null'];
    const end = await runToEnd(processes, 'bwrap', [...basis, '--', ...proof], {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: homedir() },
      signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
    });
    return end.code === 0;
  } catch {
    return false;
  }
}
