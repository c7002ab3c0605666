// In: an item and the names that its work uses. Out: what the code of its handler calls them, and what is known about their values: which
// of them may be absent, and which become text by themselves.

import type { ConfigEntry } from '../../schema/definitions.js';
import { asList, isMap } from '../../schema/document.js';
import { camelCase } from '../../schema/names.js';
import { findVariables } from '../compile/declarations/text-items.js';
import type { Handled } from '../compile/stubs/handler-modules.js';
import { isIdentifier, isParameterName, printString } from '../render/code.js';
import { type Group, layOut } from './layout.js';

/** What JavaScript makes of a value in a string. `mixed`: several scalar types; `any`: perhaps a list or an object. */
type ValueKind = 'string' | 'number' | 'boolean' | 'mixed' | 'list' | 'any';

export interface Input {
  /** As messages call it. */
  readonly name: string;
  /** The code that stands for its value. */
  readonly code: string;
  readonly kind: ValueKind;
  /** Of the elements of a list. */
  readonly elements: ValueKind;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
}

export interface Inputs {
  readonly names: readonly string[];
  of(name: string): Input;
  /** Of the handler. `statements` come first in its body. */
  readonly parameters: string;
  readonly statements: readonly string[];
  /** An expression of the arguments that nothing else uses. */
  readonly rest: string;
}

export interface Language {
  readonly isTypeScript: boolean;
}

export interface Wanted {
  /** Names of arguments, in the order in which the code uses them. */
  readonly names: readonly string[];
  /** All arguments as they are. */
  readonly isWhole?: boolean;
  /** The arguments that `names` does not have. */
  readonly hasRest?: boolean;
  /** Names that the module has already. */
  readonly taken: readonly string[];
}

/** What handlers use without importing it, and what the parameters are called. */
const known = ['ctx', 'args', 'variables', 'given', 'rest', 'String', 'Object'];
const groups = ['tools', 'prompts', 'resources', 'generated', 'undefined', 'module', 'require', 'exports'];

/**
 * @example nameInputs(tool, { names: ['issue-key'], taken: ['path'] }, { isTypeScript: true }).parameters // "{ 'issue-key': issueKey }, ctx"
 */
export function nameInputs(item: Handled, wanted: Wanted, language: Language): Inputs {
  const names = [...new Set(wanted.names)];
  const facts = factsOf(item);
  const locals = chooseLocals(names, [...known, ...groups, ...wanted.taken]);
  const localOf = (name: string): string => locals.get(name) ?? name;
  const whole = item.kind === 'resource' ? 'variables' : 'args';
  // An argument that is not given must not be what every object has.
  const [inherited, plain] = divide(names, name => Object.hasOwn(Object.prototype, name) && name !== '__proto__');
  const isKnown = names.every(name => facts.has(name));
  const of = (name: string): Input => {
    const code = localOf(name);
    const found = facts.get(name);
    if (found === undefined || !isKnown)
      return { name, code, kind: 'any', elements: 'any', isOptional: true, isNullable: true };
    const isOptional = found.isOptional;
    return { name, code, ...readKind(found.schema), isOptional };
  };
  const pattern = (members: readonly string[]): Group => ({
    ...{ open: '{', close: '}', isSpaced: true, hasNoLastComma: wanted.hasRest === true },
    pieces: [
      ...members.map(name => member(name, localOf(name))),
      // What was read before is left out, too.
      ...(wanted.hasRest ? [...inherited.map((name, index) => `${printString(name)}: _${index}`), '...rest'] : []),
    ],
  });
  const shared = { names, of, rest: 'rest' };
  const needsWhole = wanted.isWhole === true || inherited.length > 0 || !isKnown;
  const parameters = layOut(pattern(plain));
  const isEmpty = plain.length === 0 && wanted.hasRest !== true;
  if (!needsWhole && !parameters.includes('\n'))
    return { ...shared, parameters: isEmpty ? `_${whole}, ctx` : `${parameters}, ctx`, statements: [] };
  const source = isKnown ? whole : 'given';
  const statements = [
    ...(isKnown ? [] : [printGiven(whole, language)]),
    ...inherited.map(name => {
      const key = printString(name);
      return `const ${localOf(name)} = Object.hasOwn(${source}, ${key}) ? ${source}[${key}] : undefined;`;
    }),
    ...(isEmpty ? [] : [`const ${layOut(pattern(plain), '  ')} = ${source};`]),
  ];
  return { ...shared, parameters: `${whole}, ctx`, statements };
}

/** Types know only the names that a schema has at its top. */
function printGiven(whole: string, { isTypeScript }: Language): string {
  return isTypeScript
    ? `const given: { readonly [name: string]: unknown } = { ...${whole} };`
    : `/** @type {{ readonly [name: string]: unknown }} */\n  const given = { ...${whole} };`;
}

function member(name: string, local: string): string {
  return name === local ? name : `${printName(name)}: ${local}`;
}

/** The name of a member, so that it is one: `__proto__: x` would be no member. */
export function printName(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return isIdentifier(name) ? name : printString(name);
}

/** The member `name` of something. */
export function printAccess(name: string): string {
  return isIdentifier(name) ? `.${name}` : `[${printString(name)}]`;
}

function chooseLocals(names: readonly string[], taken: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set(taken);
  const locals = new Map<string, string>();
  const isFree = (local: string): boolean => isParameterName(local) && !used.has(local);
  // Those that can keep their name do so, whichever comes first.
  const [kept, changed] = divide(names, isFree);
  for (const name of kept) {
    locals.set(name, name);
    used.add(name);
  }
  for (const name of changed) {
    const camel = camelCase(name.replaceAll(/[^\p{ID_Continue}]+/gu, '-'));
    const start = isIdentifier(camel) ? camel : `value${camel}`;
    let local = start;
    for (let nth = 1; !isFree(local); nth += 1) local = `${start}Value${nth === 1 ? '' : nth}`;
    locals.set(name, local);
    used.add(local);
  }
  return locals;
}

function divide<T>(list: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [list.filter(isFirst), list.filter(one => !isFirst(one))];
}

interface Fact {
  readonly schema: unknown;
  readonly isOptional: boolean;
}

/** Keywords beside `properties` that may give an object another form. */
const forms = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'not'];

/** Of those names that types know, too. */
function factsOf(item: Handled): ReadonlyMap<string, Fact> {
  const text = { type: 'string' };
  switch (item.kind) {
    case 'tool': {
      const { inputSchema: schema, filling } = item;
      if (forms.some(keyword => Object.hasOwn(schema, keyword))) return new Map();
      const required = asList(schema['required']);
      const properties = isMap(schema['properties']) ? schema['properties'] : {};
      const isFilled = (one: unknown): boolean =>
        filling.input !== 'never' && isMap(one) && Object.hasOwn(one, 'default');
      return new Map(
        Object.entries(properties).map(([name, one]) => [
          name,
          { schema: one, isOptional: !required.includes(name) && !isFilled(one) },
        ]),
      );
    }
    case 'prompt':
      return new Map(
        item.arguments.map(({ name, type, required }) => [
          name,
          { schema: type === 'list' ? { type: 'array' } : text, isOptional: required !== true },
        ]),
      );
    case 'resource': {
      const places = findVariables(item.definition.uriTemplate ?? '');
      return new Map(
        item.variables.map(name => [name, { schema: text, isOptional: places.get(name)?.isOptional !== false }]),
      );
    }
    default:
      return item satisfies never;
  }
}

type Kinds = Pick<Input, 'kind' | 'elements' | 'isNullable'>;

function readKind(schema: unknown): Kinds {
  const types = typesOf(schema);
  const isNullable = types === undefined || types.includes('null');
  const [first, ...others] = [...new Set(types?.filter(type => type !== 'null') ?? ['any'])];
  const kind = others.length === 0 ? kindOfType(first) : isAllScalar([first, ...others]) ? 'mixed' : 'any';
  if (kind !== 'list') return { kind, elements: 'any', isNullable };
  const items = isMap(schema) && !Object.hasOwn(schema, 'prefixItems') ? readKind(schema['items']) : undefined;
  const elements = items === undefined || items.isNullable || items.kind === 'list' ? 'any' : items.kind;
  return { kind, elements, isNullable };
}

/** The types that a value may have; undefined where nothing says it. */
function typesOf(schema: unknown): readonly string[] | undefined {
  if (!isMap(schema)) return undefined;
  const { type, enum: allowed, const: only } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type) && type.length > 0) return type.map(String);
  const values: readonly unknown[] | undefined = Array.isArray(allowed)
    ? allowed
    : Object.hasOwn(schema, 'const')
      ? [only]
      : undefined;
  if (values === undefined || values.length === 0) return undefined;
  return values.map(value => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value));
}

function kindOfType(type: string | undefined): ValueKind {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return 'list';
    default:
      return 'any';
  }
}

function isAllScalar(types: readonly (string | undefined)[]): boolean {
  return types.every(type => ['string', 'number', 'boolean'].includes(kindOfType(type)));
}

/** A key of `config:`. `requires` of a tool sees to it that it has a value. */
export function configInput(key: string, entry: ConfigEntry | undefined): Input {
  const { type = 'string' } = entry ?? {};
  return {
    name: `config.${key}`,
    code: `ctx.config${printAccess(key)}`,
    kind: kindOfType(type),
    elements: 'string',
    isOptional: false,
    isNullable: false,
  };
}
