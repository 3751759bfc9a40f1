import { type FrameParser, place } from './frame.ts';

/** Java, Kotlin, Scala, Groovy: `at pkg.Class$Inner.method(File.java:3)`; the package gives the folder. */
export const jvmFrame: FrameParser = (line) => {
  const found = /\bat (?:[\w.@-]{1,120}\/{1,2})?([\w$.]{1,300})\.([\w$<>]{1,150})\(([\w$]{1,120}\.(?:java|kt|scala|groovy)):?(\d{1,7})?\)/.exec(line);
  if (!found) return undefined;
  const qualified = found[1]!.split('.');
  const type = qualified.pop()!;
  const folder = qualified.join('/');
  return place(folder ? `${folder}/${found[3]!}` : found[3], found[4], `${type}.${found[2]!}`);
};
