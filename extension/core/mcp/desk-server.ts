import type { Transport } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { messageOf } from '../base/failure.ts';
import type { Logger } from '../base/logger.ts';
import type { DeskTool } from './tool.ts';

/** The name agents see in front of our tools: Claude Code calls `submit` of it `mcp__casebook__submit`. */
export const deskServerName = 'casebook';

export interface DeskServerOptions {
  tools: readonly DeskTool[];
  version: string;
  logger: Logger;
  /** Aborted when the run is over: calls that are still open are answered as cancelled. */
  signal: AbortSignal;
}

/**
 * Serves the desk's tools on one connection, in the protocol era the client opens with (2025 handshake or 2026-07-28).
 * An unknown tool is a protocol error (-32602); bad arguments and refusals are results with `isError`, so that the agent reads them;
 * neither ends the connection. Close the result to end it.
 */
export function serveDesk(transport: Transport, options: DeskServerOptions): { close(): Promise<void> } {
  return serveStdio(() => deskServer(options), {
    transport,
    onerror: (error) => options.logger.debug('A client of the desk sent something odd', { message: error.message }),
  });
}

/**
 * The low-level server on purpose: the high-level one checks arguments itself and answers with its own words,
 * while a refused submission has to name exactly the bad fields, in ours.
 */
function deskServer(options: DeskServerOptions): Server {
  const server = new Server({ name: deskServerName, version: options.version }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: options.tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: { ...tool.inputSchema, type: 'object' as const },
      annotations: { readOnlyHint: tool.readOnly, destructiveHint: false, openWorldHint: false },
    })),
  }));
  server.setRequestHandler('tools/call', async (request, context) => {
    const tool = options.tools.find((one) => one.name === request.params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${request.params.name}"; there are: ${options.tools.map((one) => one.name).join(', ')}`);
    const answer = await callTool(tool, request.params.arguments ?? {}, AbortSignal.any([options.signal, context.mcpReq.signal]), options.logger);
    return { content: [{ type: 'text' as const, text: answer.text }], isError: !answer.ok };
  });
  return server;
}

/** A tool that throws is our bug or the end of the run; the agent hears of it as a failed call either way. */
async function callTool(tool: DeskTool, input: unknown, signal: AbortSignal, logger: Logger): Promise<{ ok: boolean; text: string }> {
  try {
    return await tool.call(input, signal);
  } catch (error) {
    if (!signal.aborted) logger.warn('A desk tool failed', { tool: tool.name, message: messageOf(error) });
    return { ok: false, text: signal.aborted ? 'The run has ended; nothing was done.' : `The tool failed: ${messageOf(error)}` };
  }
}
