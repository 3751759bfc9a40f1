import type { Ticket } from '../model/ticket.ts';

/** What is known of an earlier case; files are those its citations name. */
export interface EarlierCase {
  case: string;
  title: string;
  ticket: Ticket;
  files?: readonly string[];
  symbols?: readonly string[];
  classification?: string | undefined;
}

export interface SimilarCase {
  case: string;
  title: string;
  classification?: string;
  score: number;
  /** A sentence naming what both share. */
  why: string;
}

/** What two tickets are compared by. */
interface Traits {
  messages: Set<string>;
  files: Set<string>;
  symbols: Set<string>;
}

const weight = { message: 5, file: 3, symbol: 1.5, same: 20 } as const;
const minimumScore = 3;
const maxScanned = 200_000;
const errorLine = /^[^\n]{0,120}?\b((?:[A-Z]\w*(?:Error|Exception|Fault|Failure)|[Ee]rror|ERROR|[Ff]atal|panic|Traceback|[Ff]ailed|[Cc]annot|[Cc]ould not|ENOENT|E[A-Z]{4,})\b[^\n]{3,300})$/gm;
const fileName = /(?:[\w@.-]+[\\/])*[\w@-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|cs|cpp|cc|c|hpp|h|php|swift|vue|svelte|scala|lua|exs?|dart|sql|html?|s?css|json|ya?ml|toml)\b/g;
const identifier = /\b(?:[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[A-Za-z]+(?:_[A-Za-z0-9]+)+|[A-Za-z]\w*(?:\.[A-Za-z]\w*)+(?=\())\b/g;

/**
 * Earlier cases that look like this ticket: the same error message, files or symbols, best first. What half of all cases mention says
 * nothing, so each shared trait counts less the more cases have it. Cases without anything in common are left out.
 */
export function rankSimilar(ticket: Ticket, earlier: readonly EarlierCase[], limit = 5): SimilarCase[] {
  const mine = traitsOf(ticket, [], []);
  const others = earlier.map((item) => ({ item, traits: traitsOf(item.ticket, item.files ?? [], item.symbols ?? []) }));
  const rarity = rarityIn(others.map((other) => other.traits));
  return others
    .map(({ item, traits }) => compare(ticket, mine, item, traits, rarity))
    .filter((result): result is SimilarCase => result !== undefined)
    .sort((a, b) => b.score - a.score || (a.case < b.case ? 1 : -1))
    .slice(0, limit);
}

function compare(ticket: Ticket, mine: Traits, item: EarlierCase, traits: Traits, rarity: (trait: string) => number): SimilarCase | undefined {
  const reasons: string[] = [];
  let score = 0;
  const share = (kind: 'message' | 'file' | 'symbol', a: Set<string>, b: Set<string>): void => {
    const shared = [...a].filter((trait) => b.has(trait));
    if (shared.length === 0) return;
    // Ten shared names are not ten times the evidence of one.
    score += shared.map((trait) => rarity(trait) * weight[kind]).sort((x, y) => y - x).reduce((sum, value, index) => sum + value / (index + 1), 0);
    const shown = shared.slice(0, 2).map((trait) => `“${trait.length > 80 ? `${trait.slice(0, 79)}…` : trait}”`);
    reasons.push(`same ${kind}${shared.length > 1 ? 's' : ''} ${shown.join(', ')}${shared.length > 2 ? ` and ${shared.length - 2} more` : ''}`);
  };
  if (item.ticket.id === ticket.id) {
    score += weight.same;
    reasons.push('the same ticket');
  }
  share('message', mine.messages, traits.messages);
  share('file', mine.files, traits.files);
  share('symbol', mine.symbols, traits.symbols);
  if (score < minimumScore) return undefined;
  return { case: item.case, title: item.title, score, why: reasons.join('; '), ...(item.classification === undefined ? {} : { classification: item.classification }) };
}

function traitsOf(ticket: Ticket, files: readonly string[], symbols: readonly string[]): Traits {
  const text = [ticket.title, ticket.description, ...ticket.console.map((entry) => entry.text), ...ticket.thread.map((message) => message.text)].join('\n').slice(0, maxScanned);
  return {
    messages: new Set([...text.matchAll(errorLine)].map((match) => messageShape(match[1] ?? '')).filter((shape) => shape.length >= 8)),
    files: new Set([...text.matchAll(fileName)].map((match) => match[0]).concat(files).map(baseName)),
    symbols: new Set([...[...text.matchAll(identifier)].map((match) => match[0]), ...symbols]),
  };
}

/** A message without what differs from one occurrence to the next: numbers, addresses, quoted values, paths. */
function messageShape(message: string): string {
  return message
    .replace(/(["'`«“]).{1,100}?["'`»”]/g, '…')
    .replace(/(?:[a-z]:)?(?:[\\/][\w.@-]+){2,}/gi, '…')
    .replace(/\b0x[0-9a-f]+\b|\b[0-9a-f]{8,}\b|\d+/gi, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1)?.toLowerCase() ?? path;
}

/** 1 for a trait of one case, falling towards 0 for a trait of all of many. */
function rarityIn(all: readonly Traits[]): (trait: string) => number {
  const counts = new Map<string, number>();
  for (const traits of all) {
    for (const trait of new Set([...traits.messages, ...traits.files, ...traits.symbols])) counts.set(trait, (counts.get(trait) ?? 0) + 1);
  }
  const whole = Math.log(1 + all.length);
  return (trait) => (all.length < 3 ? 1 : Math.min(1, Math.log(1 + all.length / (counts.get(trait) ?? 1)) / whole));
}
