import type { EngineName, Usage } from '../../model/run.ts';
import type { SlotTemplate, Synonyms } from './resolvers.ts';

/** How a verb's run went, the same for all of them. */
export interface VerbRun {
  run: string;
  engine: EngineName;
  /** Why this engine. */
  choice: string;
  usage?: Usage | undefined;
}

/**
 * Why there is no result, by what would help: another engine or a later time (`infrastructure`), a better model or a clearer task (`capability`: nothing usable was
 * handed in), a higher limit (`limit`), or nothing, since a person ended it (`stopped`).
 */
export type NoResult = 'infrastructure' | 'capability' | 'limit' | 'stopped';

export type VerbResult<T> = ({ ok: true } & T & VerbRun) | ({ ok: false; why: NoResult; message: string } & VerbRun);

/** Common to all verbs. */
export interface VerbCall {
  engine: EngineName | 'auto';
  model?: string;
  /** Which surface it came from, for the record. */
  via: string;
  case?: string;
}

/** What a prompt is about: names with their values. It is data to the model, fenced, never part of the instruction. */
export type Material = Readonly<Record<string, unknown>>;

export interface AskArgs {
  prompt: string;
  material?: Material;
  /** JSON Schema of an object: the answer also comes in this shape. */
  schema?: Record<string, unknown>;
  /** Read tools that are granted; all of them if absent. */
  tools?: readonly string[];
}

export interface DecideArgs {
  prompt: string;
  material?: Material;
  /** JSON Schema of an object: the shape of the decision. */
  schema: Record<string, unknown>;
  tools?: readonly string[];
}

export interface ExtractArgs {
  /** What somebody typed. */
  input: string;
  /** JSON Schema of an object: what it has to become. */
  schema: Record<string, unknown>;
  synonyms?: Synonyms;
  templates?: readonly SlotTemplate[];
  /** Asks a model where the rules do not tell. */
  model: boolean;
}

export interface Asked {
  text: string;
  /** In the shape of the schema, where one was given. */
  submitted?: unknown;
  /** The answer was printed instead of handed in. */
  printed: boolean;
}

export interface Decided {
  submitted: unknown;
  rationale: string;
  /** How often something was handed in, the accepted one included. */
  attempts: number;
}

export interface Extracted {
  submitted: unknown;
  /** The cheapest tier that told it. */
  resolved_by: 'synonyms' | 'slot_template' | 'llm';
}

/** `unresolved`: the rules do not tell, and no model was to be asked. */
export type ExtractResult = ({ ok: true } & Extracted & Partial<VerbRun>) | ({ ok: false; why: NoResult | 'unresolved'; message: string } & Partial<VerbRun>);

export type VerbFailureReason = 'bad_schema' | 'bad_arguments' | 'no_engine' | 'not_consented';

/** Ways to call an agent, by what may go wrong. All of them only read. They reject with Failure of VerbFailureReason before anything has run; after that the result says how it went. */
export interface Verbs {
  /** A typed value out of a phrase: by what was written down beforehand first, by a model only then. It sees no code. */
  readonly extract: (args: ExtractArgs, call: VerbCall, signal: AbortSignal) => Promise<ExtractResult>;
  /** A question, answered from the code. */
  readonly ask: (args: AskArgs, call: VerbCall, signal: AbortSignal) => Promise<VerbResult<Asked>>;
  /** A judgement in a given shape, with its reason. */
  readonly decide: (args: DecideArgs, call: VerbCall, signal: AbortSignal) => Promise<VerbResult<Decided>>;
}
