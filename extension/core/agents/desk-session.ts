import { z } from 'zod';
import { providerSafeSchema } from '../mcp/provider-schema.ts';
import type { DeskTool, ToolAnswer } from '../mcp/tool.ts';
import { question } from '../model/verdict.ts';
import type { AgentDesk } from './engine.ts';
import type { RunGuard } from './limits.ts';

const reportInput = z.object({ markdown: z.string().min(1).describe('The whole report so far, in Markdown; it replaces the one before') });
const askInput = z.object({ questions: z.array(question).min(1).max(4).describe('1 to 4 questions, asked together') });

const words = {
  report: 'Writes down what you know so far. Call it in your first steps and again whenever you learn something: it is all that survives if the run is cut off.',
  submit: 'Hands in your result. Call it once, as your last step. If it is refused, the answer names exactly the fields to correct: correct those and call it again.',
  ask_user: 'Asks the person who started this run. Use it only for what neither the material nor the code can tell. The answer may be that a question was skipped.',
};

/**
 * One run's dealings with its desk, the same for every engine: the three desk tools, whether a result was taken, and how often one was refused.
 * `onSettled` is called once, when nothing more is to come from the agent: its result was taken, or refused for the last time.
 */
export class DeskSession {
  private state: 'open' | 'accepted' | 'given_up' = 'open';
  private calls = 0;

  constructor(
    private readonly desk: AgentDesk,
    private readonly guard: RunGuard,
    private readonly onSettled: () => void = () => {},
  ) {}

  get accepted(): boolean {
    return this.state === 'accepted';
  }

  /** Refused for the last time: the desk takes nothing more. */
  get givenUp(): boolean {
    return this.state === 'given_up';
  }

  /** How often a result was handed in, whatever became of it. */
  get submissions(): number {
    return this.calls;
  }

  /** The desk's tools and the granted read tools, in a fixed order, so that prompts stay cacheable between runs. */
  tools(readTools: readonly DeskTool[]): DeskTool[] {
    return [
      { name: 'report', description: words.report, inputSchema: providerSafeSchema(reportInput), readOnly: false, call: (input) => this.report(input) },
      { name: 'submit', description: words.submit, inputSchema: this.desk.submitSchema, readOnly: false, call: (input) => this.submit(input) },
      { name: 'ask_user', description: words.ask_user, inputSchema: providerSafeSchema(askInput), readOnly: false, call: (input, signal) => this.ask(input, signal) },
      ...readTools,
    ];
  }

  /** Hands in a result. `recovered` says that the agent printed it instead of calling the tool. */
  async submit(input: unknown, recovered = false): Promise<ToolAnswer> {
    if (this.state !== 'open') return { ok: false, text: this.accepted ? 'A result was already taken. Stop here.' : 'No further attempt is taken. Stop here.' };
    this.calls++;
    const answer = await this.desk.submit(input, { recovered });
    // Two calls may be under way at once; only the first that settles counts.
    if (this.state === 'open' && (answer.accepted || answer.final)) {
      this.state = answer.accepted ? 'accepted' : 'given_up';
      this.onSettled();
    }
    return { ok: answer.accepted, text: answer.text };
  }

  private async report(input: unknown): Promise<ToolAnswer> {
    const parsed = reportInput.safeParse(input);
    if (!parsed.success) return refused('report', parsed.error);
    return { ok: true, text: (await this.desk.report(parsed.data.markdown)).text };
  }

  private async ask(input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const parsed = askInput.safeParse(input);
    if (!parsed.success) return refused('ask_user', parsed.error);
    const { text } = await this.guard.whilePaused(() => this.desk.askUser(parsed.data.questions, signal));
    return { ok: true, text };
  }
}

function refused(tool: string, error: z.ZodError): ToolAnswer {
  const problems = error.issues.map((issue) => `- ${issue.path.join('.') || '(input)'}: ${issue.message}`);
  return { ok: false, text: `The call of ${tool} was not understood. Correct these fields and call it again:\n${problems.join('\n')}` };
}
