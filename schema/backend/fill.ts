// In: a tree of values whose texts have placeholders. Out: a function that fills them in. A lone placeholder keeps the type of its value;
// what is absent drops the member or element that it stands in. Nothing is encoded here: the place where a value goes does that.
import { isMap } from '../document.js';
import { type Part, type Placeholder, parseText, placeholdersOf } from './text.js';

/** What placeholders stand for. */
export interface FillValues {
  readonly args: Readonly<Record<string, unknown>>;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Undefined: it is absent. */
export type FillTree = (values: FillValues) => unknown;

/** What a string cannot take: a list, an object. */
export class UnfitValue extends Error {
  constructor(
    readonly placeholder: Placeholder,
    readonly reason: string,
  ) {
    super(`${placeholder.tag} ${reason}`);
  }
}

/**
 * Compiles a tree of values.
 *
 * @example makeFillTree({ summary: '{summary}', tags: ['{tag}'] })({ args: { summary: 'x' }, config: {} }) // { summary: 'x', tags: [] }
 */
export function makeFillTree(tree: unknown): FillTree {
  if (typeof tree === 'string') return makeFillText(tree);
  if (Array.isArray(tree)) {
    const elements = tree.map(makeFillTree);
    return values => elements.map(fill => fill(values)).filter(value => value !== undefined);
  }
  if (isMap(tree)) {
    const members = Object.entries(tree).map(([key, value]) => [key, makeFillTree(value)] as const);
    return values => {
      const filled: [string, unknown][] = [];
      for (const [key, fill] of members) {
        const value = fill(values);
        if (value !== undefined) filled.push([key, value]);
      }
      return Object.fromEntries(filled);
    };
  }
  return () => tree;
}

/** Of one text: the value itself where the text is a lone placeholder, else a string; undefined where a value is absent. */
export function makeFillText(text: string): FillTree {
  if (!/[{}]/.test(text)) return () => text;
  const { parts } = parseText(text);
  const [first] = parts;
  if (parts.length === 0) return () => '';
  if (parts.length === 1 && first !== undefined) {
    if (typeof first === 'string') return () => first;
    return values => valueFor(first, values);
  }
  const placeholders = placeholdersOf(parts);
  return values => {
    // Where a value is absent, it does not matter whether the others fit.
    for (const one of placeholders) if (valueFor(one, values) === undefined) return undefined;
    let filled = '';
    for (const part of parts) filled += typeof part === 'string' ? part : scalarText(valueFor(part, values), part);
    return filled;
  };
}

export function valueFor({ of, name }: Placeholder, { args, config }: FillValues): unknown {
  const from = of === 'config' ? config : args;
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

/** As a part of a string. */
export function scalarText(value: unknown, placeholder: Part & object): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw new UnfitValue(
    placeholder,
    value === null
      ? 'is null, which is not text'
      : `is ${Array.isArray(value) ? 'a list' : 'an object'}, which is not text`,
  );
}
