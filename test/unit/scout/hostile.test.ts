import { describe, expect, it } from 'vitest';
import { maskText } from '../../../extension/core/journal/redact/mask-text.ts';
import { readTicket } from '../../../extension/core/evidence/scout/query.ts';
import { folderWith, search, shop } from './helpers.ts';
import { growsWithin } from '../../fixtures/growth.ts';

const million = 1_000_000;
const fill = (piece: string): string => piece.repeat(Math.ceil(million / piece.length)).slice(0, million);

/** Single lines of a megabyte, made to send careless patterns backtracking. */
const bombs: Record<string, string> = {
  'one letter': fill('a'),
  'blanks': fill(' '),
  'dots': fill('a.'),
  'slashes': fill('a/'),
  'at frames': fill('at a.'),
  'open brackets': fill('at (at ('),
  'quotes': fill('"\'`'),
  'open quotes': fill('"a'),
  'colons and digits': fill('a.js:1:'),
  'file frames': fill('File "a'),
  'hashes': fill('#0 /a.php('),
  'stars': fill('**_`'),
  'html comments': fill('<!-- '),
  'images': fill('![a]('),
  'addresses': fill('https://a.b/'),
  'fences': fill('```\n'),
  'back-quoted names': fill('`a_b`'),
  'kebab': fill('a-'),
  'emails': fill('a@'),
  'angle brackets': fill('<img '),
  'numbers': fill('1.'),
  'hex': fill('0a'),
  'package list': fill('a 1.0'),
  'rust frames': fill('1: a::'),
  'surrogates': fill('\ud800\u202e\u0000'),
  'headings': fill('# '),
};

describe('hostile tickets', () => {
  it.each(Object.entries(bombs))('a megabyte of %s is read in linear time', (_name, text) => {
    // Linear is twenty times, a square four hundred.
    expect(growsWithin(120, (size) => void readTicket('title', text.slice(0, size)), million / 20, million)).toBe(true);
  });

  it('are data: patterns, prototypes and markup in them change nothing', async () => {
    const folder = folderWith(shop);
    const body = '__proto__ constructor toString hasOwnProperty $& $1 .*+?^${}()|[]\\ <script>alert(1)</script> ../../../../etc/passwd:1 /etc/passwd\n    at x (/etc/passwd:1:1)\n  File "../../../../etc/shadow", line 1, in x';
    const result = await search(folder, 'applyVoucher __proto__', body);
    expect(result.suspects[0]!.file).toBe('src/pricing/discount.ts');
    expect(result.pinned).toBeUndefined();
    expect(result.suspects.every((suspect) => !suspect.file.includes('..') && !suspect.file.startsWith('/'))).toBe(true);
  });

  it('whose secrets were masked give no clue by what stands there instead', () => {
    const secret = `ghp_${'aB3'.repeat(12)}`;
    const { text } = maskText(`Login with "${secret}" fails in session.ts: Error: bad token ${secret}`);
    expect(text).toContain('[masked:github-token]');
    const query = readTicket(`About ${maskText(secret).text}`, text);
    expect(JSON.stringify([query.clues, query.names, query.terms, query.phrases])).not.toMatch(/mask|github/i);
    expect(query.paths.map((path) => path.path)).toContain('session.ts');
  });

  it('that are empty give an empty answer, not an error', async () => {
    const result = await search(folderWith(shop), '', '');
    expect(result.suspects.filter((suspect) => suspect.score > 0.2)).toEqual([]);
    expect(result.clues).toEqual([]);
  });

  it('that are larger than a million characters are cut and say so', async () => {
    const result = await search(folderWith({ 'a.ts': 'export const tail = 1;\n' }), 'x', `${'y '.repeat(600_000)}tail`);
    expect(result.stats['ticketCharactersLeftOut']).toBeGreaterThan(0);
  });
});
