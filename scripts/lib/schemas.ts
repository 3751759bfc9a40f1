import { z } from 'zod';
import { eventKinds } from '../../extension/core/journal/kinds/index.ts';
import { changeSet } from '../../extension/core/model/change.ts';
import { citation, scoutResult, snapshot } from '../../extension/core/model/code.ts';
import { ticket } from '../../extension/core/model/ticket.ts';
import { submission, verdict } from '../../extension/core/model/verdict.ts';

/** Shapes that others may read or write, by file name under schemas/. */
const shapes = {
  analysis: { title: 'analysis.json: the verdict of an investigation', schema: verdict },
  submission: { title: 'What an agent hands to the submit tool', schema: submission },
  citations: { title: 'citations.json: every citation of a case with its check state', schema: z.array(citation) },
  ticket: { title: 'A ticket as JSON file', schema: ticket },
  snapshot: { title: 'The state of the code that was looked at', schema: snapshot },
  'scout-result': { title: 'What the scout found', schema: scoutResult },
  'change-set': { title: 'A change set, as proposed for review', schema: changeSet },
};

/** File name → JSON Schema (draft 2020-12) as text. What may be left out when writing stays optional: the schemas describe input. */
export function schemaFiles(): Record<string, string> {
  const files = Object.entries(shapes).map(([name, { title, schema }]) => [`${name}.schema.json`, text(title, name, z.toJSONSchema(schema, { io: 'input' }))]);
  const bodies = Object.fromEntries(Object.entries(eventKinds).map(([kind, schema]) => [kind, inner(z.toJSONSchema(schema, { io: 'input' }))]));
  const events = { $schema: 'https://json-schema.org/draft/2020-12/schema', $defs: bodies };
  return Object.fromEntries([...files, ['event-bodies.schema.json', text('Bodies of journal events, by kind', 'event-bodies', events)]]) as Record<string, string>;
}

function inner(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));
}

function text(title: string, name: string, schema: object): string {
  return `${JSON.stringify({ $id: `https://casebook.dev/schemas/${name}.schema.json`, title, ...schema }, null, 2)}\n`;
}
