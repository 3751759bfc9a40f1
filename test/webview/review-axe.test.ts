import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Citation } from '../../extension/core/model/code.ts';
import { plainCaller, type Table, table } from '../unit/review/desk-harness.ts';
import { removeTrees } from '../unit/review/trees.ts';
import { axeFindings } from './axe.ts';
import { PanelHarness } from './harness.ts';
import { ReviewHost } from './review-host.ts';
import type { ThemeName } from './themes.ts';

const source = `import { round } from './money.ts';

/** What the basket costs, in cents. */
export class Basket {
  constructor(private readonly items: readonly Item[]) {}

  total(voucher?: Voucher): number {
    const sum = this.items.reduce((all, item) => all + item.price * item.count, 0);
    if (voucher === undefined) return sum;
    return sum - voucher.amount; // never below zero?
  }

  isEmpty(): boolean {
    return this.items.length === 0;
  }
}
`;
const better = source
  .replace('return sum - voucher.amount; // never below zero?', 'return Math.max(0, round(sum - voucher.amount));')
  .replace("  isEmpty(): boolean {\n", "  /** True when 'nothing' is in it: 0 items. */\n  isEmpty(): boolean {\n")
  .replace('const sum = this', 'const  sum = this');
const citations: Citation[] = [{ file: 'w/src/basket.ts', line: 10, origin: 'verdict', state: 'verified', quote: 'return sum - voucher.amount', note: 'The subtraction that goes below zero.' }];

/** A set with a file of every kind, and what a person and the world then do with it. */
async function everything(): Promise<{ t: Table; set: string; gone: AbortController }> {
  const t = await table({ 'src/basket.ts': source, 'src/other.ts': source, 'run.sh': '#!/bin/sh\necho hi\n', 'old.txt': 'old\nlines\n', 'logo.png': 'x', 'page.ipynb': '{\n "cells": []\n}\n' });
  await writeFile(join(t.root, 'logo.png'), Buffer.from([0x89, 0x50, 0, 1, 2]));
  await chmod(join(t.root, 'run.sh'), 0o644);
  await symlink('old.txt', join(t.root, 'link'));
  const gone = new AbortController();
  let set = '';
  const text = (path: string, content: string) => ({ root: 'w', path, proposed: { kind: 'text' as const, text: content } });
  void t.desk.propose(
    {
      title: 'The total of a basket never goes below zero',
      explanation: 'A voucher larger than the basket made the total **negative**.\n\n- `src/basket.ts:10` is where it happens\n- the tests did not cover it',
      origin: { client: 'some-agent', version: '2.1', model: 'model-x', run: 'run_1' },
      disk: 'proposed',
      files: [
        text('src/basket.ts', better),
        { ...text('src/renamed.ts', better), from: 'src/other.ts' },
        text('src/new.ts', "export const zero = 0;\n"),
        text('page.ipynb', '{\n "cells": [1]\n}\n'),
        { root: 'w', path: 'old.txt', proposed: { kind: 'absent' } },
        { root: 'w', path: 'logo.png', proposed: { kind: 'file', bytes: Buffer.from([0x89, 0x50, 0, 9, 9, 9]) } },
        { root: 'w', path: 'run.sh', proposed: { kind: 'file', bytes: Buffer.from('#!/bin/sh\necho hi\n'), mode: 0o755 } },
        { root: 'w', path: 'link', proposed: { kind: 'link', target: 'src/new.ts' } },
      ],
    },
    { name: 'some-agent', capabilities: { ...plainCaller, writer: 'agent', canPartial: false, canEdit: false, canExplain: false }, signal: gone.signal, onSet: (id) => (set = id) },
  );
  await expect.poll(() => set).not.toBe('');
  return { t, set, gone };
}

describe('the review panel under axe', () => {
  let harness: PanelHarness;
  beforeAll(async () => {
    harness = await PanelHarness.start();
  });
  afterAll(async () => {
    await harness?.stop();
    await removeTrees();
  });

  for (const theme of ['dark', 'light', 'contrast', 'contrast-light'] as ThemeName[]) {
    it(`finds nothing in any state: ${theme}`, async () => {
      const { t, set, gone } = await everything();
      const host = await ReviewHost.open(harness, t.desk, set, { theme, height: 1100, classes: 'vscode-reduce-motion', citations });
      const { panel } = host;
      // Evaluated by the browser's debugger, which the page's policy does not bind.
      await panel.page.evaluate(axe.source);
      const all: Record<string, string[]> = {};
      const look = async (name: string): Promise<void> => {
        await host.drawn();
        all[name] = await axeFindings(panel.page);
        await panel.screenshot(`review-${theme}-${name}`);
      };
      await panel.until("document.querySelector('.scope-keyword')");
      await look('pending');
      for (const file of (await t.desk.state(set)).files.slice(1)) {
        host.reveal(file.key);
        await panel.until(`document.querySelector('.file-title h2').innerText === '${file.key}' && document.querySelector('.row-hunk')`);
        await look(file.kind);
      }
      host.reveal('w/src/basket.ts');
      await panel.until("document.querySelector('.file-title h2').innerText === 'w/src/basket.ts' && document.querySelector('.row-hunk')");
      await panel.page.locator('#layout').click();
      await panel.until("document.querySelector('.diff-scroll.split')");
      await look('split');
      await panel.page.locator('#whitespace').click();
      await panel.until("document.querySelector('.row-hidden')");
      await panel.page.locator('.row-hunk .small-button', { hasText: 'Lines' }).first().click();
      await panel.page.locator('.choose').first().check();
      await panel.page.locator('.row-line .line-comment').last().click();
      await panel.page.locator('#comment-text').waitFor();
      await look('choosing');
      await panel.page.locator('#comment-text').fill('Say why in a test.');
      await panel.page.locator('#keep-comment').click();
      await panel.page.locator('.row-comment').waitFor();
      await t.desk.decide(set, [{ file: 'w/src/new.ts', hunk: '*', decision: 'reject' }], { via: 'test', revision: 0 });
      gone.abort();
      await panel.until("document.querySelector('.notes').innerText.includes('not waiting any more')");
      await look('gone');
      await panel.page.locator('#show-keys').click();
      all['keys'] = await axeFindings(panel.page);
      await panel.page.locator('#keys-close').click();
      await writeFile(join(t.root, 'src/basket.ts'), source.replace('return sum - voucher.amount; // never below zero?', 'return sum - Number(voucher.amount);'));
      await t.desk.refresh(set);
      await panel.until("document.querySelector('.conflict')");
      await look('conflict');
      const { revision } = await t.desk.state(set);
      // Accepting everything leaves the conflict, which is a decision of its own.
      const rest = await t.desk.decideAll(set, 'accept', { via: 'test', revision });
      const decisions = rest.files.flatMap((file) => file.conflicts.map((hunk) => ({ file: file.key, hunk, decision: 'accept' as const })));
      await t.desk.decide(set, decisions, { via: 'test', revision });
      await panel.page.locator('#undo').waitFor();
      await look('settled');
      await panel.send({ type: 'empty', why: 'This set was erased.' });
      all['empty'] = await axeFindings(panel.page);
      expect(all).toEqual(Object.fromEntries(Object.keys(all).map((name) => [name, []])));
      expect(await panel.violations()).toEqual([]);
      expect(panel.errors).toEqual([]);
      await host.close();
    }, 300_000);
  }
});
