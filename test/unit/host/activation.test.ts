import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { startFeatures } from '../../../extension/features/start.ts';
import { commands, panels, views } from '../../../extension/shared/ids.ts';
import * as fake from './fake-vscode.ts';

vi.mock('vscode', async () => import('./fake-vscode.ts'));
const composed = vi.hoisted(() => ({ times: 0 }));
vi.mock('../../../extension/compose.ts', () => {
  composed.times += 1;
  return { composeCore: async () => Promise.reject(new Error('no core in this test')) };
});
const { activate, deactivate } = await import('../../../extension/main.ts');

let remembered: number | undefined;
const subscriptions: { dispose(): void }[] = [];
const context = { subscriptions, extensionUri: fake.Uri.file('/ext'), extensionPath: '/ext', secrets: { get: async () => undefined }, workspaceState: { get: (_key: string, fallback: unknown) => remembered ?? fallback, update: async () => {} }, extension: { packageJSON: { version: '1.0.0' } } };

beforeEach(() => {
  activate(context as unknown as Parameters<typeof activate>[0]);
});
afterEach(async () => {
  for (const one of subscriptions.splice(0)) one.dispose();
  await deactivate();
  fake.workspace.isTrusted = true;
  fake.registered.messages.length = 0;
});

describe('activation', () => {
  it('registers every command, view and serializer once, and loads nothing of the core', () => {
    expect([...fake.registered.commands.keys()].sort()).toEqual(Object.values(commands).sort());
    expect(fake.registered.views.slice(-4).sort()).toEqual([views.cases, views.link, views.reviews, views.tickets]);
    expect(fake.registered.serializers.slice(-2)).toEqual(Object.values(panels));
    expect(fake.registered.statusItems).toBe(0);
    expect(composed.times).toBe(0);
  });

  it('gives everything back', () => {
    for (const one of subscriptions.splice(0)) one.dispose();
    expect(fake.registered.commands.size).toBe(0);
  });

  it('blocks in code what a restricted workspace may not do', async () => {
    fake.workspace.isTrusted = false;
    await fake.registered.commands.get(commands.investigate)?.(undefined);
    await fake.registered.commands.get(commands.eraseCase)?.('case_1');
    expect(fake.registered.messages).toEqual(['In Restricted Mode Casebook only reads its journal.', 'In Restricted Mode Casebook only reads its journal.']);
    expect(composed.times).toBe(0);
  });

  it('D16: looks for reviews that were pending before a reload, after activation and only then', async () => {
    for (const one of subscriptions.splice(0)) one.dispose();
    await deactivate();
    remembered = 5;
    activate(context as unknown as Parameters<typeof activate>[0]);
    expect(composed.times).toBe(0);
    await expect.poll(() => composed.times).toBe(1);
    remembered = undefined;
  });

  it('says a failure in one sentence', async () => {
    await fake.registered.commands.get(commands.investigate)?.(undefined);
    expect(fake.registered.messages).toEqual(['Open the folder whose code the tickets are about.']);
    await fake.registered.commands.get(commands.verifyJournal)?.(undefined);
    await expect.poll(() => fake.registered.messages.at(-1)).toBe('Something went wrong in Casebook.');
  });
});

describe('starting features', () => {
  it('starts the others when one throws, and disposes what started, last first', () => {
    const said: string[] = [];
    const log = { ...nullLogger, error: (message: string) => void said.push(message), child: () => log };
    const started = startFeatures(
      [
        { name: 'a', register: () => ({ dispose: () => void said.push('a gone') }) },
        {
          name: 'b',
          register: () => {
            throw new Error('broken');
          },
        },
        { name: 'c', register: () => ({ dispose: () => void said.push('c gone') }) },
      ],
      { log },
    );
    started.dispose();
    expect(said).toEqual(['b did not start', 'c gone', 'a gone']);
  });
});
