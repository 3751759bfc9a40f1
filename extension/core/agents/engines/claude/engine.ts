import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { Logger } from '../../../base/logger.ts';
import type { Child, Processes } from '../../../base/process.ts';
import { type DeskBridge, deskFileVariable, openDeskBridge } from '../../../mcp/desk-bridge.ts';
import type { DeskTool } from '../../../mcp/tool.ts';
import { DeskSession } from '../../desk-session.ts';
import type { EngineCapabilities, EnginePort, EngineStatus, RunEvent, RunRequest } from '../../engine.ts';
import { RunGuard, endOfStopped } from '../../limits.ts';
import { recoverPrintedJson } from '../../recover.ts';
import { type Ended, type RunStep, completed, failed, withOneEnd } from '../../run-events.ts';
import { emptyEnd } from '../../tool-loop.ts';
import { defaultNotShared } from '../../../repo/sharing.ts';
import { claudeArguments, claudeEnvironment, mcpConfig, splitTools } from './arguments.ts';
import { endingOf } from './ending.ts';
import { groupGone } from './group.ts';
import { jsonLines } from './json-lines.ts';
import { findClaude } from './probe.ts';
import { ClaudeReader } from './reader.ts';
import { sandboxArguments, sandboxWorks } from './sandbox.ts';

export interface ClaudeOptions {
  processes: Processes;
  logger: Logger;
  version: string;
  /** The user's setting; undefined to look on the PATH. */
  path: () => string | undefined;
  /** This process's environment; what may go on from it is decided here. */
  env: () => Readonly<Record<string, string | undefined>>;
  /** How `casebook mcp-desk` is started on this machine, e.g. node with `dist/cli.js mcp-desk` (in VS Code: its own binary as node). */
  deskCommand: { command: string; args: readonly string[]; env: Readonly<Record<string, string>> };
  /** The granted read tools of a run that Claude Code does not bring itself, bound to its folders and snapshot. */
  readTools: (request: RunRequest) => readonly DeskTool[];
  /** Patterns of files whose content no model may see; those of `core/repo/sharing.ts` if absent. */
  notShared?: readonly string[];
  /** Whether to wrap Claude Code in bubblewrap where that works. */
  sandbox: boolean;
}

/** After the result was taken the agent may say its last words for this long. */
const settleMilliseconds = 10_000;
const graceMilliseconds = 2_000;
/** How often an agent that stops without a result is sent back into its conversation. */
const reminders = 2;
const reminder = 'You stopped without a result. Hand it in now by calling the submit tool of the casebook server; printing it does not count.';

/** The user's own Claude Code, in print mode, read-only and shut off from its settings. */
export class ClaudeEngine implements EnginePort {
  readonly name = 'claude';
  private sandboxed: boolean | undefined;
  /** What the last successful look found, and for which setting. */
  private known: { path: string | undefined; command: string } | undefined;

  constructor(private readonly options: ClaudeOptions) {}

  /** `sandbox` is false until `probe` has tried it. */
  get capabilities(): EngineCapabilities {
    return { toolLimits: true, sandbox: this.sandboxed === true, schemaOutput: false, writeApproval: true, resume: true, cost: true, tokens: true, leavesMachine: true };
  }

  async probe(signal: AbortSignal): Promise<EngineStatus> {
    await this.trySandbox(signal);
    return (await this.find(signal)).status;
  }

  private async find(signal: AbortSignal): Promise<{ command: string; status: EngineStatus }> {
    const path = this.options.path();
    const { found, status } = await findClaude(this.options.processes, { path, env: this.options.env(), signal });
    this.known = found && { path, command: found.command };
    return { command: found?.command ?? 'claude', status };
  }

  start(request: RunRequest, signal: AbortSignal): AsyncIterable<RunEvent> {
    const guard = new RunGuard(request.limits, signal);
    return withOneEnd(guard, this.run(request, guard));
  }

  private async trySandbox(signal: AbortSignal): Promise<boolean> {
    if (!this.options.sandbox) return false;
    // A probe that was cut short says nothing about the machine.
    if (this.sandboxed === undefined) {
      const works = await sandboxWorks(this.options.processes, signal);
      if (!signal.aborted) this.sandboxed = works;
    }
    return this.sandboxed === true;
  }

  private async *run(request: RunRequest, guard: RunGuard): AsyncGenerator<RunStep, Ended> {
    // The engine was probed when it was chosen; asking twice costs two starts of a large program.
    const known = this.known?.path === this.options.path() ? this.known : undefined;
    const { command, status } = known ? { command: known.command, status: undefined } : await this.find(guard.signal);
    guard.signal.throwIfAborted();
    if (status?.usable === false) return failed(status.reason, status.message);
    const settled = new AbortController();
    let settling: NodeJS.Timeout | undefined;
    const session = new DeskSession(request.desk, guard, () => {
      settling = setTimeout(() => settled.abort(), settleMilliseconds);
    });
    const ours = splitTools(request.tools).ours;
    const tools = session.tools(this.options.readTools(request).filter((tool) => ours.includes(tool.name)));
    const bridge = await openDeskBridge({ tools, version: this.options.version, logger: this.options.logger, signal: guard.signal });
    try {
      return yield* this.converse({ request, guard, session, tools, bridge, command, stop: AbortSignal.any([guard.signal, settled.signal]) });
    } finally {
      clearTimeout(settling);
      await bridge.close();
    }
  }

  /** Calls Claude Code, and again in the same session while it stops without a result. */
  private async *converse(run: ClaudeRun): AsyncGenerator<RunStep, Ended> {
    const { request, guard, session } = run;
    let prompt = request.prompt;
    let resume = request.resume;
    for (let reminded = 0; ; reminded++) {
      const reader = new ClaudeReader(guard.usage);
      const end = yield* this.call(run, reader, prompt, resume);
      const ended: Ended | undefined = session.accepted
        ? completed
        : session.givenUp
          ? failed('invalid_result', 'The result was refused for the last time')
          : end.outcome === 'completed' && request.verb !== 'converse'
            ? undefined
            : { type: 'ended', ...end };
      if (ended) return ended;
      const answer = yield* recover(session, reader, request);
      if (session.accepted) return completed;
      if (session.givenUp || reminded >= reminders || !reader.session || !guard.mayTakeTurn()) {
        guard.signal.throwIfAborted();
        return emptyEnd(session);
      }
      prompt = answer ?? reminder;
      resume = reader.session;
    }
  }

  /** One process of Claude Code, from start to the death of its whole group. `abandon` ends it for a reason of this engine's own. */
  private async *call(run: ClaudeRun, reader: ClaudeReader, prompt: string, resume: string | undefined): AsyncGenerator<RunStep, Omit<Ended, 'type'>> {
    const { guard } = run;
    const abandon = new AbortController();
    const child = await this.spawn(run, prompt, resume, abandon.signal);
    const stderr = tail(child.stderr);
    let bad = 0;
    let readAll = false;
    try {
      for await (const line of jsonLines(child.stdout)) {
        if (!line.ok) {
          if (bad++ === 0) yield { type: 'note', level: 'warn', text: `Claude Code wrote something that is not JSON: ${line.head}` };
          continue;
        }
        for (const event of reader.read(line.value)) {
          if (event.type === 'usage') guard.used(event.usage);
          yield event;
        }
        if (reader.deskFailed) abandon.abort();
      }
      readAll = true;
    } finally {
      // The consumer may leave in the middle. After the last line the process ends by itself, and a signal now would change its exit code.
      if (!readAll) abandon.abort();
      await child.exited;
      await groupGone(child.pid, graceMilliseconds + 3000);
    }
    const { code, signal } = await child.exited;
    if (bad > 1) yield { type: 'note', level: 'warn', text: `${bad} lines of its output were not JSON and were passed over` };
    const stopped = endOfStopped(guard);
    if (stopped) return stopped;
    if (reader.deskFailed) return { outcome: 'failed', reason: 'protocol', message: 'Claude Code could not reach the tools of this run' };
    return endingOf({ code, signal, stderr: await stderr, result: reader.result });
  }

  private async spawn(run: ClaudeRun, prompt: string, resume: string | undefined, abandon: AbortSignal): Promise<Child> {
    const { request, guard, bridge } = run;
    const { deskCommand, processes } = this.options;
    const config = join(bridge.folder, 'mcp.json');
    await writeFile(config, mcpConfig({ ...deskCommand, env: { ...deskCommand.env, [deskFileVariable]: bridge.file } }), { mode: 0o600 });
    const args = claudeArguments({
      request,
      mcpConfig: config,
      deskTools: run.tools.map((tool) => tool.name),
      notShared: this.options.notShared ?? defaultNotShared,
      resume,
      turns: request.limits.turns === undefined ? undefined : request.limits.turns - guard.usage.turns,
      usd: request.limits.usd === undefined ? undefined : request.limits.usd - (guard.usage.usd ?? 0),
    });
    const cwd = request.folders[0]?.path;
    if (!cwd) throw new Failure('protocol', 'The run has no folder to work in');
    const sandbox = await this.trySandbox(guard.signal);
    const scratch = join(bridge.folder, 'tmp');
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const env = claudeEnvironment(this.options.env(), sandbox ? { TMPDIR: scratch } : {});
    const wrapper = sandbox ? await this.wrapper(run, env) : [];
    const [command, ...rest] = [...wrapper, run.command, ...args];
    return processes.spawn(command ?? run.command, rest, { cwd, env, stdin: prompt, graceMs: graceMilliseconds, signal: AbortSignal.any([run.stop, abandon]) });
  }

  private async wrapper(run: ClaudeRun, env: Record<string, string>): Promise<string[]> {
    const { deskCommand } = this.options;
    const state = env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? homedir(), '.claude');
    // Without it the session could not be kept, and a run that stops without a result could not be sent back into it.
    await mkdir(state, { recursive: true, mode: 0o700 });
    const plan = {
      folders: run.request.folders.map((folder) => folder.path),
      scratch: run.bridge.folder,
      state: [state],
      programs: [run.command, deskCommand.command, ...deskCommand.args].filter((path) => isAbsolute(path)),
    };
    return ['bwrap', ...(await sandboxArguments(plan, env['HOME']))];
  }
}

interface ClaudeRun {
  request: RunRequest;
  guard: RunGuard;
  session: DeskSession;
  tools: readonly DeskTool[];
  bridge: DeskBridge;
  command: string;
  /** Aborts for a stop, a limit, or when the agent goes on long after its result was taken. */
  stop: AbortSignal;
}

/** Words for the agent when a printed result was found and refused; undefined when none was found. */
async function* recover(session: DeskSession, reader: ClaudeReader, request: RunRequest): AsyncGenerator<RunStep, string | undefined> {
  const required = request.desk.submitSchema['required'];
  const printed = recoverPrintedJson(reader.lastText, Array.isArray(required) && required.length > 0 ? [String(required[0])] : []);
  if (!printed) return undefined;
  yield { type: 'note', level: 'warn', text: 'The agent printed its result instead of handing it in; it was taken from the text' };
  return (await session.submit(printed, true)).text;
}

/** The last of what a stream brings; reads all of it, so that a full pipe never stops the child. */
async function tail(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) text = (text + decoder.decode(chunk, { stream: true })).slice(-4000);
  return text;
}
