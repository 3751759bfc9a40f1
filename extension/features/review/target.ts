import * as vscode from 'vscode';
import type { SetState } from '../../core/review/desk/state.ts';
import { addressOf, type Side } from '../../host/review/addresses.ts';
import { reviewEditor, shortTitle } from '../../host/review/native.ts';
import { viaDiffEditor, viaReviewsView } from '../../host/review/reviews.ts';
import type { Services } from '../../services.ts';
import { ago } from '../../shared/words.ts';

/** What a review command is about: named by its argument (a tree item, a code lens, a document), else what is in front. */
export interface Target {
  set: string;
  file?: string;
  hunk?: string;
  /** On the proposed side, from 1. */
  line?: number;
  editor?: vscode.TextEditor;
  side?: Side;
  /** The surface it was named on, as the record calls it. */
  via: string;
}

const fromEditor = { via: viaDiffEditor };

/** Undefined when nothing of a review is named or in front. */
export function targetOf(services: Pick<Services, 'reviews' | 'reviewPanels'>, argument: unknown): Target | undefined {
  return named(argument) ?? inFront(services);
}

function named(argument: unknown): Target | undefined {
  if (typeof argument === 'string') return argument.startsWith('set_') ? { set: argument, via: 'palette' } : undefined;
  if (argument instanceof vscode.Uri) {
    const address = addressOf(argument);
    const editor = reviewEditor(vscode.window.activeTextEditor);
    // A button in an editor's title names the document; the cursor is that of its editor.
    const same = address !== undefined && editor?.set === address.set && editor.file === address.file;
    return address === undefined ? undefined : { ...(same && editor !== undefined ? editor : address), ...fromEditor };
  }
  if (typeof argument !== 'object' || argument === null || !('set' in argument) || typeof argument.set !== 'string') return undefined;
  const text = (key: 'file' | 'hunk'): { [K in typeof key]?: string } => {
    const value: unknown = Object.entries(argument).find(([name]) => name === key)?.[1];
    return typeof value === 'string' ? { [key]: value } : {};
  };
  const line = 'line' in argument && typeof argument.line === 'number' ? { line: argument.line } : {};
  // Items of the list are told from the arguments of code lenses by their kind.
  return { set: argument.set, ...text('file'), ...text('hunk'), ...line, via: 'kind' in argument ? viaReviewsView : viaDiffEditor };
}

function inFront({ reviews, reviewPanels }: Pick<Services, 'reviews' | 'reviewPanels'>): Target | undefined {
  const panel = reviewPanels.active;
  if (panel !== undefined) return { set: panel, via: 'palette' };
  const shown = reviewEditor(vscode.window.activeTextEditor) ?? reviews.tabs.active();
  return shown === undefined ? undefined : { ...shown, ...fromEditor };
}

/**
 * The named set, the one in front if the command can be about it, else one that a person picks. What changes something is never done to a set that nobody named,
 * even if it is the only one: `sole` is for what only shows. Undefined when there is none or the choice was dismissed.
 */
export async function chooseTarget(services: Services, argument: unknown, title: string, among: (sets: { pending: SetState[]; settled: SetState[] }) => SetState[], sole = false): Promise<Target | undefined> {
  const given = named(argument);
  if (given !== undefined) return given;
  const board = await services.reviews.board();
  await board.load();
  const sets = among({ pending: board.pending(), settled: board.settled() });
  const front = inFront(services);
  if (front !== undefined && sets.some((set) => set.id === front.set)) return front;
  if (sets.length === 0) {
    await services.prompter.inform(vscode.l10n.t('There is no review for that right now.'));
    return undefined;
  }
  const only = sole && sets.length === 1 ? sets[0] : undefined;
  if (only !== undefined) return { set: only.id, via: 'palette' };
  const choices = sets.map((set) => ({ label: shortTitle(set.title), description: [set.origin.client, ago(set.openedAt, Date.now())].join(' · '), detail: set.files.slice(0, 3).map((file) => file.path).join(', '), value: set.id }));
  const picked = await services.prompter.pick(choices, { title, placeholder: vscode.l10n.t('Type to search by title, agent or file') });
  return picked.kind === 'picked' ? { set: picked.value, via: 'palette' } : undefined;
}
