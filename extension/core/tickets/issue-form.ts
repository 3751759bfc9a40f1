import { inSpans, markdownSpans } from '../base/markdown-spans.ts';

/** Parts of a ticket that a structured body fills in. */
export interface FormParts {
  where: Record<string, string>;
  environment: Record<string, string>;
  formData: Record<string, string>;
  console: { text: string }[];
}

const environmentHeading =
  /^(?:.*\b)?(?:versions?|environment|operating system|os|platform|browsers?|node(?:\.?js)?|npm|pnpm|yarn|python|java|jdk|ruby|go|rust|\.net|dotnet|php|swift|kernel|arch(?:itecture)?|device|runtime|system info(?:rmation)?|editor|package manager|database|build)\b/i;
const whereHeading = /^(?:.*\b)?(?:url|link to|page|screen|component|module|area|package|where|location|route|endpoint|file|reproduction (?:link|url|repo(?:sitory)?))\b/i;
const logHeading = /\b(?:logs?|log output|console(?: output)?|stack ?trace|trace ?back|error (?:output|message))\b/i;
const sectionHeadings = /^#{2,4}[ \t]+([^\n]{1,200}?)[ \t]*#*[ \t]*\r?$/gm;

/**
 * Reads the sections that an issue form writes (`### Heading`, then the value). Well-known headings go to `where`, `environment` and
 * `console`, all others to `formData`; empty answers are left out. Headings inside code are not headings. The body itself stays as it is.
 */
export function readIssueForm(body: string): FormParts {
  const parts: FormParts = { where: {}, environment: {}, formData: {}, console: [] };
  const spans = markdownSpans(body);
  const headings = [...body.matchAll(sectionHeadings)].filter((match) => !inSpans(spans, match.index));
  headings.forEach((match, index) => {
    const heading = (match[1] ?? '').trim();
    const value = body
      .slice(match.index + match[0].length, headings[index + 1]?.index ?? body.length)
      .replace(/<!--[^]*?(?:-->|$)/g, '')
      .trim();
    if (value === '' || /^_?(?:no response|n\/a|none)_?$/i.test(value)) return;
    if (logHeading.test(heading)) parts.console.push(...logLines(value));
    // A long answer under a heading such as "What version worked?" is prose, not a fact about the environment.
    else if (environmentHeading.test(heading) && value.length <= 2000) addEnvironment(parts.environment, heading, value);
    else if (whereHeading.test(heading) && value.length <= 500) parts.where[heading] = value;
    else parts.formData[heading] = value;
  });
  return parts;
}

/** `- OS: Linux` lists become one entry a line; anything else one entry under its heading. */
function addEnvironment(environment: Record<string, string>, heading: string, value: string): void {
  const lines = value.replace(/^`{3}[^\n]*|`{3}$/gm, '').split('\n').map((line) => line.trim()).filter(Boolean);
  const pairs = lines.map((line) => /^(?:[-*+]\s+)?\**([A-Za-z][\w ./+-]{0,40}?)\**\s*[:=]\s*\**\s*(\S.*)$/.exec(line));
  if (lines.length > 0 && pairs.every((pair) => pair !== null)) {
    for (const pair of pairs) if (pair?.[1] !== undefined && pair[2] !== undefined) environment[pair[1]] = pair[2];
  } else environment[heading] = lines.join('\n');
}

function logLines(value: string): { text: string }[] {
  return value
    .replace(/^[ ]{0,3}(?:`{3,}|~{3,})[^\n]*$/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((text) => ({ text }));
}
