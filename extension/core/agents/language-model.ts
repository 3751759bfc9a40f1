import type { RunReason } from '../model/run.ts';

/**
 * A language model that can call tools, as the shared tool loop sees it. `host/` implements it over VS Code's Language Model API,
 * `engines/openai-compatible` over HTTP; `FakeLanguageModel` in the tests over a script.
 */
export interface LanguageModel {
  readonly id: string;
  readonly vendor: string;
  readonly family: string;
  /** Tokens that one request may hold. */
  readonly maxInputTokens: number;
  /**
   * One turn: sends the whole conversation, yields what the model says. Throws `Failure<ModelFailureReason>`, with `detail.retryAfterMs`
   * when the service named a time and `detail.silentMs` when it was silent for so long that asking again makes no sense. Must end soon after the signal aborts.
   */
  send(messages: readonly ModelMessage[], tools: readonly ModelTool[], signal: AbortSignal): AsyncIterable<ModelPart>;
  countTokens(text: string): Promise<number>;
}

export type ModelFailureReason = Extract<RunReason, 'no_model' | 'not_signed_in' | 'not_consented' | 'refused' | 'rate_limited' | 'network' | 'protocol' | 'crashed'>;

export interface ModelTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

export type ModelMessage =
  | { role: 'system' | 'user'; text: string }
  | { role: 'assistant'; text: string; calls: readonly ModelCall[] }
  | { role: 'tool'; results: readonly { id: string; name: string; ok: boolean; text: string }[] };

export interface ModelCall {
  id: string;
  name: string;
  /** As the model wrote it; an object when it was valid JSON, else the raw text. */
  input: unknown;
}

export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | ({ type: 'toolCall' } & ModelCall)
  /** Of this turn. `usd` only where the service names a price. */
  | { type: 'usage'; inputTokens: number; outputTokens: number; cachedTokens: number; usd?: number }
  | { type: 'finish'; reason: 'stop' | 'tool_calls' | 'length' | 'refusal' | 'other' };
