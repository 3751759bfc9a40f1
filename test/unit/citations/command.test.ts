import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { citationsCommand } from '../../../extension/cli/citations.ts';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { repository, tempFolder, write } from '../repo/helpers.ts';

async function run(args: string[], cwd: string, stdin = ''): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await citationsCommand.run(args, {
    write: (text) => { out += text; },
    writeError: (text) => { err += text; },
    readStdin: async () => stdin,
    cwd,
    env: process.env,
    signal: new AbortController().signal,
    logger: nullLogger,
  });
  return { code, out, err };
}

describe('casebook citations check', () => {
  it('checks Markdown and JSON, with exit codes', async () => {
    const folder = repository({ 'src/x.ts': 'one\ntwo words\nthree\n' });
    const reports = tempFolder();
    write(reports, {
      'good.md': 'It is in `src/x.ts:2`:\n\n```\ntwo words\n```\n',
      'bad.md': 'It is in `src/x.ts:1`: `two words`\nand src/y.ts:1\n',
      'analysis.json': JSON.stringify({ evidence: [{ file: 'src/x.ts', line: 3 }] }),
    });
    const good = await run(['check', join(reports, 'good.md')], folder);
    expect(good).toMatchObject({ code: 0, err: '' });
    expect(good.out).toMatch(/^verified {2}\S+\/src\/x\.ts:2/u);
    const bad = await run(['check', join(reports, 'bad.md'), '--repo', folder, '--json'], reports);
    expect(bad.code).toBe(1);
    const parsed = JSON.parse(bad.out) as { citations: { state: string; movedTo?: number }[] };
    expect(parsed.citations).toMatchObject([{ state: 'moved', movedTo: 2 }, { state: 'missing' }]);
    expect((await run(['check', join(reports, 'analysis.json'), '--repo', folder], reports)).code).toBe(0);
    expect((await run(['check', '-', '--repo', folder], reports, 'src/x.ts:9')).code).toBe(1);
  });

  it('calls a path out of the repository missing and still judges the others', async () => {
    const folder = repository({ 'src/x.ts': 'one\ntwo words\nthree\n' });
    const list = ['../../etc/passwd', '/etc/passwd', 'a\0b', 'src/x.ts'].map((file) => ({ file, line: 1 }));
    const { code, out, err } = await run(['check', '-', '--repo', folder, '--json'], folder, JSON.stringify(list));
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect((JSON.parse(out) as { citations: { state: string }[] }).citations.map(({ state }) => state)).toEqual(['missing', 'missing', 'missing', 'located']);
  });

  it('does not pass over an item that is no citation', async () => {
    const list = { evidence: [{ file: 'src/gone.ts', line: 1 }, { file: 'src/x.ts', line: -4 }] };
    const { code, err } = await run(['check', '-'], repository({ 'src/x.ts': 'one\n' }), JSON.stringify(list));
    expect(code).toBe(3);
    expect(err).toContain('citation 1.line');
  });

  it('keeps a file name from steering the terminal or adding a row', async () => {
    const { out } = await run(['check', '-'], repository({ 'src/x.ts': 'one\n' }), JSON.stringify([{ file: 'src/a\u001b[31m\rverified  b\u202e\nverified  c.ts', line: 1 }]));
    expect(out).not.toMatch(/[\u001b\r\u202e]/u);
    expect(out.split('\n').filter((line) => line.startsWith('verified'))).toEqual([]);
  });

  it('says how it is used, and what failed', async () => {
    expect(await run([], tempFolder())).toMatchObject({ code: 2, out: '' });
    expect((await run(['check', 'nope.md'], tempFolder())).code).toBe(3);
  });
});
