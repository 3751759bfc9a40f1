import type { Processes } from '../../base/process.ts';
import { providerSafeSchema } from '../../mcp/provider-schema.ts';
import type { DeskTool } from '../../mcp/tool.ts';
import type { Git } from '../../repo/git.ts';
import type { Root } from '../../repo/roots.ts';
import { readToolNames, toolRegistry } from './registry.ts';
import { Sharing } from '../../repo/sharing.ts';

export interface DeskToolOptions {
  roots: readonly Root[];
  git: Git;
  processes: Processes;
  env: Readonly<Record<string, string | undefined>>;
  /** Path of ripgrep; without it only plain text can be searched. */
  ripgrep?: string | undefined;
  mask(text: string): { text: string; count: number };
  /** The user's own patterns of files that are not shared, on top of the default ones. */
  notShared?: readonly string[];
  /** Names of the granted tools; all read tools when left out. */
  granted?: readonly string[];
}

/** The read tools as functions of a model's own tool call or over MCP. A call rejects with Failure `cancelled` only when its signal aborts; every other trouble is told in words. */
export function deskTools(options: DeskToolOptions): DeskTool[] {
  const { roots, git, processes, env, ripgrep } = options;
  const context = { roots, git, processes, env, sharing: new Sharing(options.notShared), mask: (text: string) => options.mask(text).text, ...(ripgrep === undefined ? {} : { ripgrep }) };
  return toolRegistry(options.granted ?? readToolNames).map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: providerSafeSchema(tool.inputSchema),
    readOnly: true,
    async call(input, signal) {
      const { isError, text } = await tool.run(input, context, signal);
      return { ok: !isError, text };
    },
  }));
}
