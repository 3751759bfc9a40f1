import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { claudeSwitches, settleClaude, startClaude } from '../../agents/link-harness.ts';
import type { Terminal } from '../../agents/terminal.ts';
import { FakeAnthropic, type FakeScript, type MainRequest } from '../../fixtures/fake-anthropic.ts';
import { eventsOf } from './review.ts';
import type { Server } from './server.ts';

/** What Claude Code, opencode and Kitsoki find a window by. */
export interface Lock {
  port: number;
  pid: number;
  workspaceFolders: string[];
  authToken: string;
  ideName: string;
}

/** The lock files below a home, as an agent of that user finds them. */
export async function locksIn(home: string): Promise<Lock[]> {
  const folder = join(home, '.claude', 'ide');
  const names = await readdir(folder).catch(() => []);
  const locks = await Promise.all(names.filter((name) => name.endsWith('.lock')).map(async (name) => ({ ...(JSON.parse(await readFile(join(folder, name), 'utf8')) as Omit<Lock, 'port'>), port: Number.parseInt(name, 10) })));
  return locks;
}

/** Waits for the one lock of a window. */
export async function lockOf(server: Pick<Server, 'home'>): Promise<Lock> {
  await expect.poll(() => locksIn(server.home), { timeout: 60_000 }).toHaveLength(1);
  return (await locksIn(server.home))[0] as Lock;
}

/** The real Claude Code of the user whose home the workbench has, against a scripted model. */
export class ClaudeUser {
  private readonly agents: Terminal[] = [];
  readonly model: FakeAnthropic;
  url = '';

  constructor(script: FakeScript) {
    this.model = new FakeAnthropic(script, (tools) => tools.includes('Edit'));
  }

  async start(): Promise<void> {
    this.url = await this.model.start();
  }

  /** In a terminal outside the editor, in the folder; resolves when the link has it. */
  async claude(server: Pick<Server, 'home' | 'casebookHome'>, cwd: string, args: readonly string[] = ['--ide', '--permission-mode', 'manual']): Promise<Terminal> {
    await settleClaude(server.home, cwd);
    const earlier = (await eventsOf(server.casebookHome, 'client.connected')).length;
    const agent = await startClaude({ env: { PATH: process.env['PATH'], HOME: server.home, LANG: 'C.UTF-8', ANTHROPIC_BASE_URL: this.url }, cwd, args });
    this.agents.push(agent);
    await expect.poll(async () => (await eventsOf(server.casebookHome, 'client.connected')).length, { timeout: 60_000 }).toBe(earlier + 1);
    return agent;
  }

  /** Types a prompt, once the agent shows what it was told of the editor; gives the request that the prompt leads to. */
  async ask(agent: Terminal, prompt: string, shown?: RegExp): Promise<MainRequest | undefined> {
    const { requests } = this.model;
    const earlier = requests.length;
    if (shown !== undefined) await agent.shows(shown);
    await agent.say(prompt);
    await expect.poll(() => requests.length, { timeout: 60_000 }).toBeGreaterThan(earlier);
    return requests[earlier];
  }

  /** What a terminal inside the editor needs for it. */
  get env(): Record<string, string> {
    return { ...claudeSwitches, ANTHROPIC_BASE_URL: this.url };
  }

  async stop(): Promise<void> {
    await Promise.all(this.agents.map((agent) => agent.end()));
    await this.model.stop();
  }
}

/** What a request to the model says of the editor: the sentences that Claude Code makes of what the link tells. */
export function toldOfEditor(request: { messages: readonly unknown[]; system: string } | undefined): string[] {
  const all = JSON.stringify([request?.messages ?? [], request?.system ?? '']);
  return [...all.matchAll(/The user (?:selected|opened) .{1,2500}?This may or may not/gu)].map(([words]) => words);
}
