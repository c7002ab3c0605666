// The reverse of what edit-yaml.ts adds. In: a YAML text (without byte order mark) and what should no longer be in it. Out: the text with
// every other byte, comments included; undefined where it is written in a way that nothing can be removed from safely.
import type { Node, YAMLSeq } from 'yaml';
import { asMap } from '../../schema/document.js';
import { yaml } from '../../schema/parse/yaml-value.js';
import { changeAt, type Keys, prove, readAll, valuesOf } from './edit-yaml.js';

/**
 * Removes an entry of the map that the text is.
 *
 * @example removeYamlKey('a:\n  title: A\nb:\n  title: B\n', 'b') // 'a:\n  title: A\n'
 */
export function removeYamlKey(text: string, key: string): string | undefined {
  const documents = readAll(text);
  const values = documents === undefined ? [] : valuesOf(documents);
  const at = values.findIndex(value => Object.hasOwn(asMap(value), key));
  const root: unknown = documents?.[at]?.contents;
  if (!yaml().isMap(root) || root.flow === true) return undefined;
  const pair = root.items.find(one => yaml().isScalar(one.key) && String(one.key.value) === key);
  const [from] = (pair?.key as Node | undefined)?.range ?? [];
  if (from === undefined) return undefined;
  const { start, end } = linesOf(text, from);
  const rest = cut(text, start, end);
  const { [key]: _, ...others } = asMap(values[at]);
  // `{}` stands for a file without anything in it.
  const edited =
    root.items.length === 1 ? `${text.slice(0, start)}{}${newlineAt(text, start)}${text.slice(end)}` : rest;
  return prove(
    edited,
    values.map((value, index) => (index === at ? others : value)),
  );
}

/**
 * Removes entries of the list at a path of keys.
 *
 * @example removeFromYamlList('tools: [a, b] # mine\n', ['tools'], one => one === 'b') // 'tools: [a] # mine\n'
 */
export function removeFromYamlList(text: string, path: Keys, isMeant: (value: unknown) => boolean): string | undefined {
  const documents = readAll(text);
  const at = documents?.findIndex(document => yaml().isSeq(document.getIn(path, true))) ?? -1;
  const document = documents?.[at];
  const list = document?.getIn(path, true);
  if (documents === undefined || document === undefined || !yaml().isSeq(list)) return undefined;
  const found = asList(document.toJS(), path).findIndex(isMeant);
  if (found < 0) return text;
  const key = document.getIn(path.slice(0, -1), true) ?? document.contents;
  const edited =
    list.flow === true ? removeFromFlow(text, rangesOf(list), found) : removeFromBlock(text, list, found, keyEnd(key));
  const values = valuesOf(documents);
  const proved =
    edited === undefined
      ? undefined
      : prove(
          edited,
          values.map((value, index) =>
            index === at ? changeAt(value, path, old => (old as unknown[]).filter((_, i) => i !== found)) : value,
          ),
        );
  return proved === undefined ? undefined : removeFromYamlList(proved, path, isMeant);

  function keyEnd(map: unknown): number | undefined {
    const pair = yaml().isMap(map)
      ? map.items.find(one => yaml().isScalar(one.key) && one.key.value === path.at(-1))
      : undefined;
    return (pair?.key as Node | undefined)?.range?.[1];
  }
}

function asList(value: unknown, path: Keys): readonly unknown[] {
  const list = path.reduce<unknown>((here, key) => asMap(here)[key], value);
  return Array.isArray(list) ? list : [];
}

function removeFromBlock(text: string, list: YAMLSeq, index: number, keyEnd: number | undefined): string | undefined {
  const [from] = (list.items[index] as Node | undefined)?.range ?? [];
  const dash = from === undefined ? -1 : text.lastIndexOf('-', from);
  if (dash < 0) return undefined;
  const { start, end } = linesOf(text, dash);
  if (list.items.length > 1) return cut(text, start, end);
  const colon = keyEnd === undefined ? -1 : text.indexOf(':', keyEnd);
  if (colon < 0) return undefined;
  return `${text.slice(0, colon + 1)} []${cut(text, start, end).slice(colon + 1)}`;
}

function rangesOf({ items }: YAMLSeq): readonly (readonly [number, number] | undefined)[] {
  return items.map(item => {
    const [start, end] = (item as Node).range ?? [];
    return start === undefined || end === undefined ? undefined : [start, end];
  });
}

/** `items`: where each of a list or map in brackets begins and ends. */
export function removeFromFlow(
  text: string,
  items: readonly (readonly [start: number, end: number] | undefined)[],
  index: number,
): string | undefined {
  const [from, stop] = items[index] ?? [];
  if (from === undefined || stop === undefined) return undefined;
  const before = items[index - 1]?.[1];
  const own = /^[ \t]*,/.exec(text.slice(stop))?.[0].length ?? 0;
  const [gap = ''] = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, from)) ?? [];
  const start = gap.includes('\n') || before !== undefined ? from - gap.length : from;
  const next = gap.includes('\n') || before !== undefined ? '' : (/^[ \t]*/.exec(text.slice(stop + own))?.[0] ?? '');
  const isLast = index === items.length - 1;
  const end = stop + own + (isLast ? 0 : next.length);
  // The one before it becomes the last, which has no comma, unless the list ends with one.
  const loose = isLast && own === 0 && before !== undefined ? text.indexOf(',', before) : -1;
  if (loose < 0) return text.slice(0, start) + text.slice(end);
  return text.slice(0, loose) + text.slice(loose + 1, start) + text.slice(end);
}

/** The lines of a block that starts at an offset: its own, and those below that are indented further. Blank lines after it stay. */
export function linesOf(text: string, from: number): { readonly start: number; readonly end: number } {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const indent = from - start;
  let end = start;
  for (let at = start; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const next = newline < 0 ? text.length : newline + 1;
    const line = text.slice(at, next);
    const isBlank = line.trim() === '';
    if (at > start && !isBlank && line.length - line.trimStart().length <= indent) break;
    if (!isBlank) end = next;
    at = next;
  }
  return { start, end };
}

/** Without a part; where the text ended with it and without a line break, it does so again. */
export function cut(text: string, start: number, end: number): string {
  const head = text.slice(0, start);
  const isOpenEnd = end === text.length && !text.endsWith('\n');
  return isOpenEnd ? head.replace(/\r?\n$/, '') : head + text.slice(end);
}

export function newlineAt(text: string, start: number): string {
  return /\r?\n/.exec(text.slice(start))?.[0] ?? '';
}
