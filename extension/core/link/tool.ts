import type { z } from 'zod';
import { messageOf } from '../base/failure.ts';
import { providerSafeSchema } from '../mcp/provider-schema.ts';

/** What a tool answers: the texts of an MCP result, in order. Some clients take the second text for the file's content, so their number counts. */
export interface LinkAnswer {
  texts: readonly string[];
  /** The call did not do what it asked for. */
  failed?: boolean;
}

/** A tool of one session. `call` takes unchecked arguments and never throws: whatever goes wrong is a failed answer, never an empty success. */
export interface LinkTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  /** Of no use without an editor window: can be called, but is not offered. */
  readonly needsWindow: boolean;
  /** It changes nothing; absent where that is not known of it. */
  readonly readOnly?: boolean;
  call(input: unknown, signal: AbortSignal, progress?: Progress): Promise<LinkAnswer>;
}

/** Tells a client that waits how far its call is, in words; a client that did not ask for it hears nothing. */
export type Progress = (message: string) => void;

export interface ToolDefinition<Input extends z.ZodType> {
  name: string;
  description: string;
  input: Input;
  needsWindow?: boolean;
  readOnly?: boolean;
  /** How this tool says that it could not do what was asked, where plain words are not enough. */
  refuse?: (why: string) => LinkAnswer;
  run: (input: z.infer<Input>, signal: AbortSignal, progress: Progress) => Promise<LinkAnswer>;
}

export function linkTool<Input extends z.ZodType>(definition: ToolDefinition<Input>): LinkTool {
  const { name, description, input, needsWindow = false, readOnly, run, refuse = refusal } = definition;
  return {
    name,
    description,
    inputSchema: providerSafeSchema(input),
    needsWindow,
    ...(readOnly === undefined ? {} : { readOnly }),
    async call(given, signal, progress = () => {}) {
      const parsed = input.safeParse(given);
      if (!parsed.success) return refuse(parsed.error.issues.map((issue) => `${issue.path.join('.') || name}: ${issue.message}`).join('; '));
      try {
        return await run(parsed.data, signal, progress);
      } catch (error) {
        return refuse(messageOf(error));
      }
    },
  };
}

export function refusal(why: string): LinkAnswer {
  return { texts: [why], failed: true };
}

/** An answer of one JSON value, as text: this is how the clients of all dialects read data. */
export function jsonAnswer(value: unknown): LinkAnswer {
  return { texts: [JSON.stringify(value)] };
}
