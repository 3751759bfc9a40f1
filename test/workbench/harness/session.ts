import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as browserType, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { artifacts, chromium } from './paths.ts';
import { installExtensions, processesUnder, startServer, type Server } from './server.ts';
import { Workbench } from './workbench.ts';

export interface SessionOptions {
  name: string;
  /** VSIX files to install. */
  extensions: readonly string[];
  /** The workspace folder. */
  folder: string;
  /** User settings, beside the quiet defaults. */
  settings?: Record<string, unknown>;
  env?: Record<string, string>;
  /** The answer to the question whether the folder's authors are trusted; yes when not given. */
  trusted?: boolean;
  viewport?: { width: number; height: number };
}

/** No tips, no welcome pages, no telemetry: what would cover the screen by chance. The trust question stays; it is answered as a person would. */
const quiet = {
  'security.workspace.trust.startupPrompt': 'always',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'window.restoreWindows': 'all',
  'files.simpleDialog.enable': true,
  'git.openRepositoryInParentFolders': 'never',
};

/** Where settings are kept. */
const levels = ['User', 'Machine'] as const;

/** A workbench with its server and browser; `stop` ends all three and removes the folder. */
export class Session {
  private constructor(
    readonly name: string,
    readonly server: Server,
    readonly folder: string,
    private readonly browser: Browser,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly workbench: Workbench,
    readonly consoleLines: string[],
  ) {}

  static async start(options: SessionOptions): Promise<Session> {
    const base = await mkdtemp(join(tmpdir(), 'casebook-wb-'));
    const extensionsDir = join(base, 'extensions');
    for (const level of levels) {
      await mkdir(join(base, 'data', level), { recursive: true });
      await writeFile(join(base, 'data', level, 'settings.json'), JSON.stringify({ ...quiet, ...options.settings }, null, 2));
    }
    await installExtensions(base, extensionsDir, options.extensions);
    const server = await startServer({ base, extensionsDir, ...(options.env && { env: options.env }) });
    try {
      return await Session.browse(options, server);
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  private static async browse(options: SessionOptions, server: Server): Promise<Session> {
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const browser = await browserType.launch({ executablePath: chromium(), headless: true, args: [...sandbox, '--disable-dev-shm-usage', '--disable-gpu'] });
    const context = await browser.newContext({ viewport: options.viewport ?? { width: 1400, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] });
    await context.tracing.start({ screenshots: true, snapshots: false });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const consoleLines: string[] = [];
    page.on('console', (message) => consoleLines.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => consoleLines.push(`pageerror: ${error.stack ?? error.message}`));
    const session = new Session(options.name, server, options.folder, browser, context, page, new Workbench(page), consoleLines);
    try {
      await session.workbench.open(server.url, options.folder);
      await session.workbench.answerTrust(options.trusted ?? true);
    } catch (error) {
      await session.keepArtifacts('open');
      await browser.close();
      throw error;
    }
    return session;
  }

  /** Runs a test body; when it throws, a screenshot, the trace, the page's console and the server's logs are kept. */
  async step<T>(label: string, body: (session: Session) => Promise<T>): Promise<T> {
    try {
      return await body(this);
    } catch (error) {
      const folder = await this.keepArtifacts(label);
      throw new Error(`${label} (kept in ${folder}): ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }

  async keepArtifacts(label: string): Promise<string> {
    const folder = join(artifacts, `${this.name}-${label}`.replaceAll(/[^\w-]+/g, '_'));
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, 'screen.png') }).catch(() => undefined);
    await this.context.tracing.stop({ path: join(folder, 'trace.zip') }).catch(() => undefined);
    await writeFile(join(folder, 'console.log'), this.consoleLines.join('\n'));
    await cp(join(this.server.base, 'data/logs'), join(folder, 'logs'), { recursive: true }).catch(() => undefined);
    await cp(this.server.casebookHome, join(folder, 'casebook'), { recursive: true }).catch(() => undefined);
    return folder;
  }

  /** Lines of all logs that the extension host and our own channel wrote so far. */
  async extensionLog(): Promise<string[]> {
    const logs = join(this.server.base, 'data/logs');
    const files = (await readdir(logs, { recursive: true })).filter((name) => /exthost[^/]*\/.*\.log$|remoteexthost\.log$/.test(name));
    const texts = await Promise.all(files.map((name) => readFile(join(logs, name), 'utf8')));
    return texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
  }

  /** Unsaved texts that the editor has put aside, as it keeps them over a reload. */
  async backups(): Promise<string[]> {
    const folder = join(this.server.base, 'data/User/Backups');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return Promise.all(entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8').catch(() => '')));
  }

  /** Changes settings as a person does in the files; settings that only a machine may set are read from the second one. */
  async configure(settings: Record<string, unknown>): Promise<void> {
    for (const level of levels) {
      const file = join(this.server.base, 'data', level, 'settings.json');
      await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>), ...settings }, null, 2));
    }
  }

  async screenshot(path: string): Promise<void> {
    await this.page.screenshot({ path });
  }

  /** Ends browser and server. Returns what still runs of this session's processes: an empty list, or something leaked. */
  async stop(): Promise<string[]> {
    await this.browser.close();
    await this.server.stop();
    const left = await processesUnder(this.server.base);
    await rm(this.server.base, { recursive: true, force: true, maxRetries: 5 });
    return left;
  }
}
