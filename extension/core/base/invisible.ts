/** A character that a reader cannot see or that reorders what they see. `at` is in UTF-16 units. */
export interface InvisibleChar {
  kind: 'control' | 'bidi' | 'invisible' | 'tags';
  at: number;
  length: number;
  code: number;
}

/** Everything that may be invisible; whether it is legitimate where it stands is decided by `isLegitimate`. */
const candidates =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** Scripts whose spelling needs joiners: Arabic and its kin, the Indic family, Khmer, Myanmar, Mongolian. */
const joinerScript =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const pictograph = /\p{Extended_Pictographic}/u;
const emojiBase = /[\p{Emoji}\p{Extended_Pictographic}\p{S}©®#*0-9]/u;
const beforeJoiner = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;
const subdivisionFlags = new Set(['gbeng', 'gbsct', 'gbwls']);

/** Finds invisible characters in order. Emoji sequences, and joiners and marks in the scripts that need them, are left alone. Linear. */
export function findInvisible(text: string): InvisibleChar[] {
  const found: InvisibleChar[] = [];
  const flags = flagTags(text);
  candidates.lastIndex = 0;
  for (const match of text.matchAll(candidates)) {
    const code = match[0].codePointAt(0) ?? 0;
    if (isLegitimate(text, match.index, match[0], code) || flags.has(match.index)) continue;
    found.push({ kind: kindOf(code), at: match.index, length: match[0].length, code });
  }
  return found;
}

function kindOf(code: number): InvisibleChar['kind'] {
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || code === 0x2028 || code === 0x2029) return 'control';
  if (code === 0x61c || code === 0x200e || code === 0x200f || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return 'bidi';
  return code >= 0xe0000 && code <= 0xe007f ? 'tags' : 'invisible';
}

function isLegitimate(text: string, at: number, char: string, code: number): boolean {
  const before = codePointBefore(text, at);
  const after = codePointAt(text, at + char.length);
  switch (code) {
    case 0x200d:
      return (beforeJoiner.test(before) && pictograph.test(after)) || joinerScript.test(before) || (joinerScript.test(after) && !isJoiner(before));
    case 0x200c:
      return joinerScript.test(before) && joinerScript.test(after);
    case 0x200e:
    case 0x200f:
    case 0x61c:
      // A direction mark orders punctuation next to right-to-left words; away from them it only deceives.
      return rightToLeft.test(text.slice(Math.max(0, at - 24), at + 24)) && !/[\u200e\u200f\u061c]/.test(before);
    case 0xfeff:
      return at === 0;
  }
  if (code >= 0xfe00 && code <= 0xfe0f) return emojiBase.test(before) || /[\p{Script=Han}\p{Script=Phags_Pa}\p{Script=Myanmar}]/u.test(before);
  if (code >= 0xe0100 && code <= 0xe01ef) return /\p{Script=Han}/u.test(before);
  if (code >= 0x180b && code <= 0x180f) return /\p{Script=Mongolian}/u.test(before) && !/[\u180b-\u180f]/.test(before);
  return false;
}

function isJoiner(char: string): boolean {
  return char === '\u200d' || char === '\u200c';
}

/** Offsets of tag characters that belong to one of the three subdivision flags (England, Scotland, Wales). */
function flagTags(text: string): Set<number> {
  const offsets = new Set<number>();
  for (const match of text.matchAll(/\u{1f3f4}((?:[\u{e0061}-\u{e007a}]){5})\u{e007f}/gu)) {
    const name = Array.from(match[1] ?? '', (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000)).join('');
    if (!subdivisionFlags.has(name)) continue;
    for (let at = match.index + 2; at < match.index + match[0].length; at += 2) offsets.add(at);
  }
  return offsets;
}

function codePointAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function codePointBefore(text: string, at: number): string {
  if (at === 0) return '';
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && at > 1 ? codePointAt(text, at - 2) : (text[at - 1] ?? '');
}
