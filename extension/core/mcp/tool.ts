/**
 * A tool as Casebook offers it to an agent, whatever the way: over MCP to another process, or as a function of a model's own tool call.
 * `call` gets unchecked input (an agent wrote it), checks it itself, never throws for bad input and answers in words for a model.
 */
export interface DeskTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input in its provider-safe form (`providerSafeSchema`); always an object schema. */
  readonly inputSchema: Record<string, unknown>;
  /** Changes nothing outside of the case's own record. */
  readonly readOnly: boolean;
  call(input: unknown, signal: AbortSignal): Promise<ToolAnswer>;
}

/** `ok: false` tells the agent that the call did not do what it asked for; the text says why and what to do instead. */
export interface ToolAnswer {
  ok: boolean;
  text: string;
}
