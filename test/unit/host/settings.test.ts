import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SettingsReader } from '../../../extension/host/settings.ts';
import { type SettingId, settings } from '../../../extension/shared/ids.ts';

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { contributes: { configuration: { properties: Record<string, { default: unknown; scope: string }> } }; capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } } };
const properties = manifest.contributes.configuration.properties;

const reader = (values: Record<string, unknown>, complaints: string[] = []): SettingsReader =>
  new SettingsReader(
    (id) => values[id],
    (id) => complaints.push(id),
  );

describe('settings', () => {
  it.each(Object.values(settings))('%s has the default that package.json shows', (id: SettingId) => {
    expect(properties[id]?.default).toEqual(SettingsReader.fallback(id));
    expect(reader({ [id]: properties[id]?.default }).get(id)).toEqual(SettingsReader.fallback(id));
  });

  it('reads at the moment of use', () => {
    const values: Record<string, unknown> = { [settings.engine]: 'scout' };
    const made = reader(values);
    expect(made.get(settings.engine)).toBe('scout');
    values[settings.engine] = 'claude';
    expect(made.get(settings.engine)).toBe('claude');
  });

  it('passes the scope on', () => {
    const asked: (string | undefined)[] = [];
    const made = new SettingsReader((_id, scope) => void asked.push(scope));
    made.get(settings.ticketFolders, '/work/app');
    made.get(settings.ticketFolders);
    expect(asked).toEqual(['/work/app', undefined]);
  });

  it.each([
    [settings.engine, 'replay', 'auto'],
    [settings.limitTurns, 1.5, 60],
    [settings.limitMinutes, -1, 15],
    [settings.limitUsd, Number.NaN, 3],
    [settings.openaiBaseUrl, 'file:///etc/passwd', ''],
    [settings.openaiBaseUrl, 'https://user@host/v1', ''],
    [settings.openaiBaseUrl, 'https://:secret@host/v1', ''],
    [settings.githubBaseUrl, 'https://host/api?x=1', ''],
    [settings.ambientContext, 'yes', false],
  ] as const)('does not take %s = %j', (id, value, fallback) => {
    const complaints: string[] = [];
    const made = reader({ [id]: value }, complaints);
    expect(made.get(id)).toEqual(fallback);
    made.get(id);
    expect(complaints).toEqual([id]);
  });

  it('drops unusable members of lists and trims addresses', () => {
    const made = reader({ [settings.githubQueries]: [{ label: 'a', query: 'is:open', more: 1 }, { label: 'b' }, null], [settings.ticketFolders]: ['tickets', 3, ' '], [settings.openaiBaseUrl]: ' http://127.0.0.1:1/v1/ ' });
    expect(made.get(settings.githubQueries)).toEqual([{ label: 'a', query: 'is:open' }]);
    expect(made.get(settings.ticketFolders)).toEqual(['tickets']);
    expect(made.get(settings.openaiBaseUrl)).toBe('http://127.0.0.1:1/v1');
  });

  it('keeps what runs a program or receives code and tokens out of a repository’s hands', () => {
    for (const id of [settings.claudePath, settings.openaiBaseUrl, settings.githubBaseUrl, settings.limitMinutes, settings.limitTurns, settings.limitTokens, settings.limitUsd]) expect(properties[id]?.scope, id).toBe('machine');
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe('limited');
    for (const id of [settings.claudePath, settings.openaiBaseUrl, settings.githubBaseUrl, settings.journalLocation]) expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toContain(id);
  });
});
