import type { APICallError, ModelMessage as AiMessage, ToolResultPart, ToolSet } from 'ai';
import { Failure, messageOf } from '../../../base/failure.ts';
import { itemsOrAborted } from '../../abortable.ts';
import type { LanguageModel, ModelFailureReason, ModelMessage, ModelPart, ModelTool } from '../../language-model.ts';

export interface Endpoint {
  baseUrl: string;
  model: string;
  key: string | undefined;
  /** Prices in USD for a million tokens, where the user has given them; without them the cost is unknown. */
  prices: { input: number; output: number; cached?: number } | undefined;
  maxInputTokens: number;
  /** Longest silence before the first part of an answer and between two parts, in milliseconds. */
  silenceMs: number;
}

/** One model behind an endpoint that speaks the Chat Completions API, over the `ai` package, which is loaded on first use. */
export function endpointModel(endpoint: Endpoint): LanguageModel {
  return {
    id: endpoint.model,
    vendor: hostOf(endpoint.baseUrl),
    family: endpoint.model,
    maxInputTokens: endpoint.maxInputTokens,
    // No tokenizer fits every model; four characters a token is within 2 % on English prose and code.
    countTokens: async (text) => Math.ceil(text.length / 4),
    send: (messages, tools, signal) => unlessSilent((either) => send(endpoint, messages, tools, either), endpoint, signal),
  };
}

/** The parts of `start`'s answer; after a silence that is too long the request is let go of, and it is Failure `network` with `detail.silentMs`. */
async function* unlessSilent<T>(start: (signal: AbortSignal) => AsyncIterable<T>, { silenceMs, baseUrl }: Endpoint, signal: AbortSignal): AsyncGenerator<T> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), silenceMs);
  try {
    for await (const part of itemsOrAborted(start(AbortSignal.any([signal, silent.signal])), silent.signal)) {
      timer.refresh();
      yield part;
      timer.refresh();
    }
  } catch (error) {
    if (!silent.signal.aborted || signal.aborted) throw error;
    throw new Failure<ModelFailureReason>('network', `${hostOf(baseUrl)} took the request and then sent nothing for ${silenceMs / 1000} seconds`, { detail: { silentMs: silenceMs }, cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function* send(endpoint: Endpoint, messages: readonly ModelMessage[], tools: readonly ModelTool[], signal: AbortSignal): AsyncGenerator<ModelPart> {
  const [ai, { createOpenAICompatible }] = await Promise.all([import('ai'), import('@ai-sdk/openai-compatible')]);
  const provider = createOpenAICompatible({ name: 'endpoint', baseURL: endpoint.baseUrl, includeUsage: true, ...(endpoint.key ? { apiKey: endpoint.key } : {}) });
  const toolSet: ToolSet = Object.fromEntries(tools.map((tool) => [tool.name, ai.tool({ description: tool.description, inputSchema: ai.jsonSchema(tool.inputSchema) })]));
  const result = ai.streamText({
    model: provider.chatModel(endpoint.model),
    // Ours, all of them: no part of the ticket is ever in a system message.
    allowSystemInMessages: true,
    messages: messages.flatMap(toAi),
    tools: toolSet,
    // The tool loop asks again by itself, so that one place bounds the attempts.
    maxRetries: 0,
    abortSignal: signal,
    onError: () => {},
  });
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') yield { type: 'text', text: part.text };
    else if (part.type === 'reasoning-delta') yield { type: 'thinking', text: part.text };
    else if (part.type === 'tool-call') yield { type: 'toolCall', id: part.toolCallId, name: part.toolName, input: part.input };
    else if (part.type === 'finish-step') {
      const usage = usageOf(part.usage, endpoint);
      if (usage) yield usage;
      yield { type: 'finish', reason: finishOf(part.finishReason) };
    } else if (part.type === 'error') throw failureOf(part.error, (error) => (ai.APICallError.isInstance(error) ? error : undefined));
  }
}

function toAi(message: ModelMessage): AiMessage[] {
  switch (message.role) {
    case 'tool':
      return [{ role: 'tool', content: message.results.map(toAiResult) }];
    case 'assistant': {
      const calls = message.calls.map((call) => ({ type: 'tool-call' as const, toolCallId: call.id, toolName: call.name, input: call.input }));
      return [{ role: 'assistant', content: [...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]), ...calls] }];
    }
    default:
      return [{ role: message.role, content: message.text }];
  }
}

function toAiResult(result: { id: string; name: string; ok: boolean; text: string }): ToolResultPart {
  return { type: 'tool-result', toolCallId: result.id, toolName: result.name, output: { type: result.ok ? 'text' : 'error-text', value: result.text } };
}

interface AiUsage {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  inputTokenDetails: { cacheReadTokens: number | undefined };
}

function usageOf(usage: AiUsage, { prices }: Endpoint): ModelPart | undefined {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return undefined;
  const cachedTokens = usage.inputTokenDetails.cacheReadTokens ?? 0;
  const inputTokens = Math.max(0, (usage.inputTokens ?? 0) - cachedTokens);
  const outputTokens = usage.outputTokens ?? 0;
  const usd = prices && (inputTokens * prices.input + cachedTokens * (prices.cached ?? prices.input) + outputTokens * prices.output) / 1e6;
  return { type: 'usage', inputTokens, cachedTokens, outputTokens, ...(usd === undefined ? {} : { usd }) };
}

function finishOf(reason: string): Extract<ModelPart, { type: 'finish' }>['reason'] {
  if (reason === 'stop' || reason === 'length') return reason;
  if (reason === 'tool-calls') return 'tool_calls';
  return reason === 'content-filter' ? 'refusal' : 'other';
}

/** What went wrong, in the run's words. The key never appears in these messages. */
function failureOf(error: unknown, asApiError: (error: unknown) => APICallError | undefined): Failure<ModelFailureReason> {
  const api = asApiError(error);
  if (api) {
    const status = api.statusCode;
    const retryAfterMs = retryAfter(api.responseHeaders?.['retry-after']);
    const detail = { ...(status === undefined ? {} : { status }), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    const words = status === undefined ? `${hostOf(api.url)} could not be reached` : `${hostOf(api.url)} answered ${status}: ${api.message.slice(0, 300)}`;
    return new Failure(reasonOf(status), words, { detail, cause: error });
  }
  if (isNetworkError(error)) return new Failure('network', messageOf(error), { cause: error });
  return new Failure('protocol', messageOf(error), { cause: error });
}

function reasonOf(status: number | undefined): ModelFailureReason {
  if (status === undefined) return 'network';
  if (status === 401 || status === 403) return 'not_signed_in';
  if (status === 404) return 'no_model';
  if (status === 429 || status === 529) return 'rate_limited';
  return status >= 500 || status === 408 ? 'network' : 'protocol';
}

function isNetworkError(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|UND_ERR)/.test(code) || (cause instanceof TypeError && /fetch failed|terminated/.test(cause.message));
}

/** Seconds, or an HTTP date, as milliseconds from now. */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  const milliseconds = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
