import { Failure } from './failure.ts';
import type { Child, Processes, SpawnOptions } from './process.ts';

/**
 * Starts nothing as long as nobody has trusted the workspace, whoever asks and for whatever program: a repository may bring settings by which
 * even a harmless one runs something. Rejects with Failure `not_trusted`.
 */
export class TrustedProcesses implements Processes {
  constructor(
    private readonly processes: Processes,
    private readonly trusted: () => boolean,
  ) {}

  async spawn(command: string, args: readonly string[], options: SpawnOptions): Promise<Child> {
    if (!this.trusted()) throw new Failure<'not_trusted'>('not_trusted', `${command} was not started: the workspace is not trusted`);
    return this.processes.spawn(command, args, options);
  }
}
