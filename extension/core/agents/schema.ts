import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Failure, messageOf } from '../base/failure.ts';
import { providerSafeSchema } from '../mcp/provider-schema.ts';

export type SchemaFailureReason = 'bad_schema';

/** What is wrong with one field, in words for the model that sent it. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** A JSON Schema that came from outside, ready to judge values and to be shown to a model. */
export interface ResultSchema {
  /** The form that every provider takes; it may accept more than the schema does. */
  readonly safe: Record<string, unknown>;
  /** Every bad field; empty when the value fits. */
  problems(value: unknown): FieldProblem[];
}

/** Takes a JSON Schema (draft 2020-12) of an object. Throws Failure `bad_schema` with what is wrong with it. */
export function resultSchema(schema: Record<string, unknown>): ResultSchema {
  try {
    const ajv = new Ajv2020({ allErrors: true, strict: false, formats: fullFormats });
    const check = ajv.compile(schema);
    return { safe: providerSafeSchema(schema), problems: (value) => (check(value) ? [] : (check.errors ?? []).map(problemOf)) };
  } catch (error) {
    throw new Failure<SchemaFailureReason>('bad_schema', `The schema cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

function problemOf({ instancePath, message = 'does not fit', params }: ErrorObject): FieldProblem {
  const allowed = (params as { allowedValues?: unknown[] }).allowedValues;
  const extra = (params as { additionalProperty?: string }).additionalProperty;
  const path = instancePath.slice(1).replaceAll('/', '.');
  return { path: path === '' ? '(whole)' : path, message: `${message}${allowed === undefined ? '' : `: ${allowed.map((value) => JSON.stringify(value)).join(', ')}`}${extra === undefined ? '' : `: ${extra}`}` };
}
