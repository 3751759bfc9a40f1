import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributeText } from '../../../extension/core/review/files/attribute.ts';
import { joinLines, linesOf } from '../../../extension/core/review/files/document.ts';
import { type FileInput, type FileReview, reviewFileNow } from '../../../extension/core/review/files/file-review.ts';
import { type Hunk, splitHunk } from '../../../extension/core/review/files/hunks.ts';
import { type Decision, decideAll, outcomeOf, resolveFile } from '../../../extension/core/review/files/resolve.ts';
import { runNow } from '../../../extension/core/review/files/slices.ts';
import { codingArbitrary, type Coding, lineArbitrary, textArbitrary, toBytes } from './samples.ts';

const review = (base: string | Uint8Array, text: string, more: Partial<FileInput> = {}): FileReview =>
  reviewFileNow({ root: 'w', path: 'a.txt', base: { kind: 'file', bytes: Buffer.from(base) }, proposed: { kind: 'text', text }, ...more });
const exact = (base: Uint8Array | string, proposed: Uint8Array | string, more: Partial<FileInput> = {}): FileReview =>
  reviewFileNow({ root: 'w', path: 'a.txt', base: { kind: 'file', bytes: Buffer.from(base) }, proposed: { kind: 'file', bytes: Buffer.from(proposed) }, ...more });
const bytesOf = (content: FileReview['base']): Buffer => (content.kind === 'file' ? Buffer.from(content.bytes) : Buffer.from(`<${content.kind}>`));
const acceptAll = (file: FileReview): Buffer => bytesOf(resolveFile(file, decideAll(file.hunks, 'accept')).after);
const rejectAll = (file: FileReview): Buffer => bytesOf(resolveFile(file, decideAll(file.hunks, 'reject')).after);

interface Scene {
  coding: Coding;
  base: string;
  proposed: string;
  picks: number[];
  edit: string;
  order: number;
}

const scene = codingArbitrary.chain((coding) =>
  fc.record({
    coding: fc.constant(coding),
    base: textArbitrary(coding),
    proposed: textArbitrary(coding),
    picks: fc.array(fc.nat({ max: 2 }), { minLength: 60, maxLength: 60 }),
    edit: fc.array(lineArbitrary(coding), { maxLength: 3 }).map((lines) => lines.map((line) => `${line}\n`).join('')),
    order: fc.nat(),
  }),
);

/** Proposals near their base are what agents send: some lines replaced, removed, added. */
const nearScene = codingArbitrary.chain((coding) =>
  fc
    .record({
      coding: fc.constant(coding),
      base: textArbitrary(coding),
      steps: fc.array(fc.record({ at: fc.nat({ max: 24 }), remove: fc.nat({ max: 2 }), add: fc.array(lineArbitrary(coding), { maxLength: 2 }) }), { maxLength: 4 }),
      flip: fc.boolean(),
      picks: fc.array(fc.nat({ max: 2 }), { minLength: 60, maxLength: 60 }),
      edit: fc.array(lineArbitrary(coding), { maxLength: 3 }).map((lines) => lines.map((line) => `${line}\n`).join('')),
      order: fc.nat(),
    })
    .map(({ steps, flip, ...rest }): Scene => {
      const lines = linesOf(rest.base);
      for (const { at, remove, add } of steps) lines.splice(Math.min(at, lines.length), remove, ...add.map((text) => ({ text, end: lines[0]?.end || ('\n' as const) })));
      const text = joinLines(lines);
      return { ...rest, proposed: flip ? text.replace(/(?:\r\n|\n|\r)$/u, '') : text };
    }),
);

const shuffled = <T>(items: readonly T[], seed: number): T[] => items.map((item, index) => ({ item, key: ((index + 1) * (seed % 7919 + 1)) % 104_729 })).toSorted((a, b) => a.key - b.key).map(({ item }) => item);

/** A patcher that knows lines as strings only: walks the base, and at every hunk copies one of three things. */
function reference(file: FileReview, decisions: ReadonlyMap<string, Decision>): string | undefined {
  if (file.body.kind !== 'lines') return undefined;
  const base = file.body.base.lines.map((line) => line.text + line.end);
  const parts: { text: string; from: 'base' | 'other' }[] = [];
  let at = 0;
  let final = file.body.base.finalNewline;
  for (const hunk of file.hunks) {
    const decision = decisions.get(hunk.id);
    if (hunk.kind === 'final_newline' && decision?.decision === 'accept') final = hunk.adds;
    if (hunk.kind !== 'lines') continue;
    parts.push(...base.slice(at, hunk.baseStart).map((text) => ({ text, from: 'base' as const })));
    at = hunk.baseEnd;
    if (decision?.decision === 'accept') parts.push(...hunk.added.map((line) => ({ text: line.text + line.end, from: 'other' as const })));
    else parts.push(...hunk.removed.map((line) => ({ text: line.text + line.end, from: 'base' as const })));
  }
  parts.push(...base.slice(at).map((text) => ({ text, from: 'base' as const })));
  const text = parts.map((part) => part.text).join('');
  if (base.length === 0) final = file.body.proposed.finalNewline;
  return final ? text : text.replace(/(?:\r\n|\n|\r)$/u, '');
}

for (const [name, scenes] of [['unrelated', scene], ['near', nearScene]] as const) {
  describe(`random files, ${name} proposals`, () => {
    it('equal a reference patcher for random decisions in random order; untouched bytes are the base\'s (D05, D06)', () => {
      fc.assert(
        fc.property(scenes, fc.boolean(), ({ coding, base, proposed, picks, order }, asBytes) => {
          const file = asBytes ? exact(toBytes(base, coding), toBytes(proposed, coding), { decode: { encoding: coding.encoding } }) : review(toBytes(base, coding), proposed, { decode: { encoding: coding.encoding } });
          const plain = file.hunks.map((hunk, index): [string, Decision] => [hunk.id, { decision: picks[index] === 0 ? 'accept' : 'reject' }]);
          const decisions = new Map(shuffled(plain, order));
          const result = resolveFile(file, decisions);
          const expected = reference(file, decisions);
          if (expected === undefined) return;
          const mark = decisions.size > 0 && [...decisions.values()].every(({ decision }) => decision === 'accept') ? file.body.kind === 'lines' && file.body.proposed.bom : coding.bom;
          if (file.body.kind !== 'lines' || base === '') return;
          // A reader that knows the encoding; the mark stays as it was unless everything proposed was taken.
          expect(bytesOf(result.after).equals(Buffer.from(toBytes(expected, { ...coding, bom: mark })))).toBe(true);
        }),
        { numRuns: 1500 },
      );
    });

    it('rejecting all gives the base, accepting all the proposal, byte for byte (D05)', () => {
      fc.assert(
        fc.property(scenes, ({ coding, base, proposed }) => {
          const [before, after] = [toBytes(base, coding), toBytes(proposed, coding)];
          for (const file of [exact(before, after), exact(before, after, { decode: { encoding: coding.encoding } })]) {
            expect(rejectAll(file).equals(Buffer.from(before))).toBe(true);
            expect(acceptAll(file).equals(Buffer.from(after))).toBe(true);
            expect(file.hunks.length === 0).toBe(Buffer.compare(before, after) === 0);
          }
          expect(rejectAll(review(before, proposed, { decode: { encoding: coding.encoding } })).equals(Buffer.from(before))).toBe(true);
        }),
        { numRuns: 800 },
      );
    });

    it('text that an agent took line ends and mark off changes nothing but its lines (D10)', () => {
      fc.assert(
        fc.property(scenes, fc.boolean(), ({ coding, base, proposed }, marked) => {
          // A file without any line end has none to give; then the text's own count.
          if (!/[\r\n]/u.test(base)) return;
          const bytes = toBytes(base, coding);
          const lf = (text: string): string => (marked ? '\uFEFF' : '') + text.replaceAll(/\r\n|\r/gu, '\n');
          const options = { decode: { encoding: coding.encoding } };
          expect(review(bytes, lf(base), options).hunks).toEqual([]);
          const changed = acceptAll(review(bytes, lf(proposed), options));
          const kept = review(changed, lf(proposed), options);
          // Taking out what stands between a lone CR and a lone LF makes one CRLF of them.
          if (kept.body.kind !== 'whole' && !/\r(?!\n)/u.test(base)) expect(kept.hunks).toEqual([]);
          expect(changed.equals(acceptAll(review(bytes, proposed, options)))).toBe(true);
        }),
        { numRuns: 800 },
      );
    });

    it('hunks in parts, edited or not, come out the same in any order, and parts all taken are the hunk taken', () => {
      fc.assert(
        fc.property(scenes, fc.constantFrom<'pairs' | 'lines'>('pairs', 'lines'), ({ coding, base, proposed, picks, edit, order }, by) => {
          const file = review(toBytes(base, coding), proposed, { decode: { encoding: coding.encoding } });
          const parts = file.hunks.flatMap((hunk): Hunk[] => (hunk.kind === 'lines' ? splitHunk(hunk, by) : [hunk]));
          expect(new Set(parts.map((part) => part.id)).size).toBe(parts.length);
          for (const all of ['accept', 'reject'] as const) {
            const whole = resolveFile(file, decideAll(file.hunks, all));
            expect(bytesOf(resolveFile(file, decideAll(parts, all)).after).equals(bytesOf(whole.after))).toBe(true);
          }
          const mixed = parts.map((part, index): [string, Decision] => [part.id, picks[index] === 2 && part.kind === 'lines' ? { decision: 'edited', text: edit } : { decision: picks[index] === 0 ? 'accept' : 'reject' }]);
          const one = bytesOf(resolveFile(file, new Map(mixed)).after);
          expect(bytesOf(resolveFile(file, new Map(shuffled(mixed, order))).after).equals(one)).toBe(true);
        }),
        { numRuns: 600 },
      );
    });

    it('hunk ids do not move when another hunk is decided and written', () => {
      fc.assert(
        fc.property(scenes, fc.nat(), ({ coding, base, proposed }, which) => {
          const options = { decode: { encoding: coding.encoding } };
          const file = review(toBytes(base, coding), proposed, options);
          expect(review(toBytes(base, coding), proposed, options).hunks.map((hunk) => hunk.id)).toEqual(file.hunks.map((hunk) => hunk.id));
          expect(new Set(file.hunks.map((hunk) => hunk.id)).size).toBe(file.hunks.length);
          const taken = file.hunks[which % Math.max(1, file.hunks.length)];
          if (!taken || file.body.kind !== 'lines') return;
          const written = resolveFile(file, new Map(decideAll(file.hunks, 'reject')).set(taken.id, { decision: 'accept' })).after;
          const again = review(bytesOf(written), proposed, options);
          const left = file.hunks.filter((hunk) => hunk.id !== taken.id);
          const lines = (hunk: (typeof left)[number]): unknown => (hunk.kind === 'lines' ? [hunk.removed, hunk.added] : hunk.kind);
          // Another alignment of repeated lines, and twins that only their order tells apart, are other hunks.
          if (JSON.stringify(again.hunks.map(lines)) !== JSON.stringify(left.map(lines)) || file.hunks.some((hunk) => hunk.id.includes('-'))) return;
          expect(again.hunks.map((hunk) => hunk.id)).toEqual(left.map((hunk) => hunk.id));
        }),
        { numRuns: 800 },
      );
    });

    it('a whole side edited by a person is told as decisions that give its bytes (D01)', () => {
      fc.assert(
        fc.property(scenes, fc.nat(), ({ coding, base, proposed, edit }, which) => {
          const file = review(toBytes(base, coding), proposed, { decode: { encoding: coding.encoding } });
          if (file.body.kind !== 'lines') return;
          const lines = linesOf(proposed);
          const at = which % (lines.length + 1);
          const text = joinLines([...lines.slice(0, at), ...linesOf(edit), ...lines.slice(at + 1)]);
          const told = runNow(attributeText(file, text));
          if (told.outside.length > 0) return;
          const result = resolveFile(file, told.decisions).after;
          // With several kinds of ends, text put back by hand takes its neighbours' ends in the proposal.
          if (!base.includes('\r') && !proposed.includes('\r')) expect(bytesOf(result).equals(Buffer.from(told.bytes))).toBe(true);
        }),
        { numRuns: 800 },
      );
    });
  });
}

describe('named traps', () => {
  it('D10: a mark the file has stays once, one it has not does not come, and the first line is no change', () => {
    for (const mark of ['', '\uFEFF']) {
      for (const sent of ['', '\uFEFF', '\uFEFF\uFEFF']) {
        const file = review(`${mark}one\ntwo\n`, `${sent}one\n2\n`);
        expect(file.hunks).toMatchObject([{ kind: 'lines', baseStart: 1, baseEnd: 2 }]);
        expect(acceptAll(file).toString()).toBe(`${mark}one\n2\n`);
      }
    }
  });

  it('D10: on disk a mark taken away by the agent is a change that can be rejected alone', () => {
    const file = exact('\uFEFFone\ntwo\nthree\n', 'one\ntwo\n3\n');
    expect(file.hunks).toHaveLength(2);
    const [mark, line] = file.hunks;
    expect(bytesOf(resolveFile(file, new Map([[mark?.id ?? '', { decision: 'reject' }], [line?.id ?? '', { decision: 'accept' }]])).after).toString()).toBe('\uFEFFone\ntwo\n3\n');
  });

  it('D11: an edit in a file without final newline adds none', () => {
    const file = review('a\nb\nc', 'a\nB\nc');
    expect(file.hunks).toHaveLength(1);
    expect(acceptAll(file).toString()).toBe('a\nB\nc');
  });

  it('D11: only the final newline is a hunk of its own, beside others too', () => {
    const only = review('a\r\nb', 'a\nb\n');
    expect(only.hunks).toMatchObject([{ kind: 'final_newline', adds: true }]);
    expect(acceptAll(only).toString()).toBe('a\r\nb\r\n');
    expect(review('a\nb\n', 'a\nb').hunks).toMatchObject([{ kind: 'final_newline', adds: false }]);
    const both = review('a\nb', 'a\nB\n');
    expect(both.hunks.map((hunk) => hunk.kind)).toEqual(['lines', 'final_newline']);
    const [line, newline] = both.hunks;
    const take = (first: Decision, second: Decision): string => bytesOf(resolveFile(both, new Map([[line?.id ?? '', first], [newline?.id ?? '', second]])).after).toString();
    expect(take({ decision: 'accept' }, { decision: 'reject' })).toBe('a\nB');
    expect(take({ decision: 'reject' }, { decision: 'accept' })).toBe('a\nb\n');
    expect(take({ decision: 'edited', text: 'x\ny\n' }, { decision: 'reject' })).toBe('a\nx\ny');
    expect(acceptAll(review('a\nb', 'a\nb\nc')).toString()).toBe('a\nb\nc');
    expect(acceptAll(exact('a\nb', 'a\nb\r\n')).toString()).toBe('a\nb\r\n');
  });

  it('mixed line ends: replaced lines keep theirs, new ones take the neighbour\'s', () => {
    const file = review('a\r\nb\nc\rd\r\n', 'a\nB\nC\nc2\nd\n');
    expect(acceptAll(file).toString()).toBe('a\r\nB\nC\rc2\rd\r\n');
  });

  it('a new empty line between a lone CR and others does not become half of a CRLF', () => {
    expect(acceptAll(review('\rcaf\u00e9\n', '\n\n')).toString()).toBe('\r\r');
    expect(acceptAll(review('a\rb\n\n', 'a\nb\nc\n\n')).toString()).toBe('a\rb\nc\n\n');
  });

  it('lines that an agent could not read in a Latin-1 file are no change', () => {
    const file = review(Buffer.from('caf\u00e9\nnext\n', 'latin1'), 'caf\uFFFD\nNEXT\n');
    expect(file.hunks).toHaveLength(1);
    expect(acceptAll(file)).toEqual(Buffer.from('caf\u00e9\nNEXT\n', 'latin1'));
  });

  it('what the file\'s encoding cannot hold is decided as a whole file', () => {
    const file = review(Buffer.from('caf\u00e9\nnext\n', 'latin1'), 'caf\u00e9\n→\n');
    expect(file.body).toEqual({ kind: 'whole', why: 'unencodable' });
    expect(acceptAll(file).toString()).toBe('caf\u00e9\n→\n');
    const edited = review(Buffer.from('caf\u00e9\nnext\n', 'latin1'), 'caf\u00e9\nn\n');
    expect(() => resolveFile(edited, new Map([[edited.hunks[0]?.id ?? '', { decision: 'edited', text: '→' }]]))).toThrow(/U\+2192/u);
  });

  it('D06: several edits of one file under a CJK path, all accepted, are all there', () => {
    const base = ['<p>', '一', '</p>', '<p>', '二', '</p>', '<p>', '三', '</p>', '<p>', '四', '</p>'].join('\n');
    const file = review(base, base.replace('一', '1').replace('二', '2').replace('三', '3').replace('四', '4'), { path: '需求/年 中.html' });
    expect(file.hunks).toHaveLength(4);
    const result = resolveFile(file, decideAll(file.hunks, 'accept'));
    expect(bytesOf(result.after).toString().match(/\d/gu)).toEqual(['1', '2', '3', '4']);
    expect(outcomeOf([result.tally])).toBe('accepted');
  });

  it('D01: edited text takes the place of what was proposed, and the tally says so', () => {
    const file = review('a\nb\nc\n', 'a\nB\nc\n');
    const id = file.hunks[0]?.id ?? '';
    const edited = resolveFile(file, new Map([[id, { decision: 'edited', text: 'mine\nand more' }]]));
    expect(bytesOf(edited.after).toString()).toBe('a\nmine\nand more\nc\n');
    expect(edited.tally).toEqual({ accepted: 0, rejected: 0, edited: 1, pending: 0 });
    expect(resolveFile(file, new Map([[id, { decision: 'edited', text: 'B' }]])).tally.accepted).toBe(1);
    expect(resolveFile(file, new Map([[id, { decision: 'edited', text: 'b\n' }]])).tally.rejected).toBe(1);
  });

  it('D19: a proposed new file with a line taken out is still a new file', () => {
    const file = reviewFileNow({ root: 'w', path: 'new.ts', base: { kind: 'absent' }, proposed: { kind: 'text', text: 'a\nb\n' } });
    expect(file.hunks).toMatchObject([{ kind: 'entry', what: 'create' }]);
    expect(bytesOf(resolveFile(file, new Map([[file.hunks[0]?.id ?? '', { decision: 'edited', text: 'a\n' }]])).after).toString()).toBe('a\n');
    expect(resolveFile(file, decideAll(file.hunks, 'reject'))).toMatchObject({ changed: false, after: { kind: 'absent' } });
  });

  it('D27: an empty new file can be accepted; the same content is no change', () => {
    const file = reviewFileNow({ root: 'w', path: 'empty', base: { kind: 'absent' }, proposed: { kind: 'text', text: '' } });
    expect(file.hunks).toHaveLength(1);
    expect(resolveFile(file, decideAll(file.hunks, 'accept'))).toMatchObject({ changed: true, after: { kind: 'file', bytes: Buffer.alloc(0) } });
    expect(review('same\n', 'same\n').hunks).toEqual([]);
    expect(review('', '').hunks).toEqual([]);
    expect(acceptAll(review('a\n', '')).toString()).toBe('');
    expect(acceptAll(review('', 'a')).toString()).toBe('a');
  });

  it('D22: a rename and its edits are decided apart', () => {
    const file = review('a\nb\n', 'a\nB\n', { path: 'new.ts', from: 'old.ts' });
    expect(file).toMatchObject({ kind: 'rename', hunks: [{ what: 'rename' }, { kind: 'lines' }] });
    const [rename, lines] = file.hunks.map((hunk) => hunk.id);
    const take = (a: 'accept' | 'reject', b: 'accept' | 'reject'): unknown => {
      const result = resolveFile(file, new Map([[rename ?? '', { decision: a }], [lines ?? '', { decision: b }]]));
      return [result.path, bytesOf(result.after).toString(), result.changed];
    };
    expect(take('accept', 'reject')).toEqual(['new.ts', 'a\nb\n', true]);
    expect(take('reject', 'accept')).toEqual(['old.ts', 'a\nB\n', true]);
    expect(take('reject', 'reject')).toEqual(['old.ts', 'a\nb\n', false]);
    expect(review('x\n', 'x\n', { path: 'a.ts', from: 'A.ts' }).hunks).toMatchObject([{ what: 'rename' }]);
  });

  it('D24: a mode is decided apart from the lines', () => {
    const file = exact('a\n', 'b\n', { base: { kind: 'file', bytes: Buffer.from('a\n'), mode: 0o644 }, proposed: { kind: 'file', bytes: Buffer.from('b\n'), mode: 0o755 } });
    const [mode, lines] = file.hunks;
    expect(resolveFile(file, new Map([[mode?.id ?? '', { decision: 'reject' }], [lines?.id ?? '', { decision: 'accept' }]])).after).toMatchObject({ mode: 0o644, bytes: Buffer.from('b\n') });
    expect(resolveFile(file, new Map([[mode?.id ?? '', { decision: 'accept' }], [lines?.id ?? '', { decision: 'reject' }]])).after).toMatchObject({ mode: 0o755, bytes: Buffer.from('a\n') });
  });

  it('D32: a binary is taken or left as a whole, exactly', () => {
    const file = exact(Buffer.from([1, 0, 2]), Buffer.from([3, 0, 0xff]));
    expect(file).toMatchObject({ kind: 'binary', body: { kind: 'whole', why: 'binary' }, hunks: [{ kind: 'entry', what: 'content' }] });
    expect(acceptAll(file)).toEqual(Buffer.from([3, 0, 0xff]));
    expect(rejectAll(file)).toEqual(Buffer.from([1, 0, 2]));
  });

  it('D31: a notebook is reviewed as its JSON, untouched cells byte for byte', () => {
    const base = '{\n "cells": [\n  {"id": "a", "source": ["1"]},\n  {"id": "b", "outputs": [{"x": 1.0}]}\n ],\n "nbformat": 4\n}\n';
    const file = review(base, base.replace('"1"', '"2"'), { path: 'n.ipynb' });
    expect(file.kind).toBe('notebook');
    expect(acceptAll(file).toString()).toBe(base.replace('"1"', '"2"'));
  });

  it('says when something is undecided, unknown or impossible', () => {
    const file = review('a\n', 'b\n');
    expect(() => resolveFile(file, new Map())).toThrow(expect.objectContaining({ reason: 'undecided' }) as Error);
    expect(() => resolveFile(file, new Map([['h0', { decision: 'accept' }]]))).toThrow(expect.objectContaining({ reason: 'unknown_hunk' }) as Error);
    const gone = reviewFileNow({ root: 'w', path: 'x', base: { kind: 'file', bytes: Buffer.from('x') }, proposed: { kind: 'absent' } });
    expect(() => resolveFile(gone, new Map([[gone.hunks[0]?.id ?? '', { decision: 'edited', text: 'y' }]]))).toThrow(expect.objectContaining({ reason: 'impossible_decision' }) as Error);
    expect(outcomeOf([{ accepted: 1, rejected: 1, edited: 0, pending: 0 }])).toBe('partly_accepted');
    expect(outcomeOf([{ accepted: 0, rejected: 1, edited: 0, pending: 0 }])).toBe('rejected');
    expect(outcomeOf([{ accepted: 1, rejected: 0, edited: 0, pending: 1 }])).toBe('pending');
    expect(outcomeOf([])).toBe('accepted');
  });
});
