import * as vscode from 'vscode';
import type { Core, CorePorts } from './compose/ports.ts';
import { type Disposable, DisposableStore } from './core/base/disposable.ts';
import type { Logger } from './core/base/logger.ts';
import { CasePanels } from './features/case-panel/panels.ts';
import { agreeOnEngine } from './features/consent.ts';
import { agreeToAgent } from './features/link/agree.ts';
import { ReviewPanels } from './features/review-panel/panels.ts';
import { Runs } from './features/runs.ts';
import { LastEditor } from './host/ambient.ts';
import { CaseBoard } from './host/board.ts';
import { Commands } from './host/commands.ts';
import { ContextKeys } from './host/context-keys.ts';
import { editorPorts } from './host/core-ports.ts';
import { createEditor, type Editor } from './host/editor.ts';
import { GitHubAuth } from './host/github-auth.ts';
import { Companions } from './host/link/companions.ts';
import { WindowEditor } from './host/link/editor.ts';
import { WindowSharing } from './host/link/sharing.ts';
import { WindowLink, type WindowLinkDeps } from './host/link/window-link.ts';
import { createLogger } from './host/log.ts';
import { Marks } from './host/marks.ts';
import type { Prompter } from './host/prompter.ts';
import { foldersOf, type Root, rootsOf } from './host/roots.ts';
import { createSecrets, type Secrets } from './host/secrets.ts';
import { SettingsReader } from './host/settings.ts';
import { VirtualDocuments } from './host/virtual-documents.ts';
import { Reviews } from './host/review/reviews.ts';
import { SavedFiles } from './host/review/saved-files.ts';
import { createPrompter } from './host/vscode-prompter.ts';
import { commands, settings as settingIds } from './shared/ids.ts';

/** Everything a feature may use. Adapters are here at once; the core is loaded on its first use. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly channel: vscode.LogOutputChannel;
  readonly settings: SettingsReader;
  readonly secrets: Secrets;
  readonly keys: ContextKeys;
  readonly commands: Commands;
  readonly prompter: Prompter;
  readonly editor: Editor;
  readonly lastEditor: LastEditor;
  readonly github: GitHubAuth;
  readonly marks: Marks;
  readonly documents: VirtualDocuments;
  readonly panels: CasePanels;
  readonly reviewPanels: ReviewPanels;
  readonly runs: Runs;
  readonly reviews: Reviews;
  /** The server that coding agents take for their editor. */
  readonly link: WindowLink;
  readonly linkChannel: vscode.LogOutputChannel;
  readonly sharing: WindowSharing;
  readonly companions: Companions;
  /** The workspace's folders right now. */
  roots(): Root[];
  /** Under which paths the editor may name each root's folder: as it was opened, and as it really is. */
  folders(): { root: string; paths: string[] }[];
  /** Cases, journal and ticket sources, loaded once; a failed load is tried again by the next caller. */
  core(): Promise<Core>;
  /** The states of cases, once the core is there: drawing a list must not load it. */
  readonly board: CaseBoard | undefined;
  /** Runs `use` when the core is there, now or later; what it returns is disposed with the subscription. */
  onBoard(use: (board: CaseBoard, core: Core) => Disposable): Disposable;
  close(): Promise<void>;
}

/** The one place where host adapters are put together. Cheap: nothing of the core's rooms is loaded here. */
export function createServices(context: vscode.ExtensionContext): Services {
  const owned = new DisposableStore();
  const channel = owned.add(vscode.window.createOutputChannel('Casebook', { log: true }));
  const log = createLogger(channel);
  const settings = new SettingsReader(
    (id, scope) => vscode.workspace.getConfiguration(undefined, scope === undefined ? undefined : vscode.Uri.file(scope)).get(id),
    (id) => log.warn(`The value of ${id} cannot be used; its default is.`),
    givenValues,
  );
  const roots = (): Root[] => rootsOf(openFolders());
  const host = {
    context,
    log,
    channel,
    settings,
    secrets: createSecrets(context.secrets),
    keys: new ContextKeys((key, value) => void vscode.commands.executeCommand('setContext', key, value)),
    commands: new Commands(log),
    prompter: createPrompter(),
    editor: createEditor(roots),
    lastEditor: owned.add(new LastEditor()),
    saves: owned.add(new SavedFiles()),
    github: new GitHubAuth(getSession, () => settings.get(settingIds.githubBaseUrl), process.env),
    marks: owned.add(new Marks(context.extensionUri, roots)),
    roots,
  };
  const lazy = new LazyCore(() => editorPorts(host), log, owned);
  const sharing = owned.add(new WindowSharing(settings, context.workspaceState));
  const companions = new Companions((id) => vscode.extensions.getExtension(id), () => settings.get(settingIds.linkServedBy));
  const linkChannel = owned.add(vscode.window.createOutputChannel('Casebook Link', { log: true }));
  const services: Services = {
    ...host,
    sharing,
    companions,
    linkChannel,
    link: createLink({ context, settings, sharing, companions, lastEditor: host.lastEditor, log: createLogger(linkChannel), roots, core: () => lazy.load(), agree: (asked, signal) => agreeToAgent(asked, host.prompter, (via) => agreed(services, via, signal), signal) }),
    documents: owned.add(new VirtualDocuments()),
    panels: owned.add(new CasePanels(() => services)),
    reviewPanels: owned.add(new ReviewPanels(() => services)),
    runs: owned.add(createRuns(() => services)),
    reviews: owned.add(new Reviews(async () => (await lazy.load()).review, log.child('review'))),
    folders: () => foldersOf(openFolders()),
    core: () => lazy.load(),
    get board() {
      return lazy.board;
    },
    onBoard: (use) => lazy.onBoard(use),
    async close() {
      // The link before what it works with, the core before the rest: a run that ends because of this is interrupted, while one that Runs aborts was stopped by a person.
      await services.link.close();
      await lazy.close();
      owned.dispose();
    },
  };
  return services;
}

const openFolders = (): { name: string; fsPath: string }[] => (vscode.workspace.workspaceFolders ?? []).map((folder) => ({ name: folder.name, fsPath: folder.uri.fsPath }));

interface LinkParts extends Pick<Services, 'context' | 'settings' | 'sharing' | 'companions' | 'lastEditor' | 'log' | 'core'> {
  readonly roots: () => Root[];
  readonly agree: WindowLinkDeps['agree'];
}

function createLink({ context, settings, sharing, companions, lastEditor, log, roots, core, agree }: LinkParts): WindowLink {
  const storage = context.storageUri;
  return new WindowLink({
    core,
    sharing,
    roots,
    agree,
    editor: () => new WindowEditor(lastEditor),
    enabled: () => settings.get(settingIds.linkEnabled),
    trusted: () => vscode.workspace.isTrusted,
    serves: (family) => companions.serves(family),
    ...(storage === undefined ? {} : { lease: async () => new (await import('./host/link/lease.ts')).LeaseFile(storage.fsPath) }),
    env: process.env,
    // The editor's main process, from which this window's terminals descend too; agents that look among their ancestors find it without being told anything.
    pid: process.ppid,
    logger: log,
  });
}

function createRuns(services: () => Services): Runs {
  return new Runs({
    cases: async () => (await services().core()).cases,
    agree: (via, signal) => agreed(services(), via, signal),
    report: (error, doing) => services().commands.report(error, doing),
  });
}

/** The engine of the setting, once a person has agreed to what it sends. */
async function agreed(services: Services, via: string, signal: AbortSignal): ReturnType<typeof agreeOnEngine> {
  const { settings, prompter } = services;
  const { cases } = await services.core();
  return agreeOnEngine(settings.get(settingIds.engine), { cases, prompter, selectEngine: async () => vscode.commands.executeCommand(commands.selectEngine) }, via, signal);
}

/** The values of a setting at every level: the user's, the workspace's, and those of its folders. */
function givenValues(id: string): unknown[] {
  const scopes = [undefined, ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  const found = scopes.map((scope) => vscode.workspace.getConfiguration(undefined, scope).inspect(id));
  const [first] = found;
  return [first?.globalValue, first?.workspaceValue, ...found.map((one) => one?.workspaceFolderValue)].filter((value) => value !== undefined);
}

/** Loads the core once, on first use, and tells whoever waits for it. */
class LazyCore {
  private loading: Promise<Core> | undefined;
  private waiting = new Set<(board: CaseBoard, core: Core) => void>();
  private core: Core | undefined;
  board: CaseBoard | undefined;

  constructor(
    private readonly ports: () => Promise<CorePorts>,
    private readonly log: Logger,
    private readonly owned: DisposableStore,
  ) {}

  load(): Promise<Core> {
    this.loading ??= this.compose().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  onBoard(use: (board: CaseBoard, core: Core) => Disposable): Disposable {
    const owned = new DisposableStore();
    const start = (board: CaseBoard, core: Core): void => void owned.add(use(board, core));
    if (this.board !== undefined && this.core !== undefined) start(this.board, this.core);
    else this.waiting.add(start);
    owned.add({ dispose: () => void this.waiting.delete(start) });
    return owned;
  }

  async close(): Promise<void> {
    const core = this.core ?? (await this.loading?.catch(() => undefined));
    await core?.close();
  }

  private async compose(): Promise<Core> {
    const before = performance.now();
    const [{ composeCore }, ports] = await Promise.all([import('./compose.ts'), this.ports()]);
    const core = await composeCore(ports);
    this.core = core;
    this.board = this.owned.add(new CaseBoard(core.cases, this.log.child('board')));
    this.log.info('core loaded', { milliseconds: Math.round(performance.now() - before) });
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const start of waiting) start(this.board, core);
    return core;
  }
}

const getSession = async (provider: string, scopes: readonly string[], mode: 'silent' | 'ask'): Promise<vscode.AuthenticationSession | undefined> =>
  mode === 'ask' ? vscode.authentication.getSession(provider, scopes, { createIfNone: true }) : vscode.authentication.getSession(provider, scopes, { silent: true });
