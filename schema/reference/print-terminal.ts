// In: the reference of a kind, or one key of it. Out: the same as the page, for a terminal of some width.
import type { Paint } from '../print/diagnostics.js';
import { type Key, type KindReference, listKeys } from './read-kind.js';
import { firstSentence, listRows, type Part, readCode } from './rows.js';

export interface Screen {
  readonly width: number;
  readonly paint: Paint;
  /** The folder that has the pages; unless given, the one in the repository. */
  readonly docs?: string;
}

/** The whole kind: a line per key. */
export function printKindForTerminal(reference: KindReference, screen: Screen): string {
  const { kind, title, description, example, keys } = reference;
  const { paint } = screen;
  const [more] = [...keys].sort((one, other) => other.keys.length - one.keys.length);
  return [
    `${paint.bold(title)}  ${paint.dim(description)}`,
    printExample(example, paint),
    printList(keys, screen),
    wrap([`More about one key: `, { code: `toolwright schema ${kind} ${more?.path}` }], '', screen),
    '',
  ].join('\n\n');
}

/** One key with everything about it, and a line for each key below it. */
export function printKeyForTerminal(kind: string, key: Key, screen: Screen): string {
  const { paint } = screen;
  const rows = listRows(key);
  const width = Math.max(...rows.map(({ label }) => label.length)) + 2;
  const values = key.values.map(({ value, meaning }) => ({ name: value, text: meaning }));
  return [
    `${paint.dim(kind)} ${paint.bold(key.path)}`,
    wrap(readCode(key.description), '', screen),
    rows.map(({ label, parts }) => paint.dim(label.padEnd(width)) + wrap(parts, ' '.repeat(width), screen)).join('\n'),
    ...(values.length === 0 ? [] : [printTable(values, screen)]),
    printExample(key.example, paint),
    ...(key.keys.length === 0 ? [] : [printList(listKeys(key.keys), screen)]),
    '',
  ].join('\n\n');
}

function printList(keys: readonly Key[], screen: Screen): string {
  return printTable(
    keys.map(key => {
      const mark = key.isRequired ? ' (required)' : key.experimental === undefined ? '' : ' (experimental)';
      return { name: key.path, text: `${firstSentence(key.description)}${mark}` };
    }),
    screen,
  );
}

/** Names, and beside them what they mean. Long names must leave room for that: their text begins on the next line. */
function printTable(rows: readonly { readonly name: string; readonly text: string }[], screen: Screen): string {
  const longest = Math.max(...rows.map(({ name }) => name.length));
  const width = Math.min(longest + 2, Math.floor(screen.width / 2) - 2);
  const indent = ' '.repeat(width + 2);
  return rows
    .map(({ name, text }) => {
      const isLong = name.length + 2 > width;
      const lead = isLong ? `\n${indent}` : ' '.repeat(width - name.length);
      return `  ${screen.paint.cyan(name)}${lead}${wrap(readCode(text), indent, screen)}`;
    })
    .join('\n');
}

function printExample(example: string, paint: Paint): string {
  return example
    .split('\n')
    .map(line => `  ${paint.dim('|')} ${line}`)
    .join('\n');
}

/** Words are counted before they get their colour. Parts that touch are one word: a comma belongs to what stands before it. */
function wrap(parts: readonly Part[], indent: string, { width, paint, docs = 'docs' }: Screen): string {
  const words = [{ plain: '', shown: '' }];
  for (const part of parts) {
    for (const piece of (typeof part === 'string' ? part : nameOf(part, docs)).split(/(?<=\s)/)) {
      const { plain, shown } = words.pop() ?? { plain: '', shown: '' };
      words.push({ plain: plain + piece, shown: shown + (typeof part === 'string' ? piece : paint.cyan(piece)) });
      if (/\s$/.test(piece)) words.push({ plain: '', shown: '' });
    }
  }
  const room = Math.max(width - indent.length, 10);
  let [text, column] = ['', 0];
  for (const { plain, shown } of words) {
    if (column > 0 && column + plain.trimEnd().length > room) {
      text = `${text.trimEnd()}\n${indent}`;
      column = 0;
    }
    text += shown;
    column += plain.length;
  }
  return text.trimEnd();
}

function nameOf(part: Exclude<Part, string>, docs: string): string {
  if ('code' in part) return part.code;
  if ('key' in part) return part.key;
  if ('page' in part) return `toolwright schema ${part.page}`;
  return 'diagnostic' in part ? part.diagnostic : `${docs}/${part.guide}`;
}
