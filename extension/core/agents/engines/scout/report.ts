import type { ScoutResult } from '../../../model/code.ts';
import type { Submission } from '../../../model/verdict.ts';

/** The scout's report in the shape that investigations have; pure. Code spans keep what came from the ticket or the repository from being read as Markdown. */
export function scoutReport(verdict: Submission, result: ScoutResult): string {
  const clues = result.clues.slice(0, 12).map((clue) => `- ${clue.kind}: ${span(clue.text)}`);
  const places = verdict.evidence.map((one) => `- ${span(one.line === undefined ? one.file : `${one.file}:${one.line}`)}${one.note ? ` – ${plain(one.note)}` : ''}`);
  const history = result.history.slice(0, 5).map((hit) => `- ${span(hit.commit.slice(0, 10))} ${plain(hit.subject)} (${hit.date.slice(0, 10)}; ${plain(hit.why)})`);
  return [
    section('Symptom', clues.length > 0 ? ['What the ticket names:', ...clues] : ['The ticket names nothing that could be searched for.']),
    section('Investigation', ['A search by rules, without a model. Places in the code, best first:', ...(places.length > 0 ? places : ['- none'])]),
    ...(history.length > 0 ? [section('Recent changes that fit', history)] : []),
    section('Assessment', [verdict.summary]),
    section('Recommended next action', [verdict.suggestedNextStep]),
    section('Open questions', (verdict.openQuestions ?? []).map((text) => `- ${text}`)),
    section('Limitations', [verdict.limitations ?? '']),
  ].join('\n\n');
}

const section = (title: string, lines: string[]): string => `## ${title}\n\n${lines.join('\n')}`;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
const span = (text: string): string => `\`${oneLine(text).replaceAll('`', "'")}\``;
const plain = (text: string): string => oneLine(text).replaceAll(/[\\`*_[\]<>#|]/g, (char) => `\\${char}`);
