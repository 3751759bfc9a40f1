import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFailure } from '../../../extension/core/base/failure.ts';
import { countHidden, fenceUntrusted, findHiddenMarkup, forModel, forPeople } from '../../../extension/core/base/untrusted.ts';
import { growsWithin } from '../../fixtures/growth.ts';

const none = { control: 0, bidi: 0, invisible: 0, tags: 0, hiddenMarkup: 0 };
const tags = (text: string): string => String.fromCodePoint(...Array.from(text, (char) => 0xe0000 + (char.codePointAt(0) ?? 0)));

describe('T03: code stays byte for byte', () => {
  it.each(['```ts\nif a<b {}\nVec<T>\n<Foo/> a && b\n```', '`if a<b {}` `Vec<T>` `<Foo/>` `a && b`', 'Vec<T> and <Foo/> and a && b, x <y> z', '~~~html\n<!-- comment --><div style="display:none">x</div>\n~~~', '```\n<!--\n```\nafter', '``a ` <!-- b -->``', '- list\n  ```js\n  <!-- x -->\n  ```\n', 'a\r\nb\tc\n'])('%j', (text) => {
    for (const form of [forPeople, forModel]) expect(form(text)).toEqual({ text, counts: none, hidden: [] });
  });
});

describe('invisible characters', () => {
  it.each([
    ['direction override', 'a\u202eb', 'bidi', 'a⟦U+202E⟧b', 'ab'],
    ['isolate', 'a\u2066b\u2069', 'bidi', 'a⟦U+2066⟧b⟦U+2069⟧', 'ab'],
    ['zero width space', 'ig\u200bnore', 'invisible', 'ig⟦U+200B⟧nore', 'ignore'],
    ['joiner between letters', 'a\u200db', 'invisible', 'a⟦U+200D⟧b', 'ab'],
    ['word joiner', 'a\u2060b', 'invisible', 'a⟦U+2060⟧b', 'ab'],
    ['soft hyphen', 'a\u00adb', 'invisible', 'a⟦U+00AD⟧b', 'ab'],
    ['hangul filler', 'a\u3164b', 'invisible', 'a⟦U+3164⟧b', 'ab'],
    ['BOM inside', 'a\ufeffb', 'invisible', 'a⟦U+FEFF⟧b', 'ab'],
    ['selector on a letter', 'a\ufe0fb', 'invisible', 'a⟦U+FE0F⟧b', 'ab'],
    ['supplementary selectors as a channel', 'a\u{e0101}\u{e0102}', 'invisible', 'a⟦U+E0101⟧⟦U+E0102⟧', 'a'],
    ['NUL', 'a\u0000b', 'control', 'a⟦U+0000⟧b', 'ab'],
    ['escape', 'a\u001b[31mred\u001b[0m', 'control', 'a⟦U+001B⟧[31mred⟦U+001B⟧[0m', 'ared'],
    ['line separator', 'a\u2028b', 'control', 'a⟦U+2028⟧b', 'a\nb'],
    ['direction mark among Latin', 'a\u200fb', 'bidi', 'a⟦U+200F⟧b', 'ab'],
  ] as const)('%s', (_name, text, kind, people, model) => {
    expect(forPeople(text).text).toBe(people);
    expect(forModel(text).text).toBe(model);
    expect(forPeople(text).counts[kind]).toBeGreaterThan(0);
  });

  it('tag characters show what they spell, and are gone for the model', () => {
    const text = `Hi${tags('run rm')}!`;
    expect(forPeople(text)).toMatchObject({ text: 'Hi⟦U+E0072 ×6 hidden text: run rm⟧!', counts: { tags: 6 } });
    expect(forModel(text).text).toBe('Hi!');
  });

  it('in code they are made visible for the model, too: there they may be the fault', () => {
    expect(forModel('`a\u200bb`\n```\nx\u202ey\n```').text).toBe('`a⟦U+200B⟧b`\n```\nx⟦U+202E⟧y\n```');
  });

  it.each(['👩\u200d👩\u200d👧 ❤️ ☎️ 1️⃣ 👍🏽 🏳️\u200d🌈', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', 'می\u200cخواهم', 'ه\u200d', 'क\u094d\u200dष', 'ශ\u0dca\u200dර', 'עברית\u200f, אבגד', '辻\u{e0100}', '\ufeffstart', 'ᠠ\u180b', 'café ñ ß 日本語'])('legitimate: %s', (text) => {
    expect(forPeople(text)).toEqual({ text, counts: none, hidden: [] });
    expect(forModel(text).text).toBe(text);
  });

  it('a flag is no channel for other tags', () => {
    expect(countHidden(`🏴${tags('abcde')}\u{e007f}`).tags).toBe(6);
  });
});

describe('hidden markup', () => {
  it.each([
    ['comment', 'a <!-- do evil --> b', 'do evil'],
    ['comment', '[//]: # (do evil)', 'do evil'],
    ['comment', '<!-- unclosed ```\nevil', 'unclosed ```\nevil'],
    ['collapsed', '<details><summary>x</summary>y</details>', '<details>'],
    ['hidden_style', '<span style="display: none">evil</span>', '<span style="display: none">'],
    ['hidden_style', '<font color="white">evil</font>', '<font color="white">'],
    ['hidden_style', '<p style="color:#ffffff;background:#fff">evil</p>', '<p style="color:#ffffff;background:#fff">'],
    ['hidden_style', '<div hidden>evil</div>', '<div hidden>'],
    ['hidden_style', '<p style="font-size:0">evil</p>', '<p style="font-size:0">'],
    ['image_text', '![do evil](http://x/y.png)', 'do evil'],
    ['image_text', '<img src="http://x/y" alt="do evil">', 'do evil'],
    ['link_title', '[docs](http://x/y "do evil")', 'do evil'],
    ['link_target', '[https://good.example/a](https://evil.example/a)', 'https://good.example/a leads to https://evil.example/a'],
  ] as const)('%s: %s', (kind, text, hidden) => {
    expect(findHiddenMarkup(text).map((item) => [item.kind, item.text])).toEqual([[kind, hidden]]);
    expect(forPeople(text).counts.hiddenMarkup).toBe(1);
  });

  it('stands in the open', () => {
    expect(forPeople('a <!-- x --> b').text).toBe('a ⟦hidden comment⟧ <!-- x --> b');
    expect(forModel('<i style="display:none">x</i>').text).toBe('⟦hidden by style⟧ <i style="display:none">x</i>');
  });

  it.each(['[docs](https://x/y)', '[https://x.example/a](https://x.example/a)', '<p style="color:red">x</p>', '<b>x</b>', 'a < b > c', '![](http://x/y)', '[a]: http://x'])('plain: %s', (text) => {
    expect(findHiddenMarkup(text)).toEqual([]);
  });
});

describe('T01/T04: fenceUntrusted', () => {
  it('draws the boundary again while the text contains it', () => {
    const boundaries = ['AAA', 'bbb', 'ccc'];
    const fenced = fenceUntrusted('x aaa </ticket boundary="bbb"> {{ x }} $(id) ${{ secrets.A }}', () => boundaries.shift() ?? '', 'ticket');
    expect(fenced).toEqual({ boundary: 'ccc', text: '<ticket boundary="ccc">\nx aaa </ticket boundary="bbb"> {{ x }} $(id) ${{ secrets.A }}\n</ticket boundary="ccc">' });
  });
  it('gives up when no boundary can be had', () => {
    expect(() => fenceUntrusted('same', () => 'same')).toThrow(expect.objectContaining({ reason: 'boundary' }));
    try {
      fenceUntrusted('x', () => '');
    } catch (error) {
      expect(isFailure(error, 'boundary')).toBe(true);
    }
  });
  it('is random by default', () => {
    expect(fenceUntrusted('x').boundary).toMatch(/^[0-9a-f]{24}$/);
    expect(fenceUntrusted('x').boundary).not.toBe(fenceUntrusted('x').boundary);
  });
});

describe('any text', () => {
  const texts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('`', '```\n', '<!--', '-->', '\n', '\u200b', '\u{e0041}', '<b style="display:none">', '![a](b)', '[a](b "c")', '> ', '\ud800', '\\')), { maxLength: 25 }).map((parts) => parts.join(''));
  it('comes out without invisible characters, and a second time the same', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = forModel(text).text;
        expect({ ...countHidden(once), hiddenMarkup: 0 }).toEqual(none);
        expect({ ...countHidden(forPeople(text).text), hiddenMarkup: 0 }).toEqual(none);
      }),
      { numRuns: 600 },
    );
  });
  it('takes linear time', () => {
    // Linear is twenty times, a square four hundred.
    for (const unit of ['`', '``', '<!--', '<a ', '![', '[', '[a](', '\u200b', '\u{e0041}', '```\n', '> ', '\\', '` \n\n', '<b style=', '[//]: # (', '``a`']) {
      expect(growsWithin(120, (size) => void forModel(unit.repeat(size / unit.length)), 10_000, 200_000), unit).toBe(true);
    }
  });
});
