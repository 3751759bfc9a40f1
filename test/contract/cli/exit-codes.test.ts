import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const cli = resolve(import.meta.dirname, '../../../dist/cli.js');
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'casebook-cli-'));
});
afterAll(async () => rm(home, { recursive: true, force: true }));

/** The built command, as a shell would start it. */
async function casebook(...args: string[]): Promise<{ code: number; err: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [cli, ...args], { cwd: home, env: { PATH: process.env['PATH'], CASEBOOK_HOME: join(home, 'journals') } }, (error, _out, err) => done({ code: typeof error?.code === 'number' ? error.code : 0, err }));
  });
}

/** docs/cli.md has the table. */
describe('exit codes of the built command', () => {
  it.each([
    [['case', 'show', 'case_x'], 1, 'There is no readable case case_x.'],
    [['case', 'accept', 'case_x'], 1, 'There is no readable case case_x.'],
    [['journal', 'show', 'case_x'], 1, 'There is no case case_x in this journal.'],
    [['case', 'override', 'case_x', '--classification', 'wrong'], 2, 'answerable, bug, feature_request'],
    [['case', 'list', 'more'], 2, 'casebook case list'],
    [['case', 'show', 'case_x', 'case_y'], 2, 'casebook case show'],
    [['journal', 'list', 'more'], 2, 'casebook journal list'],
    [['journal', 'verify', 'more'], 2, 'casebook journal verify'],
    [['ticket', 'show', 'none.md'], 3, 'There is no such file'],
    [['case', 'list'], 0, ''],
  ])('%j gives %i', async (args, code, words) => {
    const found = await casebook(...args);
    expect(found).toMatchObject({ code, err: expect.stringContaining(words) as string });
  });
});
