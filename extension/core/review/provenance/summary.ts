import { forPeople } from '../../base/untrusted.ts';
import { escapeHtml, htmlPage } from '../../journal/exports/html.ts';
import type { Actor } from '../../model/actor.ts';
import { hunksDecided, type HunkVerdict } from '../../model/change.ts';
import type { SetState } from '../desk/state.ts';
import { trailers } from './trailers.ts';

/** One set as a summary tells it; texts are as they came, each format makes them safe for itself. */
interface Row {
  set: string;
  title: string;
  from: string;
  outcome: string;
  deciders: string[];
  /** ISO 8601; when it was settled, else when it was proposed. */
  at: string;
  reason?: string;
  files: { path: string; counts: Record<HunkVerdict, number>; pending: number }[];
  comments: { where: string; text: string; by: string }[];
}

/**
 * What was decided, for people who read it elsewhere: Markdown for a pull request, or one HTML page that needs nothing else. Agents and tickets wrote much of it: in Markdown
 * their words stand in code spans, where nobody is mentioned and nothing is linked; in HTML they are escaped.
 */
export function summary(sets: readonly SetState[], options: { title: string; format: 'markdown' | 'html' }): string {
  const rows = sets.map(rowOf).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return options.format === 'html' ? asHtml(options.title, rows) : asMarkdown(options.title, rows);
}

function rowOf(state: SetState): Row {
  const { settled } = state;
  const counts = (hunks: readonly { decision: HunkVerdict }[]): Row['files'][number]['counts'] => ({
    accept: hunks.filter((one) => one.decision === 'accept').length,
    reject: hunks.filter((one) => one.decision === 'reject').length,
    edited: hunks.filter((one) => one.decision === 'edited').length,
  });
  const origin = [state.origin.client, state.origin.model, state.origin.against].filter((part) => part !== undefined);
  return {
    set: state.id,
    title: state.title,
    from: origin.join(', '),
    outcome: settled === undefined ? 'pending' : settled.standing === false ? `${settled.outcome}, undone` : settled.outcome,
    deciders: (settled?.by ?? []).map(nameOf),
    at: settled?.at ?? state.openedAt,
    ...(settled?.reason === undefined ? {} : { reason: settled.reason }),
    files: settled === undefined ? state.files.map((file) => ({ path: file.key, counts: counts(Object.values(file.decisions)), pending: file.left })) : settled.files.map((file) => ({ path: `${file.root}/${file.path}`, counts: counts(hunksDecided(file)), pending: 0 })),
    comments: state.comments.map((comment) => ({ where: `${comment.file ?? 'the set'}${comment.line === undefined ? '' : `:${comment.line}`}`, text: comment.text, by: comment.by.name })),
  };
}

/** Somebody who decided, in words. */
export function nameOf(actor: Actor): string {
  return actor.kind === 'person' ? actor.name : `${actor.kind} ${actor.name}`;
}

function total(rows: readonly Row[], verdict: HunkVerdict): number {
  return rows.reduce((sum, row) => sum + row.files.reduce((all, file) => all + file.counts[verdict], 0), 0);
}

function totals(rows: readonly Row[]): string {
  const pending = rows.filter((row) => row.outcome === 'pending').length;
  const sets = `${rows.length} change ${rows.length === 1 ? 'set' : 'sets'}${pending === 0 ? '' : `, ${pending} of them still pending`}`;
  return `${sets}; hunks: ${total(rows, 'accept')} accepted, ${total(rows, 'edited')} edited, ${total(rows, 'reject')} rejected.`;
}

function fileWords(file: Row['files'][number]): string {
  const parts = [
    [file.counts.accept, 'accepted'],
    [file.counts.edited, 'edited'],
    [file.counts.reject, 'rejected'],
    [file.pending, 'undecided'],
  ] as const;
  return parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`).join(', ') || 'no hunk decided';
}

function asMarkdown(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return `## Review: ${span(title)}\n\nNothing was reviewed.\n`;
  const table = rows.map((row) => `| ${[span(row.title), span(row.from), row.outcome.replaceAll('_', ' '), row.deciders.map(span).join(', ') || '–', row.at.slice(0, 16).replace('T', ' '), `\`${row.set}\``].join(' | ')} |`);
  const details = rows.flatMap((row) => [
    '',
    `### ${span(row.title)}`,
    '',
    ...(row.reason === undefined ? [] : [`Reason: ${span(row.reason)}`, '']),
    ...row.files.map((file) => `- ${span(file.path)}: ${fileWords(file)}`),
    ...row.comments.map((comment) => `- comment by ${span(comment.by)} on ${span(comment.where)}: ${span(comment.text)}`),
  ]);
  return [`## Review: ${span(title)}`, '', totals(rows), '', '| change | from | outcome | decided by | when (UTC) | set |', '|---|---|---|---|---|---|', ...table, ...details, '', ...trailers(rows.map((row) => ({ id: row.set }))).map((line) => `    ${line}`), ''].join('\n');
}

/** Text as a code span: one line, nothing in it read as Markdown, HTML or a mention, hidden characters visible. */
function span(text: string): string {
  const clean = forPeople(text).text.replaceAll(/\s+/gu, ' ').trim();
  if (clean === '') return '–';
  const longest = Math.max(0, ...(clean.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = clean.startsWith('`') || clean.endsWith('`') ? ' ' : '';
  // In a table a bar ends the cell even in code.
  return `${fence}${pad}${clean.replaceAll('|', '\\|')}${pad}${fence}`;
}

function asHtml(title: string, rows: readonly Row[]): string {
  const cell = (text: string): string => `<td>${escapeHtml(text)}</td>`;
  const table = rows.map((row) => `<tr>${[row.title, row.from, row.outcome.replaceAll('_', ' '), row.deciders.join(', '), row.at.slice(0, 16).replace('T', ' '), row.set].map(cell).join('')}</tr>`);
  const details = rows.map((row) => {
    const files = row.files.map((file) => `<li>${escapeHtml(file.path)}: ${escapeHtml(fileWords(file))}</li>`);
    const comments = row.comments.map((comment) => `<li>${escapeHtml(`${comment.by} on ${comment.where}`)}<pre>${escapeHtml(comment.text)}</pre></li>`);
    return `<h2>${escapeHtml(row.title)}</h2>\n${row.reason === undefined ? '' : `<p>Reason: ${escapeHtml(row.reason)}</p>\n`}<ul>${[...files, ...comments].join('\n')}</ul>`;
  });
  const head = ['Change', 'From', 'Outcome', 'Decided by', 'When', 'Set'].map((name) => `<th>${name}</th>`).join('');
  return htmlPage(
    `Review: ${title}`,
    `<h1>Review: ${escapeHtml(title)}</h1>
<p>${escapeHtml(rows.length === 0 ? 'Nothing was reviewed.' : totals(rows))}</p>
<table><thead><tr>${head}</tr></thead><tbody>
${table.join('\n')}
</tbody></table>
${details.join('\n')}
<p class="meta">Written by Casebook. Times are UTC.</p>`,
  );
}
