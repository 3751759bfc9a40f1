import type { LitElement, ReactiveController } from 'lit';

/**
 * Gives focus back to a place of the part when what had it is not drawn any more: a button that did its work, a form that ended. The browser lets focus fall to the body
 * then, and whoever works by keyboard would start at the top. Never scrolls: a row that went out of sight with the focus is left alone.
 */
export class FocusKeeper implements ReactiveController {
  private held: Element | undefined;
  private readonly drawings = new MutationObserver(() => this.regain());

  constructor(
    private readonly host: LitElement,
    /** What has or should have the focus then, if it is drawn. */
    private readonly place: () => HTMLElement | null,
    /** True while something else is about to move the focus. */
    private readonly moving: () => boolean = () => false,
  ) {}

  hostConnected(): void {
    this.host.addEventListener('focusin', this.came);
    this.host.addEventListener('focusout', this.went);
    this.drawings.observe(this.host, { childList: true, subtree: true });
  }

  hostDisconnected(): void {
    this.host.removeEventListener('focusin', this.came);
    this.host.removeEventListener('focusout', this.went);
    this.drawings.disconnect();
    this.held = undefined;
  }

  private readonly came = ({ target }: FocusEvent): void => {
    this.held = target instanceof Element ? target : undefined;
  };

  private readonly went = ({ target, relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof Node) {
      if (!this.host.contains(relatedTarget)) this.held = undefined;
      return;
    }
    // An element that is taken away while it has the focus says so too, before it is gone; only one that stays was left by a person.
    queueMicrotask(() => {
      if (target instanceof Element && target.isConnected && this.held === target) this.held = undefined;
    });
  };

  private regain(): void {
    const { held } = this;
    if (held === undefined || held.isConnected || this.moving()) return;
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    this.place()?.focus({ preventScroll: true });
  }
}
