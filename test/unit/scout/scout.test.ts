import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scoutResult } from '../../../extension/core/model/code.ts';
import { signals } from '../../../extension/core/evidence/scout/weights.ts';
import { folderWith, git, grammars, never, search, shop, steady, write } from './helpers.ts';
import { scout } from '../../../extension/core/evidence/scout/scout.ts';
import { repository, userGit } from '../repo/helpers.ts';

describe('the scout', () => {
  it('ranks the file that defines what the ticket names, says why, and gives its lines', async () => {
    const result = await search(folderWith(shop), 'Voucher code is refused', 'Calling `applyVoucher("V1", 3)` throws "Voucher code is not known".', { grammars });
    const [first] = result.suspects;
    expect(first!.file).toBe('src/pricing/discount.ts');
    expect(first!.symbols).toContain('applyVoucher');
    expect(first!.lines.some(([from, to]) => from <= 3 && 3 <= to)).toBe(true);
    expect(first!.why.map((reason) => reason.signal)).toContain('quotedText');
    expect(first!.why.every((reason) => reason.signal in signals && reason.text.length > 10 && !reason.text.includes('{}'))).toBe(true);
    expect(first!.why.map((reason) => reason.weight)).toEqual([...first!.why.map((reason) => reason.weight)].sort((a, b) => b - a));
    expect(scoutResult.parse(result)).toEqual(result);
  });

  it('gives tests and documents apart from the suspects', async () => {
    const result = await search(folderWith(shop), 'applyVoucher gives no discount on a voucher');
    expect(result.related).toEqual(expect.arrayContaining([expect.objectContaining({ file: 'test/discount.test.ts', kind: 'test' }), expect.objectContaining({ file: 'docs/vouchers.md', kind: 'doc' })]));
    expect(result.suspects[0]!.file).toBe('src/pricing/discount.ts');
  });

  it('pins a stack frame that lies on a line of the repository, whatever machine the trace is from', async () => {
    const folder = folderWith(shop);
    const trace = (line: number): string => `TypeError: x\n    at Cart.total (C:\\build\\agent\\src\\cart\\cart.ts:${line}:12)\n    at Module._compile (node:internal/modules/cjs/loader:1:1)`;
    expect((await search(folder, 'crash', trace(8))).pinned).toEqual({ root: 'root', file: 'src/cart/cart.ts', line: 8 });
    expect((await search(folder, 'crash', trace(8000))).pinned).toBeUndefined();
    expect((await search(folder, 'crash', trace(8))).suspects[0]!.file).toBe('src/cart/cart.ts');
  });

  it('keeps every line range inside its file', async () => {
    const folder = folderWith(shop);
    const result = await search(folder, 'addItem total applyVoucher sendMail', 'at x (src/cart/cart.ts:99999:1)\nsrc/mail/sender.ts:2\nhttps://x.example/blob/main/src/server/router.ts#L1-L900', { grammars });
    for (const suspect of result.suspects) {
      const lines = readFileSync(join(folder, suspect.file), 'utf8').split('\n').length;
      for (const [from, to] of suspect.lines) expect([from >= 1, from <= to, to <= lines]).toEqual([true, true, true]);
    }
    expect(result.suspects.find((suspect) => suspect.file === 'src/mail/sender.ts')!.lines[0]).toEqual([2, 2]);
  });

  it('gives the same answer for the same input, in any order of the file system', async () => {
    const first = folderWith(shop);
    const second = folderWith(Object.fromEntries(Object.entries(shop).reverse()));
    const ticket = ['Cart total ignores the voucher', 'The `Cart` shows "total" without applyVoucher.'] as const;
    const result = steady(await search(first, ...ticket, { grammars }));
    expect(steady(await search(first, ...ticket, { grammars }))).toEqual(result);
    expect(steady(await search(second, ...ticket, { grammars }))).toEqual(result);
  });

  it('breaks ties by path', async () => {
    const same = 'export function frobnicate() {\n  return 1;\n}\n';
    const result = await search(folderWith({ 'b/x.ts': same, 'a/x.ts': same, 'c/x.ts': same }), 'frobnicate is wrong');
    expect(result.suspects.map((suspect) => suspect.file)).toEqual(['a/x.ts', 'b/x.ts', 'c/x.ts']);
  });

  it('searches several roots as one and names the root of each file', async () => {
    const roots = [{ name: 'web', path: folderWith({ 'src/page.ts': 'export function showInvoice() {}\n' }) }, { name: 'server', path: folderWith({ 'src/invoice.go': 'package invoice\n\nfunc PrintInvoice() {}\n' }) }];
    const result = await search(roots, 'PrintInvoice prints an empty invoice');
    expect(result.suspects.map(({ root, file }) => `${root}/${file}`)).toEqual(['server/src/invoice.go', 'web/src/page.ts']);
    expect(result.stats['files']).toBe(2);
  });

  it('stops when it is told to', async () => {
    const stopped = AbortSignal.abort(new Error('enough'));
    await expect(search(folderWith(shop), 'x', '', { signal: stopped })).rejects.toThrow('enough');
  });
});

describe('the past', () => {
  it('brings commits that name the ticket or speak of the same, and who last touched the lines', async () => {
    const folder = repository(shop);
    write(folder, { 'src/pricing/discount.ts': shop['src/pricing/discount.ts']!.replace('0.9', '0.8') });
    userGit(folder, 'commit', '-qam', 'Voucher takes twenty per cent off the cart');
    write(folder, { 'src/mail/sender.ts': `${shop['src/mail/sender.ts']!}// sent\n` });
    userGit(folder, 'commit', '-qam', 'Fixes #7: mail');
    const input = { ticket: { id: 'here/there#7', title: 'Voucher takes too many per cent off', body: '' }, roots: [{ name: 'root', path: folder }], git: 'auto' as const };
    const result = await scout(input, { git, now: Date.now }, never);
    expect(result.suspects[0]!.file).toBe('src/pricing/discount.ts');
    expect(result.suspects[0]!.why.map((reason) => reason.signal)).toContain('history');
    expect(result.history.map((hit) => [hit.subject, hit.why])).toEqual(
      expect.arrayContaining([
        ['Fixes #7: mail', expect.stringContaining('names the ticket')],
        ['Voucher takes twenty per cent off the cart', expect.stringContaining('speaks of')],
      ]),
    );
    expect(result.history.find((hit) => hit.subject.startsWith('Voucher'))!.files).toEqual(['src/pricing/discount.ts']);
  });

  it('is empty without git, and the ranking stands', async () => {
    const result = await search(folderWith(shop), 'applyVoucher', '', { git: 'auto' });
    expect(result.history).toEqual([]);
    expect(result.suspects[0]!.file).toBe('src/pricing/discount.ts');
  });
});
