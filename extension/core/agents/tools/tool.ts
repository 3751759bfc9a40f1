import type { z } from 'zod';
import { Failure, isFailure, messageOf } from '../../base/failure.ts';
import type { Processes } from '../../base/process.ts';
import type { Git } from '../../repo/git.ts';
import type { Root } from '../../repo/roots.ts';
import type { Sharing } from '../../repo/sharing.ts';

/** What the read tools work on. */
export interface ToolContext {
  roots: readonly Root[];
  git: Git;
  processes: Processes;
  /** The environment to choose from for child processes. */
  env: Readonly<Record<string, string | undefined>>;
  /** Path of ripgrep; without it only plain text can be searched. */
  ripgrep?: string;
  sharing: Sharing;
  /** Replaces secrets in a tool's output. */
  mask(text: string): string;
}

/** `isError`: a refusal or a failure, in words for the model; never a failure of the run. `bytes` of the text before it was cut. */
export interface ToolResult {
  text: string;
  bytes: number;
  truncated: boolean;
  isError: boolean;
}

/** A tool that only reads. `run` gets input that its schema accepted, and may throw `Failure('refused')` with words for the model. */
export interface AgentTool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: z.ZodType<Input>;
  readonly effect: 'read';
  run(input: Input, context: ToolContext, signal: AbortSignal): Promise<ToolResult>;
}

/** What a tool's own code gives: text, and whether it stopped before the end. */
export interface Output {
  text: string;
  truncated?: boolean;
}

export type ToolFailureReason = 'refused' | 'cancelled';

/** No tool gives a model more than this at once. */
export const maxOutputBytes = 256 * 1024;

export function refused(why: string): Failure<ToolFailureReason> {
  return new Failure('refused', why);
}

/** Makes a tool out of a schema and its code: input checked, output masked and cut, every failure but a cancellation turned into words. */
export function readTool<Input>(definition: {
  name: string;
  description: string;
  inputSchema: z.ZodType<Input>;
  run(input: Input, context: ToolContext, signal: AbortSignal): Promise<Output>;
}): AgentTool {
  return {
    name: definition.name,
    description: definition.description,
    inputSchema: definition.inputSchema,
    effect: 'read',
    async run(input, context, signal) {
      const parsed = definition.inputSchema.safeParse(input);
      if (!parsed.success) {
        return result(`Invalid input: ${parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`).join('; ')}`, false, true);
      }
      try {
        const output = await definition.run(parsed.data, context, signal);
        return result(context.mask(output.text), output.truncated === true, false);
      } catch (error) {
        if (signal.aborted || isFailure(error, 'cancelled')) throw new Failure<ToolFailureReason>('cancelled', `${definition.name} was cancelled`, { cause: error });
        return result(context.mask(messageOf(error)), false, true);
      }
    },
  };
}

function result(text: string, truncated: boolean, isError: boolean): ToolResult {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxOutputBytes && !truncated) return { text, bytes, truncated: false, isError };
  const cut = bytes <= maxOutputBytes ? text : cutAt(text, maxOutputBytes);
  return { text: `${cut}\n[The output was cut here. Ask for a smaller part.]`, bytes, truncated: true, isError };
}

/** At most `bytes` of UTF-8, ending with a whole line where there is one. */
function cutAt(text: string, bytes: number): string {
  const head = new TextDecoder().decode(Buffer.from(text).subarray(0, bytes)).replace(/\uFFFD+$/u, '');
  const end = head.lastIndexOf('\n');
  return end > 0 ? head.slice(0, end) : head;
}
