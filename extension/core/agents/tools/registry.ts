import { glob, list, read } from './files.ts';
import { gitBlame, gitLog, gitShow } from './history.ts';
import { grep } from './search.ts';
import type { AgentTool } from './tool.ts';

const all: readonly AgentTool[] = [read, list, glob, grep, gitLog, gitShow, gitBlame];

/** Names of the tools that need nothing but the repository. */
export const readToolNames: readonly string[] = all.map((tool) => tool.name);

/** The granted ones of the read tools. A granted name that is not known here belongs to somebody else and is left out. */
export function toolRegistry(granted: readonly string[]): AgentTool[] {
  return all.filter((tool) => granted.includes(tool.name));
}
