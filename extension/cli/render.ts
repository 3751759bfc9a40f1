import { join } from 'node:path';
import type { CaseState, StepState } from '../core/cases/state.ts';
import type { Citation } from '../core/model/code.ts';
import { forTerminal, onOneLine } from './terminal-text.ts';

/** The case as the terminal's JSON: stable names, documented in docs/cli.md. */
export function caseAsJson(state: CaseState): Record<string, unknown> {
  const run = state.runs.at(-1);
  return {
    case: state.id,
    status: state.status,
    ticket: { id: state.ticket.id, title: state.ticket.title, hash: state.ticket.hash },
    engine: run?.engine,
    choice: run?.choice,
    run: run?.ended,
    usage: run?.usage,
    verdict: state.verdict?.verdict,
    effective: state.verdict?.effective,
    proof: state.verdict?.proof,
    citations: state.citations,
    snapshot: state.snapshot,
    reply: state.reply,
    treeChanges: state.treeChanges,
    files: filesOf(state),
  };
}

/** The case for people, as plain text. */
export function caseInWords(state: CaseState): string {
  const run = state.runs.at(-1);
  const verdict = state.verdict;
  const lines = [
    '',
    `${onOneLine(state.title)}   [${state.id}]`,
    ...state.snapshot.roots.map((root) => `  ${root.name}: ${checkoutInWords(root)}`),
    `  engine: ${run?.choice ?? 'none'}`,
    '',
  ];
  if (verdict === undefined) {
    lines.push(`No verdict: ${run?.ended?.message ?? run?.ended?.reason ?? 'the run did not end'}`, `What was found is kept in ${filesOf(state).report}`, '');
    return forTerminal(lines.join('\n'));
  }
  const { effective } = verdict;
  lines.push(
    `VERDICT  ${effective.classification.replaceAll('_', ' ')}${effective.bugConfirmation === undefined ? '' : `, ${effective.bugConfirmation}`}   confidence ${effective.confidence}${verdict.decision === undefined ? '' : `   (${verdict.decision.kind} by ${verdict.decision.by})`}`,
    ...(verdict.decision?.kind === 'overridden' ? [`  because: ${onOneLine(verdict.decision.reason ?? '')}`] : []),
    `  ${verdict.verdict.summary}`,
    `  proof: ${verdict.proof.holds ? 'holds' : 'does not hold'}. ${verdict.proof.why}`,
    ...(verdict.verdict.limitations === undefined ? [] : [`  limits: ${verdict.verdict.limitations}`]),
    `  next: ${verdict.verdict.suggestedNextStep}`,
    '',
    'EVIDENCE',
    ...state.citations.filter((citation) => citation.origin !== 'report').map(citationInWords),
    '',
    ...(state.scout?.result === undefined ? [] : ['WHY THESE FILES', ...state.scout.result.suspects.slice(0, 5).map((suspect) => `  ${onOneLine(`${suspect.root}/${suspect.file}`)}\n${suspect.why.slice(0, 3).map((reason) => `      ${onOneLine(reason.text)} (${reason.signal} ${reason.weight.toFixed(2)})`).join('\n')}`), '']),
    'REPLY DRAFT',
    indent(state.reply?.text ?? ''),
    ...(state.reply?.findings ?? []).map((finding) => `  ${finding.severity === 'block' ? '✗' : '!'} ${finding.rule}: ${finding.message}`),
    '',
    'FILES',
    ...Object.values(filesOf(state)).map((file) => `  ${file}`),
    '',
  );
  return forTerminal(lines.join('\n'));
}

/** One live step as a line. */
export function stepInWords(step: StepState): string {
  const mark = { running: '…', done: '·', failed: '✗', denied: '⊘' }[step.state];
  return `${mark} ${onOneLine(step.title)}`;
}

/** Earlier cases that look alike, with what was found then; nothing when there are none. */
export function similarInWords(similar: readonly { case: string; title: string; classification?: string; why: string }[]): string {
  if (similar.length === 0) return '';
  return forTerminal(`\nEARLIER CASES THAT LOOK ALIKE\n${similar.map((one) => `  ${one.case}  ${(one.classification ?? 'open').padEnd(15)}  ${onOneLine(`${one.title}   ${one.why}`)}\n`).join('')}`);
}

function citationInWords(citation: Citation): string {
  const place = `${citation.file}${citation.line === undefined ? '' : `:${citation.line}`}`;
  const moved = citation.movedTo === undefined ? '' : ` to line ${citation.movedTo}`;
  return `  ${`${citation.state}${moved}`.padEnd(9)} ${onOneLine(`${place}${citation.note === undefined ? '' : `   ${citation.note}`}`)}`;
}

function checkoutInWords(root: CaseState['snapshot']['roots'][number]): string {
  if (root.commit === undefined) return `${root.path} (no version control)`;
  const behind = root.behind === undefined ? '' : `, ${root.behind} behind ${root.upstream ?? 'its upstream'} as last fetched`;
  return `${root.path} at ${root.commit.slice(0, 12)}${root.branch === undefined ? '' : ` on ${root.branch}`}, ${root.dirtyCount} uncommitted files${behind}`;
}

function filesOf(state: CaseState): { report: string; verdict?: string; citations?: string } {
  const report = join(state.folder, 'analysis.md');
  return state.verdict === undefined ? { report } : { report, verdict: join(state.folder, 'analysis.json'), citations: join(state.folder, 'citations.json') };
}

function indent(text: string): string {
  return text.split('\n').map((line) => `  ${line}`).join('\n');
}
