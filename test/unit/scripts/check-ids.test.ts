import { describe, expect, it } from 'vitest';
import { compareIds } from '../../../scripts/check-ids.mjs';

const table = {
  commands: { a: 'casebook.a' },
  views: { container: 'casebook', cases: 'casebook.cases' },
  settings: { engine: 'casebook.engine' },
  contextKeys: { running: 'casebook.running' },
};

function manifest(change: Record<string, unknown> = {}) {
  return {
    contributes: {
      commands: [{ command: 'casebook.a', title: '%a%', category: '%cat%' }],
      configuration: { title: '%cat%', properties: { 'casebook.engine': { type: 'string', markdownDescription: '%engine%' } } },
      viewsContainers: { activitybar: [{ id: 'casebook', title: '%cat%' }] },
      views: { casebook: [{ id: 'casebook.cases', name: '%a%', when: 'casebook.running' }] },
      ...change,
    },
  };
}
const words = { a: 'A', cat: 'Casebook', engine: 'Which engine' };

describe('ids in code, manifest and words', () => {
  it('finds nothing where they agree', () => {
    expect(compareIds(table, manifest(), words)).toEqual([]);
  });

  it.each([
    ['a command without code', { commands: [{ command: 'casebook.b', title: '%a%', category: '%cat%' }] }, words, 'casebook.b is in package.json, not in ids.ts'],
    ['a command without contribution', { commands: [] }, words, 'casebook.a is in ids.ts, not in package.json'],
    ['a setting without code', { configuration: { title: '%cat%', properties: { 'casebook.x': { markdownDescription: '%engine%' } } } }, words, 'setting casebook.x is in package.json'],
    ['a command without category', { commands: [{ command: 'casebook.a', title: '%a%' }] }, words, 'has no category'],
    ['a context key without code', { menus: { commandPalette: [{ command: 'casebook.a', when: 'casebook.sleeping' }] } }, words, 'names casebook.sleeping'],
    ['a menu entry of no command', { menus: { commandPalette: [{ command: 'casebook.z' }] } }, words, 'names casebook.z'],
    ['a missing word', {}, { a: 'A', cat: 'Casebook' }, 'lacks engine'],
    ['a word left over', {}, { ...words, old: 'Old' }, 'has old'],
    ['a string in the manifest itself', { commands: [{ command: 'casebook.a', title: 'Plain', category: '%cat%' }] }, words, 'Plain'],
  ])('finds %s', (_, change, given, expected) => {
    expect(compareIds(table, manifest(change), given).join('\n')).toContain(expected);
  });
});
