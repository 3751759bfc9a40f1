import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { NodeProcesses } from '../../../extension/core/base/node-processes.ts';
import type { ScoutResult } from '../../../extension/core/model/code.ts';
import { Git } from '../../../extension/core/repo/git.ts';
import { type ScoutInput, scout } from '../../../extension/core/evidence/scout/scout.ts';

export const never = new AbortController().signal;
export const grammars = join(import.meta.dirname, '../../../node_modules/@vscode/tree-sitter-wasm/wasm');
export const git = new Git({ processes: new NodeProcesses(), env: process.env });

/** A folder with the given files, gone after the test. */
export function folderWith(files: Record<string, string | Buffer>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'scout-')));
  // Ten thousand files take a while on a busy machine.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }), 120_000);
  write(folder, files);
  return folder;
}

export function write(folder: string, files: Record<string, string | Buffer>): void {
  for (const [file, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), contents);
  }
}

export interface SearchOptions extends Partial<Omit<ScoutInput, 'ticket' | 'roots'>> {
  now?: () => number;
  signal?: AbortSignal;
}

/** Searches one folder (or several) without git unless asked. */
export function search(roots: string | { name: string; path: string }[], title: string, body = '', options: SearchOptions = {}): Promise<ScoutResult> {
  const { now = Date.now, signal = never, ...rest } = options;
  const input: ScoutInput = { ticket: { id: 'here/there#7', title, body }, roots: typeof roots === 'string' ? [{ name: 'root', path: roots }] : roots, git: 'off', ...rest };
  return scout(input, { git, now }, signal);
}

/** The result without what differs from run to run. */
export function steady(result: ScoutResult): object {
  return { ...result, stats: { ...result.stats, milliseconds: 0 } };
}

/** A small shop: enough files for a ranking to mean something. */
export const shop: Record<string, string> = {
  'src/cart/cart.ts': `import { priceOf } from '../pricing/discount';\n\n/** What the customer put aside. */\nexport class Cart {\n  private items: Item[] = [];\n\n  addItem(item: Item): void {\n    this.items.push(item);\n  }\n\n  total(): number {\n    return this.items.reduce((sum, item) => sum + priceOf(item), 0);\n  }\n}\n`,
  'src/pricing/discount.ts': `/** Applies vouchers. */\nexport function applyVoucher(code: string, amount: number): number {\n  if (!isKnown(code)) throw new Error('Voucher code is not known');\n  return amount * 0.9;\n}\n\nexport const priceOf = (item: Item): number => item.price;\n\nfunction isKnown(code: string): boolean {\n  return code.startsWith('V');\n}\n`,
  'src/mail/sender.ts': `export async function sendMail(to: string, subject: string): Promise<void> {\n  await transport.deliver({ to, subject });\n}\n`,
  'src/server/router.ts': `import { Cart } from '../cart/cart';\nexport const routes = { '/cart': (request: Request) => new Cart() };\n`,
  'test/discount.test.ts': `import { applyVoucher } from '../src/pricing/discount';\ntest('voucher', () => expect(applyVoucher('V1', 10)).toBe(9));\n`,
  'docs/vouchers.md': '# Vouchers\n\nA voucher code starts with V. `applyVoucher` takes ten per cent off.\n',
  'package.json': '{ "name": "shop" }\n',
};
