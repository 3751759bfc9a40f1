import { isFailure, messageOf } from '../core/base/failure.ts';
import { deskFileVariable, pipeToDesk } from '../core/mcp/desk-bridge.ts';
import { type CliCommand, exitCode } from './command.ts';

/**
 * `casebook mcp-desk`: what an agent's own process starts as its MCP server. It carries bytes between that agent and the run it belongs to;
 * the tools themselves live with the run. Not meant for people, so it is not listed in the help.
 */
export const mcpDesk: CliCommand & { hidden: true } = {
  name: 'mcp-desk',
  hidden: true,
  summary: 'Connects an agent with the run it belongs to (started by Casebook itself)',
  usage: `casebook mcp-desk   (${deskFileVariable} names the run's desk file)`,
  async run(args, context) {
    const file = context.env[deskFileVariable];
    if (args.length > 0 || !file) {
      context.writeError(`casebook mcp-desk takes no arguments and needs ${deskFileVariable}\n`);
      return exitCode.usage;
    }
    try {
      await pipeToDesk(file, process.stdin, process.stdout, context.signal);
      return exitCode.ok;
    } catch (error) {
      context.logger.debug('mcp-desk ended', { reason: isFailure(error) ? error.reason : undefined });
      context.writeError(`casebook mcp-desk: ${messageOf(error)}\n`);
      return exitCode.failed;
    }
  },
};
