/**
 * Finds the result that a model printed as JSON instead of handing it in. Returns the last JSON object in the text that has every key of
 * `mustHave`, or undefined. The text may hold prose, code fences and braces that belong to code; only a whole object that parses counts.
 */
export function recoverPrintedJson(text: string, mustHave: readonly string[]): Record<string, unknown> | undefined {
  let found: Record<string, unknown> | undefined;
  let budget = mostScanned;
  let at = text.indexOf('{');
  while (at >= 0 && budget > 0) {
    const end = endOfObject(text, at, Math.min(text.length, at + budget));
    budget -= (end ?? text.length) - at;
    const value = end === undefined ? undefined : parseObject(text.slice(at, end));
    const matches = value !== undefined && mustHave.every((key) => key in value);
    if (matches) found = value;
    // Inside of an object that does not match there may still be one that does, as in {"submit": {…}}.
    at = text.indexOf('{', matches && end !== undefined ? end : at + 1);
  }
  return found;
}

/** Characters looked at in all, so that a text of nothing but open braces stays cheap. */
const mostScanned = 20_000_000;

function endOfObject(text: string, start: number, limit: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let i = start; i < limit; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return i + 1;
  }
  return undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
