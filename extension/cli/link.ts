import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { headlessEditor } from '../core/link/headless-editor.ts';
import { type Link, type LinkEvent, startLink } from '../core/link/server.ts';
import { usualSharing } from '../core/link/shared-editor.ts';
import { type CliCommand, type CliContext, exitCode } from './command.ts';
import { coreOptions, openCore } from './open.ts';
import { lineForTerminal } from './terminal-text.ts';

const usage = `casebook link [--workspace FOLDER]… [options]

  --workspace  a folder that agents may propose changes in; may be given several times (default: the current folder)
  --home       where the journal lives (default: $CASEBOOK_HOME, else the platform's state folder)
  --json       one JSON object per line on standard output

Runs until it is interrupted (Ctrl+C). Start the agent in the workspace, e.g. "claude --ide --permission-mode manual";
what it proposes waits until it is decided, here or elsewhere: "casebook review accept SET --repo FOLDER".

Exit code 0: it was ended by an interrupt and everybody who waited was told.`;

/** `casebook link`: the server that agents take for their editor, without an editor. Sets are decided from another terminal. */
export const linkCommand: CliCommand = {
  name: 'link',
  summary: 'Let coding agents propose their changes for review',
  usage,
  async run(args, context) {
    const { json, home } = coreOptions;
    const { values } = parseArgs({ args, options: { json, home, workspace: { type: 'string', multiple: true } } });
    const core = await openCore(context, { repo: values.workspace, home: values.home });
    try {
      const say = values.json === true ? sayJson(context) : sayWords(context);
      const { cases, sources, journal, review } = core;
      const own = { cases, sources, journal, desk: review, ticketFromText: (text: string) => core.ticketFromText(text, 'pasted') };
      const link = await startLink({ desk: review, journal, own, editor: headlessEditor, sharing: usualSharing, trusted: () => true, roots: core.roots, version: core.version, logger: context.logger.child('link'), env: context.env, home: context.env['HOME'] ?? homedir() });
      link.onEvent((event) => say.event(event));
      say.listening(link, core.roots().map((root) => root.path));
      await interrupted(context.signal);
      await link.close('shutdown');
      return exitCode.ok;
    } finally {
      await core.close();
    }
  },
};

interface Teller {
  listening(link: Link, folders: readonly string[]): void;
  event(event: LinkEvent): void;
}

function sayJson(context: CliContext): Teller {
  const line = (value: unknown): void => context.write(`${JSON.stringify(value)}\n`);
  return {
    listening: ({ port, files }, folders) => line({ kind: 'listening', port, lock: files['claude'], files, folders }),
    event: (event) => line(event.kind === 'settled' ? { ...event, outcome: event.outcome.outcome } : event),
  };
}

/** One line for each thing that happens. Names come from the clients, so nothing of them may move the cursor or add a line. */
function sayWords(context: CliContext): Teller {
  const line = (text: string): void => context.write(`${lineForTerminal(text)}\n`);
  return {
    listening: ({ port }, folders) => line(`Agents find Casebook on port ${port} for ${folders.join(', ')}`),
    event: (event) => {
      const text = inWords(event);
      if (text !== undefined) line(text);
    },
  };
}

function inWords(event: LinkEvent): string | undefined {
  if (event.kind === 'announced' || event.kind === 'changed') return undefined;
  if (event.kind === 'refused') return `refused ${event.count === 1 ? 'a connection' : `${event.count} more connections`}: ${event.refusal.why}`;
  const who = `${event.client.client} ${event.client.version}`;
  switch (event.kind) {
    case 'connected':
      return `${who} connected`;
    case 'disconnected':
      return `${who} left`;
    case 'proposed':
      return `${event.set} ${who} proposes a change to ${event.file}`;
    default:
      return `${event.set} ${event.outcome.outcome}`;
  }
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    // The signal alone keeps no process alive; the listening server does.
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
