import { providerSafeSchema } from '../../mcp/provider-schema.ts';
import type { DeskTool } from '../../mcp/tool.ts';
import { glob, list, read } from './files.ts';
import { gitBlame, gitLog, gitShow } from './history.ts';
import { grep } from './search.ts';
import type { AgentTool, ToolContext } from './tool.ts';

const all: readonly AgentTool[] = [read, list, glob, grep, gitLog, gitShow, gitBlame];

/** Names of the tools that need nothing but the repository. */
export const readToolNames: readonly string[] = all.map((tool) => tool.name);

/** The granted ones of the read tools. A granted name that is not known here belongs to somebody else and is left out. */
export function toolRegistry(granted: readonly string[]): AgentTool[] {
  return all.filter((tool) => granted.includes(tool.name));
}

/** The same tools as functions of a model's own tool call or over MCP. A call rejects with Failure `cancelled` only when the signal aborts. */
export function readDeskTools(granted: readonly string[], context: ToolContext): DeskTool[] {
  return toolRegistry(granted).map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: providerSafeSchema(tool.inputSchema),
    readOnly: true,
    async call(input, signal) {
      const result = await tool.run(input, context, signal);
      return { ok: !result.isError, text: result.text };
    },
  }));
}
