import { inSpans } from '../../../base/markdown-spans.ts';
import type { ReplyFinding } from '../../../model/verdict.ts';
import { findingsFor, maxFindings, type Rule } from '../rule.ts';

/** One line of a stack trace: Node and browsers, Python, Java and .NET, Go, Rust, Ruby, PHP. */
const frame =
  /^[ \t]*(?:at [^\n]{1,300}(?::\d+:\d+\)?|\([^()\n]{1,200}\)| in [^\n]{1,200}:line \d+)|File "[^"\n]{1,300}", line \d+[^\n]{0,200}|Traceback \(most recent call last\):?|goroutine \d+ \[[^\]\n]{1,60}\]:?|panic: [^\n]{1,300}|thread '[^'\n]{1,80}' panicked at [^\n]{0,300}|#\d+ +(?:0x[0-9a-f]{6,}|[^\n]{1,200}\(\d+\):)[^\n]{0,200}|[\w./-]{1,200}\.(?:go|rb|rs):\d+(?::in [^\n]{0,100}| \+0x[0-9a-f]+)?|Caused by: [^\n]{1,300}|[\w.$]{1,100}@https?:\/\/[^\n]{1,300}:\d+:\d+)[ \t]*\r?$/gm;
const statement = /(?<![\w$.])(?:[\w$]{1,60}\.){0,6}[\w$]{1,60}\([^()\n]{0,120}\)\s{0,3}(?:;|\{|=>)|(?<!\w)(?:const|let|var|function|def|class|import|return|await|SELECT|UPDATE|DELETE FROM)\s{1,3}[^\n]{1,120}[;{}]|=>\s{0,3}[{(]/g;
const codeLike = /[(){};=<>$]|::|->|\w_\w|[a-z][A-Z]/;

/** Stack traces (the fix takes the lines out) and code. Words in backticks that a user would type or read are left alone. */
export const code: Rule = ({ text, spans, prose }) => {
  const found = traces(text);
  for (const span of spans) {
    if (found.length >= maxFindings) break;
    const inner = text.slice(span.start, span.end);
    const isCode = span.kind === 'fence' ? inner.trim() !== '' : span.kind === 'code' && codeLike.test(inner);
    if (isCode) found.push({ rule: 'code', severity: 'warn', message: span.kind === 'fence' ? 'There is a block of code here' : 'This looks like code', span: [span.start, span.end] });
  }
  return [...found, ...findingsFor(prose.matchAll(statement), (match) => (inSpans(spans, match.index) ? undefined : { rule: 'code', severity: 'warn', message: 'This looks like code' }))];
};

/** Neighbouring frames are one finding. */
function traces(text: string): ReplyFinding[] {
  const found: ReplyFinding[] = [];
  for (const match of text.matchAll(frame)) {
    const start = match.index;
    const newline = start + match[0].length;
    const end = text[newline] === '\n' ? newline + 1 : newline;
    const last = found.at(-1);
    if (last?.span !== undefined && last.span[1] === start) last.span[1] = end;
    else if (found.length < maxFindings) found.push({ rule: 'code', severity: 'block', message: 'This is a stack trace', span: [start, end], fix: '' });
  }
  return found;
}
