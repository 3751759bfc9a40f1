/** The tiers of extract that need no model: what a person wrote down beforehand, applied to what somebody typed. Pure. */

/** A template of words with holes: `move {item} to {place}`. A hole takes one word or several, as few as the words around it allow. */
export interface SlotTemplate {
  template: string;
  /** Fields that go with it, beside those of the holes. */
  with?: Readonly<Record<string, unknown>>;
}

/** Phrase → the value it stands for. */
export type Synonyms = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What counts of a phrase: letter case, width, spaces and punctuation around it do not. */
export function normalised(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '');
}

/** The value of the phrase that was typed; undefined when no phrase is it, or when two that are the same when normalised say different things. */
export function bySynonym(input: string, synonyms: Synonyms): Record<string, unknown> | undefined {
  const wanted = normalised(input);
  return theOnly(Object.entries(synonyms).flatMap(([phrase, value]) => (normalised(phrase) === wanted ? [{ ...value }] : [])));
}

/**
 * The value of the template that fits, the texts of its holes as `fits` takes them. Undefined when none does, or when different ones give different values: what is
 * ambiguous is not decided here. `fits` gives the value with texts turned into what the schema wants, or undefined.
 */
export function byTemplate(input: string, templates: readonly SlotTemplate[], fits: (value: Record<string, unknown>) => Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const words = input.normalize('NFKC').trim().replaceAll(/\s+/gu, ' ').replace(/[.!?]+$/u, '');
  return theOnly(
    templates.flatMap(({ template, with: fixed = {} }) => {
      const holes = matched(words, template);
      const value = holes === undefined ? undefined : fits({ ...fixed, ...holes });
      return value === undefined ? [] : [value];
    }),
  );
}

/** Texts by hole. The pattern is made of literal words and lazy holes between spaces, on one line of bounded length, so it cannot run away. */
function matched(words: string, template: string): Record<string, string> | undefined {
  if (words.length > longestInput) return undefined;
  const parts = template.normalize('NFKC').trim().split(/\{([A-Za-z_]\w*)\}/u);
  const pattern = parts.map((part, index) => (index % 2 === 1 ? `(?<${part}>\\S+(?: \\S+){0,11}?)` : escaped(part.replaceAll(/\s+/gu, ' ')))).join('');
  const match = new RegExp(`^${pattern}$`, 'iu').exec(words);
  return match === null ? undefined : { ...match.groups };
}

/** Sentences longer than this are for a model. UTF-16 units. */
const longestInput = 500;

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}\-/]/gu, (char) => `\\${char}`);

function theOnly(values: readonly Record<string, unknown>[]): Record<string, unknown> | undefined {
  const [first] = values;
  return first !== undefined && values.every((value) => JSON.stringify(value) === JSON.stringify(first)) ? first : undefined;
}

/** A value whose texts became what the schema's properties want (numbers, whole numbers, booleans); everything else as it is. */
export function coerced(value: Record<string, unknown>, schema: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, { type?: unknown }>;
  return Object.fromEntries(Object.entries(value).map(([name, given]) => [name, typeof given === 'string' ? coercedText(given, properties[name]?.type) : given]));
}

function coercedText(text: string, type: unknown): unknown {
  if ((type === 'number' || type === 'integer') && /^-?\d+(?:\.\d+)?$/u.test(text)) return Number(text);
  if (type === 'boolean' && /^(?:true|false|yes|no)$/iu.test(text)) return /^(?:true|yes)$/iu.test(text);
  return text;
}
