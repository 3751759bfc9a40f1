import { type FrameParser, place } from './frame.ts';

/** V8 (Node, Chrome, Edge): `at name (file:1:2)` or `at file:1:2`. */
export const v8Frame: FrameParser = (line) => {
  const text = line.trimStart();
  if (!text.startsWith('at ')) return undefined;
  const inner = /^at (?:async )?(?:new )?([^()]{0,300}?) ?\((?:eval at [^()]*\()?([^()]{1,600}?):(\d{1,7})(?::\d{1,7})?\)/.exec(text);
  if (inner) return isJava(inner[2]!) ? undefined : place(inner[2], inner[3], inner[1]);
  const bare = /^at (?:async )?(\S{1,600}?):(\d{1,7}):\d{1,7}\)?\s*$/.exec(text);
  return bare ? place(bare[1], bare[2]) : undefined;
};

/** Firefox and Safari: `name@file:1:2`. */
export const geckoFrame: FrameParser = (line) => {
  const found = /^\s{0,20}([^\s@]{0,200})@(\S{1,600}?\.[A-Za-z]{1,6}[^\s:]{0,200}):(\d{1,7}):\d{1,7}\s*$/.exec(line);
  return found ? place(found[2], found[3], found[1]) : undefined;
};

function isJava(file: string): boolean {
  return /\.(?:java|kt|scala|groovy|cs|vb|fs)$/.test(file);
}
