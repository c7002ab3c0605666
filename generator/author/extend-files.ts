// How a file of somebody's gets what it lacks. In: a folder and what its files should have. Out: edits in the change book, and what
// was left as it was.

import { isDeepStrictEqual } from 'node:util';
import type { Folder } from '../../runtime/load/folder.js';
import { type Diagnostic, startOf } from '../../schema/diagnostics.js';
import { entryIn, isRefusal, putEntry, type Refusal } from '../clients/config-edit.js';
import { jsonConfig } from '../clients/json-config.js';
import { type ChangeBook, notEditable } from './change-book.js';

export interface Kept {
  readonly path: string;
  readonly why: string;
}

export interface Extender {
  /** Makes a file where there is none. */
  create(path: string, print: () => string): void;
  /** Adds keys to a JSON file; `text` stands for what it has. */
  json(path: string, keys: readonly Wanted[], options?: JsonOptions): void;
  /** Adds lines to a file such as .gitignore. */
  lines(path: string, lines: readonly string[]): void;
  keep(path: string, why?: string): void;
  readonly kept: readonly Kept[];
  readonly diagnostics: readonly Diagnostic[];
}

interface JsonOptions {
  readonly text?: string | undefined;
  readonly mayReplace?: (wanted: Wanted, value: unknown) => boolean;
}

export function makeExtender(folder: Folder, book: ChangeBook): Extender {
  const kept: Kept[] = [];
  const diagnostics: Diagnostic[] = [];
  const keep = (path: string, why = 'there already'): void => {
    kept.push({ path, why });
  };
  const refuse = (path: string, { problem, line = 1, column = 1 }: Refusal): void => {
    const site = { ...startOf(path), line, column, endLine: line, endColumn: column + 1 };
    diagnostics.push(notEditable(path, problem, site));
  };
  /** A folder, or a link that leads out. */
  const isOdd = (path: string): boolean => book.text(path) === undefined && folder.status(path) !== 'missing';
  const odd: Refusal = { problem: 'it is not a file in this folder' };
  return {
    kept,
    diagnostics,
    keep,
    create(path, print) {
      if (folder.status(path) === 'missing') book.put(path, print());
      else keep(path);
    },
    json(path, keys, { text = book.text(path), mayReplace } = {}) {
      const merged = isOdd(path) ? odd : mergeJson(text, keys, mayReplace);
      if (isRefusal(merged)) {
        refuse(path, merged);
        return;
      }
      if (merged.kept.length > 0) keep(path, `its own ${merged.kept.join(', ')}`);
      book.put(path, merged.text);
    },
    lines(path, lines) {
      if (isOdd(path)) refuse(path, odd);
      else if (mergeLines(book.text(path), lines) === book.text(path)) keep(path);
      else book.put(path, mergeLines(book.text(path), lines));
    },
  };
}

/** One key: where it is, and what it should be. */
export interface Wanted {
  /** The keys that lead to the map it is in; none for the root. */
  readonly path: readonly string[];
  readonly key: string;
  readonly value: unknown;
}

interface Merged {
  readonly text: string;
  /** Keys that have another value, which they keep: `scripts.test`. */
  readonly kept: readonly string[];
}

/** `text` is undefined where there is no file. `mayReplace`: a value that stands for none. */
function mergeJson(
  text: string | undefined,
  wanted: readonly Wanted[],
  mayReplace: (wanted: Wanted, value: unknown) => boolean = () => false,
): Merged | Refusal {
  let merged = text ?? '';
  const kept: string[] = [];
  for (const one of wanted) {
    const { path, key, value } = one;
    const target = { path, holds: 'map', name: key } as const;
    const read = jsonConfig.read(merged.replace(/^\uFEFF/, ''), target);
    if (isRefusal(read)) return read;
    const known = entryIn(read.value, target);
    if (known !== undefined && !mayReplace(one, known)) {
      if (!isDeepStrictEqual(known, value)) kept.push([...path, key].join('.'));
      continue;
    }
    const edited = putEntry(jsonConfig, { text: merged, target, entry: value });
    if (isRefusal(edited)) return edited;
    merged = edited.text;
  }
  return { text: merged, kept };
}

/** Lines of a string such as .gitignore, added where they are not there in any of their forms. */
function mergeLines(text: string | undefined, lines: readonly string[]): string {
  const before = text ?? '';
  const newline = before.includes('\r\n') ? '\r\n' : '\n';
  const plain = (line: string): string =>
    line
      .trim()
      .replaceAll(/\s+/g, ' ')
      .replace(/^\//, '')
      .replace(/\/(?= |$)/, '');
  const known = new Set(before.split('\n').map(plain));
  const missing = lines.filter(line => !known.has(plain(line)));
  const gap = before === '' || before.endsWith('\n') ? '' : newline;
  return missing.length === 0 ? before : `${before}${gap}${missing.map(line => `${line}${newline}`).join('')}`;
}
