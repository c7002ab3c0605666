// In: a path in a folder. Out: its text and the documents in it. Each file is read once per reader (W21).
import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import { type Diagnostic, diagnose, type Site, startOf } from '../../schema/diagnostics.js';
import type { Document, Format, SourceFile } from '../../schema/document.js';
import { parse } from '../../schema/parse/parse.js';
import { findLostDigits } from '../../schema/parse/report.js';
import { readPlainMap } from '../../schema/parse/yaml-plain.js';
import { mayHide, mayHideInAscii } from '../../schema/texts/hidden.js';
import { codeOf, type Folder, formatOf, normalizePath } from './folder.js';
import { maxBytes } from './read-file.js';

/** What was made of a content, by its hash, as values of JSON; how and where they are kept is the caller's business. */
export interface ContentCache {
  get(hash: string): readonly unknown[] | undefined;
  set(hash: string, values: readonly unknown[]): void;
}

export interface Read<T> {
  /** Undefined where the file could not be used; then there is at least one error. */
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Reader {
  readonly folder: Folder;
  /** A path of the folder as diagnostics show it. */
  shown(path: string): string;
  /** The text of a file. `asked`: where a manifest names it; mistakes about the path are shown there. */
  text(path: string, format?: Format, asked?: Site): Read<SourceFile>;
  /** The documents of a file. A file with some broken documents has errors and the others; there may be warnings, too. */
  documents(path: string, format: Format, asked?: Site): Read<readonly Document[]>;
  /** A file that a manifest names: checked to be inside the pack, then read. */
  named(path: string, asked: Site): Read<SourceFile>;
  /** The same, for a file of data. */
  namedDocuments(path: string, asked: Site): Read<readonly Document[]>;
  /** Whether anything read so far can hold characters that nobody sees. */
  mayHide(): boolean;
  /** Checks only that a named file is there, for images and other bytes. */
  exists(path: string, asked: Site): readonly Diagnostic[];
}

export interface ReaderOptions {
  readonly cache?: ContentCache | undefined;
  /** Stands before the paths in diagnostics: overlays lie outside the pack. */
  readonly prefix?: string;
  /** Positions in most files will be asked for: syntax trees are kept, as long as they are not too large. */
  readonly keepsTrees?: boolean | undefined;
}

/** Of text, in characters; its trees take about sixteen times as many bytes. */
const mostInTrees = 4_000_000;

export function createReader(folder: Folder, options: ReaderOptions = {}): Reader {
  const { cache, prefix = '', keepsTrees = false } = options;
  let roomForTrees = keepsTrees ? mostInTrees : 0;
  const files = new Map<string, Read<SourceFile>>();
  const parsed = new Map<string, Read<readonly Document[]>>();
  let isSuspect = false;

  function text(path: string, format: Format = 'yaml', asked?: Site): Read<SourceFile> {
    const known = files.get(path);
    if (known !== undefined) return known;
    const read = readSource(folder, path, prefix + path, format, asked);
    isSuspect ||= read.mayHide === true;
    files.set(path, read);
    return read;
  }

  function documents(path: string, format: Format, asked?: Site): Read<readonly Document[]> {
    const known = parsed.get(path);
    if (known !== undefined) return known;
    const result = readDocuments(path, format, asked);
    parsed.set(path, result);
    return result;
  }

  function readDocuments(path: string, format: Format, asked?: Site): Read<readonly Document[]> {
    const { value: source, diagnostics } = text(path, format, asked);
    if (source === undefined) return { value: undefined, diagnostics };
    roomForTrees -= source.text.length;
    return parseSource(source, cache, roomForTrees >= 0);
  }

  function locate(path: string, asked: Site): { readonly path?: string; readonly diagnostics: readonly Diagnostic[] } {
    const inside = normalizePath(path);
    const status = inside === undefined ? 'outside' : folder.status(inside);
    switch (status) {
      case 'file':
        return { path: inside ?? path, diagnostics: [] };
      case 'outside':
        return { diagnostics: [diagnose('resolve/path-escape', { path }, asked)] };
      case 'missing':
        return {
          diagnostics: [diagnose('read/not-found', { path }, asked, { hint: betterPath(folder, path, asked) })],
        };
      default:
        return { diagnostics: [diagnose('read/not-a-file', { path }, asked)] };
    }
  }

  return {
    folder,
    shown: path => prefix + path,
    text,
    documents,
    named(path, asked) {
      const { path: inside, diagnostics } = locate(path, asked);
      return inside === undefined ? { value: undefined, diagnostics } : text(inside, formatOf(inside), asked);
    },
    namedDocuments(path, asked) {
      const { path: inside, diagnostics } = locate(path, asked);
      return inside === undefined ? { value: undefined, diagnostics } : documents(inside, formatOf(inside), asked);
    },
    mayHide: () => isSuspect,
    exists: (path, asked) => locate(path, asked).diagnostics,
  };
}

/** Authors often write a path relative to the manifest they are in. */
function betterPath(folder: Folder, path: string, asked: Site): string {
  const beside = normalizePath(`${asked.file.split('/').slice(0, -1).join('/')}/${path}`);
  if (beside !== undefined && folder.status(beside) === 'file') return `paths start at the pack: write "${beside}"`;
  return 'paths are relative to the folder of toolwright.yaml';
}

function parseSource(
  source: SourceFile,
  cache: ContentCache | undefined,
  keepsTree: boolean,
): Read<readonly Document[]> {
  const plain = source.format === 'yaml' ? readPlainMap(source.text) : undefined;
  if (plain !== undefined) return { value: parse(source, [plain]).documents, diagnostics: [] };
  const useCache = cache !== undefined && source.format === 'yaml';
  const known = useCache ? cache.get(source.hash) : undefined;
  const { documents, diagnostics: wrong } = parse(source, known, keepsTree);
  // What is cached has nothing to report.
  const diagnostics = known === undefined ? [...wrong, ...findLostDigits(source.text, documents)] : wrong;
  if (useCache && known === undefined && diagnostics.length === 0) {
    cache.set(
      source.hash,
      documents.map(document => document.value),
    );
  }
  return { value: documents, diagnostics };
}

// In: a path in a folder. Out: its text, which is UTF-8, or what is wrong with it.

type Crypto = typeof import('node:crypto');

const require = createRequire(import.meta.url);

/** Loaded when the first hash is asked for: a pack in JSON needs none. */
function crypto(): Crypto {
  return require('node:crypto') as Crypto;
}

function readSource(
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
