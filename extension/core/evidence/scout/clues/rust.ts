import { type FrameParser, place } from './frame.ts';

/** Rust: `panicked at src/x.rs:3:5:` (or with the message before it), and back-trace frames `at ./src/x.rs:3:5`. */
export const rustFrame: FrameParser = (line, next) => {
  const panic = /panicked at (?:'[^']{0,400}', )?(\S{1,400}\.rs):(\d{1,7})/.exec(line);
  if (panic) return place(panic[1], panic[2]);
  const named = /^\s{0,10}\d{1,4}: (?:0x[0-9a-f]{1,16} - )?([\w:<>{}#$., &*[\]]{1,300}?)(?:::h[0-9a-f]{16})?\s*$/.exec(line);
  const where = named && next ? /^\s{1,40}at (\S{1,400}\.rs):(\d{1,7})/.exec(next) : null;
  if (where) return place(where[1], where[2], named![1]);
  const compiler = /^\s{0,10}--> (\S{1,400}\.rs):(\d{1,7}):\d{1,5}/.exec(line);
  return compiler ? place(compiler[1], compiler[2]) : undefined;
};
