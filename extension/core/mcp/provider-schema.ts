import { z } from 'zod';

type Json = Record<string, unknown>;

/** Keywords that model providers refuse, ignore or read differently; the full rules stay with our own check of the input. */
const dropped = new Set(['$schema', '$id', '$comment', 'title', 'default', 'examples', 'if', 'then', 'else', 'not', 'dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'format', 'exclusiveMinimum', 'exclusiveMaximum']);

/** JavaScript's safe-integer bounds, which zod writes for every integer; noise to a model, refused by some providers. */
const isNoise = (key: string, value: unknown): boolean => (key === 'maximum' || key === 'minimum') && Math.abs(Number(value)) >= Number.MAX_SAFE_INTEGER;

/**
 * The input schema of a tool in the form that every provider takes: no `$schema`, `title`, conditionals or references, `allOf` merged,
 * every enum with its type, constants as one-valued enums, tuples as plain arrays. It may accept more than the original (a condition is lost),
 * never less, so the original still has to be checked. Takes a zod schema or a JSON Schema; throws for one that is no object schema.
 */
export function providerSafeSchema(schema: z.ZodType | Json): Json {
  const json = schema instanceof z.ZodType ? (z.toJSONSchema(schema, { io: 'input', reused: 'inline' }) as Json) : schema;
  const safe = simplify(json, json, 0);
  if (safe['type'] !== 'object') throw new TypeError('The input of a tool has to be an object schema');
  return { ...safe, properties: safe['properties'] ?? {} };
}

function simplify(node: Json, root: Json, depth: number): Json {
  if (depth > 40) throw new TypeError('The schema refers to itself, which no provider takes');
  const merged = mergeAll(resolve(node, root), root);
  const out: Json = {};
  for (const [key, value] of Object.entries(merged)) {
    if (dropped.has(key) || isNoise(key, value) || key === '$defs' || key === 'definitions') continue;
    out[key] = simplifyMember(key, value, root, depth);
  }
  if (merged['exclusiveMinimum'] !== undefined && merged['type'] === 'integer') out['minimum'] = Number(merged['exclusiveMinimum']) + 1;
  return typedEnum(withoutTuple(out));
}

function simplifyMember(key: string, value: unknown, root: Json, depth: number): unknown {
  if (key === 'properties' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, isObject(inner) ? simplify(inner, root, depth + 1) : inner]));
  }
  if ((key === 'items' || key === 'additionalProperties') && isObject(value)) return simplify(value, root, depth + 1);
  if ((key === 'anyOf' || key === 'oneOf' || key === 'prefixItems') && Array.isArray(value)) {
    return value.map((inner: unknown) => (isObject(inner) ? simplify(inner, root, depth + 1) : inner));
  }
  return value;
}

function resolve(node: Json, root: Json): Json {
  const reference = node['$ref'];
  if (typeof reference !== 'string') return node;
  let target: unknown = root;
  for (const part of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    target = isObject(target) ? target[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  if (!isObject(target)) throw new TypeError(`The schema refers to ${reference}, which is not in it`);
  const { $ref: _, ...beside } = node;
  return { ...target, ...beside };
}

function mergeAll(node: Json, root: Json): Json {
  const all = node['allOf'];
  if (!Array.isArray(all)) return node;
  const { allOf: _, ...rest } = node;
  return all.filter(isObject).reduce<Json>((sum, part) => {
    const one = mergeAll(resolve(part, root), root);
    return {
      ...sum,
      ...one,
      ...(isObject(sum['properties']) || isObject(one['properties']) ? { properties: { ...object(sum['properties']), ...object(one['properties']) } } : {}),
      ...(Array.isArray(sum['required']) || Array.isArray(one['required']) ? { required: [...new Set([...list(sum['required']), ...list(one['required'])])] } : {}),
    };
  }, rest);
}

function withoutTuple(node: Json): Json {
  const tuple = node['prefixItems'];
  if (!Array.isArray(tuple)) return node;
  const { prefixItems: _, ...rest } = node;
  return { ...rest, items: tuple.length === 1 ? tuple[0] : { anyOf: tuple }, minItems: tuple.length, maxItems: tuple.length };
}

function typedEnum(node: Json): Json {
  const { const: constant, ...rest } = node;
  const values = 'const' in node ? [constant] : node['enum'];
  if (!Array.isArray(values)) return node;
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return { type: types.length === 1 ? types[0] : types, ...rest, enum: values };
}

function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
const object = (value: unknown): Json => (isObject(value) ? value : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
