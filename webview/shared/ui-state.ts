/** What the panel keeps through a reload with `vscode.setState`: navigation and unsaved typing, never data of what is shown. */
export interface UiState {
  version: 2;
  /** What was shown last (a case, a change set); lets a deserialised panel ask for the same one. */
  id?: string;
  items: Record<string, ItemUi>;
}

export interface ItemUi {
  /** Sections a person opened or closed; absent means the section's own default. */
  open: Record<string, boolean>;
  /** Unsaved text by field (`reply`, `question/<id>/<n>`, …). */
  drafts: Record<string, string>;
  /** The saved reply that the unsaved draft started from. */
  replyBase?: string;
  /** Where the keyboard was. */
  focus?: FocusPlace;
}

/** An element by its id, or one of the keyboard's stops within the element of that id. */
export interface FocusPlace {
  within: string;
  stop?: number;
}

/** Cases or sets whose typing is kept; older ones go first. */
const KEPT_ITEMS = 20;

function stringsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function flagsOf(value: unknown): Record<string, boolean> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'));
}

function focusOf(value: unknown): FocusPlace | undefined {
  if (typeof value !== 'object' || value === null || !('within' in value) || typeof value.within !== 'string') return undefined;
  return { within: value.within, ...('stop' in value && typeof value.stop === 'number' ? { stop: value.stop } : {}) };
}

function itemUiOf(value: unknown): ItemUi {
  if (typeof value !== 'object' || value === null) return { open: {}, drafts: {} };
  const stored = value as { open?: unknown; drafts?: unknown; replyBase?: unknown; focus?: unknown };
  const focus = focusOf(stored.focus);
  return {
    open: flagsOf(stored.open),
    drafts: stringsOf(stored.drafts),
    ...(typeof stored.replyBase === 'string' ? { replyBase: stored.replyBase } : {}),
    ...(focus === undefined ? {} : { focus }),
  };
}

/** Reads what an earlier panel stored; anything that is not of this version's shape counts as nothing stored. */
export function readUiState(stored: unknown): UiState {
  if (typeof stored !== 'object' || stored === null || (stored as { version?: unknown }).version !== 2) return { version: 2, items: {} };
  const { id, items } = stored as { id?: unknown; items?: unknown };
  const entries = typeof items === 'object' && items !== null ? Object.entries(items) : [];
  return {
    version: 2,
    ...(typeof id === 'string' ? { id } : {}),
    items: Object.fromEntries(entries.map(([name, value]) => [name, itemUiOf(value)])),
  };
}

/** The UI state of one case or set, kept through `save` at each change. */
export class UiStore {
  private state: UiState;

  constructor(
    stored: unknown,
    private readonly save: (state: UiState) => void,
  ) {
    this.state = readUiState(stored);
  }

  /** Makes `id` the one that the other methods speak of, the newest in the order of keeping. */
  show(id: string): void {
    if (this.state.id === id && this.state.items[id]) return;
    const { [id]: known, ...others } = this.state.items;
    const kept = Object.entries(others).slice(-(KEPT_ITEMS - 1));
    this.state = { version: 2, id, items: Object.fromEntries([...kept, [id, known ?? { open: {}, drafts: {} }]]) };
    this.save(this.state);
  }

  isOpen(section: string, byDefault: boolean): boolean {
    return this.current.open[section] ?? byDefault;
  }

  setOpen(section: string, open: boolean): void {
    this.current.open[section] = open;
    this.save(this.state);
  }

  draft(field: string): string | undefined {
    return this.current.drafts[field];
  }

  /** Keeps unsaved typing; undefined forgets it. */
  setDraft(field: string, text: string | undefined): void {
    if (text === undefined) delete this.current.drafts[field];
    else this.current.drafts[field] = text;
    this.save(this.state);
  }

  get replyBase(): string | undefined {
    return this.current.replyBase;
  }

  set replyBase(text: string | undefined) {
    if (text === undefined) delete this.current.replyBase;
    else this.current.replyBase = text;
    this.save(this.state);
  }

  get focus(): FocusPlace | undefined {
    return this.current.focus;
  }

  set focus(place: FocusPlace | undefined) {
    if (place === undefined) delete this.current.focus;
    else this.current.focus = place;
    this.save(this.state);
  }

  private get current(): ItemUi {
    const id = this.state.id ?? '';
    return (this.state.items[id] ??= { open: {}, drafts: {} });
  }
}
