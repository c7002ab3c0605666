// In: a key. Out: what is said about it line by line, as parts that the printers turn into links, colours or plain text.
import type { Inside, Key } from './read-kind.js';

/** Plain words, something typed, or the name of something that has a place of its own. */
export type Part =
  | string
  | { readonly code: string }
  | { readonly key: string }
  | { readonly page: string }
  | { readonly diagnostic: string }
  | { readonly guide: string };

export interface Row {
  readonly label: string;
  readonly parts: readonly Part[];
}

/** The facts about a key in the order of the page; none that is empty. */
export function listRows(key: Key): readonly Row[] {
  const beside = key.path.slice(0, key.path.lastIndexOf('.') + 1);
  const rows: readonly Row[] = [
    { label: 'Type', parts: [[key.type, ...key.limits].join('; ')] },
    { label: 'Required', parts: key.isRequired ? ['yes'] : [] },
    { label: 'Default', parts: defaultOf(key) },
    { label: 'Not with', parts: separate((key.excludes ?? []).map(name => ({ key: `${beside}${name}` }))) },
    {
      label: 'Only with',
      parts: separate(
        (key.needs ?? []).map(code => ({ code })),
        ' or ',
      ),
    },
    { label: 'Experimental', parts: key.experimental === undefined ? [] : [`may change in ${key.experimental}`] },
    { label: 'Inside', parts: insideOf(key) },
    { label: 'Guide', parts: key.guide === undefined ? [] : [{ guide: key.guide }] },
    { label: 'Diagnostics', parts: separate((key.codes ?? []).map(diagnostic => ({ diagnostic }))) },
  ];
  return rows.filter(({ parts }) => parts.length > 0);
}

/** Words about a default may have code in them, in backquotes. */
function defaultOf({ default: value, isDefaultInWords }: Key): readonly Part[] {
  if (value === undefined) return [];
  if (!isDefaultInWords) return [{ code: value }];
  return readCode(value);
}

/** `` what `effect` says `` -> words and code. */
export function readCode(text: string): readonly Part[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : { code: part }))
    .filter(part => part !== '');
}

/** What fits a line of a list. A dot inside `{ ... }` ends nothing. */
export function firstSentence(text: string): string {
  const [first = text] = /^.*?[.](?=\s[A-Z{`]|$)/s.exec(text) ?? [];
  return first;
}

function insideOf({ inside, keys }: Key): readonly Part[] {
  if (inside === undefined) return [];
  const place = partOf(inside);
  if ('page' in inside) return ['a definition as on the page ', place];
  return [keys.length === 0 ? 'the same keys as in ' : 'the keys below, and those in ', place];
}

function partOf(inside: Inside): Part {
  return 'page' in inside ? { page: inside.page } : { key: inside.key };
}

function separate(parts: readonly Part[], between = ', '): readonly Part[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [between, part]));
}
