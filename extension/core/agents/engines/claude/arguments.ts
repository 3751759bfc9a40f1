import { childEnvironment, networkVariables } from '../../../base/process.ts';
import { deskServerName } from '../../../mcp/desk-server.ts';
import type { RunRequest } from '../../engine.ts';

/** Claude Code's own read tools, by the names of Casebook's that they stand in for. */
const ownTools: Readonly<Record<string, string>> = { read: 'Read', grep: 'Grep', glob: 'Glob' };

/** The granted tools that Claude Code brings itself, and those that Casebook's server has to give it. */
export function splitTools(granted: readonly string[]): { own: string[]; ours: string[] } {
  return {
    own: granted.flatMap((name) => ownTools[name] ?? []),
    ours: granted.filter((name) => ownTools[name] === undefined),
  };
}

export interface ClaudeCall {
  request: RunRequest;
  mcpConfig: string;
  /** Names of the tools that our server offers. */
  deskTools: readonly string[];
  /** Patterns of files whose content no model may see, as in `core/repo/sharing.ts`. */
  notShared: readonly string[];
  resume: string | undefined;
  /** What is left of the run's limits. */
  turns: number | undefined;
  usd: number | undefined;
}

/**
 * The arguments of one call. Hermetic: no settings of the user or the project, no other MCP server, no skill, no tool but the granted ones, and
 * nobody is asked. Ticket text, tokens and keys are never among them: every user of the machine can read a process's arguments. The prompt goes
 * through standard input. List flags swallow what follows, so each is followed by another flag.
 */
export function claudeArguments(call: ClaudeCall): string[] {
  const { request } = call;
  const others = request.folders.slice(1).map((folder) => folder.path);
  return [
    '--print',
    ...['--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
    ...['--setting-sources', ''],
    ...['--strict-mcp-config', '--mcp-config', call.mcpConfig],
    ...['--disable-slash-commands'],
    ...['--tools', splitTools(request.tools).own.join(',')],
    ...['--allowedTools', call.deskTools.map((name) => `mcp__${deskServerName}__${name}`).join(',')],
    ...['--disallowedTools', ...otherTools, ...denyRules(request.folders, call.notShared)],
    ...['--permission-mode', 'dontAsk'],
    ...(others.length > 0 ? ['--add-dir', ...others] : []),
    ...(request.system.length > 0 ? ['--system-prompt', request.system.join('\n\n')] : []),
    ...(request.model ? ['--model', request.model] : []),
    ...(call.turns === undefined ? [] : ['--max-turns', String(Math.max(1, call.turns))]),
    ...(call.usd === undefined ? [] : ['--max-budget-usd', String(Math.max(0.0001, call.usd))]),
    ...(call.resume ? ['--resume', call.resume] : []),
  ];
}

const otherTools = ['Bash', 'Edit', 'Write', 'NotebookEdit', 'WebFetch', 'WebSearch', 'Task', 'Skill', 'ToolSearch'];

/** Claude Code's own tools know nothing of our rules about secret files, so each becomes a rule of its own; they hold for its searches too. */
function denyRules(folders: readonly { path: string }[], patterns: readonly string[]): string[] {
  // `//` makes the path absolute; a single slash would mean the settings' folder.
  return folders.flatMap((folder) => patterns.map((pattern) => `Read(/${folder.path.replaceAll('\\', '/')}/${pattern.startsWith('**/') ? pattern : `**/${pattern}`})`));
}

/** The MCP configuration with our server alone. `alwaysLoad`: otherwise the tools wait behind a search and the first request lacks `submit`. */
export function mcpConfig(desk: { command: string; args: readonly string[]; env: Readonly<Record<string, string>> }): string {
  return JSON.stringify({ mcpServers: { [deskServerName]: { type: 'stdio', command: desk.command, args: desk.args, env: desk.env, alwaysLoad: true } } });
}

const cloudSwitches = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];

/**
 * The environment of Claude Code: the plain variables, proxies and certificates, and its own account settings. The cloud providers' variables pass
 * only where Claude Code is told to use one. Everything else of the editor's environment stays behind.
 */
export function claudeEnvironment(source: Readonly<Record<string, string | undefined>>, set: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inCloud = cloudSwitches.some((name) => source[name]);
  const account = Object.keys(source).filter(
    (name) => name.startsWith('ANTHROPIC_') || name === 'CLAUDE_CONFIG_DIR' || name === 'CLAUDE_CODE_OAUTH_TOKEN' || (inCloud && (cloudSwitches.includes(name) || /^(AWS_|GOOGLE_|CLOUD_ML_|AZURE_|VERTEX_)/.test(name))),
  );
  return childEnvironment(source, {
    also: [...networkVariables, ...account],
    set: {
      CLAUDE_CODE_MAX_RETRIES: '2',
      CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_AUTO_CONNECT_IDE: 'false',
      // Without this the tool attaches every file that the prompt names with an @, wherever it lies: a stranger's ticket would choose what is sent.
      CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
      CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL: '1',
      DISABLE_AUTOUPDATER: '1',
      // A person may think about a question for as long as the run lasts; the run's own clock stands still meanwhile.
      MCP_TOOL_TIMEOUT: String(24 * 60 * 60 * 1000),
      ...set,
    },
  });
}
