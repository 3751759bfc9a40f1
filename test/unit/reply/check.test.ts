import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../extension/core/base/clock.ts';
import { applyFixes, checkReply, fixAll, type ReplyContext } from '../../../extension/core/cases/reply/check.ts';
import { normaliseTicket } from '../../../extension/core/tickets/normalise.ts';
import { growsWithin } from '../../fixtures/growth.ts';

const secret = 'sk_live_abcdefghijklmnop';
const mask = (text: string) => ({ text: text.replace(/sk_live_[a-z]{16}/g, '[masked]').replace(/-----BEGIN KEY-----[^]*?-----END KEY-----/g, '[masked key]'), count: (text.match(/sk_live_[a-z]{16}/g)?.length ?? 0) + (text.match(/-----BEGIN KEY-----[^]*?-----END KEY-----/g)?.length ?? 0) });
const ticket = normaliseTicket(
  { source: 'text', key: 'k', title: 'Export fails when I press the button', description: 'Hello, when I press the export button nothing happens. Can you please help me with that? I see parseExportJob in the log.', reporter: 'anna', customer: { company: 'Own Ltd' } },
  { mask, clock: new FakeClock() },
);

function context(more: Partial<ReplyContext> = {}): ReplyContext {
  return { ticket, internalNames: ['exportQueue', 'src/core/export-job.ts', 'save', 'parseExportJob'], otherCustomers: ['Acme GmbH', 'Zoë'], home: '/home/kai', mask, suspects: [{ file: 'core/report_builder.py', symbols: ['ReportBuilder', 'run'] }], ...more };
}

function rulesOf(text: string, more: Partial<ReplyContext> = {}): string[] {
  return [...new Set(checkReply(text, context(more)).map((finding) => finding.rule))].sort();
}

/** What a finding of `rule` points at. */
function hits(text: string, rule: string, more: Partial<ReplyContext> = {}): string[] {
  return checkReply(text, context(more)).filter((finding) => finding.rule === rule).map((finding) => (finding.span === undefined ? '' : text.slice(...finding.span)));
}

describe('a good reply', () => {
  it.each([
    'Hello Anna,\n\nthank you for the report. Our team will look deeper into this. Until then, you can press the button in the menu on the left. Does that help you?\n\nBest regards',
    'Hallo Anna,\n\nvielen Dank für die Meldung. Unser Team sieht sich das genauer an. Bis dahin hilft es, die Seite neu zu laden.',
    'Bonjour, merci pour votre message. Notre équipe va regarder cela de plus près. Vous pouvez utiliser le menu de gauche.',
    'Hola, gracias por su mensaje. Nuestro equipo lo va a revisar con más detalle. Mientras tanto puede usar el menú.',
  ])('has no findings: %s', (text) => {
    expect(checkReply(text, context({ ticket: { ...ticket, title: '', description: '' } }))).toEqual([]);
  });
  it('an empty draft has none', () => expect(checkReply('', context({ verdict: { classification: 'needs_more_info' } }))).toEqual([]));
});

describe('secrets and places', () => {
  it('T07: a secret is pointed at exactly and fixed by the mask', () => {
    const text = `Use ${secret} to log in`;
    expect(hits(text, 'secret')).toEqual([secret]);
    expect(applyFixes(text, checkReply(text, context()))).toBe('Use [masked] to log in');
  });
  it('T07: a key over several lines is found in the whole', () => {
    const text = 'a\n-----BEGIN KEY-----\nxyz\n-----END KEY-----\nb';
    expect(fixAll(text, context()).text).toBe('a\n[masked key]\nb');
  });
  it('T07: the home folder becomes ~ and the path stays a finding', () => {
    const { text, findings } = fixAll('Look into /home/kai/notes/a b', context());
    expect(text).toBe('Look into ~/notes/a b');
    expect(findings.map((finding) => finding.rule)).toEqual(['path']);
    expect(hits('/home/kaiser/x', 'path')).toEqual(['/home/kaiser/x']);
  });
  it.each(['/usr/lib/app', '/etc/app/x.conf', 'C:\\Users\\kai\\x', '\\\\server\\share\\x', 'file:///tmp/x', 'src/a/b.ts', 'src/a.ts:12', 'export.py:7', '../lib/x.go'])('is a path: %s', (path) => {
    expect(rulesOf(`See ${path} for more`)).toContain('path');
  });
  it.each(['and/or', '1/2', 'https://example.com/docs/export', 'either/or choices', 'TCP/IP', 'the 24/7 line', 'Settings / Export'])('is no path: %s', (words) => {
    expect(rulesOf(`See ${words} for more`)).toEqual([]);
  });
});

describe('code and names', () => {
  it('stack traces of several languages are taken out by the fix', () => {
    const traces = ['    at save (a.js:1:2)', '  File "x", line 3, in f', 'Traceback (most recent call last):', '\tat com.x.Y.z(Y.java:12)', "thread 'main' panicked at src", 'goroutine 1 [running]:'];
    for (const trace of traces) expect(fixAll(`Hello\n${trace}\nBye`, context()).text, trace).toBe('Hello\nBye');
  });
  it('finds blocks and inline code, not plain words in backticks', () => {
    expect(rulesOf('Do this:\n```js\nlet a = 1;\n```')).toContain('code');
    expect(rulesOf('Call `run(x)` then')).toContain('code');
    expect(rulesOf('Press `Export` twice')).toEqual([]);
    expect(rulesOf('It does const total = sum(a);')).toContain('code');
  });
  it('names of the repository, by themselves, in a path or as a member', () => {
    expect(hits('The exportQueue is full', 'internal_name')).toEqual(['exportQueue']);
    expect(hits('See export-job.ts and app.ReportBuilder.run', 'internal_name')).toEqual(['export-job.ts', 'app.ReportBuilder.run']);
    // Ordinary words are words, even when a function has the same name.
    expect(hits('Please save and run it', 'internal_name')).toEqual([]);
  });
  it('a name that the ticket used is only a warning', () => {
    expect(checkReply('About parseExportJob', context()).map((finding) => [finding.rule, finding.severity])).toEqual([['internal_name', 'warn']]);
  });
  it('agents and tools, unless the ticket is about them', () => {
    expect(hits('Claude looked with ripgrep', 'internal_name')).toEqual(['Claude', 'ripgrep']);
    expect(hits('Claude can do it', 'internal_name', { ticket: { ...ticket, description: 'Does it work with claude?' } })).toEqual([]);
  });
  it('other customers as whole names', () => {
    expect(hits('Like at acme gmbh and Zoë.', 'other_customer')).toEqual(['acme gmbh', 'Zoë']);
    expect(hits('Own Ltd, Acme GmbHs and Pacme GmbH', 'other_customer')).toEqual([]);
  });
});

describe('wording, in seven languages', () => {
  it.each([
    ['promise', 'We will fix it.'], ['promise', 'You get it within 3 business days.'], ['promise', 'It comes in the next release.'], ['promise', 'We can refund you.'], ['promise', "It'll be fixed."],
    ['promise', 'Das wird morgen oder bald behoben.'], ['promise', 'Wir erstatten Ihnen das, die Erstattung kommt.'], ['promise', 'Der Fehler ist in der nächsten Version weg.'], ['promise', 'Das dauert bis Montag.'],
    ['promise', 'Ce sera corrigé dans la prochaine version.'], ['promise', 'Vous aurez un remboursement.'], ['promise', "Je l'envoie dès que possible."],
    ['promise', 'Lo corregiremos lo antes posible.'], ['promise', 'Recibirá un reembolso.'], ['promise', 'Será corregido en la próxima versión.'],
    ['promise', 'Vamos corrigir em breve.'], ['promise', 'O reembolso chega.'], ['promise', 'Sarà corretto nella prossima versione.'], ['promise', 'Avrà un rimborso entro 3 giorni.'],
    ['promise', 'Het wordt zo snel mogelijk opgelost.'], ['promise', 'U krijgt een terugbetaling.'],
    ['defect_admission', 'This is a bug in the export.'], ['defect_admission', 'It was our mistake.'], ['defect_admission', 'Das ist ein bekannter Fehler.'], ['defect_admission', 'Es handelt sich um einen Programmfehler.'],
    ['defect_admission', "C'est une erreur de notre part."], ['defect_admission', 'Es un error conocido.'], ['defect_admission', 'É um erro conhecido.'], ['defect_admission', 'È un bug.'], ['defect_admission', 'Dit is een bekende fout.'],
    ['claim', 'We were able to reproduce it.'], ['claim', "We couldn't reproduce this, we tested it."], ['claim', 'Wir konnten das Problem nachstellen.'], ['claim', 'Nous avons testé la page.'], ['claim', 'Hemos podido reproducir el error.'],
    ['claim', 'Conseguimos reproduzir o problema.'], ['claim', 'Abbiamo verificato la pagina.'], ['claim', 'We hebben het getest.'],
    ['confidence', 'We are 90% sure.'], ['confidence', 'Confidence: high'], ['confidence', 'Wir sind uns ziemlich sicher, wahrscheinlich.'], ['confidence', 'Nous sommes certains.'], ['confidence', 'Estamos seguros.'],
    ['confidence', 'Estamos certos.'], ['confidence', 'Siamo sicuri.'], ['confidence', 'Waarschijnlijk is het dat.'],
  ])('%s: %s', (rule, text) => {
    expect(rulesOf(text, { ticket: { ...ticket, title: '', description: '' } })).toContain(rule);
  });
  it.each(['It is not a bug.', 'The export button is in the menu.', 'Our team will look deeper into this.', 'Das ist kein Fehler, der Export liegt im Menü.'])('says nothing of a defect: %s', (text) => {
    expect(rulesOf(text)).not.toContain('defect_admission');
  });
  it('T11: a claim is fine when the record holds the event', () => {
    expect(rulesOf('We reproduced it.', { done: { reproduced: true } })).toEqual([]);
    expect(rulesOf('We reproduced and we tested this.', { done: { reproduced: true } })).toEqual(['claim']);
  });
  it('words in code are quoted, not said', () => expect(rulesOf('The button says `refund` here')).toEqual([]));
});

describe('language', () => {
  const german = { ...ticket, title: 'Export geht nicht', description: 'Hallo, wenn ich auf den Knopf drücke, passiert nichts. Können Sie mir bitte helfen? Ich habe das schon oft versucht.' };
  it('an English reply to a German ticket', () => {
    expect(rulesOf('Thank you for the report, we will look into this with the team and you can try the menu.', { ticket: german })).toEqual(['language']);
  });
  it('the latest words of the customer count', () => {
    const switched = { ...german, thread: [{ sender: 'anna', direction: 'in' as const, text: 'Sorry, can we please speak in English? I have a colleague with me who does not understand.', attachments: [] }] };
    expect(rulesOf('Thank you for the report, we have a look at this with the team and you can try the menu.', { ticket: switched })).toEqual([]);
  });
  it('nothing when unsure', () => {
    expect(rulesOf('OK!', { ticket: german })).toEqual([]);
    expect(rulesOf('Thank you for the report and have a look at this with the menu.', { ticket: { ...ticket, title: 'x', description: 'TypeError: a.b' } })).toEqual([]);
  });
});

describe('agreement with the verdict', () => {
  it.each([
    ['bug', 'It works as intended.', true], ['bug', 'Funktioniert wie vorgesehen.', true], ['bug', 'Our team will look at it.', false], ['bug', 'It has been fixed.', true],
    ['answerable', 'This is a bug in it.', true], ['answerable', 'Please check the menu.', false], ['answerable', 'This is not a bug.', false],
    ['feature_request', 'It was a defect of it.', true], ['needs_more_info', 'Please wait.', true], ['needs_more_info', 'Which version do you use?', false], ['needs_more_info', '何番ですか？', false],
    ['inconclusive', 'It is by design.', true],
  ] as const)('%s: %s → %s', (classification, text, expected) => {
    expect(rulesOf(text, { verdict: { classification } }).includes('disagrees')).toBe(expected);
  });
});

describe('T18/T08: side effects', () => {
  it.each([
    ['Ask @decorator now', 'Ask @&#8203;decorator now'], ['See #123.', 'See #&#8203;123.'], ['This fixes #9', 'This fixes #&#8203;9'], ['In org/repo#4 too', 'In org/repo#&#8203;4 too'],
    ['Since 1a2b3c4d5e', 'Since 1a2b&#8203;3c4d5e'], ['/close', '\\/close'], ['Hi\n/assign me', 'Hi\n\\/assign me'], ['At GH-12', 'At GH&#8203;-12'], ['![a](http://127.0.0.1/x?d=1)', '[a](http://127.0.0.1/x?d=1)'],
    ['<img src="http://x/y">Hi', 'Hi'], ['https://github.com/o/r/issues/4', 'https://&#8203;github.com/o/r/issues/4'],
  ])('%s → %s', (before, after) => {
    const fixed = fixAll(before, context());
    expect(fixed.text).toBe(after);
    expect(fixed.findings.filter((finding) => finding.fix !== undefined)).toEqual([]);
  });
  it.each(['mail me@example.com', 'a #hash tag', 'colour &#8203; is', '`@param name` and `#12`', 'the year 2024', 'a/b', 'deadbee', '1234567', 'C# 12', '/usr/x', 'a /usr b'])('has none: %s', (text) => {
    expect(hits(text, 'mention')).toEqual([]);
  });
  it('closing and remote images block, a mention warns', () => {
    expect(checkReply('fixes #9 @kai ![x](https://y/z)', context()).map((finding) => [finding.rule, finding.severity])).toEqual([['mention', 'block'], ['mention', 'warn'], ['remote_image', 'block']]);
  });
});

describe('invisible characters and length', () => {
  it('takes out what nobody sees, keeps emoji and needed joiners', () => {
    expect(fixAll('a\u200bb\u202ec 👩\u200d👩\u200d👧 می\u200cخواهم', context()).text).toBe('abc 👩\u200d👩\u200d👧 می\u200cخواهم');
    expect(fixAll('@\u200bkai', context()).text).toBe('@&#8203;kai');
  });
  it('counts as the server does', () => {
    const limit = { length: 4, unit: 'code_points' } as const;
    expect(rulesOf('🐛🐛🐛🐛', { limit })).toEqual([]);
    expect(rulesOf('🐛🐛🐛🐛🐛', { limit })).toEqual(['length']);
    expect(rulesOf('🐛🐛🐛🐛', { limit: { length: 8, unit: 'utf16' } })).toEqual([]);
    expect(rulesOf('🐛🐛🐛', { limit: { length: 11, unit: 'bytes' } })).toEqual(['length']);
  });
});

describe('for any text', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('@kai', '#12', 'fixes #9', '`', '```\n', '\n', '/close', '\u200b', '\u202e', '\ud800', secret, '/home/kai', '![a](b)', '<img src=x>', '<!--', '-->', 'abc1234', '    at f (a.js:1:2)', ' ', '\\', '&#8203;', '~~~', '!', '[', '](', 'https://github.com/o/r/issues/4', 'GH-1', '\u{e0041}', '\u200d', 'org/repo#4'),
    ),
    { maxLength: 30 },
  ).map((parts) => parts.join(''));

  it('never throws, and every span lies in the text', () => {
    fc.assert(
      fc.property(pieces, (text) => {
        for (const finding of checkReply(text, context({ verdict: { classification: 'bug' }, limit: { length: 20, unit: 'code_points' } }))) {
          const [start, end] = finding.span ?? [0, 0];
          expect(start >= 0 && start <= end && end <= text.length).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });
  it('applying all fixes leaves nothing that can be fixed', () => {
    fc.assert(
      fc.property(pieces, (text) => {
        const { findings } = fixAll(text, context());
        expect(findings.filter((finding) => finding.fix !== undefined)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('stays linear on the worst', () => {
    const worst = ['`', '![', '[', '<a ', '@a ', '#1 ', 'a/', '/a', '\u200b', 'is ', ' ', '\n', 'a.', 'within ', '    at ', 'abc1234 ', '<!--', '\\', '``` ', 'x(', '~', 'a-', '> ', '\u{e0041}', 'https://', 'await ', 'File "', '1 '];
    // Linear is twenty times, a square four hundred.
    for (const unit of [...worst, worst.join('')]) {
      const run = (size: number): void => void checkReply(unit.repeat(Math.ceil(size / unit.length)), context());
      expect(growsWithin(120, run, 10_000, 200_000), unit).toBe(true);
    }
  });
});
