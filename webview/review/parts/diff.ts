import { html, type PropertyValues, type TemplateResult } from 'lit';
import '@lit-labs/virtualizer';
import type { RangeChangedEvent } from '@lit-labs/virtualizer/events.js';
import type { FileState } from '../../../extension/core/review/desk/state.ts';
import type { FileBody, HunkView, PartView } from '../../../extension/shared/review-protocol.ts';
import { FocusKeeper } from '../../shared/focus-keeper.ts';
import { drawnOr, keyOr, VirtualFocus } from '../../shared/virtual-list.ts';
import { commentField, editField } from '../fields.ts';
import { FileLines } from '../lines.ts';
import { commentsOf, idsToDecide, idsToUndo, isEditable, isOpen, signatureOf } from '../model.ts';
import { type CommentPlace, type Expansion, placeOf, type Row, rowsOf } from '../rows.ts';
import { words } from '../words.ts';
import type { Choice, DiffContext } from './context.ts';
import { rowTemplate } from './diff-rows.ts';
import { fileHead } from './file-head.ts';
import { canAct, ReviewPart, type Target } from './part.ts';

/** Unchanged lines that one "show more" adds. */
const MORE_LINES = 20;
/** Narrower than this (CSS pixels) both sides are shown in one column, whatever was chosen. */
const SPLIT_WIDTH = 720;

/** One file of the set: its changes in a virtualised list with one tab stop, and a key for everything. */
export class ReviewDiff extends ReviewPart {
  static override properties = { ...ReviewPart.properties, body: { state: true }, choice: { state: true }, commenting: { state: true }, editing: { state: true }, wide: { state: true } };
  declare body: FileBody | undefined;
  declare choice: Choice | undefined;
  declare commenting: CommentPlace | undefined;
  declare editing: { hunk: string; text: string } | undefined;
  declare wide: boolean;
  private signature = '';
  private lines: FileLines | undefined;
  private readonly expanded = new Map<string, Expansion>();
  private rows: Row[] = [];
  private target: Target | undefined;
  private readonly sizes = new ResizeObserver(() => (this.wide = this.clientWidth >= SPLIT_WIDTH));
  private readonly focused = new VirtualFocus(this, {
    box: () => this.querySelector('.diff-scroll'),
    count: () => this.rows.length,
    row: (index) => this.querySelector(`[data-row="${index}"]`),
  });

  constructor() {
    super();
    this.body = undefined;
    this.choice = undefined;
    this.commenting = undefined;
    this.editing = undefined;
    this.wide = false;
    this.addController(new FocusKeeper(this, () => this.querySelector(`[data-row="${this.focused.active}"]`), () => this.focused.moving));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes.disconnect();
  }

  /** Goes to a place of the current file, once that file is there. */
  goTo(target: Target): void {
    this.target = target;
    this.reachTarget();
  }

  private get file(): FileState | undefined {
    return this.model.state.files.find((file) => file.key === this.model.current);
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { file } = this;
    if (changed.has('model')) this.follow(file);
    if (this.body === undefined || file === undefined) {
      this.rows = [];
      return;
    }
    const { lines } = commentsOf(this.model.state, file.key);
    this.rows = rowsOf(this.body, {
      layout: this.layout,
      hideWhitespace: this.model.settings.hideWhitespace,
      expanded: this.expanded,
      comments: lines,
      ...(this.commenting === undefined ? {} : { commenting: this.commenting }),
      ...(this.editing === undefined ? {} : { editing: this.editing.hunk }),
    });
  }

  private get layout(): 'unified' | 'split' {
    return this.wide ? this.model.settings.layout : 'unified';
  }

  /** Asks for the file's body again when its form or decisions have changed. */
  private follow(file: FileState | undefined): void {
    const next = file === undefined ? '' : `${file.key} ${signatureOf(this.model.state, file)}`;
    if (next === this.signature) return;
    this.signature = next;
    if (this.body?.file !== file?.key) {
      this.body = undefined;
      this.choice = undefined;
      this.commenting = undefined;
      this.editing = undefined;
      this.expanded.clear();
      this.focused.active = 0;
    }
    if (file !== undefined) void this.load(file.key, next);
  }

  private async load(file: string, signature: string): Promise<void> {
    const answer = await this.model.request('file', { file });
    if (signature !== this.signature || !answer.ok) return;
    const body = answer.value;
    if (this.lines?.content !== body.content || this.body?.file !== file) this.lines = new FileLines(file, body.content, { ask: this.askLines, changed: this.linesCame });
    if (this.choice !== undefined && !body.hunks.some((hunk) => hunk.id === this.choice?.hunk)) this.choice = undefined;
    this.body = body;
    await this.updateComplete;
    this.reachTarget();
  }

  private readonly askLines = async (file: string, content: string, side: 'base' | 'proposed', from: number, to: number) => {
    const answer = await this.model.request('lines', { file, content, side, from, to });
    return answer.ok ? answer.value : undefined;
  };

  private readonly linesCame = (): void => this.requestUpdate();

  private reachTarget(): void {
    const { target } = this;
    if (target === undefined || this.body === undefined || this.body.file !== this.model.current) return;
    this.target = undefined;
    if (target === 'open') return;
    if (typeof target === 'object' && 'line' in target) this.showLine(target.side, target.line);
    const index = this.indexOf(target);
    if (index >= 0) void this.focused.moveTo(index, { block: 'center' });
  }

  private indexOf(target: Exclude<Target, 'open'>): number {
    if (target === 'first') return Math.max(0, this.rows.findIndex((row) => row.kind === 'hunk'));
    if (target === 'last') return this.rows.findLastIndex((row) => row.kind === 'hunk');
    if ('hunk' in target) return this.rows.findIndex((row) => row.kind === 'hunk' && row.hunk.id === target.hunk);
    return this.rows.findIndex((row) => row.kind === 'line' && row[target.side] === target.line);
  }

  /** Opens the gap that hides a line, far enough. */
  private showLine(side: 'base' | 'proposed', line: number): void {
    const gap = this.rows.find((row) => row.kind === 'gap' && line >= row[side] && line < row[side] + row.count);
    if (gap?.kind !== 'gap') return;
    this.widen(gap.region, line - gap[side] + MORE_LINES, 0);
    this.performUpdate();
  }

  private widen(region: string, head: number, tail: number): void {
    const before = this.expanded.get(region) ?? { head: 0, tail: 0 };
    this.expanded.set(region, { head: before.head + head, tail: before.tail + tail });
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const { file } = this;
    if (file === undefined) return html`<p class="dim diff-empty">${words.file.choose}</p>`;
    return html`<section class="diff-pane" aria-label=${file.key}>
      ${fileHead(this.context(file))}
      ${this.body === undefined ? html`<p class="dim diff-empty">${words.file.loading}</p>` : this.rows.length === 0 ? html`<p class="dim diff-empty">${words.file.nothing}</p>` : this.list(file)}
    </section>`;
  }

  private list(file: FileState): TemplateResult {
    const context = this.context(file);
    return html`<div class="diff-scroll ${this.layout}">
      <lit-virtualizer role="list" aria-label=${words.file.rows} .items=${this.rows} .keyFunction=${keyOr((row: Row) => `${file.key} ${row.key}`)} .renderItem=${drawnOr((row: Row, index: number) => this.rowFrame(row, index, context))} @rangeChanged=${(event: RangeChangedEvent) => this.focused.rangeChanged(event)}></lit-virtualizer>
    </div>`;
  }

  private rowFrame(row: Row, index: number, context: DiffContext): TemplateResult {
    const hunk = row.kind === 'hunk' || row.kind === 'line' ? row.hunk : undefined;
    const decided = hunk === undefined ? '' : hunk.decision === undefined ? 'open' : `decided-${hunk.decision}`;
    return html`<div class="diff-row row-${row.kind} ${decided}" role="listitem" aria-setsize=${this.rows.length} aria-posinset=${index + 1} data-row=${index} tabindex=${index === this.focused.active ? '0' : '-1'} @focus=${() => this.focused.took(index)} @focusin=${() => this.focused.took(index)}>${rowTemplate(row, context)}</div>`;
  }

  /** What the templates of rows and head draw from, and call. */
  private context(file: FileState): DiffContext {
    return {
      model: this.model,
      file,
      body: this.body,
      lines: this.lines,
      layout: this.layout,
      choice: this.choice,
      editing: this.editing,
      act: canAct(this.model),
      decide: (hunk, decision) => void this.decideHunk(hunk, decision),
      decideChosen: (decision) => void this.decideChosen(decision),
      decideFile: (decision) => void this.model.decide(file.key, ['*'], decision),
      widen: (region, head, tail) => this.widen(region, head, tail),
      choose: (hunk, part) => void this.choose(hunk, part),
      endChoice: () => (this.choice = undefined),
      edit: (hunk) => void this.edit(hunk),
      endEdit: () => this.endForm(() => (this.editing = undefined)),
      keepEdit: (hunk, text) => void this.keepEdit(hunk, text),
      comment: (place) => this.comment(place),
      endComment: () => this.endForm(() => (this.commenting = undefined)),
      keepComment: (place, text) => void this.keepComment(place, text),
      moreLines: MORE_LINES,
    };
  }

  /** Ends a form. Focus goes to what it stood under; the form itself is still drawn until the list comes around to it, and then lets go of it. */
  private endForm(end: () => void): void {
    const form = this.rows.findIndex((row) => row.kind === 'edit-form' || row.kind === 'comment-form');
    end();
    if (form > 0) void this.focused.moveTo(form - 1);
  }

  private async decideHunk(hunk: HunkView, decision: 'accept' | 'reject' | 'undone'): Promise<boolean> {
    return this.model.decide(this.body?.file ?? '', decision === 'undone' ? idsToUndo(hunk) : idsToDecide(hunk), decision);
  }

  private async decideChosen(decision: 'accept' | 'reject'): Promise<void> {
    const { choice } = this;
    if (choice !== undefined && choice.chosen.size > 0 && (await this.model.decide(this.body?.file ?? '', [...choice.chosen], decision))) this.choice = undefined;
  }

  private async choose(hunk: HunkView, part?: PartView): Promise<void> {
    if (this.choice?.hunk !== hunk.id) {
      const answer = await this.model.request('parts', { file: this.body?.file ?? '', hunk: hunk.id });
      if (!answer.ok) return;
      if ('tooLarge' in answer.value) return this.model.announce(words.hunk.tooManyLines);
      this.choice = { hunk: hunk.id, parts: answer.value.parts, chosen: new Set() };
    }
    const { choice } = this;
    if (part === undefined || choice === undefined) return;
    const chosen = new Set(choice.chosen);
    if (!chosen.delete(part.id)) chosen.add(part.id);
    this.choice = { ...choice, chosen };
  }

  private async edit(hunk: HunkView): Promise<void> {
    const file = this.body?.file ?? '';
    const kept = this.model.store.draft(editField(file, hunk.id));
    if (kept === undefined) {
      const answer = await this.model.request('hunkText', { file, hunk: hunk.id });
      if (!answer.ok) return;
      if ('tooLarge' in answer.value) return this.model.announce(words.hunk.tooLargeToEdit);
      this.editing = { hunk: hunk.id, text: answer.value.text };
    } else this.editing = { hunk: hunk.id, text: kept };
    await this.updateComplete;
    const index = this.rows.findIndex((row) => row.kind === 'edit-form');
    await this.focused.moveTo(index, { focus: false });
    this.querySelector<HTMLElement>('#edit-text')?.focus();
  }

  private async keepEdit(hunk: HunkView, text: string): Promise<void> {
    const { model } = this;
    const file = this.body?.file ?? '';
    const { revision } = model.state;
    const done = hunk.kind === 'create' ? await model.request('edit', { file, text, revision }) : await model.request('editHunk', { file, hunk: hunk.id, text, revision });
    if (!done.ok) return;
    model.store.setDraft(editField(file, hunk.id), undefined);
    this.endForm(() => (this.editing = undefined));
  }

  private comment(place: CommentPlace): void {
    this.commenting = place;
    void this.updateComplete.then(async () => {
      await this.focused.moveTo(this.rows.findIndex((row) => row.kind === 'comment-form'), { focus: false });
      this.querySelector<HTMLElement>('#comment-text')?.focus();
    });
  }

  private async keepComment(place: CommentPlace | undefined, text: string): Promise<void> {
    const file = this.body?.file ?? '';
    const excerpt = place === undefined ? undefined : this.lines?.line(place.side, place.line - 1)?.text;
    const done = await this.model.request('comment', { file, ...place, ...(excerpt === undefined ? {} : { excerpt }), text });
    if (!done.ok) return;
    this.model.store.setDraft(commentField(file, place), undefined);
    this.endForm(() => (this.commenting = undefined));
  }

  /** What a key does here, or undefined. */
  keyFor(key: string): (() => void) | undefined {
    const row = this.rows[this.focused.active];
    const hunk = row !== undefined && 'hunk' in row ? row.hunk : undefined;
    const file = this.file;
    const moves: Record<string, () => void> = {
      n: () => this.step(1),
      p: () => this.step(-1),
      j: () => void this.focused.moveTo(this.focused.active + 1),
      k: () => void this.focused.moveTo(this.focused.active - 1),
      ']': () => this.stepFile(1, 'first'),
      '[': () => this.stepFile(-1, 'first'),
      s: () => void this.model.request('setLayout', { layout: this.model.settings.layout === 'split' ? 'unified' : 'split' }),
      o: () => void this.model.request('openNative', file === undefined ? {} : { file: file.key }),
    };
    if (Object.hasOwn(moves, key)) return moves[key];
    if (file === undefined || !canAct(this.model)) return undefined;
    const acts: Record<string, (() => void) | undefined> = {
      a: hunk && (() => void this.decideByKey(hunk, 'accept')),
      r: hunk && (() => void this.decideByKey(hunk, 'reject')),
      u: hunk && (() => void this.decideHunk(hunk, 'undone')),
      e: hunk && isEditable(hunk) ? () => void this.edit(hunk) : undefined,
      x: row?.kind === 'line' && hunk?.kind === 'lines' ? () => void this.toggleLine(row, hunk) : undefined,
      c: row?.kind === 'line' ? () => this.comment(placeOf(row)) : undefined,
      C: row?.kind === 'line' && row.base !== undefined ? () => this.comment(placeOf({ base: row.base })) : undefined,
      v: () => void this.markReviewed(file),
      A: () => void this.model.decide(file.key, ['*'], 'accept'),
      R: () => void this.model.decide(file.key, ['*'], 'reject'),
    };
    return Object.hasOwn(acts, key) ? acts[key] : undefined;
  }

  private async toggleLine(row: Extract<Row, { kind: 'line' }>, hunk: HunkView): Promise<void> {
    await this.choose(hunk);
    for (const part of this.choice?.parts.filter((one) => (row.base !== undefined && one.baseStart === row.base && one.baseEnd > row.base) || (row.proposed !== undefined && one.proposedStart === row.proposed && one.proposedEnd > row.proposed)) ?? []) {
      await this.choose(hunk, part);
    }
  }

  private async markReviewed(file: FileState): Promise<void> {
    const done = await this.model.request('markReviewed', { file: file.key, reviewed: !file.reviewed });
    if (done.ok) this.model.announce(words.announce.reviewed(!file.reviewed));
  }

  /** By key, one decision leads to the next open change, as when staging by parts. */
  private async decideByKey(hunk: HunkView, decision: 'accept' | 'reject'): Promise<void> {
    if (this.choice?.hunk === hunk.id && this.choice.chosen.size > 0) return this.decideChosen(decision);
    if (!isOpen(hunk) || !(await this.decideHunk(hunk, decision))) return;
    const open = (row: Row): boolean => row.kind === 'hunk' && row.hunk.id !== hunk.id && isOpen(row.hunk);
    const after = this.rows.findIndex((row, index) => index > this.focused.active && open(row));
    const next = after >= 0 ? after : this.rows.findIndex(open);
    if (next >= 0) await this.focused.moveTo(next);
    else this.model.announce(words.announce.allDecided);
  }

  private step(by: 1 | -1): void {
    const { active } = this.focused;
    const next = by > 0 ? this.rows.findIndex((row, index) => index > active && row.kind === 'hunk') : this.rows.findLastIndex((row, index) => index < active && row.kind === 'hunk');
    if (next >= 0) void this.focused.moveTo(next);
    else this.stepFile(by, by > 0 ? 'first' : 'last');
  }

  private stepFile(by: 1 | -1, target: Target): void {
    const { files } = this.model.state;
    const next = files[files.findIndex((file) => file.key === this.model.current) + by];
    if (next === undefined) this.model.announce(by > 0 ? words.announce.lastHunk : words.announce.firstHunk);
    else this.model.select(next.key, target);
  }
}
customElements.define('casebook-review-diff', ReviewDiff);
