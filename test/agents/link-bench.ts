import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFailed, onTestFinished, vi } from 'vitest';
import type { Editor } from '../../extension/core/link/editor.ts';
import { headlessEditor } from '../../extension/core/link/headless-editor.ts';
import { LinkSession } from '../../extension/core/link/session.ts';
import type { Incoming } from '../../extension/core/mcp/json-rpc.ts';
import type { SetState } from '../../extension/core/review/desk/state.ts';
import { type LinkTable, linkTable, until } from '../unit/link/harness.ts';
import type { AgentSpec } from './link-agents.ts';
import { Terminal } from './terminal.ts';

export const before = 'line one\nline two\nline three\n';
export const after = 'line one\nline 2\nline three\n';

export interface LinkBench {
  table: LinkTable;
  terminal: Terminal;
  /** Bodies of the model's requests, as text. */
  told(): string[];
  /** Waits until the model is told what became of its change; gives that request. */
  toldOfChange(): Promise<string>;
  /** What the client has sent, oldest first, as it would stand in a transcript. */
  frames(): unknown[];
  read(): Promise<string>;
  /** Waits for the client's proposal. */
  proposed(): Promise<SetState>;
}

/** An editor in which `nonce` is selected, on the second line of `a.txt`. */
function editorWith(nonce: string, path: () => string): Editor {
  return {
    ...headlessEditor,
    window: true,
    selection: async () => ({ path: path(), text: nonce, start: { line: 1, character: 0 }, end: { line: 1, character: 8 } }),
    openEditors: async () => [{ path: path(), label: 'a.txt', language: 'plaintext', active: true, dirty: false, shownAt: 1000 }],
  };
}

/** A link with an editor, and a client that is started beside it as a user would do it, connected and ready for a prompt. Both end with the test. */
export async function linkBench(spec: AgentSpec, nonce = 'line two'): Promise<LinkBench> {
  const heard = vi.spyOn(LinkSession.prototype, 'receive');
  let root = '';
  const table = await linkTable({ 'a.txt': before }, { editor: editorWith(nonce, () => join(root, 'a.txt')) });
  ({ root } = table);
  const place = { home: table.home, workspace: root };
  const model = spec.model(place, after);
  const { command, env } = await spec.settings(place, await model.start());
  const terminal = await Terminal.start(command, { cwd: root, env: { PATH: process.env['PATH'], HOME: table.home, TMPDIR: table.home, LANG: 'C.UTF-8', TERM: 'xterm-256color', SHELL: '/bin/sh', ...env } });
  onTestFinished(async () => {
    heard.mockRestore();
    await terminal.end();
    await table.link.close('shutdown');
    await model.stop();
  });
  onTestFailed(() => console.log(terminal.lastScreen, model.told().map((text) => text.slice(-1500))));
  await terminal.shows(spec.ready);
  await spec.begin?.(terminal);
  await until(() => table.link.clients.find((client) => client.client === spec.client));
  // Copilot CLI leaves once and comes again; who comes to stay asks for its tools.
  if ('asks' in spec) await until(() => (framesOf(heard.mock.calls).some(({ method }) => method === 'tools/list') ? true : undefined));
  return {
    table,
    terminal,
    told: () => model.told(),
    toldOfChange: () => until(() => model.toldOfChange()),
    frames: () => framesOf(heard.mock.calls),
    read: () => readFile(join(root, 'a.txt'), 'utf8'),
    proposed: () => table.oneSet(),
  };
}

type Message = { method?: string } & Record<string, unknown>;

function framesOf(calls: readonly (readonly [{ messages: readonly Incoming[] }])[]): Message[] {
  return calls.flatMap(([frame]) => frame.messages.map((message) => ({ ...message, kind: undefined })));
}
