/** What the panel keeps through a reload with `vscode.setState`: navigation and unsaved typing, never data of the case. */
export interface UiState {
  version: 1;
  /** The case shown last; lets a deserialised panel ask for the same one. */
  caseId?: string;
  cases: Record<string, CaseUi>;
}

export interface CaseUi {
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

/** Cases whose typing is kept; older ones go first. */
const KEPT_CASES = 20;

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

function caseUiOf(value: unknown): CaseUi {
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
  if (typeof stored !== 'object' || stored === null || (stored as { version?: unknown }).version !== 1) return { version: 1, cases: {} };
  const { caseId, cases } = stored as { caseId?: unknown; cases?: unknown };
  const entries = typeof cases === 'object' && cases !== null ? Object.entries(cases) : [];
  return {
    version: 1,
    ...(typeof caseId === 'string' ? { caseId } : {}),
    cases: Object.fromEntries(entries.map(([id, value]) => [id, caseUiOf(value)])),
  };
}

/** The UI state of one case, kept through `save` at each change. */
export class UiStore {
  private state: UiState;

  constructor(
    stored: unknown,
    private readonly save: (state: UiState) => void,
  ) {
    this.state = readUiState(stored);
  }

  /** Makes `id` the case that the other methods speak of, the newest in the order of keeping. */
  show(id: string): void {
    if (this.state.caseId === id && this.state.cases[id]) return;
    const { [id]: known, ...others } = this.state.cases;
    const kept = Object.entries(others).slice(-(KEPT_CASES - 1));
    this.state = { version: 1, caseId: id, cases: Object.fromEntries([...kept, [id, known ?? { open: {}, drafts: {} }]]) };
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

  private get current(): CaseUi {
    const id = this.state.caseId ?? '';
    return (this.state.cases[id] ??= { open: {}, drafts: {} });
  }
}
