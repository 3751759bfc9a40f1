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

export class EventEmitter<T = unknown> {
  private readonly listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void): { dispose(): void } => {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
  dispose(): void {
    this.listeners.clear();
  }
}
export class Disposable {
  constructor(private readonly run: () => void) {}
  static from(...all: { dispose(): void }[]): Disposable {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
  dispose(): void {
    this.run();
  }
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
export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}
export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(start: number | Position, startCharacter: number | Position, endLine?: number, endCharacter?: number) {
    this.start = start instanceof Position ? start : new Position(start, typeof startCharacter === 'number' ? startCharacter : 0);
    this.end = startCharacter instanceof Position ? startCharacter : new Position(endLine ?? this.start.line, endCharacter ?? 0);
  }
}
export class Selection extends Range {
  readonly active = this.end;
}
export class CodeLens {
  constructor(
    readonly range: Range,
    readonly command: { title: string; command: string; arguments: unknown[] },
  ) {}
}
export class WorkspaceEdit {
  readonly replaced: { uri: unknown; range: Range; text: string }[] = [];
  replace(uri: unknown, range: Range, text: string): void {
    this.replaced.push({ uri, range, text });
  }
}
export class FileSystemError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
  static FileNotFound(what: unknown): FileSystemError {
    return new FileSystemError(String(what), 'FileNotFound');
  }
  static NoPermissions(what: unknown): FileSystemError {
    return new FileSystemError(String(what), 'NoPermissions');
  }
  static Unavailable(what: unknown): FileSystemError {
    return new FileSystemError(String(what), 'Unavailable');
  }
}
export class TabInputText {
  constructor(readonly uri: unknown) {}
}
export class TabInputTextDiff {
  constructor(
    readonly original: unknown,
    readonly modified: unknown,
  ) {}
}
export const FileType = { File: 1 };
export const FilePermission = { Readonly: 1 };
export const FileChangeType = { Changed: 1 };
export const EndOfLine = { LF: 1, CRLF: 2 };
export const TextEditorRevealType = { InCenterIfOutsideViewport: 2 };
export const CommentMode = { Preview: 1 };
export const CommentThreadCollapsibleState = { Expanded: 1 };
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
export class Uri {
  private constructor(
    readonly scheme: string,
    readonly path: string,
    readonly query: string,
  ) {}
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    return `${this.scheme}:${this.path}${this.query === '' ? '' : `?${this.query}`}`;
  }
  static file(path: string): Uri {
    return new Uri('file', path, '');
  }
  static from({ scheme, path, query = '' }: { scheme: string; path: string; query?: string }): Uri {
    return new Uri(scheme, path, query);
  }
  static joinPath(base: { path: string }, ...parts: string[]): Uri {
    return Uri.file([base.path, ...parts].join('/'));
  }
}
export const l10n = { t: (text: string, ...args: unknown[]) => args.reduce<string>((whole, arg, index) => whole.replaceAll(`{${index}}`, String(arg)), text) };
export const env = { appRoot: '/app', clipboard: { readText: async () => '', writeText: async () => {} }, openExternal: async () => true, remoteName: undefined, uiKind: 1 };
export const UIKind = { Desktop: 1, Web: 2 };
export const extensions = { onDidChange: on, getExtension: () => undefined };
export const authentication = { getSession: async () => undefined, onDidChangeSessions: on };
export const languages = { getDiagnostics: () => [], registerCodeLensProvider: on, registerHoverProvider: on };
export const comments = { createCommentController: () => ({ createCommentThread: () => ({ dispose() {} }), dispose() {} }) };
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
  onDidChangeWindowState: on,
  createTextEditorDecorationType: () => nothing,
  setStatusBarMessage: (message: string) => void registered.messages.push(message),
  tabGroups: { all: [] as unknown[], activeTabGroup: { activeTab: undefined as unknown, tabs: [] as unknown[], viewColumn: 1 }, onDidChangeTabs: on, onDidChangeTabGroups: on, close: async () => true },
  visibleTextEditors: [] as unknown[],
  activeTextEditor: undefined,
  showErrorMessage: say,
  showInformationMessage: say,
  showWarningMessage: say,
};
export const workspace = {
  isTrusted: true,
  workspaceFolders: undefined as unknown[] | undefined,
  getConfiguration: () => ({ get: () => undefined }),
  textDocuments: [] as unknown[],
  applied: [] as WorkspaceEdit[],
  applyEdit: async (edit: WorkspaceEdit) => {
    workspace.applied.push(edit);
    return true;
  },
  registerFileSystemProvider: on,
  createFileSystemWatcher: () => ({ onDidChange: on, onDidCreate: on, onDidDelete: on, dispose() {} }),
  onDidChangeTextDocument: on,
  onDidOpenTextDocument: on,
  registerTextDocumentContentProvider: on,
  onDidCloseTextDocument: on,
  onDidSaveTextDocument: on,
  onDidDeleteFiles: on,
  onDidRenameFiles: on,
  onDidChangeConfiguration: on,
  onDidGrantWorkspaceTrust: on,
  onDidChangeWorkspaceFolders: on,
};
