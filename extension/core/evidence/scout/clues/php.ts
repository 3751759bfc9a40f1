import { type FrameParser, place } from './frame.ts';

/** PHP: `#0 /x.php(3): Name->call()`, `in /x.php on line 3`, `in /x.php:3`. */
export const phpFrame: FrameParser = (line) => {
  const numbered = /^\s{0,20}#\d{1,4} (\S{1,500}\.(?:php|phtml|inc))\((\d{1,7})\)(?:: ([\w\\]{1,200}(?:(?:->|::)\w{1,100})?))?/.exec(line);
  if (numbered) return place(numbered[1], numbered[2], numbered[3]);
  const worded = / in (\S{1,500}\.(?:php|phtml|inc))(?: on line |:)(\d{1,7})/.exec(line);
  return worded ? place(worded[1], worded[2]) : undefined;
};
