import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localizeCommand } from '../../../extension/cli/localize.ts';
import { exitCode } from '../../../extension/cli/command.ts';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { folderWith, never, shop } from './helpers.ts';

async function localize(args: string[], stdin = ''): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const home = folderWith({});
  const code = await localizeCommand.run(args, {
    write: (text) => void (said.out += text),
    writeError: (text) => void (said.err += text),
    readStdin: async () => stdin,
    cwd: '/',
    env: { ...process.env, CASEBOOK_HOME: home },
    signal: never,
    logger: nullLogger,
  });
  return { code, ...said };
}

interface Printed {
  ranked: { file: string; score: number; lines: [number, number][]; why: { signal: string; text: string }[] }[];
  stats: Record<string, number>;
}

const lastLine = (text: string): Printed => JSON.parse(text.trimEnd().split('\n').at(-1)!) as Printed;

describe('casebook localize', () => {
  it('prints the ranking as its last JSON object', async () => {
    const repo = folderWith(shop);
    const ticket = join(folderWith({ 't.json': JSON.stringify({ id: 'x', title: 'applyVoucher is wrong', body: 'Voucher code' }) }), 't.json');
    const { code, out } = await localize(['--repo', repo, '--ticket', ticket, '--explain']);
    expect(code).toBe(exitCode.ok);
    const { ranked } = lastLine(out);
    expect(ranked[0]!.file).toBe('src/pricing/discount.ts');
    expect(ranked[0]!.why[0]!.text.length).toBeGreaterThan(5);
    expect(out).toContain(' 1. src/pricing/discount.ts');
  });

  it('takes plain text and standard input, several folders, and a limit', async () => {
    const repos = [folderWith(shop), folderWith({ 'x.py': 'def apply_voucher():\n    pass\n' })];
    const { out } = await localize(['--repo', repos[0]!, '--repo', repos[1]!, '--ticket', '-', '--limit', '2', '--no-cache', '--no-git'], '# applyVoucher is wrong\n\nIt is.\n');
    const { ranked, stats } = lastLine(out);
    expect(ranked.map(({ file }) => file.replace(/^[^/]+\//, '')).sort()).toEqual(['src/pricing/discount.ts', 'x.py']);
    expect(stats['files']).toBe(8);
  });

  it('says what is wrong with its arguments', async () => {
    expect((await localize([])).code).toBe(exitCode.usage);
    expect((await localize(['--ticket', 'x', '--limit', 'many'])).code).toBe(exitCode.usage);
    await expect(localize(['--repo', '/nowhere/at/all', '--ticket', '-'])).rejects.toMatchObject({ reason: 'no_folder' });
  });
});
