import { type FrameParser, place } from './frame.ts';

/** Swift: crash reports `3 App 0x1 Type.method() + 12 (File.swift:3)`, `Fatal error: …: file App/File.swift, line 3`, `File.swift:3: Fatal error`. */
export const swiftFrame: FrameParser = (line) => {
  const crash = /^\s{0,10}\d{1,4}\s{1,10}\S{1,100}\s{1,40}0x[0-9a-f]{1,16} ([^\n]{1,300}?) \+ \d{1,8}(?: \(([^()\s:]{1,200}\.(?:swift|mm?|cpp|c)):(\d{1,7})\))?\s*$/.exec(line);
  if (crash) return place(crash[2], crash[3], crash[1]);
  const fatal = /: file (\S{1,400}\.swift), line (\d{1,7})/.exec(line);
  if (fatal) return place(fatal[1], fatal[2]);
  const short = /(?:^|\s)([^\s:]{1,400}\.swift):(\d{1,7}): (?:Fatal|error|warning)/.exec(line);
  return short ? place(short[1], short[2]) : undefined;
};
