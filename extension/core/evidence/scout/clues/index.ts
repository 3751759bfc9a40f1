import { dotnetFrame } from './dotnet.ts';
import type { Frame, FrameParser } from './frame.ts';
import { goFrame } from './go.ts';
import { geckoFrame, v8Frame } from './javascript.ts';
import { jvmFrame } from './jvm.ts';
import { nativeFrame } from './native.ts';
import { phpFrame } from './php.ts';
import { pythonFrame } from './python.ts';
import { rubyFrame } from './ruby.ts';
import { rustFrame } from './rust.ts';
import { swiftFrame } from './swift.ts';

/** Order matters only where two families could read the same line: the stricter pattern comes first. */
const parsers: readonly FrameParser[] = [jvmFrame, dotnetFrame, v8Frame, pythonFrame, rubyFrame, phpFrame, rustFrame, swiftFrame, nativeFrame, goFrame, geckoFrame];

const MAX_LINE = 2000;
const MAX_FRAMES = 400;

/** A line and where it starts in the text. */
export interface TextLine {
  text: string;
  at: number;
}

/** The text's lines; a line of more than 2 000 characters is cut into pieces, so that no pattern ever sees more. */
export function linesOf(text: string): TextLine[] {
  const lines: TextLine[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    if (line.length <= MAX_LINE) lines.push({ text: line.endsWith('\r') ? line.slice(0, -1) : line, at });
    else for (let from = 0; from < line.length; from += MAX_LINE) lines.push({ text: line.slice(from, from + MAX_LINE), at: at + from });
    at += line.length + 1;
  }
  return lines;
}

/** Frames of all stack traces in the lines, in order. Log prefixes such as `INTERNALERROR> ` and time stamps before a frame do not hide it. */
export function framesOf(lines: readonly TextLine[]): Frame[] {
  const frames: Frame[] = [];
  for (let i = 0; i < lines.length && frames.length < MAX_FRAMES; i++) {
    const line = lines[i]!;
    if (!mayHoldFrame(line.text)) continue;
    const body = withoutPrefix(line.text);
    const next = lines[i + 1];
    for (const parse of parsers) {
      const found = parse(body, next && withoutPrefix(next.text));
      if (!found) continue;
      frames.push({ ...found, text: line.text.trim().slice(0, 300), at: line.at });
      // Go and Rust give the name on one line and the place on the next: that one is read.
      const base = found.file.slice(found.file.lastIndexOf('/') + 1);
      if (!body.includes(base) && next?.text.includes(base) === true) i++;
      break;
    }
  }
  return frames;
}

/** Cheap test that spares most lines the patterns: a frame names a file with an extension, or calls something after `at`. */
function mayHoldFrame(text: string): boolean {
  if (text.includes('::')) return true;
  return text.includes('.') && (/\d|\)$/.test(text) || text.includes(' in ') || text.includes('at ')) && /\.[A-Za-z]{1,7}\b|\bat \S|\(/.test(text);
}

function withoutPrefix(text: string): string {
  return text.replace(/^(?:[A-Z]{4,20}> ?|\[[^\]\s]{1,40}\] |>+ ?|\d{4}-\d\d-\d\d[T ][\d:.,]{5,16}Z? )(?=\s|at |File|#|\S)/, '');
}
