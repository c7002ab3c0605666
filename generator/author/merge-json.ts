// In: a JSON text of the author's and keys that it should have. Out: the text with those that it lacks, what is there as it was.
import { isDeepStrictEqual } from 'node:util';
import { entryIn, isRefusal, putEntry, type Refusal } from '../clients/config-edit.js';
import { jsonConfig } from '../clients/json-config.js';

/** One key: where it is, and what it should be. */
export interface Wanted {
  /** The keys that lead to the map it is in; none for the root. */
  readonly path: readonly string[];
  readonly key: string;
  readonly value: unknown;
}

export interface Merged {
  readonly text: string;
  /** Keys that have another value, which they keep: `scripts.test`. */
  readonly kept: readonly string[];
}

/** `text` is undefined where there is no file. `mayReplace`: a value that stands for none. */
export function mergeJson(
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
export function mergeLines(text: string | undefined, lines: readonly string[]): string {
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
