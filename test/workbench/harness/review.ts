import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import type { Workbench } from './workbench.ts';

/** Calls of casebook.review.open by the test extension `scripted-caller`, which watches a folder. */
export class Calls {
  constructor(readonly folder: string) {}

  /** Makes the call; resolves when the request is in place, not when it is answered. */
  async make(name: string, request: Record<string, unknown>): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await writeFile(join(this.folder, `.${name}`), JSON.stringify(request));
    await rename(join(this.folder, `.${name}`), join(this.folder, `${name}.json`));
  }

  answered(name: string): boolean {
    return existsSync(join(this.folder, `${name}.answer`));
  }

  async answer(name: string): Promise<unknown> {
    await expect.poll(() => this.answered(name)).toBe(true);
    return JSON.parse(await readFile(join(this.folder, `${name}.answer`), 'utf8')) as unknown;
  }
}

export interface RecordedEvent {
  kind: string;
  set?: string;
  actor: { kind: string; name: string; via?: string };
  body: Record<string, unknown>;
}

/** Every event of a kind in the journals below a CASEBOOK_HOME, in the order of their time. */
export async function eventsOf(casebookHome: string, kind: string): Promise<RecordedEvent[]> {
  const files = (await readdir(casebookHome, { recursive: true })).filter((name) => name.includes('/journal/') && name.endsWith('.jsonl'));
  const texts = await Promise.all(files.map((name) => readFile(join(casebookHome, name), 'utf8')));
  const events = texts.flatMap((text) => text.split('\n')).filter((line) => line.includes(`"kind":"${kind}"`)).map((line) => JSON.parse(line) as RecordedEvent & { ts: string });
  return events.sort((a, b) => (a.ts < b.ts ? -1 : 1));
}

/** The diff editor with a file under review, by what a person sees in it. */
export class NativeReview {
  private readonly active: Locator;

  constructor(private readonly workbench: Workbench) {
    this.active = workbench.page.locator('.part.editor .editor-group-container.active .monaco-diff-editor');
  }

  /** A line of the proposed side. */
  line(text: string | RegExp): Locator {
    return this.active.locator('.editor.modified .view-line').filter({ hasText: text }).first();
  }

  baseLine(text: string | RegExp): Locator {
    return this.active.locator('.editor.original .view-line').filter({ hasText: text }).first();
  }

  /** Code lenses on the proposed side, by their words. */
  lens(text: string): Locator {
    return this.active.locator('.editor.modified .codelens-decoration a').filter({ hasText: text });
  }

  /** A button in the title of the active editor. */
  button(name: string): Locator {
    return this.workbench.page.locator('.part.editor .editor-group-container.active .editor-actions').getByRole('button', { name });
  }

  /** Puts the cursor into a line of the proposed side; clicks again when the line moved away under the click, as it does when lenses and differences are drawn. */
  async cursorAt(text: string | RegExp): Promise<void> {
    const line = this.line(text);
    const cursor = this.active.locator('.editor.modified .cursors-layer .cursor').first();
    const off = async (): Promise<number> => {
      await line.click();
      const [at, wanted] = await Promise.all([cursor.boundingBox(), line.boundingBox()]);
      return at === null || wanted === null ? Number.POSITIVE_INFINITY : Math.abs(at.y - wanted.y) / wanted.height;
    };
    await expect.poll(off).toBeLessThan(0.5);
  }

  /** Appends to a line of the proposed side, by keyboard. */
  async append(text: string | RegExp, addition: string): Promise<void> {
    await this.cursorAt(text);
    await this.workbench.page.keyboard.press('End');
    await this.workbench.page.keyboard.type(addition);
  }
}
