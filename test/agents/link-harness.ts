import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../extension/core/base/clock.ts';
import { nullLogger } from '../../extension/core/base/logger.ts';
import { type FileJournal, openJournal } from '../../extension/core/journal/journal.ts';
import type { AnyEvent } from '../../extension/core/journal/port.ts';
import { nodeDisk } from '../../extension/core/review/apply/disk.ts';
import { createDesk } from '../../extension/core/review/desk/desk.ts';
import type { ReviewDesk } from '../../extension/core/review/port.ts';
import { FakeAnthropic, type FakeReply } from '../fixtures/fake-anthropic.ts';
import { agentPath } from './install.mjs';
import { Terminal } from './terminal.ts';

const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.js');
const key = 'sk-ant-test-dummy-key-of-some-length';

/** One line of `casebook link --json`. */
export interface Said {
  kind: 'listening' | 'connected' | 'disconnected' | 'proposed' | 'settled' | 'refused';
  port?: number;
  lock?: string;
  set?: string;
  file?: string;
  outcome?: string;
  client?: { client: string; version: string; pid?: number; calls: number };
}

export interface LinkRun {
  workspace: string;
  /** What `casebook link` has said so far, and the next line that satisfies. */
  said: Said[];
  hear(pick: (line: Said) => boolean): Promise<Said>;
  /** Ends it as Ctrl+C does; gives its exit code. */
  interrupt(): Promise<number | null>;
  /** Claude Code in a terminal of its own, which the link has; it is given a first prompt then, since what is asked of it before goes past the link. */
  claude(prompt: string): Promise<Terminal>;
  /** What was last to be seen of it, for a test that failed. */
  screens(): string[];
  /** `casebook review …` as from another terminal. */
  review(...args: string[]): Promise<{ code: number | null; output: string }>;
  /** The desk of another process, for what takes an editor. */
  desk: ReviewDesk;
  /** The first such event on record, waiting for it. */
  event<K extends AnyEvent['kind']>(kind: K, set?: string): Promise<Extract<AnyEvent, { kind: K }>>;
  model: FakeAnthropic;
  read(file: string): Promise<string>;
  remove(): Promise<void>;
}

/** `casebook link` on a workspace, with a home, a model and a record of its own. `script` answers each request of the agent's main conversation. */
export async function linkRun(files: Record<string, string>, script: (turn: number, workspace: string) => FakeReply): Promise<LinkRun> {
  const all = await realpath(await mkdtemp(join(tmpdir(), 'casebook-link-run-')));
  const [home, workspace, record] = [join(all, 'home'), join(all, 'ws'), join(all, 'record')];
  await Promise.all([home, workspace, record].map((folder) => mkdir(folder)));
  for (const [name, text] of Object.entries(files)) await writeFile(join(workspace, name), text);
  await settleClaude(home, workspace);
  const model = new FakeAnthropic((_request, turn) => script(turn, workspace), (tools) => tools.includes('Edit'));
  const url = await model.start();
  const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: all, LANG: 'C.UTF-8', CASEBOOK_LOG: 'debug' };
  const link = spawn(process.execPath, [cli, 'link', '--workspace', workspace, '--home', record, '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const said = new Lines(link);
  const terminals: Terminal[] = [];
  await said.hear((line) => line.kind === 'listening');
  const journal = await openJournal({ home: record, workspace, program: 'test', version: '0', logger: nullLogger });
  const desk = createDesk({ journal, clock: systemClock, logger: nullLogger, person: 'tester', roots: () => [{ name: 'ws', path: workspace }], disk: nodeDisk(), stateFolder: join(record, 'writes'), finish: () => 'whenDecided', policies: () => [] });
  return {
    workspace,
    model,
    desk,
    said: said.all,
    hear: (pick) => said.hear(pick),
    interrupt: () => ended(link, 'SIGINT'),
    claude: async (prompt) => {
      const agent = await startClaude({ env: { ...env, ANTHROPIC_BASE_URL: url }, cwd: workspace, args: ['--ide', '--permission-mode', 'manual'] });
      terminals.push(agent);
      await said.hear((line) => line.kind === 'connected');
      await agent.say(prompt);
      return agent;
    },
    screens: () => terminals.map(({ lastScreen }) => lastScreen),
    review: (...args) => runToEnd([cli, 'review', ...args, '--repo', workspace, '--home', record], env),
    event: (kind, set) => eventOf(journal, kind, set),
    read: (file) => readFile(join(workspace, file), 'utf8'),
    remove: async () => {
      for (const terminal of terminals) await terminal.end();
      await ended(link, 'SIGKILL');
      await desk.close('shutdown');
      await journal.close();
      await model.stop();
      await rm(all, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The lines of a program, as JSON; a wait for one that never comes fails with what was said once the program has ended. */
class Lines {
  readonly all: Said[] = [];
  private readonly listeners = new Set<() => void>();
  private over = false;

  constructor(child: ChildProcess) {
    if (child.stdout === null) throw new Error('the output of this program is not read');
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      this.all.push(JSON.parse(line) as Said);
      this.changed();
    });
    lines.on('close', () => {
      this.over = true;
      this.changed();
    });
  }

  hear(pick: (line: Said) => boolean): Promise<Said> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.all.find(pick);
        if (found === undefined && !this.over) return;
        this.listeners.delete(look);
        if (found === undefined) reject(new Error(`It ended without that: ${JSON.stringify(this.all)}`));
        else resolve(found);
      };
      this.listeners.add(look);
      look();
    });
  }

  private changed(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

/** Claude Code has been started by this user before: it asks for nothing at its start. */
export async function settleClaude(home: string, workspace: string): Promise<void> {
  await writeFile(join(home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true, theme: 'dark', autoUpdates: false, customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] }, projects: { [workspace]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } } }));
}

/** What keeps Claude Code from looking for its maker. */
export const claudeSwitches = { ANTHROPIC_API_KEY: key, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1', DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1', CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL: '1' };

/** Claude Code in a terminal of its own, ready for a prompt. */
export async function startClaude({ env, cwd, args }: { env: Record<string, string | undefined>; cwd: string; args: readonly string[] }): Promise<Terminal> {
  const command = `'${agentPath('claude')}' ${args.join(' ')} --model claude-opus-5-5`;
  const terminal = await Terminal.start(command, { cwd, env: { ...env, ...claudeSwitches, TERM: 'xterm-256color', SHELL: '/bin/sh' } });
  await terminal.shows(/^❯/mu);
  return terminal;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
  return child.exitCode;
}

async function runToEnd(args: readonly string[], env: Record<string, string | undefined>): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

async function eventOf<K extends AnyEvent['kind']>(journal: FileJournal, kind: K, set?: string): Promise<Extract<AnyEvent, { kind: K }>> {
  const fits = (event: AnyEvent): event is Extract<AnyEvent, { kind: K }> => event.kind === kind && (set === undefined || event.set === set);
  const later = Promise.withResolvers<Extract<AnyEvent, { kind: K }>>();
  const listening = journal.onEvent((event) => fits(event) && later.resolve(event));
  try {
    for await (const event of journal.read({ kinds: [kind] })) if (!('gap' in event) && fits(event)) return event;
    return await later.promise;
  } finally {
    listening.dispose();
  }
}
