import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyRanges, Masker, tableRanges } from '../../../extension/core/journal/redact/masker.ts';
import { secretlintScanner } from '../../../extension/core/journal/redact/secretlint.ts';
import { agent, events, everythingIn, open, person, temporaryFolder } from './harness.ts';
import { opened } from './samples.ts';
import { growsWithin } from '../../fixtures/growth.ts';

/** Made up, and put together here so that no scanner takes this file for a leak. */
const letters = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY';
const base64Url = `${letters}${letters}`;
const secrets: Record<string, string> = {
  'GitHub token': `ghp_${letters}Zz12`,
  'GitHub fine-grained': `github_pat_${letters}_${letters}`,
  'GitLab token': `glpat-${letters.slice(0, 20)}`,
  'Slack token': `xoxb-123456789012-${letters}`,
  'Stripe key': `sk_live_${letters}`,
  'OpenAI key': `sk-proj-${letters}${letters}`,
  'Anthropic key': `sk-ant-api03-${base64Url}`,
  'Google key': `AIza${letters}Xy4`,
  'AWS key id': ['AKIA', 'Q3EGUJ7XK2PLM4NR'].join(''),
  JWT: `eyJ${letters}.eyJ${letters}.${base64Url}`,
  'npm token': `npm_${letters}Zz12`,
  'Hugging Face': `hf_${letters}`,
  SendGrid: `SG.${letters.slice(0, 22)}.${letters}${letters.slice(0, 11)}`,
  'private key': `-----BEGIN RSA PRIVATE KEY-----\nMIIE${base64Url}\n${base64Url}\n-----END RSA PRIVATE KEY-----`,
};
const framed: Record<string, [string, string]> = {
  'password in a URL': [`postgres://app:${letters.slice(0, 12)}@db.example.com/x`, letters.slice(0, 12)],
  'assigned password': [`password = "${letters.slice(0, 14)}"`, letters.slice(0, 14)],
  '.env line': [`SESSION_SECRET=${letters.slice(0, 16)}`, letters.slice(0, 16)],
  'bearer header': [`Authorization: Bearer ${letters}`, letters],
  'Azure account key': [`AccountKey=${base64Url}abcd1234abcd1234abcdEF==`, base64Url],
};
const innocent = [
  'commit 3f786850e387550fdab836ed7e6dc881de23001b fixed it',
  'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'id 550e8400-e29b-41d4-a716-446655440000',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'the sk- prefix, as in sk-learn or sk-some-long-kebab-case-name-here, is prose',
  'const password = this.form.password; if (password === undefined) throw new Error("password: required")',
  'token: string; tokens = 12000; inputTokens: 12, secret = getSecret(name)',
  'set API_KEY=<your key> and PASSWORD=${DB_PASSWORD} first',
  'https://example.com:8080/path@v2 and ssh://git@github.com/owner/repo.git',
  'integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
];

const masker = new Masker(secretlintScanner());

describe('masks (J14, J15)', () => {
  it.each(Object.entries(secrets))('masks a %s', async (_name, secret) => {
    const { text, masked } = await masker.text(`before ${secret} after`);
    expect(text).not.toContain(secret.slice(8, -4));
    expect(text).toMatch(/^before \[masked:[\w-]+\] after$/);
    expect(masked).toBe(1);
  });

  it.each(Object.entries(framed))('masks a %s and leaves what stands around it', async (_name, [text, secret]) => {
    const clean = await masker.text(text);
    expect(clean.text).not.toContain(secret);
    expect(clean.masked).toBeGreaterThan(0);
    expect(clean.text.slice(0, 4)).toBe(text.slice(0, 4));
  });

  it.each(innocent)('leaves alone: %s', async (text) => {
    expect(await masker.text(text)).toEqual({ text, masked: 0 });
  });

  it('does not mask twice', async () => {
    for (const secret of Object.values(secrets)) {
      const once = applyRanges(`password=${secret} `, tableRanges(`password=${secret} `));
      expect(applyRanges(once, tableRanges(once))).toBe(once);
    }
  });

  it('masks values under telling names, and copies anything else as it is', async () => {
    const value = { password: 'simple', list: [1, null, true, 'text'], nested: { Authorization: 'anything at all', note: 'x' } };
    expect(await masker.value(value)).toEqual({
      value: { password: '[masked:password]', list: [1, null, true, 'text'], nested: { Authorization: '[masked:authorization]', note: 'x' } },
      masked: 2,
      replaced: 0,
    });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ noUnicodeString: false }), async (json) => {
        const plain = JSON.parse(JSON.stringify(json)) as unknown;
        expect((await new Masker(undefined).value(plain)).value).toEqual(JSON.parse(JSON.stringify(plain).replace(/\\ud[89a-f]../gi, '\uFFFD')));
      }),
      { numRuns: 100 },
    );
  });

  it('is fast on large text and cannot be made slow', () => {
    for (const [before, unit] of [['', 'a'], ['', 'password='], ['-----BEGIN PRIVATE KEY-----', 'A '], ['', 'eyJ'], ['', '://:']] as const) {
      const run = (size: number): void => void tableRanges(before + unit.repeat(size / unit.length));
      // Linear is twenty times, a square four hundred.
      expect(growsWithin(120, run, 20_000, 400_000), unit).toBe(true);
    }
  });
});

describe('masks in the record', () => {
  it('keeps secrets out of every file, and counts them', async () => {
    const home = await temporaryFolder();
    const journal = await open(home);
    const texts = [...Object.values(secrets), ...Object.values(framed).map(([text]) => text)];
    const event = await journal.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened('Leak', texts.join('\n')) });
    expect(event.flags?.masked).toBeGreaterThanOrEqual(texts.length);
    await journal.append({ kind: 'tool.returned', case: 'case_a', run: 'run_1', actor: agent, body: { call: 'c1', ok: true, bytes: 1, head: texts.join('\n') } });
    await journal.listCases();
    await journal.search('Leak');
    const everything = await everythingIn(journal.folder);
    for (const secret of Object.values(secrets)) expect(everything.includes(secret.slice(10, 30)), secret).toBe(false);
    for (const [, secret] of Object.values(framed)) expect(everything.includes(secret), secret).toBe(false);
  });

  it('masks a secret that is cut in two by the chunks of a stream, wherever the cut is', async () => {
    const home = await temporaryFolder();
    const journal = await open(home, { scanner: () => Promise.resolve([]) });
    const samples = [...Object.values(secrets).map((secret) => [`see ${secret} there`, secret.includes('BEGIN') ? base64Url : secret.slice(10, 30)]), ...Object.values(framed).map(([text, secret]) => [`see ${text} there`, secret])];
    let run = 0;
    for (const [text, secret] of samples) {
      if (text === undefined || secret === undefined) continue;
      for (let cut = 1; cut < text.length; cut += text.length > 150 ? 11 : 3) {
        run += 1;
        for (const part of [text.slice(0, cut), text.slice(cut)]) await journal.append({ kind: 'run.texted', run: `run_${run}`, actor: agent, body: { text: part } });
      }
      await journal.flush();
      expect((await everythingIn(journal.folder)).includes(secret), text).toBe(false);
    }
    await journal.close();
    const next = await open(home);
    const joined = (await events(next, { kinds: ['run.texted'] })).map((event) => (event.body as { text: string }).text).join('');
    expect(joined.match(/see /g)).toHaveLength(run);
    expect(joined.match(/there/g)).toHaveLength(run);
    expect(joined.match(/\[masked:/g)?.length).toBeGreaterThanOrEqual(run);
    for (const [, secret] of samples) expect(joined).not.toContain(secret);
  });

  it('loses nothing of a stream and keeps its order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '-', 'password', ': ', '字', '😀', '\uD83D'), maxLength: 8 }), { maxLength: 12 }), async (chunks) => {
        const home = await temporaryFolder();
        const journal = await open(home, { scanner: () => Promise.resolve([]), sqlite: false });
        for (const text of chunks) await journal.append({ kind: 'run.texted', run: 'run_1', actor: agent, body: { text } });
        await journal.append({ kind: 'run.ended', run: 'run_1', actor: agent, body: { outcome: 'completed' } });
        const found = await events(journal, { run: 'run_1' });
        expect(found.at(-1)?.kind).toBe('run.ended');
        const text = found.map((event) => (event.kind === 'run.texted' ? (event.body?.text ?? '') : '')).join('');
        expect(text).toBe(chunks.join('').replace(/\p{Surrogate}/gu, '\uFFFD'));
        await journal.close();
      }),
      { numRuns: 25 },
    );
  });
});
