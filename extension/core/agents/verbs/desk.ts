import type { EventKind } from '../../journal/kinds/index.ts';
import type { Journal, NewEvent } from '../../journal/port.ts';
import type { Actor } from '../../model/actor.ts';
import type { Answer, Question } from '../../model/verdict.ts';
import type { AgentDesk } from '../engine.ts';
import type { FieldProblem } from '../schema.ts';

/** A result may be sent back this often before the run ends without one. */
const mostRefusals = 4;

export interface VerbDeskOptions {
  journal: Journal;
  run: string;
  case?: string;
  agent: Actor;
  /** In its provider-safe form. */
  submitSchema: Record<string, unknown>;
  /** Every bad field; empty when the result can be taken. */
  judge(input: unknown): FieldProblem[];
  /** Called once, after the last refusal. */
  onExhausted(): void;
}

/** The desk of ask and decide: one result in a given shape, refused with exactly the bad fields until it fits; every step on record. Nobody is there to be asked. */
export class VerbDesk implements AgentDesk {
  accepted: { value: unknown; recovered: boolean } | undefined;
  attempts = 0;
  /** Results are judged one at a time, so that two at once cannot both be the one. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: VerbDeskOptions) {}

  get submitSchema(): Record<string, unknown> {
    return this.options.submitSchema;
  }

  get exhausted(): boolean {
    return this.attempts >= mostRefusals && this.accepted === undefined;
  }

  async report(markdown: string): Promise<{ text: string }> {
    await this.append('run.noted', { level: 'info', text: markdown.slice(0, 4000).toWellFormed() });
    return { text: 'Noted.' };
  }

  submit(input: unknown, how: { recovered?: boolean } = {}): Promise<{ accepted: boolean; text: string; final: boolean }> {
    const result = this.queue.then(() => this.judge(input, how.recovered === true));
    this.queue = result.catch(() => undefined);
    return result;
  }

  async askUser(questions: readonly Question[]): Promise<{ answers: Answer[]; text: string }> {
    return { answers: questions.map(() => ({ chosen: [], skipped: true })), text: 'Nobody is there to answer. Go on with what you can find out, and say what you had to assume.' };
  }

  private async judge(value: unknown, recovered: boolean): Promise<{ accepted: boolean; text: string; final: boolean }> {
    if (this.accepted !== undefined || this.exhausted) return { accepted: false, text: 'Nothing more is taken in this run.', final: true };
    this.attempts += 1;
    const problems = this.options.judge(value);
    if (problems.length === 0) {
      await this.append('result.submitted', { value, attempts: this.attempts, recovered });
      this.accepted = { value, recovered };
      return { accepted: true, text: 'Accepted. You are done.', final: true };
    }
    await this.append('result.refused', { attempt: this.attempts, problems });
    const listed = problems.map(({ path, message }) => `- ${path}: ${message}`).join('\n');
    if (this.exhausted) this.options.onExhausted();
    return { accepted: false, text: `Not accepted:\n${listed}\n${this.exhausted ? 'Nothing more is taken in this run.' : `Mend exactly these fields and submit again (${mostRefusals - this.attempts} left).`}`, final: this.exhausted };
  }

  private append<K extends EventKind>(kind: K, body: NewEvent<K>['body']): Promise<unknown> {
    const { journal, run, agent } = this.options;
    return journal.append({ kind, body, actor: agent, run, ...(this.options.case === undefined ? {} : { case: this.options.case }) });
  }
}
