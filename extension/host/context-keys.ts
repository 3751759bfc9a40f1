import type { ContextKey } from '../shared/ids.ts';

/**
 * The context keys that `when` clauses of package.json read. A value that did not change is not sent again,
 * since every `setContext` makes the workbench evaluate its menus.
 */
export class ContextKeys {
  private readonly current = new Map<ContextKey, boolean>();

  constructor(private readonly send: (key: ContextKey, value: boolean) => void) {}

  set(key: ContextKey, value: boolean): void {
    if (this.current.get(key) === value) return;
    this.current.set(key, value);
    this.send(key, value);
  }

  get(key: ContextKey): boolean {
    return this.current.get(key) ?? false;
  }
}
