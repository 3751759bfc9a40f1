import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultLimits, limitsOf } from '../../../extension/cli/engine-options.ts';

const { contributes } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as { contributes: { configuration: { properties: Record<string, { default?: unknown }> } | { properties: Record<string, { default?: unknown }> }[] } };

describe('T21: limits of a run from the terminal', () => {
  it('are those of the editor where none is set, and a money limit of one’s own refuses unknown prices', () => {
    expect(limitsOf({})).toEqual({ milliseconds: 900_000, turns: 60, tokens: 1_500_000, usd: 3, refuseUnknownCost: false });
    expect(limitsOf({ minutes: '0.5', turns: '2', usd: '1' })).toEqual({ milliseconds: 30_000, turns: 2, tokens: 1_500_000, usd: 1, refuseUnknownCost: true });
    expect(['0', '-1', 'x', ''].map((usd) => limitsOf({ usd }))).toEqual([undefined, undefined, undefined, undefined]);
  });
  it('have the same defaults as the settings', () => {
    const properties = Object.assign({}, ...[contributes.configuration].flat().map((part) => part.properties)) as Record<string, { default?: unknown }>;
    for (const [limit, value] of Object.entries(defaultLimits)) expect(properties[`casebook.limits.${limit}`]?.default).toBe(value);
  });
});
