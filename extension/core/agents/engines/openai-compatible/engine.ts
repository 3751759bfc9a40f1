import { messageOf } from '../../../base/failure.ts';
import type { DeskTool } from '../../../mcp/tool.ts';
import { DeskSession } from '../../desk-session.ts';
import type { EngineCapabilities, EnginePort, EngineStatus, RunEvent, RunRequest } from '../../engine.ts';
import { RunGuard } from '../../limits.ts';
import { type Ended, type RunStep, failed, withOneEnd } from '../../run-events.ts';
import { runToolLoop } from '../../tool-loop.ts';
import { type Endpoint, endpointModel, hostOf } from './model.ts';

export interface OpenAiCompatibleOptions {
  /** From the settings, read at every use; `http://localhost:11434/v1` and the like. */
  baseUrl: () => string | undefined;
  model: () => string | undefined;
  /** From the editor's secret storage or the environment; undefined for endpoints that ask for none. */
  secret: () => Promise<string | undefined>;
  readTools: (request: RunRequest) => readonly DeskTool[];
  prices?: () => Endpoint['prices'];
  /** Tokens that the model's window holds; 128 000 where nothing is known. */
  maxInputTokens?: () => number | undefined;
  /** Default: two minutes, which a local server on a slow machine may need for a long prompt. */
  silenceMs?: number;
}

const probeMilliseconds = 2_000;
const longestSilence = 120_000;

/** Any local or hosted endpoint that speaks OpenAI's Chat Completions API, with Casebook's own tool loop. */
export class OpenAiCompatibleEngine implements EnginePort {
  readonly name = 'openai-compatible';

  constructor(private readonly options: OpenAiCompatibleOptions) {}

  /** A server on this very machine keeps text and code here, as far as Casebook can know. */
  get capabilities(): EngineCapabilities {
    const baseUrl = this.options.baseUrl();
    return {
      toolLimits: true,
      sandbox: false,
      schemaOutput: false,
      writeApproval: true,
      resume: false,
      cost: this.options.prices?.() !== undefined,
      tokens: true,
      leavesMachine: baseUrl === undefined || !isLoopback(baseUrl),
    };
  }

  /** Asks the endpoint for its list of models, which costs nothing; one that has no such list is taken at its word. */
  async probe(signal: AbortSignal): Promise<EngineStatus> {
    const baseUrl = this.options.baseUrl()?.replace(/\/+$/, '');
    const model = this.options.model();
    if (!baseUrl) return { usable: false, reason: 'no_model', message: 'No endpoint is set (casebook.openaiCompatible.baseUrl)' };
    if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) return { usable: false, reason: 'protocol', message: `"${baseUrl}" is no http or https address` };
    if (!model) return { usable: false, reason: 'no_model', message: 'No model is set (casebook.openaiCompatible.model)' };
    const destination = hostOf(baseUrl);
    try {
      const key = await this.options.secret();
      const response = await fetch(`${baseUrl}/models`, { headers: key ? { authorization: `Bearer ${key}` } : {}, signal: AbortSignal.any([signal, AbortSignal.timeout(probeMilliseconds)]), redirect: 'error' });
      await response.body?.cancel();
      if (response.status === 401 || response.status === 403) return { usable: false, reason: 'not_signed_in', message: `${destination} does not take the key` };
      if (response.status >= 500) return { usable: false, reason: 'network', message: `${destination} answered ${response.status}` };
      return { usable: true, label: `${model} at ${destination}`, models: [model], destination };
    } catch (error) {
      return { usable: false, reason: 'network', message: `${destination} cannot be reached: ${causeOf(error)}` };
    }
  }

  start(request: RunRequest, signal: AbortSignal): AsyncIterable<RunEvent> {
    const guard = new RunGuard(request.limits, signal);
    return withOneEnd(guard, this.run(request, guard));
  }

  private async *run(request: RunRequest, guard: RunGuard): AsyncGenerator<RunStep, Ended> {
    const baseUrl = this.options.baseUrl()?.replace(/\/+$/, '');
    const name = request.model ?? this.options.model();
    if (!baseUrl || !name) return failed('no_model', 'No endpoint or no model is set');
    const prices = this.options.prices?.();
    const model = endpointModel({ baseUrl, model: name, key: await this.options.secret(), prices, maxInputTokens: this.options.maxInputTokens?.() ?? 128_000, silenceMs: this.options.silenceMs ?? longestSilence });
    yield { type: 'note', level: 'info', text: `Model ${name} at ${model.vendor}` };
    return yield* runToolLoop({ model, request, guard, session: new DeskSession(request.desk, guard), readTools: this.options.readTools(request), priced: prices !== undefined });
  }
}

function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const host = new URL(url).hostname;
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** `fetch failed` says nothing; its cause does. */
function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message || messageOf(error) : messageOf(error);
}
