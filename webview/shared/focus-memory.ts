import type { FocusPlace } from './ui-state.ts';

/** What Tab can reach. */
const stops = 'a[href], button, input, textarea, select, summary, vscode-button, [tabindex]';

/** A place of the keyboard that outlives a drawing: the element's own id, or the closest one around it and which of its stops it is. */
export function placeOf(target: Element): FocusPlace | undefined {
  const around = target.closest('[id]');
  if (around === null) return undefined;
  return around === target ? { within: target.id } : { within: around.id, stop: [...around.querySelectorAll(stops)].indexOf(target) };
}

/** The element at a place; undefined when it is not drawn (any more). */
export function elementAt(place: FocusPlace, root: ParentNode): HTMLElement | undefined {
  const around = root.querySelector<HTMLElement>(`[id="${CSS.escape(place.within)}"]`);
  return (place.stop === undefined ? around : around?.querySelectorAll<HTMLElement>(stops)[place.stop]) ?? undefined;
}

/**
 * Keeps where the keyboard was in the page, and goes back there when the page gets the focus again. The editor gives a webview the focus as a whole, and
 * loads it anew when it was hidden: without this, whoever opens a citation and comes back starts at the top.
 */
export class FocusMemory {
  constructor(
    private readonly page: Document,
    private readonly store: { focus: FocusPlace | undefined },
  ) {}

  /** Listens for as long as the page lives. */
  watch(): void {
    this.page.addEventListener('focusin', ({ target }) => {
      if (target instanceof Element && target !== this.page.body) this.store.focus = placeOf(target);
    });
    // Without scrolling: a click into the page gives it the focus too, and nothing may move under the pointer.
    this.page.defaultView?.addEventListener('focus', () => this.restore({ preventScroll: true }));
  }

  /** Goes back to the kept place when the page has the focus and nothing in it does. */
  restore(options: FocusOptions = {}): void {
    const { store, page } = this;
    if (store.focus === undefined || !page.hasFocus() || (page.activeElement !== null && page.activeElement !== page.body)) return;
    elementAt(store.focus, page)?.focus(options);
  }
}
