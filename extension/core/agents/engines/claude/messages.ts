import { z } from 'zod';

/**
 * The parts of Claude Code's stream-json output (version 2.1) that Casebook reads. Key order varies, fields come and go, new types and subtypes
 * appear: every part is optional, what is not understood is passed over.
 */
const tokens = z.object({
  input_tokens: z.number().catch(0),
  output_tokens: z.number().catch(0),
  cache_creation_input_tokens: z.number().catch(0),
  cache_read_input_tokens: z.number().catch(0),
});
export type ClaudeTokens = z.infer<typeof tokens>;

export const systemMessage = z.object({
  type: z.literal('system'),
  subtype: z.string().catch(''),
  session_id: z.string().optional().catch(undefined),
  model: z.string().optional().catch(undefined),
  claude_code_version: z.string().optional().catch(undefined),
  mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })).catch([]),
  tool_name: z.string().catch('unknown'),
  tool_use_id: z.string().catch(''),
  message: z.string().catch(''),
  attempt: z.number().catch(0),
  max_retries: z.number().catch(0),
  error_status: z.number().optional().catch(undefined),
});

const block = z.object({
  type: z.string(),
  text: z.string().optional().catch(undefined),
  thinking: z.string().optional().catch(undefined),
  id: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional().catch(undefined),
  content: z.unknown().optional(),
  is_error: z.boolean().optional().catch(undefined),
});
export type ClaudeBlock = z.infer<typeof block>;

export const turnMessage = z.object({
  type: z.enum(['assistant', 'user']),
  message: z.object({
    id: z.string().optional().catch(undefined),
    content: z.array(block.catch({ type: 'unknown' })).catch([]),
    usage: tokens.optional().catch(undefined),
  }),
});

/** With `--include-partial-messages`: the model's own stream, the only place where a message's real output count appears while the run goes on. */
export const streamEvent = z.object({
  type: z.literal('stream_event'),
  event: z.object({
    type: z.string(),
    message: z.object({ id: z.string(), usage: tokens.optional().catch(undefined) }).optional().catch(undefined),
    usage: z.object({ output_tokens: z.number() }).optional().catch(undefined),
  }),
});

export const resultMessage = z.object({
  type: z.literal('result'),
  subtype: z.string().catch(''),
  is_error: z.boolean().catch(false),
  result: z.string().optional().catch(undefined),
  errors: z.array(z.unknown()).catch([]),
  stop_reason: z.string().nullish().catch(undefined),
  terminal_reason: z.string().nullish().catch(undefined),
  api_error_status: z.number().nullish().catch(undefined),
  session_id: z.string().optional().catch(undefined),
  total_cost_usd: z.number().optional().catch(undefined),
  usage: tokens.optional().catch(undefined),
});
export type ClaudeResult = z.infer<typeof resultMessage>;

/** Text of a tool's result, whichever of its shapes it comes in. */
export function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (part !== null && typeof part === 'object' && 'text' in part && typeof part.text === 'string' ? part.text : '')).join('\n');
}
