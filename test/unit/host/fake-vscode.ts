/** The few classes of the editor's API that adapters make or test for; a test hands them out through `vi.mock('vscode')`. */
export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}
export class LanguageModelToolCallPart {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: object,
  ) {}
}
export class LanguageModelToolResultPart {
  constructor(
    readonly callId: string,
    readonly content: unknown[],
  ) {}
}
export class LanguageModelChatMessage {
  private constructor(
    readonly role: 'user' | 'assistant',
    readonly content: unknown,
  ) {}
  static User(content: unknown): LanguageModelChatMessage {
    return new LanguageModelChatMessage('user', content);
  }
  static Assistant(content: unknown): LanguageModelChatMessage {
    return new LanguageModelChatMessage('assistant', content);
  }
}
export class LanguageModelError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
  static NotFound(message = ''): LanguageModelError {
    return new LanguageModelError(message, 'NotFound');
  }
  static NoPermissions(message = ''): LanguageModelError {
    return new LanguageModelError(message, 'NoPermissions');
  }
  static Blocked(message = ''): LanguageModelError {
    return new LanguageModelError(message, 'Blocked');
  }
}
export class CancellationTokenSource {
  cancelled = false;
  readonly token = { source: this };
  cancel(): void {
    this.cancelled = true;
  }
  dispose(): void {}
}
export const lm = { selectChatModels: async (): Promise<unknown[]> => [] };

/** What a test wants to know of the registrations that activation made. */
export const registered = { commands: new Map<string, (argument: unknown) => unknown>(), views: [] as string[], serializers: [] as string[], executed: [] as unknown[][], messages: [] as string[], statusItems: 0 };

export class EventEmitter {
  readonly event = (): { dispose(): void } => nothing;
  fire(): void {}
  dispose(): void {}
}
const nothing = { dispose(): void {} };
const on = (): { dispose(): void } => nothing;

export class ThemeIcon {
  constructor(readonly id: string) {}
}
export class ThemeColor {
  constructor(readonly id: string) {}
}
export class TreeItem {
  constructor(readonly label: string) {}
}
export class MarkdownString {
  value = '';
  appendText(text: string): this {
    this.value += text;
    return this;
  }
}
export class Range {
  constructor(readonly startLine: number) {}
}
export class TabInputWebview {
  constructor(readonly viewType: string) {}
}
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const ConfigurationTarget = { Global: 1, Workspace: 2 };
export const OverviewRulerLane = { Left: 1 };
export const ProgressLocation = { Notification: 15 };
export const QuickPickItemKind = { Separator: -1 };
export const QuickInputButtons = { Back: {} };
export const ViewColumn = { Active: -1, Beside: -2 };
export const Uri = { file: (path: string) => ({ scheme: 'file', fsPath: path, path }), joinPath: (base: { path: string }, ...parts: string[]) => Uri.file([base.path, ...parts].join('/')) };
export const l10n = { t: (text: string, ...args: unknown[]) => args.reduce<string>((whole, arg, index) => whole.replaceAll(`{${index}}`, String(arg)), text) };
export const env = { appRoot: '/app', clipboard: { readText: async () => '', writeText: async () => {} }, openExternal: async () => true, remoteName: undefined, uiKind: 1 };
export const UIKind = { Desktop: 1, Web: 2 };
export const extensions = { getExtension: () => undefined };
export const authentication = { getSession: async () => undefined, onDidChangeSessions: on };
export const languages = { getDiagnostics: () => [] };
export const commands = {
  registerCommand(id: string, run: (argument: unknown) => unknown) {
    if (registered.commands.has(id)) throw new Error(`${id} is registered twice`);
    registered.commands.set(id, run);
    return { dispose: () => registered.commands.delete(id) };
  },
  executeCommand: async (...args: unknown[]) => void registered.executed.push(args),
};
const say = async (message: string): Promise<undefined> => void registered.messages.push(message);
export const window = {
  createOutputChannel: () => ({ debug() {}, info() {}, warn() {}, error() {}, show() {}, dispose() {} }),
  createTreeView(id: string) {
    registered.views.push(id);
    return { dispose() {}, onDidChangeVisibility: on };
  },
  createStatusBarItem() {
    registered.statusItems += 1;
    return { show() {}, dispose() {} };
  },
  registerWebviewPanelSerializer(id: string) {
    registered.serializers.push(id);
    return nothing;
  },
  registerUriHandler: on,
  onDidChangeVisibleTextEditors: on,
  onDidChangeActiveTextEditor: on,
  visibleTextEditors: [],
  activeTextEditor: undefined,
  showErrorMessage: say,
  showInformationMessage: say,
  showWarningMessage: say,
};
export const workspace = {
  isTrusted: true,
  workspaceFolders: undefined as unknown[] | undefined,
  getConfiguration: () => ({ get: () => undefined }),
  registerTextDocumentContentProvider: on,
  onDidCloseTextDocument: on,
  onDidSaveTextDocument: on,
  onDidDeleteFiles: on,
  onDidRenameFiles: on,
  onDidChangeConfiguration: on,
  onDidGrantWorkspaceTrust: on,
};
