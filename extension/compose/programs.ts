import { homedir } from 'node:os';
import { childEnvironment, type Processes, runToEnd } from '../core/base/process.ts';
import type { CorePorts } from './ports.ts';

/** Git and ripgrep: where they are, and what they call themselves. Known after `look`, which does nothing in a workspace that is not trusted. */
export class Programs {
  private paths: { git?: string | undefined; ripgrep?: string | undefined } = {};
  private versions: { git?: string | undefined; ripgrep?: string | undefined } = {};

  constructor(
    private readonly ports: Pick<CorePorts, 'env' | 'trusted' | 'findPrograms'>,
    private readonly processes: Processes,
  ) {}

  /** The path of git, if another than the first on the search path is wanted. */
  get git(): string | undefined {
    return this.paths.git;
  }

  /** How to start ripgrep; undefined when it cannot be. */
  get ripgrep(): string | undefined {
    return this.versions.ripgrep === undefined ? undefined : (this.paths.ripgrep ?? 'rg');
  }

  get found(): { git: string | undefined; ripgrep: string | undefined } {
    return { git: this.versions.git, ripgrep: this.versions.ripgrep };
  }

  async look(): Promise<void> {
    if (this.ports.trusted?.() === false) return;
    this.paths = (await this.ports.findPrograms?.()) ?? {};
    const [git, ripgrep] = await Promise.all([this.versionOf(this.paths.git ?? 'git'), this.versionOf(this.paths.ripgrep ?? 'rg')]);
    this.versions = { git, ripgrep };
  }

  /** What a program calls itself, or undefined when it cannot be started. */
  private async versionOf(command: string): Promise<string | undefined> {
    try {
      const end = await runToEnd(this.processes, command, ['--version'], { cwd: homedir(), env: childEnvironment(this.ports.env), signal: AbortSignal.timeout(10_000), maxBytes: 4096 });
      return end.code === 0 ? new TextDecoder().decode(end.stdout).split('\n')[0]?.trim() : undefined;
    } catch {
      return undefined;
    }
  }
}
