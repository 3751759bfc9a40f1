import { html, nothing, type TemplateResult } from 'lit';
import type { HunkView, LineView, PartView } from '../../../extension/shared/review-protocol.ts';
import { icon } from '../../shared/ui.ts';
import type { Token } from '../highlight.ts';
import { type Differences, differencesIn, type Stretch } from '../intraline.ts';
import { type LineRow, partOf, placeOf } from '../rows.ts';
import { words } from '../words.ts';
import type { DiffContext } from './context.ts';

type Side = 'base' | 'proposed';

/** Differences of two lines that were compared already, by the line of the base. */
const compared = new WeakMap<LineView, { with: LineView; found: Differences | undefined }>();

function differences(base: LineView, proposed: LineView): Differences | undefined {
  const known = compared.get(base);
  if (known?.with === proposed) return known.found;
  const found = differencesIn(base.text, proposed.text);
  compared.set(base, { with: proposed, found });
  return found;
}

/** One line; unified in one column, side by side in two. */
export function lineTemplate(row: LineRow, context: DiffContext): TemplateResult {
  const { base, proposed, hunk } = row;
  if (context.layout === 'split') {
    return html`${cell('base', base, hunk, hunk === undefined ? undefined : proposed, row, context)}${cell('proposed', proposed, hunk, hunk === undefined ? undefined : base, row, context)}`;
  }
  const side: Side = hunk !== undefined && proposed === undefined ? 'base' : 'proposed';
  return html`<span class="number" aria-hidden="true">${base === undefined ? '' : base + 1}</span>${cell(side, side === 'base' ? base : proposed, hunk, row.partner, row, context)}`;
}

function cell(side: Side, at: number | undefined, hunk: HunkView | undefined, partner: number | undefined, row: LineRow, context: DiffContext): TemplateResult {
  if (at === undefined) return html`<span class="number"></span><span class="cell blank"></span>`;
  const line = context.lines?.line(side, at);
  const changed = hunk !== undefined;
  const look = !changed ? 'context' : side === 'base' ? 'removed' : 'added';
  const other = changed && partner !== undefined ? context.lines?.line(side === 'base' ? 'proposed' : 'base', partner) : undefined;
  const word = !changed ? words.line.unchanged : side === 'base' ? words.line.removed : words.line.added;
  const shownNumber = context.layout === 'unified' && side === 'base' ? '' : at + 1;
  return html`<span class="number" aria-hidden="true">${shownNumber}</span><span class="cell ${look}">
      ${changed && hunk.kind === 'lines' ? partControl(side, at, hunk, row, context) : nothing}
      <span class="sign" aria-hidden="true">${look === 'added' ? '+' : look === 'removed' ? '−' : ' '}</span><span class="visually-hidden">${word}, ${words.line.number(at + 1)}: </span>
      <span class="text">${line === undefined ? html`<span class="dim">${words.line.waiting}</span>` : content(line, other, side, context.lines?.tokens(side, at))}</span>
      ${context.act ? html`<button type="button" class="line-comment" tabindex="-1" title=${words.line.comment(at + 1)} @click=${() => context.comment(placeOf(side === 'base' ? { base: at } : { proposed: at }))}>${icon('comment')}<span class="visually-hidden">${words.line.comment(at + 1)}</span></button>` : nothing}
    </span>`;
}

/** While lines are chosen a box, afterwards a mark of what was decided for the line. */
function partControl(side: Side, at: number, hunk: HunkView, row: LineRow, { choice, choose, act }: DiffContext): TemplateResult | typeof nothing {
  const own: LineRow = { kind: 'line', key: row.key, ...(side === 'base' ? { base: at } : { proposed: at }) };
  if (choice?.hunk === hunk.id && act) {
    const part = partOf(own, choice.parts);
    return part === undefined ? nothing : html`<input type="checkbox" class="choose" tabindex="-1" aria-label=${words.line.choose(at + 1)} .checked=${choice.chosen.has(part.id)} @change=${() => choose(hunk, part)} />`;
  }
  return partMark(partOf(own, hunk.parts));
}

function partMark(part: PartView | undefined): TemplateResult | typeof nothing {
  if (part?.decision === undefined) return nothing;
  const accepted = part.decision === 'accept';
  return html`<span class="part-mark tone-${accepted ? 'good' : 'bad'}">${icon(accepted ? 'check' : 'close')}<span class="visually-hidden">${accepted ? words.hunk.accepted : words.hunk.rejected}, </span></span>`;
}

function content(line: LineView, other: LineView | undefined, side: Side, tokens: readonly Token[] | undefined): TemplateResult {
  const found = other === undefined ? undefined : side === 'base' ? differences(line, other) : differences(other, line);
  const end = other !== undefined && other.text === line.text && other.end !== line.end && line.end !== '' ? html`<span class="line-end" title=${words.line.end(line.end)}>${line.end}</span>` : nothing;
  const cut = line.length === undefined ? nothing : html`<span class="dim">${words.line.cut(line.length)}</span>`;
  return html`${pieces(line.text, tokens, found?.[side] ?? [])}${end}${cut}`;
}

/** Colours and differences overlap freely; each piece has one of either at most. */
function pieces(text: string, tokens: readonly Token[] | undefined, marks: readonly Stretch[]): unknown {
  if (tokens === undefined && marks.length === 0) return text;
  const out: TemplateResult[] = [];
  let at = 0;
  for (const { text: word, scope } of tokens ?? [{ text }]) {
    const end = at + word.length;
    for (const [from, to, marked] of cuts(at, end, marks)) {
      const piece = text.slice(from, to);
      const look = [...(scope === undefined ? [] : [`scope-${scope}`]), ...(marked ? ['changed-text'] : [])].join(' ');
      out.push(look === '' ? html`${piece}` : html`<span class=${look}>${piece}</span>`);
    }
    at = end;
  }
  return out;
}

function cuts(start: number, end: number, marks: readonly Stretch[]): [number, number, boolean][] {
  const found: [number, number, boolean][] = [];
  let at = start;
  for (const [from, to] of marks) {
    if (to <= at || from >= end) continue;
    if (from > at) found.push([at, from, false]);
    found.push([Math.max(at, from), Math.min(end, to), true]);
    at = Math.min(end, to);
  }
  if (at < end) found.push([at, end, false]);
  return found;
}
