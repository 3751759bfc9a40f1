import { table } from '../unit/review/desk-harness.ts';
import type { PanelHarness } from './harness.ts';
import { ReviewHost } from './review-host.ts';

export const numbered = (count: number, line: (index: number) => string = (index) => `const line${index} = ${index};`): string => Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');
export const base = numbered(80);
/** Three changes of `base`. */
export const changed = base.replace('const line10 = 10;', 'const line10 = compute(10);').replace('const line40 = 40;\n', "// gone\nconst other = 'text';\n").replace('const line70 = 70;\n', '');

/** A pending set of one agent, three changes in each of its files, and its panel. */
export async function openReview(harness: PanelHarness, options: Parameters<typeof ReviewHost.open>[3] = {}, files: Record<string, string> = { 'src/a.ts': changed, 'src/b.ts': changed }) {
  const t = await table({ 'src/a.ts': base, 'src/b.ts': base });
  const { set, answer } = await t.propose(files);
  const host = await ReviewHost.open(harness, t.desk, set, options);
  await host.drawn();
  return { t, set, answer, host, page: host.panel.page, key: (name: string) => host.panel.page.keyboard.press(name) };
}
