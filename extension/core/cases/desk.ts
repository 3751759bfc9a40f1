import type { AgentDesk } from '../agents/engine.ts';
import { newId } from '../base/ids.ts';
import type { EventKind } from '../journal/kinds/index.ts';
import type { JournalEvent, NewEvent } from '../journal/port.ts';
import type { Actor } from '../model/actor.ts';
import type { Citation, Snapshot } from '../model/code.ts';
import type { Answer, Question, Submission, Verdict } from '../model/verdict.ts';
import type { CaseFiles } from './case-files.ts';
import type { CasesDeps } from './deps.ts';
import { claimsOf, downgrade, parseSubmission, proofProblems, verdictOf, type Problem } from './submission.ts';
import { waitForAnswer } from './waits.ts';

/** A submission may be sent back this often before the run ends with what it has. */
const maxRefusals = 3;
/** Longest report kept, in UTF-16 units; a longer one is cut with a note. */
const maxReport = 262_144;

export interface DeskOptions {
  deps: CasesDeps;
  files: CaseFiles;
  caseId: string;
  run: string;
  agent: Actor;
  snapshot: Snapshot;
  submitSchema: Record<string, unknown>;
  /** Called once, after the last refusal: the engine has nothing more to win and is to be ended. */
  onExhausted(): void;
}

/**
 * The desk at which an investigating agent reports, submits and asks. It writes every step into the journal and holds the
 * rules of the verdict: one submission, at most three refusals, every citation checked before it counts.
 */
export class InvestigationDesk implements AgentDesk {
  readonly submitSchema: Record<string, unknown>;
  verdict: Verdict | undefined;
  /** The verdict's citations with their check states. */
  checked: readonly Citation[] = [];
  latestReport: string | undefined;
  exhausted = false;
  private refusals = 0;
  /** Submissions are judged one at a time, so that two at once cannot both be the one. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: DeskOptions) {
    this.submitSchema = options.submitSchema;
  }

  async report(markdown: string): Promise<{ text: string }> {
    const cut = markdown.length > maxReport;
    const text = cut ? `${markdown.slice(0, maxReport)}\n\n(cut: the report was longer than ${maxReport} characters)` : markdown;
    this.latestReport = text;
    await this.options.files.writeReport(text);
    await this.append('report.written', { markdown: text, partial: this.verdict === undefined });
    return { text: cut ? 'Saved, but cut: keep the report shorter.' : 'Saved. Keep it current as you learn more.' };
  }

  submit(input: unknown, how: { recovered?: boolean } = {}): Promise<{ accepted: boolean; text: string; final: boolean }> {
    const result = this.queue.then(() => this.judge(input, how.recovered === true));
    this.queue = result.catch(() => undefined);
    return result;
  }

  async askUser(questions: readonly Question[], signal: AbortSignal): Promise<{ answers: Answer[]; text: string }> {
    const { deps } = this.options;
    const skipped: Answer[] = questions.map(() => ({ chosen: [], skipped: true }));
    if (questions.length < 1 || questions.length > 4) return { answers: skipped, text: 'Ask between 1 and 4 questions at a time.' };
    const id = newId('q');
    const gone = new AbortController();
    const answered = waitForAnswer(deps.journal, id, AbortSignal.any([signal, gone.signal]));
    await this.append('question.asked', { id, questions: [...questions] });
    if (!deps.attended) {
      gone.abort();
      await this.append('question.answered', { id, answers: skipped }, { kind: 'policy', name: 'unattended' });
      return { answers: skipped, text: 'Nobody is there to answer. Go on with what you can find out, and list the question under openQuestions.' };
    }
    const answers = (await answered) ?? skipped;
    return { answers, text: answersInWords(questions, answers) };
  }

  private async judge(input: unknown, recovered: boolean): Promise<{ accepted: boolean; text: string; final: boolean }> {
    if (this.verdict !== undefined) return { accepted: false, text: 'A verdict was already submitted; it cannot be changed.', final: true };
    if (this.exhausted) return { accepted: false, text: 'No further submission is taken in this run.', final: true };
    const parsed = parseSubmission(input);
    if (!parsed.ok) return this.refuse(parsed.problems);
    const { deps, snapshot } = this.options;
    const checked = await deps.evidence.check(claimsOf(parsed.submission), snapshot, AbortSignal.timeout(60_000));
    const problems = proofProblems(parsed.submission, checked);
    if (problems.length > 0 && this.refusals < maxRefusals - 1) return this.refuse(problems);
    return this.accept(parsed.submission, checked, problems, recovered);
  }

  private async refuse(problems: Problem[]): Promise<{ accepted: boolean; text: string; final: boolean }> {
    this.refusals += 1;
    this.exhausted = this.refusals >= maxRefusals;
    await this.append('verdict.refused', { attempt: this.refusals, problems });
    if (this.exhausted) this.options.onExhausted();
    const listed = problems.map((problem) => `- ${problem.path}: ${problem.message}`).join('\n');
    const rest = this.exhausted ? 'No further submission is taken in this run.' : `Mend exactly these fields and submit again (${maxRefusals - this.refusals} left).`;
    return { accepted: false, text: `Not accepted:\n${listed}\n${rest}`, final: this.exhausted };
  }

  private async accept(submitted: Submission, checked: Citation[], problems: Problem[], recovered: boolean): Promise<{ accepted: boolean; text: string; final: boolean }> {
    const claimed = verdictOf(submitted);
    const downgraded = problems.length > 0 && claimed.bugConfirmation === 'confirmed' ? problems.map((problem) => problem.message).join(' ') : undefined;
    const verdict = downgraded === undefined ? claimed : downgrade(claimed, downgraded);
    this.verdict = verdict;
    this.checked = checked;
    await this.append('verdict.submitted', { verdict, recovered, downgraded });
    await this.append('citations.checked', { citations: checked, cause: 'verdict' });
    await this.append('reply.drafted', { text: verdict.proposedCustomerReply });
    await this.options.files.writeVerdict(verdict, checked);
    const found = checked.filter((citation) => citation.state === 'verified').length;
    return { accepted: true, text: `Accepted. ${found} of ${checked.length} citations verified. You are done.`, final: true };
  }

  private append<K extends EventKind>(kind: K, body: NewEvent<K>['body'], actor: Actor = this.options.agent): Promise<JournalEvent<K>> {
    const { deps, caseId, run } = this.options;
    return deps.journal.append({ kind, body, actor, case: caseId, run });
  }
}

function answersInWords(questions: readonly Question[], answers: readonly Answer[]): string {
  return questions
    .map((question, index) => {
      const answer = answers[index];
      if (answer === undefined || answer.skipped) return `${question.question}\n(not answered; go on without it)`;
      return `${question.question}\n${[...answer.chosen, ...(answer.text === undefined ? [] : [answer.text])].join('; ')}`;
    })
    .join('\n\n');
}
