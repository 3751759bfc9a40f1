import { basename } from 'node:path';

/** A lock file of Claude's family, as an agent sees it. */
export interface SeenLock {
  file: string;
  /** Absent where the file is not one that an agent could read. */
  content?: { port: number; pid?: number; folders: readonly string[]; name: string };
  /** This window wrote it. */
  own: boolean;
  /** A process of that number runs. */
  alive: boolean;
  /** Something takes connections at its port. */
  answers: boolean;
}

/** Everything that decides whether an agent finds a window. Paths are absolute; `cwd` and `folders` are real. */
export interface DoctorInput {
  link: { kind: 'on'; port: number; clients: readonly string[] } | { kind: 'off' | 'failed'; why: string };
  folders: readonly string[];
  /** Where the agent is started. */
  cwd: string;
  locks: readonly SeenLock[];
  /** Families whose file could not be written, each with the reason. */
  unannounced: readonly string[];
  /** Of the terminal that the agent is started in. */
  env: Readonly<Record<string, string | undefined>>;
  /** A mark of a container is there. */
  container: boolean;
  /** Extensions of the agents' makers that are installed. */
  companions: readonly { name: string; agent: string; served: 'casebook' | 'other' }[];
  /** Claude Code's default permission mode, where its settings name one. */
  claudeMode?: string | undefined;
}

export interface Finding {
  /** `problem`: it explains why no agent connects. */
  level: 'good' | 'note' | 'problem';
  text: string;
}

/** Modes in which Claude Code asks before it writes. */
const askingModes = ['default', 'manual', 'plan'];

/** Walks discovery as the agents do and says what stands in the way, most important first within each step. */
export function diagnose(input: DoctorInput): Finding[] {
  const { link } = input;
  if (link.kind !== 'on') return [problem(link.kind === 'off' ? `The link is off: ${link.why}` : `The link could not be started: ${link.why}`)];
  const who = link.clients.length === 0 ? 'nobody is connected' : `connected: ${link.clients.join(', ')}`;
  return [
    good(`This window listens on 127.0.0.1:${link.port}; ${who}.`),
    ...input.unannounced.map((why) => problem(why)),
    ...placeFindings(input),
    ...lockFindings(input),
    ...environmentFindings(input, link.port),
    ...companionFindings(input),
    modeFinding(input.claudeMode),
  ];
}

/** Whether Claude Code, started in `cwd`, takes a folder's window for its own: the folder itself, or anything below it. */
export function fits(cwd: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isBelow(cwd, folder));
}

function placeFindings({ cwd, folders }: DoctorInput): Finding[] {
  if (fits(cwd, folders)) return [good(`An agent started in ${cwd} is in a folder of this window.`)];
  const below = folders.filter((folder) => isBelow(folder, cwd));
  const list = folders.join(', ');
  if (below.length > 0) return [problem(`An agent started in ${cwd} is above this window's folders (${list}), and agents look only below them. Start it in one of those folders.`)];
  return [problem(`An agent started in ${cwd} is in none of this window's folders (${list}). Start it in one of them, or add its folder to the workspace.`)];
}

/** One line for each lock, and what follows from their number. */
function lockFindings({ locks, cwd, env }: DoctorInput): Finding[] {
  const judged = locks.map((lock) => ({ lock, why: refusal(lock, cwd) }));
  const lines = judged.map(({ lock, why }) => {
    const name = lock.own ? 'this window' : (lock.content?.name ?? 'unknown');
    const text = `${lock.file} (${name}): ${why === undefined ? 'fits' : `passed over, ${why}`}.`;
    return { level: lock.own && why !== undefined ? ('problem' as const) : ('note' as const), text };
  });
  const fitting = judged.filter(({ why }) => why === undefined);
  const others = fitting.filter(({ lock }) => !lock.own).map(({ lock }) => lock.content?.name ?? basename(lock.file));
  const own = locks.some((lock) => lock.own);
  const found: Finding[] = [];
  if (!own) found.push(problem('The lock file of this window is gone; “Casebook: Restart Link” writes it again.'));
  if (fitting.length > 1) found.push(problem(`${fitting.length} locks fit (also: ${others.join(', ')}). “claude --ide” then connects to none of them: choose one with /ide, or close the other window or extension.`));
  const elsewhere = env['CLAUDE_CONFIG_DIR'];
  if (elsewhere !== undefined && elsewhere !== '') found.push(note(`CLAUDE_CONFIG_DIR is ${elsewhere}: the lock is there. Agents that look only in ~/.claude/ide do not find this window.`));
  return [...lines, ...found];
}

/** Why an agent passes a lock over; undefined where it takes it. */
function refusal({ content, alive, answers }: SeenLock, cwd: string): string | undefined {
  if (content === undefined) return 'it cannot be read';
  if (!alive) return `its process ${content.pid ?? ''} is gone (Claude Code deletes such a file)`;
  if (!answers) return `nobody listens on port ${content.port}`;
  return fits(cwd, content.folders) ? undefined : `its folders (${content.folders.join(', ') || 'none'}) do not hold ${cwd}`;
}

function environmentFindings({ env, container }: DoctorInput, port: number): Finding[] {
  const found: Finding[] = [];
  const fixed = env['CLAUDE_CODE_SSE_PORT'];
  if (fixed !== undefined && fixed !== '' && Number(fixed) !== port) found.push(problem(`CLAUDE_CODE_SSE_PORT is ${fixed} in this terminal, so agents go there and not to ${port}. Open a new terminal, or unset it.`));
  if (env['CLAUDE_CODE_AUTO_CONNECT_IDE'] === 'false') found.push(note('CLAUDE_CODE_AUTO_CONNECT_IDE is false: Claude Code connects only when it is told to, by --ide or /ide.'));
  const proxy = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find((name) => (env[name] ?? '') !== '');
  const around = `${env['NO_PROXY'] ?? ''},${env['no_proxy'] ?? ''}`;
  if (proxy !== undefined && !/(?:^|,)\s*(?:\*|127\.0\.0\.1|localhost)/u.test(around)) found.push(note(`${proxy} is set and NO_PROXY does not name 127.0.0.1: some agents send even this through the proxy.`));
  const remote = ['SSH_CONNECTION', 'VSCODE_REMOTE_CONTAINERS_SESSION', 'REMOTE_CONTAINERS'].some((name) => (env[name] ?? '') !== '');
  if (container) found.push(note(remote ? 'This is a container. The agent has to run inside it too.' : 'This is a container: the agent has to run inside it too, and Gemini CLI looks for the editor outside of it unless REMOTE_CONTAINERS is set.'));
  return found;
}

function companionFindings({ companions }: DoctorInput): Finding[] {
  return companions.map(({ name, agent, served }) =>
    served === 'other'
      ? note(`${agent} is served by ${name}, which is installed here, and does not find Casebook. “Casebook: Choose Who Serves an Agent…” changes that.`)
      : problem(`${agent} is served by Casebook, but ${name} is installed too: where both are active, it may connect to neither. Disable one of them.`),
  );
}

function modeFinding(mode: string | undefined): Finding {
  if (mode !== undefined && askingModes.includes(mode)) return good(`Claude Code asks before it writes (permissions.defaultMode is ${mode}), so its changes come here for review.`);
  return note(`Claude Code${mode === undefined ? '’s usual mode' : ` in the mode ${mode}`} writes without asking, so no change comes here for review: start it with --permission-mode manual. What it wrote is found with “Casebook: Review What Changed…”.`);
}

function isBelow(path: string, folder: string): boolean {
  const trimmed = folder.length > 1 ? folder.replace(/[/\\]+$/u, '') : folder;
  return path === trimmed || path.startsWith(trimmed === '/' ? '/' : `${trimmed}/`) || path.startsWith(`${trimmed}\\`);
}

const good = (text: string): Finding => ({ level: 'good', text });
const note = (text: string): Finding => ({ level: 'note', text });
const problem = (text: string): Finding => ({ level: 'problem', text });
