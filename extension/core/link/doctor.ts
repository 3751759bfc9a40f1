import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { claudeFolder } from './discovery/claude.ts';
import { answersAt } from './discovery/files.ts';

/** What a client of the lock file would make of this window, and of every other one it finds. */
export interface LinkDiagnosis {
  /** One line for each thing that was looked at. */
  findings: Finding[];
  /** It would connect to this window. */
  connects: boolean;
}

export interface Finding {
  ok: boolean;
  text: string;
}

export interface DoctorInput {
  /** Port of this window's link; undefined where there is none, with `why`. */
  port: number | undefined;
  why?: string;
  /** Families that cannot find this window, in words. */
  unannounced: readonly string[];
  folders: readonly string[];
  /** Where the agent is started. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/** The fields by which a lock is chosen; everything else a client does not look at. */
const anyLock = z.object({ workspaceFolders: z.array(z.string()).default([]), ideName: z.string().optional(), transport: z.string().optional(), pid: z.number().optional() });

/** Walks discovery as Claude Code does (measured; docs/link.md): the folder of lock files, each lock with its folders and its port, then what the environment says. */
export async function diagnoseLink(input: DoctorInput): Promise<LinkDiagnosis> {
  const { port, env, home, cwd } = input;
  if (port === undefined) return { findings: [bad(input.why ?? 'This window hosts no link.')], connects: false };
  const findings: Finding[] = [good(`This window listens on port ${port}.`), ...input.unannounced.map(bad)];
  const folder = claudeFolder(env, home);
  const locks = await locksIn(folder);
  const fitting: number[] = [];
  for (const lock of locks) {
    const { text, fits } = await judge(lock, cwd, port);
    findings.push({ ok: fits, text });
    if (fits) fitting.push(lock.port);
  }
  const mine = fitting.includes(port);
  if (!locks.some((lock) => lock.port === port)) findings.push(bad(`There is no lock file of this window in ${folder}.`));
  if (mine && fitting.length > 1) findings.push(bad(`${fitting.length} windows fit ${cwd}: --ide connects to none of them. Close the others, or choose with /ide in the agent.`));
  findings.push(...environment(input));
  return { findings, connects: mine && fitting.length === 1 && findings.every((finding) => finding.ok || finding.text.startsWith('lock ')) };
}

interface FoundLock {
  port: number;
  content: z.infer<typeof anyLock> | undefined;
}

async function locksIn(folder: string): Promise<FoundLock[]> {
  const names = await readdir(folder).catch(() => []);
  const ports = names.flatMap((name) => /^(\d{1,5})\.lock$/u.exec(name)?.[1] ?? []);
  return Promise.all(ports.map(async (port) => ({ port: Number(port), content: await contentOf(join(folder, `${port}.lock`)) })));
}

async function contentOf(file: string): Promise<FoundLock['content']> {
  try {
    return anyLock.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

async function judge({ port, content }: FoundLock, cwd: string, own: number): Promise<{ text: string; fits: boolean }> {
  const name = `lock ${port}.lock${port === own ? ' (this window)' : content?.ideName === undefined ? '' : ` (${content.ideName})`}`;
  if (content === undefined) return { text: `${name}: cannot be read as a lock file, so it is passed over`, fits: false };
  if (content.transport !== 'ws') return { text: `${name}: is for another transport`, fits: false };
  if (!content.workspaceFolders.some((folder) => holds(folder, cwd))) return { text: `${name}: its folders are ${content.workspaceFolders.join(', ') || '(none)'}, and none of them holds ${cwd}`, fits: false };
  if (!(await answersAt({ port }))) return { text: `${name}: nobody listens on its port any more`, fits: false };
  return { text: `${name}: holds ${cwd} and answers`, fits: true };
}

function holds(folder: string, cwd: string): boolean {
  const path = relative(folder, cwd);
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`));
}

/** Variables of the agent's environment that lead it elsewhere. */
function environment({ env, port }: DoctorInput): Finding[] {
  const forced = env['CLAUDE_CODE_SSE_PORT'];
  return [
    ...(forced !== undefined && forced !== '' && Number(forced) !== port ? [bad(`CLAUDE_CODE_SSE_PORT is ${forced}: an agent with this environment dials that port and looks at no lock file. Unset it.`)] : []),
    ...(env['CLAUDE_CODE_AUTO_CONNECT_IDE'] === 'false' ? [bad('CLAUDE_CODE_AUTO_CONNECT_IDE is false: an agent with this environment connects to no editor.')] : []),
    ...(env['CLAUDE_CONFIG_DIR'] === undefined || env['CLAUDE_CONFIG_DIR'] === '' ? [] : [good(`CLAUDE_CONFIG_DIR is ${env['CLAUDE_CONFIG_DIR']}: an agent without it looks into another folder.`)]),
  ];
}

const good = (text: string): Finding => ({ ok: true, text });
const bad = (text: string): Finding => ({ ok: false, text });
