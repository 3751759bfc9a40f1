import * as vscode from 'vscode';
import { DisposableStore } from '../core/base/disposable.ts';
import { signalFrom } from './cancellation.ts';
import type { Asking, Choice, Picked, Prompter } from './prompter.ts';

type Item<T> = vscode.QuickPickItem & { value?: T };

/** The prompter over the editor's quick input, modals and dialogs. */
export function createPrompter(): Prompter {
  return {
    pick,
    input,
    modal: async (message, detail, actions) => pickAction(actions, await vscode.window.showInformationMessage(message, { modal: true, detail }, ...actions)),
    inform: async (message, actions = []) => vscode.window.showInformationMessage(message, ...actions),
    warn: async (message, actions = []) => vscode.window.showWarningMessage(message, ...actions),
    files: async (title, filters) => (await vscode.window.showOpenDialog({ title, filters, canSelectMany: false, canSelectFiles: true }))?.[0]?.fsPath,
    saveAs: async (title, name, filters) => (await vscode.window.showSaveDialog({ title, filters, defaultUri: besideWorkspace(name) }))?.fsPath,
    readClipboard: async () => vscode.env.clipboard.readText(),
    writeClipboard: async (text) => vscode.env.clipboard.writeText(text),
    progress,
  };
}

function pickAction<T extends string>(actions: readonly T[], chosen: string | undefined): T | undefined {
  return actions.find((action) => action === chosen);
}

function besideWorkspace(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder === undefined ? vscode.Uri.file(name) : vscode.Uri.joinPath(folder, name);
}

async function progress<T>(where: { view: string } | { notification: string }, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const inView = 'view' in where;
  const options: vscode.ProgressOptions = inView ? { location: { viewId: where.view } } : { location: vscode.ProgressLocation.Notification, title: where.notification, cancellable: true };
  return vscode.window.withProgress(options, async (_report, token) => {
    const linked = signalFrom(token);
    try {
      return await work(linked.signal);
    } finally {
      linked.dispose();
    }
  });
}

function toItems<T>(choices: readonly Choice<T>[]): Item<T>[] {
  return choices.flatMap((choice) => {
    const item: Item<T> = { label: choice.label, value: choice.value };
    if (choice.icon !== undefined) item.iconPath = new vscode.ThemeIcon(choice.icon);
    if (choice.description !== undefined) item.description = choice.description;
    if (choice.detail !== undefined) item.detail = choice.detail;
    return choice.group === undefined ? [item] : [{ label: choice.group, kind: vscode.QuickPickItemKind.Separator }, item];
  });
}

function dress(input: vscode.QuickInput & { placeholder: string | undefined; buttons: readonly vscode.QuickInputButton[] }, asking: Asking): void {
  input.title = asking.title;
  input.placeholder = asking.placeholder;
  input.ignoreFocusOut = true;
  if (asking.step === undefined) return;
  [input.step, input.totalSteps] = asking.step;
  if (asking.step[0] > 1) input.buttons = [vscode.QuickInputButtons.Back];
}

async function pick<T>(choices: readonly Choice<T>[] | Promise<readonly Choice<T>[]>, asking: Asking): Promise<Picked<T>> {
  const owned = new DisposableStore();
  const quick = owned.add(vscode.window.createQuickPick<Item<T>>());
  try {
    dress(quick, asking);
    quick.matchOnDescription = true;
    quick.matchOnDetail = true;
    const chosen = new Promise<Picked<T>>((resolve, reject) => {
      owned.add(quick.onDidTriggerButton(() => resolve({ kind: 'back' })));
      owned.add(quick.onDidHide(() => resolve({ kind: 'dismissed' })));
      owned.add(
        quick.onDidAccept(() => {
          const item = quick.selectedItems[0];
          if (item !== undefined && 'value' in item) resolve({ kind: 'picked', value: item.value as T });
        }),
      );
      quick.busy = true;
      Promise.resolve(choices).then((list) => {
        quick.items = toItems(list);
        quick.busy = false;
      }, reject);
    });
    quick.show();
    return await chosen;
  } finally {
    owned.dispose();
  }
}

async function input(asking: Asking & { value?: string; secret?: boolean; validate?: (value: string) => string | undefined }): Promise<Picked<string>> {
  const owned = new DisposableStore();
  const box = owned.add(vscode.window.createInputBox());
  try {
    dress(box, asking);
    box.value = asking.value ?? '';
    box.password = asking.secret ?? false;
    const chosen = new Promise<Picked<string>>((resolve) => {
      owned.add(box.onDidTriggerButton(() => resolve({ kind: 'back' })));
      owned.add(box.onDidHide(() => resolve({ kind: 'dismissed' })));
      owned.add(box.onDidChangeValue(() => (box.validationMessage = undefined)));
      owned.add(
        box.onDidAccept(() => {
          const problem = asking.validate?.(box.value);
          box.validationMessage = problem;
          if (problem === undefined) resolve({ kind: 'picked', value: box.value });
        }),
      );
    });
    box.show();
    return await chosen;
  } finally {
    owned.dispose();
  }
}
