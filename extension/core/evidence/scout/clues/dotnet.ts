import { type FrameParser, place } from './frame.ts';

/** .NET: `at Ns.Type.Method(args) in C:\src\File.cs:line 3`; without a file the type's name gives it. */
export const dotnetFrame: FrameParser = (line) => {
  const text = line.trimStart();
  if (!text.startsWith('at ')) return undefined;
  const full = /^at ([\w.`<>[\],+|]{1,300})\([^()]{0,400}\) in ([^\n]{1,500}?):line (\d{1,7})/.exec(text);
  if (full) return place(full[2], full[3], full[1]);
  const bare = /^at ((?:[A-Z][\w`]{0,100}\.){2,12}[\w<>`]{1,100})\([^()]{0,400}\)\s*$/.exec(text);
  if (!bare) return undefined;
  const parts = bare[1]!.split('.');
  return place(`${parts.at(-2)!.replace(/`.*$/, '')}.cs`, undefined, bare[1]);
};
