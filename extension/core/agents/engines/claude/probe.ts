import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { isFailure, messageOf } from '../../../base/failure.ts';
import { type Finished, type Processes, runToEnd } from '../../../base/process.ts';
import type { EngineStatus } from '../../engine.ts';
import { claudeEnvironment } from './arguments.ts';

const authStatus = z.object({ loggedIn: z.boolean() });

export interface ClaudeFound {
  command: string;
  version: string;
}

/** Where the command line tool lies: the setting and nothing else if it is set, else the PATH and the two places its installer uses. */
function candidates(setting: string | undefined): string[] {
  return setting ? [setting] : ['claude', join(homedir(), '.local', 'bin', 'claude'), join(homedir(), '.claude', 'local', 'claude')];
}

/** Finds Claude Code and asks it whether somebody is signed in; no model is asked and nothing is sent. Never throws. */
export async function findClaude(
  processes: Processes,
  options: { path: string | undefined; env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<{ found?: ClaudeFound; status: EngineStatus }> {
  const env = claudeEnvironment(options.env);
  const run = (command: string, args: string[]): Promise<Finished> =>
    runToEnd(processes, command, args, { cwd: homedir(), env, signal: AbortSignal.any([options.signal, AbortSignal.timeout(20_000)]), maxBytes: 65_536 });
  for (const command of candidates(options.path)) {
    try {
      const end = await run(command, ['--version']);
      const version = /\d+\.\d+\.\d+\S*/.exec(new TextDecoder().decode(end.stdout))?.[0];
      if (end.code !== 0 || !version) return unusable('crashed', `${command} --version did not answer with a version`);
      const signedIn = signedInFrom(await run(command, ['auth', 'status', '--json']));
      if (signedIn === false) return unusable('not_signed_in', 'Claude Code is installed but nobody is signed in; run "claude" once in a terminal');
      return { found: { command, version }, status: { usable: true, label: `Claude Code ${version}`, version, destination: destinationOf(options.env) } };
    } catch (error) {
      if (!isFailure(error, 'not_found')) return unusable('crashed', `Claude Code could not be started: ${messageOf(error)}`);
    }
  }
  return unusable('not_installed', options.path ? `There is no program at ${options.path}` : 'Claude Code is not installed (no "claude" on the PATH)');
}

/** Undefined when this version does not say. */
function signedInFrom(end: Finished): boolean | undefined {
  try {
    const parsed = authStatus.safeParse(JSON.parse(new TextDecoder().decode(end.stdout)));
    return parsed.success ? parsed.data.loggedIn : undefined;
  } catch {
    return undefined;
  }
}

/** Where text and code go, for the person who is asked about it. */
function destinationOf(env: Readonly<Record<string, string | undefined>>): string {
  const base = env['ANTHROPIC_BASE_URL'];
  if (base) return URL.canParse(base) ? new URL(base).host : base;
  if (env['CLAUDE_CODE_USE_BEDROCK']) return 'Amazon Bedrock';
  if (env['CLAUDE_CODE_USE_VERTEX']) return 'Google Vertex AI';
  return 'api.anthropic.com';
}

const unusable = (reason: Extract<EngineStatus, { usable: false }>['reason'], message: string): { status: EngineStatus } => ({ status: { usable: false, reason, message } });
