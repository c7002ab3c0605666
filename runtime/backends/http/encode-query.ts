// B1. In: names and values of a query or a form. Out: `a=1&b=2`, in which no value can add a name. Lists and objects are written in the
// style that is asked for.
import { isMap } from '../../../schema/document.js';
import type { QueryStyle } from '../../../schema/support/mcp/backends.js';
import { badValue, percentEncode, plainText } from './place-values.js';

type Values = Readonly<Record<string, unknown>>;
type Names = ReadonlySet<string>;
type Styles = Readonly<Record<string, QueryStyle>> | undefined;

const separators = { comma: ',', space: '%20', pipe: '%7C' } as const;
/** What an element must not have, since it would be two elements. A comma is told apart by its escape. */
const ambiguous: Readonly<Record<string, string>> = { space: ' ', pipe: '|' };

/**
 * Values that are null or undefined are left out.
 *
 * @example encodeQuery({ tag: ['a', 'b'], q: 'x&y' }, undefined) // 'tag=a&tag=b&q=x%26y'
 */
export function encodeQuery(values: Values, styles: Styles): string {
  return joinPairs(
    values,
    name => (styles !== undefined && Object.hasOwn(styles, name) ? styles[name] : 'form'),
    'query parameter',
  );
}

/** The same for the body of a form, in which objects need no style. */
export function encodeForm(values: Values, styles: Styles): string {
  const styleOf = (name: string, value: unknown): QueryStyle | undefined =>
    styles !== undefined && Object.hasOwn(styles, name) ? styles[name] : isNested(value) ? 'deepObject' : 'form';
  return joinPairs(values, styleOf, 'form field').replaceAll('%20', '+');
}

function isNested(value: unknown): boolean {
  return isStructure(value) || (Array.isArray(value) && value.some(one => isStructure(one) || Array.isArray(one)));
}

function isStructure(value: unknown): value is Values {
  return isMap(value) && !(value instanceof Date);
}

function joinPairs(
  values: Values,
  styleOf: (name: string, value: unknown) => QueryStyle | undefined,
  what: string,
): string {
  const names: Names = new Set(Object.keys(values));
  let joined = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    const place = `The ${what} ${name}`;
    const written = writePair(name, value, styleOf(name, value) ?? 'form', place, names);
    if (written !== '') joined += joined === '' ? written : `&${written}`;
  }
  return joined;
}

/** `names`: all names of the query, which members of objects must not take. */
function writePair(name: string, value: unknown, style: QueryStyle, place: string, names: Names): string {
  if (typeof value !== 'object') return pair(name, value, place);
  switch (style) {
    case 'form':
      if (isStructure(value)) throw badValue(place, 'is an object; `style` says how it is written, such as deepObject');
      return Array.isArray(value)
        ? present(value)
            .map(one => pair(name, one, place))
            .join('&')
        : pair(name, value, place);
    case 'comma':
    case 'space':
    case 'pipe': {
      const elements = Array.isArray(value)
        ? present(value)
        : isStructure(value)
          ? present(Object.entries(value).flatMap(member))
          : [value];
      const texts = elements.map(element => elementText(element, ambiguous[style], place));
      return texts.length === 0 ? '' : `${percentEncode(name, place)}=${texts.join(separators[style])}`;
    }
    case 'deepObject':
      return writeDeep(name, value, place).join('&');
    case 'members':
      if (!isStructure(value)) throw badValue(place, 'is not an object, whose members could be written');
      return Object.entries(value)
        .flatMap(([key, one]) => {
          // `a[b]` is a part of `a`.
          if (names.has(key.split('[', 1)[0] ?? ''))
            throw badValue(place, `has a member ${JSON.stringify(key)}, which stands there already`);
          return Array.isArray(one) ? present(one).map(each => pair(key, each, place)) : written(key, one, place);
        })
        .join('&');
    default:
      return style satisfies never;
  }
}

function written(name: string, value: unknown, place: string): readonly string[] {
  return value === undefined || value === null ? [] : [pair(name, value, place)];
}

function present(list: readonly unknown[]): readonly unknown[] {
  return list.filter(one => one !== undefined && one !== null);
}

/** Names of members stand between their values, unless the value is absent. */
function member([key, value]: [string, unknown]): readonly unknown[] {
  return value === undefined || value === null ? [] : [key, value];
}

function elementText(element: unknown, forbidden: string | undefined, place: string): string {
  const text = plainText(element, place);
  if (forbidden !== undefined && text.includes(forbidden))
    throw badValue(place, `has an element with ${JSON.stringify(forbidden)}, which separates elements there`);
  return percentEncode(text, place);
}

function pair(name: string, value: unknown, place: string): string {
  return `${percentEncode(name, place)}=${percentEncode(plainText(value, place), place)}`;
}

const deepest = 20;

/** `a[b]=1`, `a[]=1`; lists of objects are numbered, since their members would mix. */
function writeDeep(name: string, value: unknown, place: string, depth = 0): readonly string[] {
  if (value === undefined || value === null) return [];
  if (depth > deepest) throw badValue(place, 'is nested too deeply');
  if (Array.isArray(value)) {
    const isFlat = !isNested(value);
    return present(value).flatMap((one, index) =>
      writeDeep(isFlat ? `${name}[]` : `${name}[${index}]`, one, place, depth + 1),
    );
  }
  if (!isStructure(value)) return [pair(name, value, place)];
  return Object.entries(value).flatMap(([key, one]) => {
    if (/[[\]]/.test(key)) throw badValue(place, 'has a member with a bracket in its name');
    // `a[]` is an element of a list.
    if (key === '') throw badValue(place, 'has a member without a name');
    return writeDeep(`${name}[${key}]`, one, place, depth + 1);
  });
}
