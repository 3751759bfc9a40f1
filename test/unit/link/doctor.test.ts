import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnose, type DoctorInput, type Finding, type SeenLock } from '../../../extension/core/link/doctor.ts';
import { seenLocks } from '../../../extension/core/link/seen-locks.ts';

const own: SeenLock = { file: '/h/.claude/ide/4001.lock', content: { port: 4001, pid: 1, folders: ['/w/app'], name: 'Casebook' }, own: true, alive: true, answers: true };
const input = (over: Partial<DoctorInput> = {}): DoctorInput => ({
  link: { kind: 'on', port: 4001, clients: [] },
  folders: ['/w/app'],
  cwd: '/w/app/src',
  locks: [own],
  unannounced: [],
  env: {},
  container: false,
  companions: [],
  claudeMode: 'default',
  ...over,
});
const problems = (findings: readonly Finding[]): string[] => findings.filter(({ level }) => level === 'problem').map(({ text }) => text);
const notes = (findings: readonly Finding[]): string[] => findings.filter(({ level }) => level === 'note').map(({ text }) => text);

describe('why an agent does not connect', () => {
  it('finds nothing where everything is in order', () => {
    const found = diagnose(input());
    expect(problems(found)).toEqual([]);
    expect(notes(found)).toEqual(['/h/.claude/ide/4001.lock (this window): fits.']);
  });

  it('says first that the link is off, or why it could not start', () => {
    expect(diagnose(input({ link: { kind: 'off', why: 'switched off.' } }))).toEqual([{ level: 'problem', text: 'The link is off: switched off.' }]);
    expect(problems(diagnose(input({ link: { kind: 'failed', why: 'no port.' } })))).toEqual(['The link could not be started: no port.']);
    expect(problems(diagnose(input({ unannounced: ['/h/.claude/ide/1.lock cannot be written.'] })))).toContain('/h/.claude/ide/1.lock cannot be written.');
  });

  it('I02: each lock has its line, with the folders and the place compared where it is passed over', () => {
    const other = (file: string, over: Partial<SeenLock>): SeenLock => ({ file, content: { port: 1, pid: 77, folders: ['/w/other'], name: 'Other' }, own: false, alive: true, answers: true, ...over });
    const found = diagnose(input({ locks: [own, other('/l/1.lock', {}), other('/l/2.lock', { alive: false }), other('/l/3.lock', { answers: false }), { file: '/l/4.lock', own: false, alive: false, answers: false }] }));
    expect(notes(found)).toEqual([
      '/h/.claude/ide/4001.lock (this window): fits.',
      '/l/1.lock (Other): passed over, its folders (/w/other) do not hold /w/app/src.',
      '/l/2.lock (Other): passed over, its process 77 is gone (Claude Code deletes such a file).',
      '/l/3.lock (Other): passed over, nobody listens on port 1.',
      '/l/4.lock (unknown): passed over, it cannot be read.',
    ]);
    expect(problems(found)).toEqual([]);
  });

  it('I10: an agent above the folders is told so, with the folders; one elsewhere too; a folder whose name only begins alike holds nothing', () => {
    const folders = ['/w/app', '/w/lib'];
    const place = (cwd: string): string => problems(diagnose(input({ cwd, folders, locks: [{ ...own, content: { port: 4001, folders, name: 'Casebook' } }] })))[0] ?? '';
    expect(place('/w')).toMatch(/started in \/w is above this window's folders \(\/w\/app, \/w\/lib\)/u);
    expect(place('/w/application')).toMatch(/in none of this window's folders/u);
    expect(place('/w/lib/deep/er')).toBe('');
  });

  it('two fitting locks make --ide connect to none', () => {
    const twin: SeenLock = { ...own, file: '/h/.claude/ide/4002.lock', own: false, content: { port: 4002, folders: ['/w'], name: 'Visual Studio Code' } };
    expect(problems(diagnose(input({ locks: [own, twin] })))).toEqual([expect.stringMatching(/^2 locks fit \(also: Visual Studio Code\)/u)]);
    expect(problems(diagnose(input({ locks: [] })))).toEqual([expect.stringContaining('lock file of this window is gone')]);
  });

  it('I09, I16, I18, I19: a port left over in the terminal, another configuration folder, a container, a proxy', () => {
    const found = diagnose(input({ env: { CLAUDE_CODE_SSE_PORT: '3999', CLAUDE_CONFIG_DIR: '/c', HTTPS_PROXY: 'http://proxy', NO_PROXY: 'example.com', CLAUDE_CODE_AUTO_CONNECT_IDE: 'false' }, container: true }));
    expect(problems(found)).toEqual([expect.stringContaining('CLAUDE_CODE_SSE_PORT is 3999')]);
    expect(notes(found).slice(1).map((text) => text.split(/[ :]/u)[0])).toEqual(['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_AUTO_CONNECT_IDE', 'HTTPS_PROXY', 'This']);
    const calm = diagnose(input({ env: { CLAUDE_CODE_SSE_PORT: '4001', HTTPS_PROXY: 'http://proxy', no_proxy: 'x, 127.0.0.1' } }));
    expect([...problems(calm), ...notes(calm).slice(1)]).toEqual([]);
  });

  it('names an extension that competes, whoever serves the agent now', () => {
    const companion = { name: 'Claude Code for VS Code', agent: 'Claude Code' };
    expect(notes(diagnose(input({ companions: [{ ...companion, served: 'other' }] })))).toContainEqual(expect.stringContaining('is served by Claude Code for VS Code'));
    expect(problems(diagnose(input({ companions: [{ ...companion, served: 'casebook' }] })))).toEqual([expect.stringContaining('Disable one of them')]);
  });

  it('says that Claude Code does not ask in its usual mode', () => {
    expect(notes(diagnose(input({ claudeMode: undefined })))).toContainEqual(expect.stringContaining('--permission-mode manual'));
    expect(notes(diagnose(input({ claudeMode: 'acceptEdits' })))).toContainEqual(expect.stringContaining('in the mode acceptEdits'));
  });

  it('reads the locks as they lie there, whoever wrote them', async () => {
    const folder = join(await realpath(await mkdtemp(join(tmpdir(), 'casebook-seen-'))), 'ide');
    await mkdir(folder);
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await writeFile(join(folder, `${port}.lock`), JSON.stringify({ pid: process.pid, workspaceFolders: ['/w'], ideName: 'X', authToken: 'mine' }));
    await writeFile(join(folder, '1.lock'), '{');
    await writeFile(join(folder, 'notes.txt'), '{}');
    const locks = await seenLocks([folder, folder, '/nowhere'], 'mine');
    server.close();
    expect(locks).toEqual([{ file: join(folder, '1.lock'), own: false, alive: false, answers: false }, { file: join(folder, `${port}.lock`), content: { port, pid: process.pid, folders: ['/w'], name: 'X' }, own: true, alive: true, answers: true }]);
  });
});
