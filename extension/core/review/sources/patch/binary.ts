import { inflateSync } from 'node:zlib';

/** One direction of a binary change: the whole content, or a delta on the base. */
export interface BinaryPart {
  kind: 'literal' | 'delta';
  bytes: Uint8Array;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const digits = new Map(Array.from(alphabet, (character, index) => [character, index]));

/** A part as large as this is refused before it is unpacked. Bytes. */
const maxPartBytes = 64 * 1024 * 1024;

/**
 * The forward part of a `GIT binary patch` (what git-diff(1) `--binary` writes: `literal|delta <size>`, then lines of a length letter and base 85, zlib inside).
 * `body` is what follows that line. Undefined when it is malformed.
 */
export function readBinaryPart(body: string): BinaryPart | undefined {
  const lines = body.split('\n');
  const head = /^(literal|delta) (\d+)$/u.exec(lines[0] ?? '');
  if (head === null || Number(head[2]) > maxPartBytes) return undefined;
  const packed: Uint8Array[] = [];
  for (const line of lines.slice(1)) {
    if (line === '') break;
    const part = decodeLine(line);
    if (part === undefined) return undefined;
    packed.push(part);
  }
  try {
    const bytes = inflateSync(Buffer.concat(packed), { maxOutputLength: maxPartBytes });
    return bytes.length === Number(head[2]) ? { kind: head[1] === 'delta' ? 'delta' : 'literal', bytes } : undefined;
  } catch {
    return undefined;
  }
}

/** The first letter says how many bytes the line holds: A to Z for 1 to 26, a to z for 27 to 52; five digits stand for four bytes. */
function decodeLine(line: string): Uint8Array | undefined {
  const letter = line.charCodeAt(0);
  const length = letter >= 65 && letter <= 90 ? letter - 64 : letter >= 97 && letter <= 122 ? letter - 70 : 0;
  const groups = line.slice(1).match(/.{5}/gu) ?? [];
  if (length === 0 || groups.length * 5 !== line.length - 1 || groups.length !== Math.ceil(length / 4)) return undefined;
  const bytes = Buffer.alloc(groups.length * 4);
  for (const [index, group] of groups.entries()) {
    let value = 0;
    for (const character of group) {
      const digit = digits.get(character);
      if (digit === undefined) return undefined;
      value = value * 85 + digit;
    }
    if (value > 0xffff_ffff) return undefined;
    bytes.writeUInt32BE(value, index * 4);
  }
  return bytes.subarray(0, length);
}

/**
 * Applies a git delta (gitformat-pack(5), "Deltified representation"): two sizes, then copies out of the base and inserts. Undefined when the base is not the one
 * it was made for, or it is malformed.
 */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array | undefined {
  const reader = { at: 0 };
  const baseSize = readSize(delta, reader);
  const size = readSize(delta, reader);
  if (baseSize !== base.length || size === undefined || size > maxPartBytes) return undefined;
  const result = Buffer.alloc(size);
  let written = 0;
  while (reader.at < delta.length) {
    const command = delta[reader.at++] ?? 0;
    const piece = command & 0x80 ? copied(base, delta, command, reader) : command === 0 ? undefined : delta.subarray(reader.at, (reader.at += command));
    if (piece === undefined || written + piece.length > size) return undefined;
    result.set(piece, written);
    written += piece.length;
  }
  return written === size ? result : undefined;
}

function copied(base: Uint8Array, delta: Uint8Array, command: number, reader: { at: number }): Uint8Array | undefined {
  const number = (first: number, count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index += 1) if (command & (1 << (first + index))) value += (delta[reader.at++] ?? 0) * 2 ** (8 * index);
    return value;
  };
  const start = number(0, 4);
  const length = number(4, 3) || 0x10000;
  return start + length > base.length ? undefined : base.subarray(start, start + length);
}

/** Seven bits a byte, the lowest first; the high bit says that more follow. */
function readSize(delta: Uint8Array, reader: { at: number }): number | undefined {
  let value = 0;
  for (let shift = 0; shift < 49; shift += 7) {
    const byte = delta[reader.at++];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** shift;
    if ((byte & 0x80) === 0) return value;
  }
  return undefined;
}
