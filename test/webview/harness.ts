import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright-core';
import { panelPage } from '../../extension/features/panels/html.ts';
import { webviewOptions } from '../../scripts/lib/webviews.mjs';
import { fixtureNow } from '../fixtures/case-states.ts';
import { themes, type ThemeName } from './themes.ts';

/** A page of the extension. */
export type PageName = 'case' | 'review';

const nonce = 'dGVzdG5vbmNlMTIz';
const mediaTypes: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf', '.html': 'text/html; charset=utf-8' };

/** The extension's own page, with what VS Code adds: theme variables on the root, classes on the body, and acquireVsCodeApi, here with a memory. */
function pageHtml(origin: string, name: PageName, theme: ThemeName, bodyClasses: string): string {
  const { kind, variables } = themes[theme];
  const declarations = Object.entries(variables).map(([name, value]) => `--vscode-${name}: ${value};`).join('');
  const api = `
  window.posted = []; window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => { window.posted.push(message); window.toHost?.(message); },
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state) => { sessionStorage.setItem('state', JSON.stringify(state)); },
  });`;
  return panelPage({ cspSource: origin, script: `${name}.js`, style: `${name}.css`, nonce, title: 'Casebook', ...(name === 'review' ? { fallback: 'Use the diff editor.' } : {}) })
    .replace('</head>', () => `<style nonce="${nonce}">:root{${declarations}}</style></head>`)
    .replace('<body>', () => `<body class="${kind} ${bodyClasses}" data-vscode-theme-kind="${kind}"><script nonce="${nonce}">${api}</script>`);
}

/** One bundle, one server and one browser for a whole test file. */
export class PanelHarness {
  private constructor(
    private readonly folder: string,
    private readonly server: Server,
    private readonly browser: Browser,
    readonly origin: string,
  ) {}

  static async start(): Promise<PanelHarness> {
    const folder = await mkdtemp(join(tmpdir(), 'casebook-panel-'));
    await build({ ...(webviewOptions as BuildOptions), minify: true, outdir: folder });
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      if (url.pathname === '/') {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
        response.end(pageHtml(`http://${request.headers.host ?? ''}`, (url.searchParams.get('page') ?? 'case') as PageName, (url.searchParams.get('theme') ?? 'dark') as ThemeName, url.searchParams.get('classes') ?? ''));
        return;
      }
      if (url.pathname === '/favicon.ico') {
        response.writeHead(204).end();
        return;
      }
      readFile(join(folder, url.pathname.slice(1))).then(
        (bytes) => response.writeHead(200, { 'content-type': mediaTypes[extname(url.pathname)] ?? 'application/octet-stream' }).end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox', '--force-color-profile=srgb'] });
    return new PanelHarness(folder, server, browser, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** A page with the panel on it, ready for messages; its clock stands at the fixtures' time. */
  async open(options: { page?: PageName; theme?: ThemeName; width?: number; height?: number; classes?: string; onMessage?: (panel: Panel, message: Posted) => void; before?: (page: Page) => Promise<void>; /** The page will not come up. */ broken?: boolean } = {}): Promise<Panel> {
    const context = await this.browser.newContext({ viewport: { width: options.width ?? 1000, height: options.height ?? 900 }, locale: 'en-GB', timezoneId: 'UTC' });
    const page = await context.newPage();
    await page.clock.setFixedTime(fixtureNow);
    const panel = new Panel(page, this.origin);
    const { onMessage } = options;
    if (onMessage !== undefined) await page.exposeFunction('toHost', (message: Posted) => onMessage(panel, message));
    await options.before?.(page);
    await page.goto(`${this.origin}/?page=${options.page ?? 'case'}&theme=${options.theme ?? 'dark'}&classes=${encodeURIComponent(options.classes ?? '')}`);
    if (options.broken !== true) await panel.ready();
    return panel;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.folder, { recursive: true, force: true });
  }
}

export interface Posted {
  type: string;
  id?: number;
  name?: string;
  args?: unknown;
}

/** The host's side of one panel, as a test drives it. */
export class Panel {
  readonly requests: string[] = [];
  readonly errors: string[] = [];

  constructor(
    readonly page: Page,
    origin: string,
  ) {
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && this.errors.push(message.text()));
    page.on('request', (request) => !request.url().startsWith(origin) && this.requests.push(request.url()));
  }

  async ready(): Promise<void> {
    await this.until("window.posted.some((message) => message.type === 'ready')");
  }

  /** Posts a message as the host would, and waits until it is drawn. */
  async send(message: unknown): Promise<void> {
    await this.page.evaluate(
      `new Promise((done) => { addEventListener('message', async () => { await document.querySelector('casebook-app, casebook-review-app').updateComplete; requestAnimationFrame(() => requestAnimationFrame(() => done(undefined))); }, { once: true }); window.postMessage(${JSON.stringify(message)}, '*'); })`,
    );
  }

  /** Waits, frame by frame, until an expression holds in the page. Playwright's own wait evaluates in the page, which the policy refuses. */
  async until(expression: string, milliseconds = 15_000): Promise<void> {
    const end = performance.now() + milliseconds;
    while (!(await this.page.evaluate<boolean>(`new Promise((done) => requestAnimationFrame(() => done(Boolean(${expression}))))`))) {
      if (performance.now() > end) throw new Error(`never held: ${expression}`);
    }
  }

  async show(state: unknown, settings: Record<string, unknown> = {}): Promise<void> {
    await this.send({ type: 'case', state, settings: { cursorMarks: false, canPost: true, engineLabel: 'Claude Code', journal: 'recording', ...settings } });
    await this.page.locator('h1').waitFor();
  }

  posted(): Promise<Posted[]> {
    return this.page.evaluate<Posted[]>('window.posted');
  }

  /** Waits for the next request of that name that was not yet answered, answers it and gives its arguments. */
  async answer(name: string, reply: { ok: boolean; message?: string } = { ok: true }): Promise<unknown> {
    await this.until(`window.posted.some((message) => message.name === '${name}' && !message.answered)`);
    const request = await this.page.evaluate<Posted>(`(() => { const found = window.posted.find((message) => message.name === '${name}' && !message.answered); found.answered = true; return found; })()`);
    await this.send({ type: 'reply', id: request.id, ...reply });
    return request.args;
  }

  /** What the policy refused so far. */
  violations(): Promise<string[]> {
    return this.page.evaluate<string[]>('window.violations');
  }

  domSize(): Promise<number> {
    return this.page.evaluate<number>("document.querySelectorAll('*').length");
  }

  /** The id (or text) of what has focus, through shadow roots. */
  focused(): Promise<string> {
    return this.page.evaluate<string>("(() => { let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement; return at.id || at.className || at.tagName; })()");
  }

  /** Kept only when `PANEL_SCREENSHOTS` names a folder. */
  async screenshot(name: string): Promise<void> {
    const folder = process.env['PANEL_SCREENSHOTS'];
    if (folder === undefined) return;
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`) });
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
