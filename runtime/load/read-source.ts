// In: a path in a folder. Out: its text, which is UTF-8, or what is wrong with it.
import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import { type Diagnostic, diagnose, type Site, startOf } from '../../schema/diagnostics.js';
import type { Format, SourceFile } from '../../schema/document.js';
import { mayHide, mayHideInAscii } from '../../schema/texts/hidden.js';
import { codeOf, type Folder } from './folder.js';
import type { Read } from './read.js';
import { maxBytes } from './read-file.js';

type Crypto = typeof import('node:crypto');

const require = createRequire(import.meta.url);

/** Loaded when the first hash is asked for: a pack in JSON needs none. */
function crypto(): Crypto {
  return require('node:crypto') as Crypto;
}

export function readSource(
  folder: Folder,
  path: string,
  shown: string,
  format: Format,
  asked: Site = startOf(shown),
): Read<SourceFile> & { readonly mayHide?: boolean } {
  let bytes: Uint8Array | number;
  try {
    bytes = folder.read(path, maxBytes);
  } catch (error) {
    const code = codeOf(error);
    const params = { path: shown, reason: code ?? String(error) };
    const missing = code === 'ENOENT' || code === 'ENOTDIR';
    return fail(missing ? diagnose('read/not-found', params, asked) : diagnose('read/failed', params, asked));
  }
  if (typeof bytes === 'number')
    return fail(diagnose('read/too-large', { path: shown, bytes, limit: maxBytes }, asked));
  if (!isUtf8(bytes)) return fail(diagnose('read/encoding', {}, firstInvalid(shown, bytes)));
  const text = toText(bytes);
  let hash: string | undefined;
  const source: SourceFile = {
    path: shown,
    format,
    text,
    // Only YAML is cached by it, and only where there is a cache.
    get hash() {
      hash ??= crypto().createHash('sha256').update(bytes).digest('base64url');
      return hash;
    },
  };
  // Each character beyond ASCII has more bytes than units.
  return {
    value: source,
    diagnostics: [],
    mayHide: bytes.length === text.length ? mayHideInAscii(text) : mayHide(text),
  };
}

/** Without a BOM, so that columns count from the first visible character. */
function toText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function fail(diagnostic: Diagnostic): Read<never> {
  return { value: undefined, diagnostics: [diagnostic] };
}

/** The position of the first byte that is not UTF-8: the end of the longest prefix that could still become valid text. */
function firstInvalid(file: string, bytes: Uint8Array): Site {
  const decode = (start: number, end: number): string =>
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(start, end), { stream: true });
  const isValid = (start: number, end: number): boolean => {
    try {
      decode(start, end);
      return true;
    } catch {
      return false;
    }
  };
  // Piece by piece, each from the start of a character: a large file is never decoded as a whole again.
  let low = 0;
  let high = Math.min(pieceSize, bytes.length);
  while (high < bytes.length && isValid(low, high)) {
    low = characterStart(bytes, high);
    high = Math.min(low + pieceSize, bytes.length);
  }
  const start = low;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isValid(start, middle)) low = middle;
    else high = middle - 1;
  }
  const lineStart = bytes.lastIndexOf(lineFeed, low - 1) + 1;
  let line = 1;
  for (let at = bytes.indexOf(lineFeed); at >= 0 && at < low; at = bytes.indexOf(lineFeed, at + 1)) line += 1;
  const column = decode(lineStart, low).length + 1;
  return { file, line, column, endLine: line, endColumn: column + 1 };
}

const pieceSize = 65_536;
const lineFeed = 10;

/** The start of the character that the byte before `end` belongs to. */
function characterStart(bytes: Uint8Array, end: number): number {
  let start = end - 1;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}
