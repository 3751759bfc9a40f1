import type { RangeChangedEvent } from '@lit-labs/virtualizer/events.js';
import { type LitElement, nothing, type ReactiveController } from 'lit';

/** Frames that a jump may take before it gives up. */
const MOVE_TRIES = 40;

const nextFrame = () => new Promise<void>((done) => requestAnimationFrame(() => done()));

export interface VirtualRows {
  /** The element that scrolls; the list is all there is in it. */
  box(): HTMLElement | null;
  count(): number;
  /** The drawn row, or null while it is out of sight. */
  row(index: number): HTMLElement | null;
}

/** A key function for a virtualizer. It asks for rows by the range it drew last, which is too long for a moment when the list has become shorter. */
export function keyOr<Item>(key: (item: Item) => string): (item: Item | undefined, index: number) => string {
  return (item, index) => (item === undefined ? `gone ${index}` : key(item));
}

/** The same for drawing: nothing for rows that are not there any more. */
export function drawnOr<Item>(draw: (item: Item, index: number) => unknown): (item: Item | undefined, index: number) => unknown {
  return (item, index) => (item === undefined ? nothing : draw(item, index));
}

/** One tab stop in a virtualised list: which row has it, and how focus reaches rows that are not drawn yet. */
export class VirtualFocus implements ReactiveController {
  active = 0;
  /** Rows drawn at last count. */
  shown = { first: 0, last: 0 };
  /** While a jump is under way nothing else should scroll. */
  moving = false;
  /** Counts jumps, so that a newer one ends an older one. */
  private move = 0;

  constructor(
    private readonly host: LitElement,
    private readonly rows: VirtualRows,
  ) {
    host.addController(this);
  }

  hostUpdate(): void {
    this.active = Math.max(0, Math.min(this.active, this.rows.count() - 1));
  }

  /** The row got focus by itself (a click, a tab). */
  took(index: number): void {
    if (index === this.active) return;
    this.active = index;
    this.host.requestUpdate();
  }

  /** Scrolls there and, unless told otherwise, focuses: focus can only go to a row that exists, so the layout is waited for. */
  async moveTo(index: number, options: { focus?: boolean; block?: ScrollLogicalPosition } = {}): Promise<void> {
    this.active = Math.max(0, Math.min(index, this.rows.count() - 1));
    this.host.requestUpdate();
    await this.host.updateComplete;
    const move = ++this.move;
    const to = this.active;
    this.moving = true;
    // Heights are guessed until rows are measured, so a far jump comes nearer frame by frame.
    for (let tries = 0; tries < MOVE_TRIES && move === this.move && !this.rows.row(to); tries++) {
      this.scrollNear(to);
      await nextFrame();
    }
    if (move !== this.move) return;
    const row = this.rows.row(to);
    if (options.focus !== false) row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: options.block ?? 'nearest' });
    await nextFrame();
    if (move === this.move) this.moving = false;
  }

  /** To be called with the virtualizer's own event. The one tab stop must be a row that is drawn; only while focus is elsewhere, so that keys keep their place. */
  rangeChanged(event: RangeChangedEvent): void {
    this.shown = { first: event.first, last: event.last };
    if (!this.moving && !this.host.contains(document.activeElement) && (this.active < event.first || this.active > event.last)) this.took(event.first);
  }

  /** Rows in sight, for paging. */
  get page(): number {
    return Math.max(1, this.shown.last - this.shown.first - 1);
  }

  private scrollNear(index: number): void {
    const box = this.rows.box();
    const count = this.rows.count();
    if (!box || count === 0) return;
    const rowHeight = box.scrollHeight / count;
    const middle = (this.shown.first + this.shown.last) / 2;
    const near = Math.abs(index - middle) < this.shown.last - this.shown.first + 1;
    box.scrollTop = near ? box.scrollTop + (index - middle) * rowHeight : index * rowHeight - box.clientHeight / 2;
  }
}
