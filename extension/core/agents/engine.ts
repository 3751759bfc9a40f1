import type { Effect, EngineName, RunLimits, RunOutcome, RunReason, Usage, VerbName } from '../model/run.ts';
import type { Answer, Question } from '../model/verdict.ts';

/**
 * EnginePort: whatever can run an agent. `start` yields what happens and exactly one `ended`, always last, also when the signal aborts,
 * the child dies or the engine throws; when the iterator finishes, no process or socket of the run is alive.
 */
export interface EnginePort {
  readonly name: EngineName;
  readonly capabilities: EngineCapabilities;
  /** Whether it can be used right now, cheaply (no model call). Never throws. */
  probe(signal: AbortSignal): Promise<EngineStatus>;
  start(request: RunRequest, signal: AbortSignal): AsyncIterable<RunEvent>;
}

export type EngineStatus =
  | { usable: true; label: string; version?: string; models?: string[]; destination: string }
  | { usable: false; reason: RunReason; message: string };

/** What the engine enforces by itself; for the rest Casebook must, or must say that nobody does. */
export interface EngineCapabilities {
  toolLimits: boolean;
  sandbox: boolean;
  schemaOutput: boolean;
  writeApproval: boolean;
  resume: boolean;
  cost: boolean;
  tokens: boolean;
  /** Text or code leaves this machine (or may): consent is needed first. */
  leavesMachine: boolean;
}

/** Of an engine that is our own code on this machine: there is nothing that it could do beyond its limits, and nothing to pay. */
export const ownCode: EngineCapabilities = { toolLimits: true, sandbox: true, schemaOutput: true, writeApproval: true, resume: false, cost: true, tokens: true, leavesMachine: false };

export interface RunRequest {
  run: string;
  case?: string;
  verb: VerbName;
  /** Prompt layers, outermost first: Casebook base, project, persona. Byte-stable between runs of the same kind, for cache hits. */
  system: readonly string[];
  prompt: string;
  /** Working folders; the first is the current one. */
  folders: readonly { name: string; path: string }[];
  effect: Effect;
  /** Names of Casebook's read tools that are granted: read, grep, glob, git_log, git_show, git_blame, diagnostics, symbols. */
  tools: readonly string[];
  model?: string;
  limits: RunLimits;
  /** Calls back into Casebook: the report/submit/ask_user tools. The engine's adapter serves them to its agent. */
  desk: AgentDesk;
  /** An engine's own session to go on with. */
  resume?: string;
}

/**
 * What an agent may say to Casebook while it runs; every method may be called from another process's MCP server.
 * Results are words for the model. `submit` validates: a refused submission names exactly the bad fields and stays in the same conversation.
 */
export interface AgentDesk {
  report(markdown: string): Promise<{ text: string }>;
  /** `recovered`: the agent printed the result instead of handing it in, and the engine took it from the text. */
  submit(input: unknown, how?: { recovered: boolean }): Promise<{ accepted: boolean; text: string; final: boolean }>;
  askUser(questions: readonly Question[], signal: AbortSignal): Promise<{ answers: Answer[]; text: string }>;
  /** The JSON Schema of `submit` in its provider-safe form (no $schema, title, allOf, if/then; every enum typed). */
  readonly submitSchema: Record<string, unknown>;
}

export type RunEvent =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'tool_call'; call: string; tool: string; summary: string; input?: unknown }
  | { type: 'tool_result'; call: string; ok: boolean; output: string }
  | { type: 'tool_denied'; call: string; tool: string; why: string }
  | { type: 'permission_asked'; id: string; action: string; effect: Effect }
  | { type: 'question_asked'; id: string; questions: readonly Question[] }
  | { type: 'usage'; usage: Usage }
  | { type: 'note'; level: 'info' | 'warn'; text: string; session?: string }
  | { type: 'ended'; outcome: RunOutcome; reason?: RunReason; message?: string };
