import type { Usage } from '../../../model/run.ts';
import { deskServerName } from '../../../mcp/desk-server.ts';
import { type RunStep, summarise } from '../../run-events.ts';
import { type ClaudeBlock, type ClaudeResult, type ClaudeTokens, resultMessage, resultText, streamEvent, systemMessage, turnMessage } from './messages.ts';

const ourTools = `mcp__${deskServerName}__`;

/**
 * Reads the messages of one process of Claude Code and says what they mean for the run. Holds what the end is judged by: the result line, the
 * session, whether our desk was reached, and the text of the last turn. Pure but for its own state.
 */
export class ClaudeReader {
  result: ClaudeResult | undefined;
  session: string | undefined;
  deskFailed = false;
  /** What the agent wrote in its last turn; a printed result would be in it. */
  lastText = '';
  private lastMessage: string | undefined;
  private readonly perMessage = new Map<string, { input: number; cached: number; output: number }>();
  private readonly denied = new Set<string>();
  private readonly names = new Map<string, string>();

  /** `before` are the sums of earlier processes of the same run. */
  constructor(private readonly before: Usage) {}

  read(value: Record<string, unknown>): RunStep[] {
    switch (value['type']) {
      case 'system':
        return this.system(value);
      case 'assistant':
      case 'user':
        return this.turn(value);
      case 'stream_event':
        return this.partial(value);
      case 'result':
        return this.end(value);
      default:
        return [];
    }
  }

  private system(value: Record<string, unknown>): RunStep[] {
    const parsed = systemMessage.safeParse(value);
    if (!parsed.success) return [];
    const message = parsed.data;
    if (message.subtype === 'init') {
      this.session = message.session_id ?? this.session;
      this.deskFailed = message.mcp_servers.some((server) => server.name === deskServerName && server.status === 'failed');
      const text = `Claude Code ${message.claude_code_version ?? ''}, model ${message.model ?? 'unknown'}`.replace('  ', ' ');
      return [{ type: 'note', level: 'info', text, ...(this.session ? { session: this.session } : {}) }];
    }
    if (message.subtype === 'permission_denied') {
      this.denied.add(message.tool_use_id);
      return [{ type: 'tool_denied', call: message.tool_use_id, tool: toolName(message.tool_name), why: message.message }];
    }
    if (message.subtype === 'api_retry') {
      const status = message.error_status === undefined ? '' : ` (${message.error_status})`;
      return [{ type: 'note', level: 'warn', text: `The model's service did not answer${status}; attempt ${message.attempt} of ${message.max_retries}` }];
    }
    return [];
  }

  private turn(value: Record<string, unknown>): RunStep[] {
    const parsed = turnMessage.safeParse(value);
    if (!parsed.success) return [];
    const { type, message } = parsed.data;
    if (type === 'user') return message.content.flatMap((block) => this.toolResult(block));
    const events: RunStep[] = message.content.flatMap((block) => this.said(block, message.id));
    if (message.id !== undefined && message.usage && this.count(message.id, message.usage)) events.push({ type: 'usage', usage: this.usage() });
    return events;
  }

  private said(block: ClaudeBlock, message: string | undefined): RunStep[] {
    if (block.type === 'text' && block.text) {
      // One event per block: blocks of one message belong together.
      this.lastText = message !== undefined && message === this.lastMessage ? this.lastText + block.text : block.text;
      this.lastMessage = message;
      return [{ type: 'text', text: block.text }];
    }
    if (block.type === 'thinking' && block.thinking) return [{ type: 'thinking', text: block.thinking }];
    if (block.type !== 'tool_use' || block.id === undefined) return [];
    const tool = toolName(block.name ?? 'unknown');
    this.names.set(block.id, tool);
    return [{ type: 'tool_call', call: block.id, tool, summary: summarise(tool, block.input), input: block.input }];
  }

  private toolResult(block: ClaudeBlock): RunStep[] {
    if (block.type !== 'tool_result' || block.tool_use_id === undefined) return [];
    const call = block.tool_use_id;
    const output = resultText(block.content);
    if (this.denied.has(call)) return [];
    if (block.is_error && /No such tool available/.test(output)) return [{ type: 'tool_denied', call, tool: this.names.get(call) ?? 'unknown', why: 'This run does not grant the tool' }];
    return [{ type: 'tool_result', call, ok: block.is_error !== true, output }];
  }

  private partial(value: Record<string, unknown>): RunStep[] {
    const parsed = streamEvent.safeParse(value);
    if (!parsed.success) return [];
    const { event } = parsed.data;
    if (event.type === 'message_start' && event.message) {
      this.streaming = event.message.id;
      if (event.message.usage && this.count(event.message.id, event.message.usage)) return [{ type: 'usage', usage: this.usage() }];
      return [];
    }
    const known = this.streaming === undefined ? undefined : this.perMessage.get(this.streaming);
    if (event.type !== 'message_delta' || !event.usage || !known) return [];
    known.output = Math.max(known.output, event.usage.output_tokens);
    return [{ type: 'usage', usage: this.usage() }];
  }
  private streaming: string | undefined;

  /** Takes a message's counts the first time it is seen: it comes again with every block, and its output count there is not the real one. */
  private count(id: string, usage: ClaudeTokens): boolean {
    if (this.perMessage.has(id)) return false;
    this.perMessage.set(id, { input: usage.input_tokens + usage.cache_creation_input_tokens, cached: usage.cache_read_input_tokens, output: usage.output_tokens });
    return true;
  }

  private end(value: Record<string, unknown>): RunStep[] {
    const parsed = resultMessage.safeParse(value);
    if (!parsed.success) return [];
    this.result = parsed.data;
    this.session = parsed.data.session_id ?? this.session;
    return [{ type: 'usage', usage: this.usage() }];
  }

  /** Sums over the run. The result line has the true ones, except after the money limit, where its token counts are all 0. */
  usage(): Usage {
    const said = this.result?.usage;
    const counted = [...this.perMessage.values()];
    const trusted = said && said.input_tokens + said.output_tokens + said.cache_creation_input_tokens + said.cache_read_input_tokens > 0 ? said : undefined;
    const sum = (key: 'input' | 'cached' | 'output'): number => counted.reduce((total, one) => total + one[key], 0);
    const usd = this.result?.total_cost_usd;
    const total = usd === undefined ? this.before.usd : (this.before.usd ?? 0) + usd;
    return {
      inputTokens: this.before.inputTokens + (trusted ? trusted.input_tokens + trusted.cache_creation_input_tokens : sum('input')),
      cachedTokens: this.before.cachedTokens + (trusted ? trusted.cache_read_input_tokens : sum('cached')),
      outputTokens: this.before.outputTokens + (trusted ? trusted.output_tokens : sum('output')),
      turns: this.before.turns + counted.length,
      ...(total === undefined ? {} : { usd: total }),
    };
  }
}

/** Our own tools under their own names, as in every other engine. */
function toolName(name: string): string {
  return name.startsWith(ourTools) ? name.slice(ourTools.length) : name;
}
