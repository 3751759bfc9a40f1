import { type FrameParser, place } from './frame.ts';

/** C and C++: gdb and sanitizer frames `#0 0x1 in name (…) file.c:3`, compilers' `file.cpp:3:5: error`. */
export const nativeFrame: FrameParser = (line) => {
  const numbered = /^\s{0,20}#\d{1,4}\s{1,4}(?:0x[0-9a-f]{1,16} in )?([\w:~<>,&* ]{1,300}?) ?(?:\([^()]{0,400}\) ?)?(?:at )?(\S{1,400}\.(?:cc?|cpp|cxx|hh?|hpp|mm?)):(\d{1,7})/.exec(line);
  if (numbered) return place(numbered[2], numbered[3], numbered[1]);
  const compiler = /^\s{0,8}(\S{1,400}\.(?:cc?|cpp|cxx|hh?|hpp|mm?)):(\d{1,7})(?::\d{1,5})?: /.exec(line);
  return compiler ? place(compiler[1], compiler[2]) : undefined;
};
