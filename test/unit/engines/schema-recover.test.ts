import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { recoverPrintedJson } from '../../../extension/core/agents/recover.ts';
import { providerSafeSchema } from '../../../extension/core/mcp/provider-schema.ts';
import { submission } from '../../../extension/core/model/verdict.ts';
import { growsWithin } from '../../fixtures/growth.ts';

function* nodes(value: unknown): Generator<Record<string, unknown>> {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* nodes(inner);
}

describe('provider-safe schemas', () => {
  it('the submission has nothing that a provider refuses, every enum its type, and all its fields', () => {
    const safe = providerSafeSchema(submission);
    expect(safe['required']).toEqual(['classification', 'confidence', 'summary', 'explanationForSupport', 'proposedCustomerReply', 'suggestedNextStep', 'evidence']);
    const keys = new Set([...nodes(safe)].flatMap((node) => Object.keys(node)));
    for (const key of ['$schema', 'title', 'allOf', 'if', 'then', '$ref', 'const']) expect(keys.has(key)).toBe(false);
    for (const node of nodes(safe)) if (Array.isArray(node['enum'])) expect(node['type']).toBe('string');
    expect(safe).toMatchObject({ type: 'object', properties: { evidence: { type: 'array', items: { type: 'object', properties: { line: { type: 'integer', minimum: 1 }, quote: { type: 'string', description: 'The exact text at that place' } } } } } });
    expect(JSON.stringify(safe)).not.toContain('9007199254740991');
  });

  it('merges allOf, follows references, types constants and enums, flattens tuples, drops conditionals', () => {
    const safe = providerSafeSchema({
      $schema: 'x', title: 'T', type: 'object',
      allOf: [{ properties: { a: { const: 'one' } }, required: ['a'] }, { $ref: '#/$defs/more' }],
      ...(JSON.parse('{"if":{"properties":{}},"then":{"required":["z"]}}') as Record<string, unknown>),
      $defs: { more: { properties: { b: { enum: [1, 2] }, title: { type: 'string', title: 'gone' } }, required: ['b'] } },
      properties: { c: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] } },
    });
    expect(safe).toEqual({
      type: 'object',
      required: ['a', 'b'],
      properties: {
        a: { type: 'string', enum: ['one'] },
        b: { type: 'number', enum: [1, 2] },
        // A property that is called like a keyword is none.
        title: { type: 'string' },
        c: { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'string' }] }, minItems: 2, maxItems: 2 },
      },
    });
  });

  it('refuses what no tool can take', () => {
    expect(() => providerSafeSchema(z.string())).toThrow('object schema');
    expect(() => providerSafeSchema({ type: 'object', properties: { a: { $ref: '#' } } })).toThrow('itself');
    expect(() => providerSafeSchema({ type: 'object', properties: { a: { $ref: '#/$defs/x' } } })).toThrow('not in it');
  });
});

describe('results that were printed', () => {
  it('are found in prose, fences and wrappers, the last one counts', () => {
    expect(recoverPrintedJson('no braces here', ['a'])).toBeUndefined();
    expect(recoverPrintedJson('if (x) { return } ```json\n{"a": "}"}\n``` done', ['a'])).toEqual({ a: '}' });
    expect(recoverPrintedJson('{"tool":"submit","input":{"a":1}}', ['a'])).toEqual({ a: 1 });
    expect(recoverPrintedJson('{"a":1} then better {"a":2} end', ['a'])).toEqual({ a: 2 });
    expect(recoverPrintedJson('{"a":1', ['a'])).toBeUndefined();
    expect(recoverPrintedJson('{"b":1}', ['a'])).toBeUndefined();
  });

  it('are found whole whatever stands around them, and never take long', () => {
    fc.assert(fc.property(fc.string(), fc.string(), fc.dictionary(fc.string(), fc.string()), (before, after, rest) => {
      const value = { ...rest, marker: 'x' };
      const quotes = (text: string): string => text.replaceAll('"', '').replaceAll('{', '');
      expect(recoverPrintedJson(`${quotes(before)}${JSON.stringify(value)}${quotes(after)}`, ['marker'])).toEqual(JSON.parse(JSON.stringify(value)));
    }));
    // Linear is twenty times, a square four hundred.
    expect(growsWithin(120, (size) => void recoverPrintedJson('{'.repeat(size), ['a']), 15_000, 300_000)).toBe(true);
  });
});
