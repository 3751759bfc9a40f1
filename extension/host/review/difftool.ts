import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Logger } from '../../core/base/logger.ts';
import { NodeProcesses } from '../../core/base/node-processes.ts';
import { childEnvironment, runToEnd } from '../../core/base/process.ts';

/** As long as somebody looks at it; then it is ended. Milliseconds. */
const longest = 60 * 60_000;

/** Where a program with a window finds the screen. */
const displayVariables = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'];

/**
 * Shows a file and the text proposed for it in a program of the user's, and waits until it ends. It only shows: its exit code means nothing, since programs do
 * not agree on one. False when it could not be started.
 */
export async function showDifftool(program: string, { path, text }: { path: string; text: string }, log: Logger): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'casebook-diff-'));
  try {
    const proposed = join(folder, basename(path));
    await writeFile(proposed, text, { mode: 0o600 });
    const before = existsSync(path) ? path : join(folder, 'nothing');
    if (before !== path) await writeFile(before, '');
    await runToEnd(new NodeProcesses(), program, [before, proposed], { cwd: homedir(), env: childEnvironment(process.env, { also: displayVariables }), signal: AbortSignal.timeout(longest) });
    return true;
  } catch (error) {
    log.warn('the program that shows differences could not be started', error);
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
