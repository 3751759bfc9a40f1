import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import type { Root } from '../../repo/roots.ts';
import type { Ambient, AmbientContext } from '../ambient.ts';
import type { DiscoveryPlace } from '../discovery/discovery.ts';

/** What Codex asks before each prompt (measured, docs/link.md). */
const request = z.object({ type: z.literal('request'), requestId: z.string(), sourceClientId: z.string().optional(), method: z.string(), params: z.object({ workspaceRoot: z.string() }).loose().optional() });

/** Where Codex looks first. */
export function codexSocketPath({ env, home }: Pick<DiscoveryPlace, 'env' | 'home'>): string {
  const configured = env['CODEX_HOME'];
  return join(configured === undefined || configured === '' ? join(home, '.codex') : configured, 'ipc', 'ipc.sock');
}

export interface CodexContextDeps {
  ambient: Pick<Ambient, 'current'>;
  roots: () => readonly Root[];
  /** Told of what is given away, and to whom. */
  onPulled: (client: string, cwd: string, context: AmbientContext) => void;
}

/** Answers one request of Codex with the editor's state, as it is shared. */
export async function answerCodex({ ambient, roots, onPulled }: CodexContextDeps, value: unknown): Promise<unknown> {
  const asked = request.safeParse(value).data;
  if (asked === undefined) throw new Error('this is no request of Codex');
  const { requestId, method } = asked;
  const refused = (error: string) => ({ type: 'response', requestId, resultType: 'error', error });
  if (method !== 'ide-context') return refused('no-handler-for-request');
  const cwd = await realpath(asked.params?.workspaceRoot ?? '').catch(() => undefined);
  const root = cwd === undefined ? undefined : roots().find(({ path }) => isAt(path, cwd));
  // Words that the client knows: another window may have this folder.
  if (cwd === undefined || root === undefined) return refused('no-client-found');
  const context = await ambient.current();
  onPulled(asked.sourceClientId ?? 'codex', cwd, context);
  return { type: 'response', requestId, resultType: 'success', method, handledByClientId: 'casebook', result: { ideContext: contextOf(context, cwd) } };
}

function isAt(root: string, cwd: string): boolean {
  const path = relative(root, cwd);
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`));
}

/** Lines and characters count from 0. Paths are relative to where Codex works, as it shows them. */
function contextOf({ selection, editors }: AmbientContext, cwd: string): Record<string, unknown> {
  const file = (path: string, label: string) => ({ label, path: relative(cwd, path), fsPath: path });
  const label = editors.find(({ path }) => path === selection?.path)?.label ?? selection?.path.split(sep).at(-1) ?? '';
  const openTabs = editors.map((one) => file(one.path, one.label));
  if (selection === undefined) return { openTabs };
  const range = { start: selection.start, end: selection.end };
  return { activeFile: { ...file(selection.path, label), selection: range, activeSelectionContent: selection.text, selections: [range] }, openTabs };
}
