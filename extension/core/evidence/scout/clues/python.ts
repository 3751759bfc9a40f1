import { type FrameParser, place } from './frame.ts';

/** CPython: `File "x.py", line 3, in name`; IPython: `x.py in name(args)`; pytest: `x.py:3: SomeError`. */
export const pythonFrame: FrameParser = (line) => {
  const classic = /File "([^"]{1,600})", line (\d{1,7})(?:, in (\S{1,200}))?/.exec(line);
  if (classic) return place(classic[1], classic[2], classic[3]);
  const notebook = /^\s{0,20}\[?((?:~|[A-Za-z]:)?[^\s()[\]]{1,500}\.pyx?)\]?(?:\([^()\s]{0,400}\))? in ([A-Za-z_<][\w.<>]{0,200})\(/.exec(line);
  if (notebook) return place(notebook[1], undefined, notebook[2]);
  const short = /^(?:E\s{1,10})?\s{0,8}([^\s:"'`]{1,400}\.pyx?):(\d{1,7}): (?:in )?([A-Za-z_]\w{0,200})?/.exec(line);
  return short ? place(short[1], short[2], short[3]) : undefined;
};
