import { describe, expect, it } from 'vitest';
import { citationsFromJson, extractCitations } from '../../../extension/core/evidence/citations/extract.ts';
import { growsWithin } from '../../fixtures/growth.ts';

describe('citations in Markdown', () => {
  it.each<[string, object[]]>([
    ['see root/src/x.ts:12.', [{ file: 'root/src/x.ts', line: 12 }]],
    ['see `root/src/x.ts:12-20` and x.ts:3–4', [{ file: 'root/src/x.ts', line: 12, endLine: 20 }, { file: 'x.ts', line: 3, endLine: 4 }]],
    ['`src/x.ts#L12-L20`, src/y.py#L5', [{ file: 'src/x.ts', line: 12, endLine: 20 }, { file: 'src/y.py', line: 5 }]],
    ['at src/x.ts:12:5 (column)', [{ file: 'src/x.ts', line: 12 }]],
    ['(`app/my file.ts:7`)', [{ file: 'app/my file.ts', line: 7 }]],
    ['app/Dockerfile:3 and Makefile:9', [{ file: 'app/Dockerfile', line: 3 }, { file: 'Makefile', line: 9 }]],
    ['[the check](src/x.ts#L3-L4)', [{ file: 'src/x.ts', line: 3, endLine: 4 }]],
    ['[the check](./src/a%20b.ts:3)', [{ file: 'src/a b.ts', line: 3 }]],
    ['[x](https://github.com/o/r/blob/main/src/x.ts#L12-L20)', [{ file: 'src/x.ts', line: 12, endLine: 20 }]],
    ['https://github.com/o/r/blob/abc123/src/x.ts#L12', [{ file: 'src/x.ts', line: 12 }]],
    ['- **Cause**: `r/ünï/x.ts:1`', [{ file: 'r/ünï/x.ts', line: 1 }]],
    ['@scope/pkg/index.d.ts:8', [{ file: '@scope/pkg/index.d.ts', line: 8 }]],
    ['../up/x.ts:1', [{ file: '../up/x.ts', line: 1 }]],
  ])('%s', (markdown, found) => {
    expect(extractCitations(markdown)).toEqual(found);
  });

  it.each(['at 12:30 on 1.2.3:4', 'http://localhost:3000/x.ts:1', 'example.com:8080', '127.0.0.1:80', '`a ? b : 1`', '`{a:1}`', 'package.json and `src/x.ts`', '```\nsrc/x.ts:12\n```'])('finds none in %j', (markdown) => {
    expect(extractCitations(markdown)).toEqual([]);
  });

  it.each<[string, string | undefined]>([
    ['The cause is in `r/x.ts:12`:\n\n```ts\nconst a = 1;\n  b();\n```', 'const a = 1;\n  b();'],
    ['- `r/x.ts:12`:\n  ```ts\n  const a = 1;\n  ```', 'const a = 1;'],
    ['```ts r/x.ts:12\nconst a = 1;\n```', 'const a = 1;'],
    ['`r/x.ts:12`: `const a = 1;`', 'const a = 1;'],
    ['`r/x.ts:12` — "the words there"', 'the words there'],
    ['`r/x.ts:12` calls `a b`', undefined],
    ['`r/x.ts:12`: `parseDate`', undefined],
    ['`r/x.ts:12` is wrong here.\n\n```sh\nnpm test\n```', undefined],
    ['`r/x.ts:12`\n\n## Next\n\n```sh\nnpm test\n```', undefined],
  ])('quote of %j', (markdown, quote) => {
    const found = extractCitations(markdown);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ file: 'r/x.ts', line: 12 });
    expect(found[0]?.quote).toBe(quote);
  });

  it('reads hostile input in linear time', () => {
    const run = (size: number): void => void extractCitations(`${'a/'.repeat(size)} ${'a.'.repeat(size)} ${'`'.repeat(size / 4)} ${'['.repeat(size / 4)}`);
    // Linear is twenty times, a square four hundred.
    expect(growsWithin(120, run, 1000, 20_000)).toBe(true);
  });
});

describe('citations in JSON', () => {
  it('reads analysis.json, citations.json and lists', () => {
    const item = { file: 'r/x.ts', line: 3, note: 'n' };
    expect(citationsFromJson({ classification: 'bug', evidence: [item] })).toEqual([item]);
    expect(citationsFromJson({ citations: [{ ...item, quote: 'q', origin: 'verdict', state: 'verified' }] })).toEqual([{ ...item, quote: 'q', origin: 'verdict' }]);
    expect(citationsFromJson([{ file: 'r/x.ts:3-4' }])).toEqual([{ file: 'r/x.ts', line: 3, endLine: 4 }]);
    expect(citationsFromJson({ other: 1 })).toBeUndefined();
  });
});
