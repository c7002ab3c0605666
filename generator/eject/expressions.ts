// In: strings with placeholders and trees of them, as `http` and `exec` have them. Out: the code that makes the same of the arguments of a
// handler: a lone placeholder is the value itself, and what needs an absent value is absent.
import { type Part, type Placeholder, parseText, placeholdersOf } from '../../schema/backend/text.js';
import { isMap } from '../../schema/document.js';
import { Code, printString, printTemplate } from '../render/code.js';
import { type Input, printName } from './inputs.js';
import { around, type Group, type Piece } from './layout.js';

/** What the code of a handler has for placeholders. */
export interface Values {
  inputOf(placeholder: Placeholder): Input;
  /** Notes that the module imports a function of the package. */
  use(helper: Helper): string;
}

export type Helper = 'exec' | 'headerPart' | 'path' | 'request' | 'resourceUri' | 'scalar' | 'ToolError';

/** `without`: conditions under which there is no value, one of which is enough. */
export interface Expression {
  readonly code: Piece;
  readonly without: readonly string[];
}

export function printText(text: string, values: Values, isHeader = false): Expression {
  const { parts } = parseText(text);
  const [first] = parts;
  if (first === undefined) return { code: "''", without: [] };
  if (parts.length > 1)
    return { code: printParts(parts, values, isHeader), without: absentWhen(placeholdersOf(parts), values) };
  if (typeof first === 'string') return { code: printString(first), without: [] };
  const { code } = values.inputOf(first);
  return { code, without: absentWhen([first], values) };
}

/** Strings and values, joined to a string. In a header an argument must not be more than a part of it. */
export function printParts(parts: readonly Part[], values: Values, isHeader = false): string {
  return printTemplate(
    parts.map(part => {
      if (typeof part === 'string') return part;
      const input = values.inputOf(part);
      const code = printScalar(input, values);
      const isSafe = !isHeader || part.of !== 'argument' || input.kind === 'number' || input.kind === 'boolean';
      return new Code(isSafe ? code : `${values.use('headerPart')}(${code})`);
    }),
  );
}

/** What stands in a template literal for a value. */
function printScalar({ name, code, kind, isNullable }: Input, values: Values): string {
  const isPlain = kind !== 'any' && kind !== 'list' && !isNullable;
  return isPlain ? code : `${values.use('scalar')}(${code}, ${printString(name)})`;
}

function absentWhen(placeholders: readonly Placeholder[], values: Values): readonly string[] {
  const inputs = placeholders.map(one => values.inputOf(one)).filter(({ isOptional }) => isOptional);
  return [...new Set(inputs.map(({ code }) => `${code} === undefined`))];
}

export interface TreeOptions {
  /** A member without a value must not even be there, where it would count among the names of an object. */
  readonly dropsMembers?: boolean;
  readonly isHeader?: boolean;
}

/** A tree of values. A member may be undefined, an element may not: nobody leaves it out later. */
export function printTree(tree: unknown, values: Values, options: TreeOptions = {}): Expression {
  if (typeof tree === 'string') return printText(tree, values, options.isHeader);
  if (Array.isArray(tree)) {
    const pieces = tree.map(one => {
      const { code, without } = printTree(one, values, options);
      return without.length === 0 ? code : around(`...(${without.join(' || ')} ? [] : [`, code, '])');
    });
    return { code: { open: '[', close: ']', pieces }, without: [] };
  }
  if (isMap(tree)) return { code: printMembers(tree, values, options), without: [] };
  return { code: printLiteral(tree), without: [] };
}

export function printMembers(map: Readonly<Record<string, unknown>>, values: Values, options: TreeOptions = {}): Group {
  const pieces = Object.entries(map).map(([key, one]) => {
    const { code, without } = printTree(one, values, options);
    if (options.dropsMembers && without.length > 0)
      return around(`...(${without.join(' || ')} ? {} : { `, printMember(key, code), ' })');
    return printMember(key, orUndefined({ code, without }));
  });
  return { open: '{', close: '}', isSpaced: true, pieces };
}

/** The value, or undefined where there is none. What is optional itself is so already. */
export function orUndefined({ code, without }: Expression): Piece {
  const isItself = typeof code === 'string' && without.length === 1 && without[0] === `${code} === undefined`;
  return without.length === 0 || isItself ? code : around(`${without.join(' || ')} ? undefined : `, code);
}

export function printMember(key: string, code: Piece): Piece {
  return key === code ? key : around(`${printName(key)}: `, code);
}

/** Data without placeholders, as it stands in a manifest. */
export function printData(value: unknown): Piece {
  if (typeof value === 'string') return printString(value);
  if (Array.isArray(value)) return { open: '[', close: ']', pieces: value.map(printData) };
  if (!isMap(value)) return printLiteral(value);
  const pieces = Object.entries(value).map(([key, one]) => around(`${printName(key)}: `, printData(one)));
  return { open: '{', close: '}', isSpaced: true, pieces };
}

function printLiteral(value: unknown): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
