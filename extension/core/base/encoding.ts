/** Text as it lies in a file: how it is encoded and where its lines are. */
export type Decoded =
  | { kind: 'text'; text: string; encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'; bom: boolean }
  | { kind: 'binary' };

/** How far into a file a NUL byte is looked for, as git does. */
const sniffBytes = 8000;

/**
 * Decodes a file's bytes. A byte order mark decides and is dropped; without one UTF-16 is recognised by its NULs on one side,
 * other NULs mean binary, and what is no UTF-8 is read as Windows-1252, which never fails.
 */
export function decodeText(bytes: Uint8Array): Decoded {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return decodeAs('utf-8', bytes.subarray(3), true);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeAs('utf-16le', bytes.subarray(2), true);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeAs('utf-16be', bytes.subarray(2), true);
  const head = bytes.subarray(0, sniffBytes);
  if (head.includes(0)) {
    const wide = wideEncoding(head);
    return wide ? decodeAs(wide, bytes, false) : { kind: 'binary' };
  }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), encoding: 'utf-8', bom: false };
  } catch {
    return decodeAs('windows-1252', bytes, false);
  }
}

function decodeAs(encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252', bytes: Uint8Array, bom: boolean): Decoded {
  return { kind: 'text', text: new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes), encoding, bom };
}

/** Mostly Latin text in UTF-16 has a NUL in nearly every second byte, always on the same side. */
function wideEncoding(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  let even = 0;
  let odd = 0;
  for (let index = 0; index < head.length; index += 1) {
    if (head[index] !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const pairs = Math.floor(head.length / 2);
  if (pairs < 4) return undefined;
  if (even === 0 && odd > pairs * 0.7) return 'utf-16le';
  if (odd === 0 && even > pairs * 0.7) return 'utf-16be';
  return undefined;
}

/** Lines as an editor counts them: CRLF, LF and a lone CR each end one. A last line without an end counts; nothing after a last end does not. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/u);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}
