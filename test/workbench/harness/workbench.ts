import type { FrameLocator, Locator, Page } from 'playwright-core';

export type Theme = 'light' | 'dark' | 'hc-dark' | 'hc-light';

/** Longest wait for the workbench itself, in milliseconds: it loads many megabytes of script, on a busy machine slowly. */
const opening = 180_000;

const themeNames: Record<Theme, string> = {
  light: 'Light Modern',
  dark: 'Dark Modern',
  'hc-dark': 'Dark High Contrast',
  'hc-light': 'Light High Contrast',
};

const themeClasses: Record<Theme, string> = { light: 'vs', dark: 'vs-dark', 'hc-dark': 'hc-black', 'hc-light': 'hc-light' };

/** The workbench as a person sees it: what can be pressed, typed and read. All waits are on conditions of the page. */
export class Workbench {
  readonly quickInput: QuickInput;
  readonly editor: Editor;

  constructor(readonly page: Page) {
    this.quickInput = new QuickInput(page);
    this.editor = new Editor(page);
  }

  /** Opens a folder and waits until the workbench is drawn and its status bar is there. */
  async open(url: string, folder: string): Promise<void> {
    // The load event waits for every script; what is waited for is the workbench itself.
    await this.page.goto(`${url}/?folder=${encodeURIComponent(folder)}`, { waitUntil: 'commit', timeout: opening });
    await this.ready();
  }

  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: opening });
    await this.page.locator('.monaco-workbench .part.activitybar .action-item').first().waitFor({ timeout: opening });
  }

  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'commit', timeout: opening });
    await this.ready();
  }

  /** Opens what stands in a list of ours; its tab shows then. After a reload the list is empty until the extension host is up again. */
  async openFromList(list: string, item: string, tab = item): Promise<void> {
    await this.showContainer('Casebook');
    await this.tree(list).item(item).first().waitFor({ timeout: opening });
    await until(() => this.tree(list).item(item).first().click(), this.editor.tab(tab).first());
  }

  /** Reloads the window, and opens something from its list: the browser may not have kept a tab that was opened just before. */
  async reloadAndOpen(list: string, item: string): Promise<void> {
    await this.reload();
    await this.openFromList(list, item);
  }

  /**
   * Runs a command from the palette by its shown name, for example "Casebook: Investigate Ticket…". The palette's list is made when it opens: a
   * command that becomes enabled later (trust was just given) shows in the next one, and a panel that is just being restored takes the focus and closes
   * it; so it is opened again until the command shows.
   */
  async runCommand(title: string): Promise<void> {
    await this.choose(`>${title}`, title);
  }

  /** Opens a file of the workspace by its name, with Go to File; the keyboard is in it then. */
  async openFile(name: string): Promise<void> {
    await this.choose(name, name);
    await this.page.locator('.part.editor .editor-group-container.active .tab.active').filter({ hasText: name }).waitFor();
    await this.page.locator('.part.editor .editor-group-container.active .monaco-editor.focused').waitFor();
  }

  private async choose(typed: string, row: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.quickInput.openPalette();
        await this.quickInput.type(typed, 5_000);
        await this.quickInput.row(row).waitFor({ timeout: 5_000 });
        return await this.quickInput.pick(row);
      } catch (error) {
        if (attempt === 12) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /**
   * Shows a container of the activity bar. Its icon toggles: while a reloaded workbench restores its side bar, a press may close what was about to open,
   * so the side bar itself is looked at, and the icon pressed again as long as it does not show.
   */
  async showContainer(name: string): Promise<void> {
    const tab = this.page.locator('.part.activitybar').getByRole('tab', { name: new RegExp(`^${escape(name)}`) });
    const shown = this.page.locator('.part.sidebar .composite.title', { hasText: new RegExp(name, 'i') });
    await tab.waitFor();
    for (let attempt = 1; ; attempt++) {
      if (!(await shown.isVisible())) await tab.click();
      try {
        return await shown.waitFor({ timeout: 5_000 });
      } catch (error) {
        if (attempt === 6) throw error;
      }
    }
  }

  /** A tree view of the side bar, by the view's name. */
  tree(name: string): TreeView {
    return new TreeView(this.page, name);
  }

  /** The content of a webview panel whose tab has this title: two frames deep. */
  panel(title: string | RegExp): Panel {
    return new Panel(this.page, title);
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item, .notifications-center .notification-list-item').filter({ hasText: text });
  }

  /** Presses a button of a notification or of a modal dialog. */
  async press(label: string): Promise<void> {
    await this.page.locator('.notification-list-item, .monaco-dialog-box').getByRole('button', { name: label }).first().click();
  }

  dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /** Answers the question whether the authors of the folder are trusted. */
  async answerTrust(trusted: boolean): Promise<void> {
    await this.dialog().waitFor({ timeout: opening });
    await this.dialog().getByRole('button', { name: trusted ? /Yes, I trust/ : /No, I don't trust/ }).click();
    await this.dialog().waitFor({ state: 'detached' });
  }

  statusItem(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text });
  }

  /** Switches the colour theme through the picker, as a person does. */
  async setTheme(theme: Theme): Promise<void> {
    await this.runCommand('Preferences: Color Theme');
    await this.quickInput.type(themeNames[theme]);
    await this.quickInput.pick(themeNames[theme]);
    await this.page.locator(`.monaco-workbench.${themeClasses[theme]}`).first().waitFor();
  }

  async closeNotifications(): Promise<void> {
    await this.runCommand('Notifications: Clear All Notifications');
  }
}

/** The palette, quick picks and input boxes: they share one widget. */
export class QuickInput {
  readonly widget: Locator;

  constructor(private readonly page: Page) {
    this.widget = page.locator('.quick-input-widget:visible');
  }

  async openPalette(): Promise<void> {
    // Focus inside a webview swallows the key until the frame hands it on; pressing again is what a person does too.
    await this.page.keyboard.press('F1');
    await this.input().waitFor({ timeout: 15_000 });
  }

  input(): Locator {
    return this.widget.locator('.quick-input-box input');
  }

  async type(text: string, timeout?: number): Promise<void> {
    await this.input().fill(text, timeout === undefined ? {} : { timeout });
  }

  /** Types into an input box and confirms. */
  async answer(text: string): Promise<void> {
    await this.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** Chooses a file in the editor's own file dialog, which takes over this box: first the folder, then its entry, since the dialog rewrites what is typed. */
  async chooseFile(path: string): Promise<void> {
    const cut = path.lastIndexOf('/');
    await this.widget.getByText('OK', { exact: true }).waitFor();
    await this.widget.locator('.monaco-list-row').first().waitFor();
    await this.type(path.slice(0, cut + 1));
    await this.pick(path.slice(cut + 1));
  }

  /** The first row whose shown label starts with the text, or matches the expression. */
  row(label: string | RegExp): Locator {
    const start = typeof label === 'string' ? new RegExp(String.raw`^\s*${escape(label)}`, 'i') : label;
    return this.widget.locator('.monaco-list-row').filter({ has: this.page.locator('.label-name').filter({ hasText: start }) }).first();
  }

  async pick(label: string | RegExp): Promise<void> {
    await this.row(label).click();
  }

  async labels(): Promise<string[]> {
    return await ariaLabels(this.widget.locator('.quick-input-list .monaco-list-row'));
  }
}

export class TreeView {
  readonly pane: Locator;

  constructor(page: Page, name: string) {
    this.pane = page.locator('.part.sidebar .pane').filter({ has: page.locator('.pane-header', { hasText: new RegExp(`^\\s*${escape(name)}`, 'i') }) });
  }

  async expand(): Promise<void> {
    const header = this.pane.locator('.pane-header').first();
    if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
  }

  /** A row by its accessible label or shown text. */
  item(text: string | RegExp): Locator {
    return this.pane.locator('.monaco-list-row').filter({ hasText: text });
  }

  /** What a screen reader says of the rows that are drawn, from the top. */
  async labels(): Promise<string[]> {
    return await ariaLabels(this.pane.locator('.monaco-list-row'));
  }

  /** Moves the keyboard to the tree and presses keys there. */
  async press(...keys: string[]): Promise<void> {
    await this.pane.locator('.monaco-list').focus();
    for (const key of keys) await this.pane.page().keyboard.press(key);
  }

  /** Shows what is under a row. */
  async open(item: string | RegExp): Promise<void> {
    const row = this.item(item).first();
    await until(async () => {
      if ((await row.getAttribute('aria-expanded')) === 'false') await row.locator('.monaco-tl-twistie').click();
    }, this.item(item).and(this.pane.locator('[aria-expanded="true"]')).first());
  }

  /** Runs an entry of the row's context menu. The menu takes no click that comes just when it has opened; what it took closes it. */
  async menu(item: string | RegExp, entry: string): Promise<void> {
    const page = this.pane.page();
    const wanted = page.locator('.monaco-menu').getByRole('menuitem', { name: entry });
    await until(async () => {
      if (await wanted.isVisible()) return;
      // A menu without the entry would stand before the row.
      await page.keyboard.press('Escape');
      await this.item(item).first().click({ button: 'right' });
    }, wanted);
    await wanted.click();
    for (let attempt = 1; attempt <= 10 && !(await gone(wanted)); attempt++) await wanted.click({ timeout: 1_000 }).catch(() => undefined);
    await wanted.waitFor({ state: 'detached' });
  }
}

export class Editor {
  constructor(private readonly page: Page) {}

  tab(title: string | RegExp): Locator {
    return this.page.locator('.part.editor .tabs-container .tab').filter({ hasText: title });
  }

  /** The file name in the active tab of the active group. */
  activeTab(): Locator {
    return this.page.locator('.part.editor .editor-group-container.active .tab.active');
  }

  /** The cursor's line and column as the status bar shows them. */
  position(): Locator {
    return this.page.locator('.part.statusbar #status\\.editor\\.selection');
  }

  async line(): Promise<number> {
    const text = (await this.position().textContent()) ?? '';
    return Number(/Ln (\d+)/.exec(text)?.[1] ?? Number.NaN);
  }

  /** Lines of the visible editor that carry a decoration in the gutter. */
  gutterMarks(): Locator {
    return this.page.locator('.part.editor .monaco-editor .margin-view-overlays .cgmr');
  }
}

export class Panel {
  constructor(
    private readonly page: Page,
    private readonly title: string | RegExp,
  ) {}

  tab(): Locator {
    return this.page.locator('.part.editor .tabs-container .tab').filter({ hasText: this.title });
  }

  async focus(): Promise<void> {
    await this.tab().click();
  }

  /** What is inside: VS Code nests the extension's document in two frames. Only the visible webview is meant. */
  content(): FrameLocator {
    return this.page.locator('iframe.webview.ready:visible').last().contentFrame().locator('iframe#active-frame').contentFrame();
  }
}

/**
 * Does something again until what it brings about shows. For what may be done twice: a list that is just being drawn again loses the press, or takes it for
 * a row that is no longer known.
 */
async function until(act: () => Promise<void>, effect: Locator): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await act();
    try {
      return await effect.waitFor({ timeout: 10_000 });
    } catch (error) {
      if (attempt === 6) throw error;
    }
  }
}

const gone = (found: Locator): Promise<boolean> => found.waitFor({ state: 'detached', timeout: 1_000 }).then(() => true, () => false);

/** In the order of the list: a scrolled list reuses its rows, so that their order in the document means nothing. A row that is gone meanwhile says nothing. */
async function ariaLabels(rows: Locator): Promise<string[]> {
  const drawn = await Promise.all((await rows.all()).map(async (row) => [Number(await attribute(row, 'data-index')), await attribute(row, 'aria-label')] as const));
  return drawn.toSorted(([a], [b]) => a - b).map(([, label]) => label);
}

async function attribute(row: Locator, name: string): Promise<string> {
  return (await row.getAttribute(name, { timeout: 2_000 }).catch(() => null)) ?? '';
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
