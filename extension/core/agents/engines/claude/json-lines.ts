/** A line of output: the JSON object on it, or the head of what was no JSON object. */
export type JsonLine = { ok: true; value: Record<string, unknown> } | { ok: false; head: string };

/** Longest line taken; a longer one is reported as bad and skipped, so that a program run wild cannot fill the memory. */
const longestLine = 64 * 1024 * 1024;

/**
 * Splits bytes into lines at LF only, and only then decodes: a chunk may end in the middle of a character, and U+2028 is no line end in JSON.
 * Empty lines are left out; a last line without LF counts.
 */
export async function* jsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<JsonLine> {
  let parts: Buffer[] = [];
  let held = 0;
  let skipping = false;
  for await (const chunk of bytes) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      const line = Buffer.concat([...parts, rest.subarray(0, end)]);
      rest = rest.subarray(end + 1);
      parts = [];
      held = 0;
      if (!skipping) yield* parseLine(line);
      skipping = false;
    }
    if (rest.length > 0) parts.push(rest);
    held += rest.length;
    if (held > longestLine && !skipping) {
      yield { ok: false, head: Buffer.concat(parts).subarray(0, 200).toString('utf8') };
      skipping = true;
    }
    if (skipping) parts = [];
  }
  if (!skipping) yield* parseLine(Buffer.concat(parts));
}

function* parseLine(line: Buffer): Generator<JsonLine> {
  const text = line.toString('utf8').trim();
  if (text === '') return;
  const head = text.slice(0, 200);
  try {
    const value: unknown = JSON.parse(text);
    yield value !== null && typeof value === 'object' && !Array.isArray(value) ? { ok: true, value: value as Record<string, unknown> } : { ok: false, head };
  } catch {
    yield { ok: false, head };
  }
}
