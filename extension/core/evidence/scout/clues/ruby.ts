import { type FrameParser, place } from './frame.ts';

/** Ruby: ``x.rb:3:in `name'`` (also with straight quotes and a class since 3.4). */
export const rubyFrame: FrameParser = (line) => {
  const found = /(?:^|\s|\[)((?:[A-Za-z]:)?[^\s:"'`[\]]{1,400}\.(?:rb|erb|rake|haml|ru)):(\d{1,7}):in [`'"]([^'"`]{1,200})['"]/.exec(line);
  return found ? place(found[1], found[2], found[3]) : undefined;
};
