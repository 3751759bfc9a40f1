import { sha256 } from '../../base/hash.ts';
import { baseLayer } from './base.ts';

export interface PromptLayers {
  /** Rules of the project for agents, from `.casebook/`; only after a person approved their content. */
  project?: string;
  /** A persona of the library, or the project's own. */
  persona: string;
}

/**
 * The system layers of a run, outermost first: Casebook's rules, the project's, the persona. The same input gives the same bytes; nothing that
 * changes from run to run (dates, paths, ticket text) belongs in here.
 */
export function systemLayers(layers: PromptLayers): string[] {
  return [baseLayer, ...(layers.project ? [`Rules of this project:\n\n${layers.project.trim()}`] : []), layers.persona.trim()];
}

/** Identifies what an agent was told, for the record: the layers and the prompt, each with its own hash. */
export function promptHash(system: readonly string[], prompt: string): string {
  return sha256([...system, prompt].map((part) => sha256(part)).join('\n'));
}
