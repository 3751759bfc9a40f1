import { findingsFor, type Rule } from '../rule.ts';
import type { ReplyFinding } from '../../../model/verdict.ts';
import { sourceExtensions } from '../names.ts';

const systemRoot = /^\/(?:home|users|usr|var|etc|opt|tmp|root|mnt|srv|private|app|workspaces?|lib|bin|proc|dev|sys|data|volumes|build|src)\//i;
const absolute = /(?<![\w:/.~@%-])~?\/(?:[\w.@+~-]{1,200}\/){1,60}[\w.@+~-]{0,200}/g;
const relative = new RegExp(`(?<![\\w@./\\\\-])(?:\\.{1,2}/)?(?:[\\w@.-]{1,100}[/\\\\]){1,40}[\\w@.-]{0,100}\\.(?:${sourceExtensions})(?![\\w-])(?::\\d+)*`, 'g');
const fileWithLine = new RegExp(`(?<![\\w@./\\\\-])[\\w-]{1,100}(?:\\.[\\w-]{1,40}){0,4}\\.(?:${sourceExtensions}):\\d+(?::\\d+)?`, 'g');
const windows = /(?<![\w/\\])(?:[A-Za-z]:[\\/](?![\\/])|\\\\[\w.-]{1,100}\\)[^\s"'<>|:*?]{1,500}/g;
const fileUrl = /\bfile:\/\/[^\s)>\]"']{0,2000}/gi;

/** Paths of the user's machine and of the repository. A home folder is replaced by `~`; the rest needs other words, so it has no fix. */
export const paths: Rule = ({ text }, { home }) => {
  const found = homeIn(text, home);
  const add = (more: ReplyFinding[]): void => {
    for (const finding of more) if (!found.some((known) => overlaps(known, finding))) found.push(finding);
  };
  const path = (message: string) => () => ({ rule: 'path', severity: 'block', message }) as const;
  add(findingsFor(text.matchAll(fileUrl), path('This is the address of a file on this machine')));
  add(findingsFor(text.matchAll(windows), path('This is a path on a Windows machine')));
  add(findingsFor(text.matchAll(absolute), (match) => (match[0].startsWith('~') || systemRoot.test(match[0]) || new RegExp(`\\.(?:${sourceExtensions})$`).test(match[0]) ? path('This is a path on a machine')() : undefined)));
  add(findingsFor(text.matchAll(relative), path('This is a path in the code')));
  add(findingsFor(text.matchAll(fileWithLine), path('This is a place in the code')));
  return found;
};

function homeIn(text: string, home: string | undefined): ReplyFinding[] {
  const found: ReplyFinding[] = [];
  if (home === undefined || home.length < 4) return found;
  for (let at = text.indexOf(home); at !== -1 && found.length < 100; at = text.indexOf(home, at + home.length)) {
    const next = text[at + home.length] ?? '';
    if (/[\w-]/.test(next)) continue;
    found.push({ rule: 'path', severity: 'block', message: 'This is your home folder', span: [at, at + home.length], fix: '~' });
  }
  return found;
}

function overlaps(a: ReplyFinding, b: ReplyFinding): boolean {
  return a.span !== undefined && b.span !== undefined && a.span[0] < b.span[1] && b.span[0] < a.span[1];
}
