import { type FrameParser, place } from './frame.ts';

/** Go panics and goroutine dumps: the function on one line, `\t/path/file.go:3 +0x1d` on the next; also `file.go:3: message`. */
export const goFrame: FrameParser = (line, next) => {
  const called = /^([\w./*()\-[\]]{1,300}?)\((?:0x|\.\.\.|\{|\)|[\w, .]{1,200}\))/.exec(line);
  if (called && next) {
    const where = /^\s{1,8}(\S{1,500}\.go):(\d{1,7})(?: \+0x[0-9a-f]{1,16})?\s*$/.exec(next);
    if (where) return place(where[1], where[2], called[1]!.slice(called[1]!.lastIndexOf('/') + 1));
  }
  const alone = /^\s{0,8}(?:created by )?(\S{1,500}\.go):(\d{1,7})(?::\d{1,5})?(?::? |:$|$)/.exec(line);
  if (!alone || /^\s{1,8}\S{1,500}\.go:\d{1,7} \+0x/.test(line)) return undefined;
  return place(alone[1], alone[2]);
};
