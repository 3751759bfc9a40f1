import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { SettingsReader } from '../../../extension/host/settings.ts';
import { settings as ids } from '../../../extension/shared/ids.ts';

vi.mock('vscode', async () => import('./fake-vscode.ts'));
const { editorPorts, limitsOf, modelOf, ticketFolders } = await import('../../../extension/host/core-ports.ts');

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'casebook-ports-')));
  for (const folder of ['app/tickets', 'lib', 'elsewhere']) mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, 'lib/tickets'), 'a file, not a folder');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const reader = (values: Record<string, unknown>, set: string[] = []): SettingsReader =>
  new SettingsReader(
    (id) => values[id],
    undefined,
    (id) => (set.includes(id) ? [values[id]] : []),
  );

describe('what the core gets from the editor', () => {
  it('turns settings into limits and models', () => {
    expect(limitsOf(reader({ [ids.limitMinutes]: 0.5, [ids.limitTurns]: 3 }))).toEqual({ milliseconds: 30_000, turns: 3, tokens: 1_500_000, usd: 3, refuseUnknownCost: false });
    expect(limitsOf(reader({}, [ids.limitUsd]))).toMatchObject({ usd: 3, refuseUnknownCost: true });
    const models = reader({ [ids.model]: 'common', [ids.openaiModel]: 'own' });
    expect([modelOf(models, 'claude'), modelOf(models, 'openai-compatible'), modelOf(reader({ [ids.model]: 'common' }), 'openai-compatible')]).toEqual(['common', 'own', 'common']);
  });

  it('offers ticket folders that exist, once each', () => {
    const roots = [
      { name: 'app', path: join(base, 'app') },
      { name: 'lib', path: join(base, 'lib') },
    ];
    expect(ticketFolders(reader({ [ids.ticketFolders]: ['tickets', join(base, 'elsewhere'), 'gone'] }), roots)).toEqual([join(base, 'app/tickets'), join(base, 'elsewhere')]);
  });

  it('reads settings at each use, and an empty one is none', async () => {
    const values: Record<string, unknown> = { [ids.openaiBaseUrl]: '', [ids.githubQueries]: [{ label: 'Bugs', query: 'is:open label:bug' }] };
    const ports = await editorPorts({
      context: { extensionPath: '/ext', extension: { packageJSON: { version: '1.2.3' } } } as unknown as Parameters<typeof editorPorts>[0]['context'],
      log: nullLogger,
      settings: reader(values),
      secrets: { get: async () => 'key' },
      github: { token: async () => 'token' },
      lastEditor: { focus: () => undefined }, saves: { since: () => new Set<string>() },
      roots: () => [],
    });
    expect([ports.openaiCompatible.baseUrl(), ports.claudePath(), ports.model('claude'), ports.github.baseUrl]).toEqual([undefined, undefined, undefined, undefined]);
    values[ids.openaiBaseUrl] = 'http://127.0.0.1:9/v1';
    expect(ports.openaiCompatible.baseUrl()).toBe('http://127.0.0.1:9/v1');
    expect(ports.github.queries?.()).toEqual([{ id: 'is:open label:bug', label: 'Bugs', query: 'is:open label:bug' }]);
    expect(ports).toMatchObject({ program: 'extension', version: '1.2.3', dist: '/ext/dist', attended: true, journalInWorkspace: false });
    expect(ports.hostTools?.map((tool) => tool.name)).toEqual(['diagnostics', 'symbols']);
  });
});
