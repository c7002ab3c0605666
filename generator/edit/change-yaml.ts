// A value of a YAML text becomes another one, with an edit where they differ and every other byte as it was: comments, order, quotes, line
// ends. In: the text (without byte order mark), the value that one of its documents should have. Out: the new text; undefined where it
// is written in a way that cannot be changed safely.
import type { Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isMap } from '../../schema/document.js';
import { parse } from '../../schema/parse/parse.js';
import { keyText, yaml } from '../../schema/parse/yaml-value.js';
import { equal } from '../../schema/support/values.js';
import { readAll } from './edit-yaml.js';
import {
  isFilledMap,
  printAfterKey,
  printFlowPair,
  printInFlow,
  printLike,
  printPair,
  printYaml,
} from './print-yaml.js';
import {
  colonOf,
  columnOf,
  dashOf,
  endOfNode,
  inLines,
  isBlank,
  lineAfter,
  lineOf,
  NotEditable,
  newlineOf,
  type Range,
  rangeOf,
  rangeOfPair,
  startOfPair,
} from './yaml-places.js';

/**
 * Changes one document of a file. Its value is a map before and after.
 *
 * @example changeYaml('a: 1 # one\nb: "x"\n', 0, { a: 2, b: 'x', c: [y] }) // 'a: 2 # one\nb: "x"\nc: [y]\n'
 */
export function changeYaml(
  text: string,
  document: number,
  next: Readonly<Record<string, unknown>>,
): string | undefined {
  const values = readValues(text);
  const trees = readAll(text)?.filter(({ contents }) => contents !== null && !isBlank(contents));
  if (values === undefined || trees === undefined || values.length !== trees.length) return undefined;
  if (values.length === 0 && document === 0) return proved(append(text, next), [next]);
  const old = values[document];
  const root: unknown = trees[document]?.contents;
  if (!yaml().isMap(root) || !isMap(old)) return undefined;
  const edits = openEdits(text);
  try {
    if (isFilledMap(old) && isFilledMap(next)) edits.map(root, old, next);
    else edits.root(root, next);
  } catch (error) {
    if (error instanceof NotEditable) return undefined;
    throw error;
  }
  const edited = edits.apply();
  return edited && proved(edited, [...values.slice(0, document), next, ...values.slice(document + 1)]);
}

/** Undefined where the parser of packs finds a mistake. */
function readValues(text: string): readonly unknown[] | undefined {
  const { documents, diagnostics } = parse({ path: '', format: 'yaml', text, hash: '' });
  const isWrong = diagnostics.some(({ severity, code }) => severity === 'error' && code !== 'parse/empty');
  return isWrong ? undefined : documents.map(({ value }) => value);
}

function proved(text: string, expected: readonly unknown[]): string | undefined {
  return equal(readValues(text), expected) ? text : undefined;
}

/** A file of comments, or of nothing. */
function append(text: string, next: unknown): string {
  const printed = inLines(printYaml(next), newlineOf(text));
  return `${text}${text === '' || text.endsWith('\n') ? '' : newlineOf(text)}${printed}`;
}

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

type Values = Readonly<Record<string, unknown>>;

interface Edits {
  map(map: YAMLMap, old: Values, next: Values): void;
  root(map: YAMLMap, next: Values): void;
  apply(): string | undefined;
}

function openEdits(text: string): Edits {
  const newline = newlineOf(text);
  const splices: Splice[] = [];
  const put = (start: number, end: number, added: string): void => {
    splices.push({ start, end, text: inLines(added, newline) });
  };

  function editMap(map: YAMLMap, old: Values, next: Values): void {
    const pairs = ownPairs(map);
    const isGone = (key: string): boolean => next[key] === undefined || !Object.hasOwn(next, key);
    for (const [key, pair] of pairs)
      if (!isGone(key) && !equal(old[key], next[key])) editValue(map, pair, old[key], next[key]);
    // What a merge key brings in cannot be taken away here; what it says can be overridden.
    const others = Object.keys(old).filter(key => !pairs.has(key));
    if (others.some(isGone)) throw new NotEditable();
    const added = Object.keys(next).filter(
      key => next[key] !== undefined && !pairs.has(key) && !(Object.hasOwn(old, key) && equal(old[key], next[key])),
    );
    const order = [...pairs.keys()];
    const gone = new Set(order.flatMap((key, index) => (isGone(key) ? [index] : [])));
    if (gone.size === 0 && added.length === 0) return;
    const groups = groupByPlace(Object.keys(next), { added: new Set(added), known: key => order.indexOf(key) });
    const list = [...pairs.values()];
    if (map.flow === true) {
      const texts = new Map([...groups].map(([at, keys]) => [at, keys.map(key => printFlowPair(key, next[key]))]));
      if (!editFlow(list.map(rangeOfPair), gone, texts)) replaceFlow(map, printInFlow(next));
      return;
    }
    // Where all that there is comes by a merge key, new ones follow that.
    const first = list[0] ?? map.items.at(-1);
    const indent = first === undefined ? 0 : columnOf(text, startOfPair(first));
    for (const index of gone) removeLines(list[index] as Pair);
    for (const [at, keys] of groups) {
      const printed = keys.map(key => printPair(key, next[key], indent)).join('');
      const before = at < 0 ? undefined : list[at];
      if (before !== undefined) insertLines(endOfLines(before), printed);
      else if (first !== undefined)
        insertLines(list.length === 0 ? endOfLines(first) : lineOf(text, startOfPair(first)), printed);
    }
  }

  function editValue(map: YAMLMap, pair: Pair, old: unknown, next: unknown): void {
    const { value } = pair;
    if (yaml().isMap(value) && isFilledMap(old) && isFilledMap(next)) editMap(value, old, next);
    else if (yaml().isSeq(value) && areWords(old) && areWords(next) && old.some(one => next.includes(one)))
      editList(value, { map, pair }, old, next);
    else replaceValue(map, pair, next);
  }

  /** Elements that come and go, the others in the same order; else it is written again as a whole. */
  function editList(list: YAMLSeq, { map, pair }: Owner, old: Words, next: Words): void {
    const wanted = new Set(next);
    const known = new Set(old);
    const [kept, same] = [old.filter(one => wanted.has(one)), next.filter(one => known.has(one))];
    if (!equal(kept, same) || list.items.length !== old.length) {
      replaceValue(map, pair, next);
      return;
    }
    const gone = new Set(old.flatMap((one, index) => (wanted.has(one) ? [] : [index])));
    const added = new Set(next.filter(one => !known.has(one)));
    const groups = groupByPlace(next, { added, known: one => old.indexOf(one) });
    if (list.flow === true) {
      const texts = new Map([...groups].map(([at, words]) => [at, words.map(printInFlow)]));
      if (!editFlow(list.items.map(rangeOf), gone, texts)) replaceValue(map, pair, next);
      return;
    }
    const dashes = list.items.map(item => dashOf(text, item as Node));
    const end = (at: number): number => lineAfter(text, endOfNode(list.items[at]));
    for (const at of gone) put(lineOf(text, dashes[at] as number), end(at), '');
    for (const [at, words] of groups) {
      const indent = ' '.repeat(columnOf(text, dashes[0] as number));
      const printed = words.map(one => `${indent}- ${printAfterKey(one, indent.length).slice(1)}`).join('');
      insertLines(at < 0 ? lineOf(text, dashes[0] as number) : end(at), printed);
    }
  }

  /** Members of a map or list in brackets. False where nothing of it would be left. */
  function editFlow(
    ranges: readonly Range[],
    gone: ReadonlySet<number>,
    added: ReadonlyMap<number, readonly string[]>,
  ): boolean {
    if (gone.size === ranges.length) return false;
    const lastKept = ranges.findLastIndex((_, index) => !gone.has(index));
    for (const index of gone) {
      const own = ranges[index] as Range;
      const after = ranges[index + 1];
      if (index < lastKept && after !== undefined) put(own.start, after.start, '');
    }
    const last = ranges.at(-1) as Range;
    if (lastKept < ranges.length - 1) put((ranges[lastKept] as Range).end, last.end, '');
    for (const [at, texts] of added) {
      const before = at < 0 ? undefined : ranges[at];
      if (before !== undefined) put(before.end, before.end, `, ${texts.join(', ')}`);
      else put((ranges[0] as Range).start, (ranges[0] as Range).start, `${texts.join(', ')}, `);
    }
    return true;
  }

  function replaceFlow(node: Node, printed: string): void {
    const { start, end } = rangeOf(node);
    put(start, end, printed);
  }

  function replaceValue(map: YAMLMap, pair: Pair, next: unknown): void {
    const value = pair.value as Node | null;
    const isInFlow = map.flow === true;
    const isEmpty = value === null || isBlank(value);
    const isBlock = yaml().isScalar(value) && (value.type === 'BLOCK_LITERAL' || value.type === 'BLOCK_FOLDED');
    if (isInFlow) {
      if (isEmpty) throw new NotEditable();
      const { start, end } = rangeOf(value);
      put(start, end, printLike(yaml().isScalar(value) ? value.type : undefined, next, true) ?? printInFlow(next));
      return;
    }
    const indent = columnOf(text, startOfPair(pair));
    const printedLike = !isEmpty && !isBlock && yaml().isScalar(value) ? printLike(value.type, next, false) : undefined;
    if (printedLike !== undefined) {
      const { start, end } = rangeOf(value);
      put(start, end, printedLike);
      return;
    }
    // An anchor or a tag would be lost, or mean something else.
    if (!isEmpty && (hasProps(value) || (yaml().isAlias(value) && isFilledMap(next)))) {
      if (!yaml().isAlias(value)) throw new NotEditable();
    }
    const colon = colonOf(text, pair);
    const printed = printAfterKey(next, indent);
    const feed = printed.indexOf('\n');
    const [head, rest] = [printed.slice(0, feed), printed.slice(feed + 1)];
    if (isEmpty || yaml().isAlias(value) || (yaml().isScalar(value) && !isBlock) || isOnOneLine(value)) {
      const end = isEmpty ? colon + 1 : endOfNode(value);
      put(colon + 1, end, head);
      if (rest !== '') insertLines(lineAfter(text, end), rest);
      return;
    }
    // Of what stood in lines of its own, the comment on the line of the key stays.
    const line = isBlock ? /^[|>][-+\d]*([ \t]+#[^\r\n]*)?/.exec(text.slice(rangeOf(value).start)) : undefined;
    const [, comment = ''] = line ?? /^([ \t]+#[^\r\n]*)/.exec(text.slice(colon + 1)) ?? [];
    const end = lineAfter(text, endOfNode(value));
    const isOpen = end === text.length && !text.endsWith('\n');
    const whole = `${head}${comment === '' ? '' : `  ${comment.trimStart()}`}\n${rest}`;
    put(colon + 1, end, isOpen ? whole.slice(0, -1) : whole);
  }

  function isOnOneLine(node: Node): boolean {
    const { start, end } = rangeOf(node);
    return yaml().isCollection(node) && node.flow === true && !text.slice(start, end).includes('\n');
  }

  function removeLines(pair: Pair): void {
    const start = lineOf(text, startOfPair(pair));
    if (text.slice(start, startOfPair(pair)).trim() !== '') throw new NotEditable();
    const end = endOfLines(pair);
    // What ended without a line break goes on to do so.
    const isOpen = end === text.length && !text.endsWith('\n');
    put(isOpen ? Math.max(0, text.slice(0, start).replace(/\r?\n$/, '').length) : start, end, '');
  }

  function endOfLines(pair: Pair): number {
    const value = pair.value as Node | null;
    return lineAfter(text, value === null || isBlank(value) ? colonOf(text, pair) + 1 : endOfNode(value));
  }

  function insertLines(at: number, printed: string): void {
    if (at > 0 && text[at - 1] !== '\n') put(at, at, `\n${printed.slice(0, -1)}`);
    else put(at, at, printed);
  }

  return {
    map: editMap,
    root(map, next) {
      const { start } = rangeOf(map);
      const end = map.flow === true ? rangeOf(map).end : endOfNode(map);
      put(
        start,
        end,
        `${isFilledMap(next) ? printYaml(next).slice(0, -1) : '{}'}${text[end - 1] === '\n' ? '\n' : ''}`,
      );
    },
    apply() {
      const sorted = splices
        .map((splice, index) => ({ ...splice, index }))
        .sort((a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start) || a.index - b.index);
      let [edited, at] = ['', 0];
      for (const { start, end, text: added } of sorted) {
        if (start < at) return undefined;
        edited += text.slice(at, start) + added;
        at = end;
      }
      return edited + text.slice(at);
    },
  };
}

interface Owner {
  readonly map: YAMLMap;
  readonly pair: Pair;
}

type Words = readonly (string | null)[];

/** New ones by the place of the known one that they follow; -1: before all. */
function groupByPlace<T>(
  all: readonly T[],
  { added, known }: { readonly added: ReadonlySet<T>; readonly known: (one: T) => number },
): ReadonlyMap<number, readonly T[]> {
  const groups = new Map<number, T[]>();
  let place = -1;
  for (const one of all) {
    if (!added.has(one)) place = Math.max(known(one), -1);
    else groups.set(place, [...(groups.get(place) ?? []), one]);
  }
  return groups;
}

function areWords(value: unknown): value is Words {
  return (
    Array.isArray(value) &&
    value.every(one => typeof one === 'string' || one === null) &&
    new Set(value).size === value.length
  );
}

function ownPairs(map: YAMLMap): ReadonlyMap<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const pair of map.items) {
    const key = keyText(pair.key, new Map());
    if (key === undefined) throw new NotEditable();
    pairs.set(key, pair);
  }
  // What it brings in is among the values, and has no pair of its own.
  const merge = map.items.find(({ key }) => yaml().isScalar(key) && key.type === 'PLAIN' && key.source === '<<');
  if (merge !== undefined) pairs.delete('<<');
  return pairs;
}

function hasProps(node: Node | null): boolean {
  const { anchor, tag } = (node ?? {}) as Partial<Scalar>;
  return anchor !== undefined || tag !== undefined;
}
