import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bySynonym, byTemplate, coerced, normalised } from '../../../extension/core/agents/verbs/resolvers.ts';
import { growsWithin } from '../../fixtures/growth.ts';

const anything = (value: Record<string, unknown>) => value;

describe('synonyms', () => {
  const synonyms = { 'Show me the queue': { view: 'queue' }, '“Stop”': { view: 'stop' }, ＣＡＦÉ: { view: 'cafe' } };
  it.each([
    ['show me  the QUEUE!', { view: 'queue' }],
    [' stop. ', { view: 'stop' }],
    ['café', { view: 'cafe' }],
    ['show the queue', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('%j is %j', (input, value) => {
    expect(bySynonym(input, synonyms)).toEqual(value);
  });
  it('two that say different things decide nothing', () => {
    expect(bySynonym('go', { go: { a: 1 }, 'GO!': { a: 2 } })).toBeUndefined();
    expect(bySynonym('go', { go: { a: 1 }, 'GO!': { a: 1 } })).toEqual({ a: 1 });
  });
  it('a phrase is its own synonym, however it is spaced', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (phrase) => {
        fc.pre(normalised(phrase) !== '' && phrase !== '__proto__');
        expect(bySynonym(`\n  ${phrase.replaceAll(' ', '   ')} ! `, { [phrase]: { v: 1 } })).toEqual({ v: 1 });
      }),
    );
  });
});

describe('templates', () => {
  it.each([
    ['move {item} to {place}', 'Move the red box to shelf 4.', { item: 'the red box', place: 'shelf 4' }],
    ['move {item} to {place}', 'move it to a to b', { item: 'it', place: 'a to b' }],
    ['set limit {n}', 'set   limit 12', { n: '12' }],
    ['({item})', '(x)', { item: 'x' }],
    ['move {item} to {place}', 'move to', undefined],
    ['plain words', 'plain words!', {}],
    ['plain words', 'plainwords', undefined],
  ])('%j reads %j', (template, input, value) => {
    expect(byTemplate(input, [{ template }], anything)).toEqual(value);
  });
  it('what fits two templates in different ways is decided by neither; what the schema refuses counts for nothing', () => {
    const templates = [{ template: 'send {what}' }, { template: 'send {what} now' }];
    expect(byTemplate('send it now', templates, anything)).toBeUndefined();
    expect(byTemplate('send it now', templates, (value) => (value['what'] === 'it' ? value : undefined))).toEqual({ what: 'it' });
  });
  it('cannot be made slow', () => {
    const template = '{a} x {b} x {c} x {d}';
    expect(growsWithin(400, (size) => void byTemplate('x '.repeat(size / 2), [{ template }], anything), 24, 480)).toBe(true);
    expect(byTemplate('x '.repeat(5000), [{ template }], anything)).toBeUndefined();
  });
  it('texts become what the schema wants', () => {
    const schema = { properties: { n: { type: 'integer' }, yes: { type: 'boolean' }, t: { type: 'string' }, odd: { type: 'number' } } };
    expect(coerced({ n: '12', yes: 'No', t: '12', odd: '1e3', other: '1' }, schema)).toEqual({ n: 12, yes: false, t: '12', odd: '1e3', other: '1' });
  });
});
