// In: a schema and a value. Out: true where the value is surely valid; false means "invalid, or not sure".
// Compiling a validator costs a thousand times more, and almost every default and example is plainly right.
import { type Dialect, effectiveDialect } from './dialect.js';
import { isEqual } from './equal.js';
import { isOfType, typeNames } from './json-type.js';
import { isSchemaObject, type JsonSchemaObject, own } from './keywords.js';
import { surelyHasFormat } from './quick-formats.js';
import { indexRefs, type RefIndex } from './refs.js';

export interface QuickOptions {
  /** Whether absent properties are filled in with their defaults first, as for the input of tools. */
  readonly fillDefaults: boolean;
}

/** Tells of a value and a schema of the document whether they surely fit. */
export type QuickCheck = (schema: unknown, value: unknown) => boolean;

interface Scope {
  readonly dialect: Dialect;
  readonly refs: () => RefIndex;
  readonly fill: boolean;
  /** False where other schemas describe the same value: then filling in for one of them concerns the others. */
  readonly alone: boolean;
  readonly depth: number;
}

interface Question {
  /** What stands under the keyword. */
  readonly rule: unknown;
  readonly value: unknown;
  readonly schema: JsonSchemaObject;
  readonly scope: Scope;
}

const deepest = 100;

/**
 * Makes the check for one schema document.
 *
 * @example makeQuickCheck(schema, { fillDefaults: true })(schema, { key: 'A-1' }) // true: surely valid
 */
export function makeQuickCheck(root: unknown, { fillDefaults }: QuickOptions): QuickCheck {
  let index: RefIndex | undefined;
  const refs = (): RefIndex => {
    index ??= indexRefs(isSchemaObject(root) ? root : {});
    return index;
  };
  const scope: Scope = { dialect: effectiveDialect(root), refs, fill: fillDefaults, alone: true, depth: 0 };
  return (schema, value) => isSurelyValid(schema, value, scope);
}

function isSurelyValid(schema: unknown, value: unknown, scope: Scope): boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isSchemaObject(schema) || scope.depth > deepest) return false;
  const inner = scope.alone && isComposed(schema) ? { ...scope, alone: false } : scope;
  const filled = scope.fill ? fillDefaults(schema, value, inner) : value;
  if (filled === undefined) return false;
  return Object.keys(schema).every(keyword => {
    const test = tests.get(keyword);
    if (test !== undefined) return test({ rule: schema[keyword], value: filled, schema, scope: inner });
    return annotations.has(keyword) || keyword.startsWith('x-');
  });
}

/** The value with the defaults of its absent properties, or undefined where it cannot be told what a validator does. */
function fillDefaults(schema: JsonSchemaObject, value: unknown, scope: Scope): unknown {
  const properties = own(schema, 'properties');
  if (!isSchemaObject(properties) || !isSchemaObject(value)) return value;
  const defaults = Object.entries(properties).flatMap(([name, property]): [string, unknown][] =>
    !Object.hasOwn(value, name) && isSchemaObject(property) && Object.hasOwn(property, 'default')
      ? [[name, property.default]]
      : [],
  );
  if (defaults.length === 0) return value;
  if (!scope.alone) return undefined;
  return Object.fromEntries([...Object.entries(value), ...defaults]);
}

const composing = ['$ref', 'allOf', 'anyOf', 'patternProperties'];

/** Whether several schemas describe the value or one of its parts. A reference with nothing beside it is but one. */
function isComposed(schema: JsonSchemaObject): boolean {
  if (!composing.some(keyword => Object.hasOwn(schema, keyword))) return false;
  return !Object.keys(schema).every(keyword => keyword === '$ref' || annotations.has(keyword));
}

const annotations: ReadonlySet<string> = new Set([
  '$anchor',
  '$comment',
  '$defs',
  '$id',
  '$schema',
  'contentEncoding',
  'contentMediaType',
  'default',
  'definitions',
  'deprecated',
  'description',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
]);

type Test = (question: Question) => boolean;

const deeper = (scope: Scope): Scope => ({ ...scope, depth: scope.depth + 1 });

/** A test of a limit that only concerns values of one type; others pass. A limit that is no number is not understood. */
const limit =
  <T>(measure: (value: unknown) => T | undefined, holds: (measured: T, limit: number) => boolean): Test =>
  ({ rule, value }) => {
    if (typeof rule !== 'number') return false;
    const measured = measure(value);
    return measured === undefined || holds(measured, rule);
  };

const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const itemCount = (value: unknown): number | undefined => (Array.isArray(value) ? value.length : undefined);
const propertyCount = (value: unknown): number | undefined =>
  isSchemaObject(value) ? Object.keys(value).length : undefined;
// JSON Schema counts code points, not UTF-16 units.
const textLength = (value: unknown): number | undefined => (typeof value === 'string' ? [...value].length : undefined);
const atLeast = (measured: number, least: number): boolean => measured >= least;
const atMost = (measured: number, most: number): boolean => measured <= most;

const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['type', ({ rule, value }) => typeNames(rule).some(type => isOfType(value, type))],
  ['const', ({ rule, value }) => isEqual(rule, value)],
  ['enum', ({ rule, value }) => Array.isArray(rule) && rule.some(member => isEqual(member, value))],
  ['minimum', limit(asNumber, atLeast)],
  ['maximum', limit(asNumber, atMost)],
  ['exclusiveMinimum', limit(asNumber, (number, bound) => number > bound)],
  ['exclusiveMaximum', limit(asNumber, (number, bound) => number < bound)],
  ['multipleOf', limit(asNumber, (number, step) => Math.abs(number / step) < 1e9 && Number.isInteger(number / step))],
  ['minLength', limit(textLength, atLeast)],
  ['maxLength', limit(textLength, atMost)],
  ['minItems', limit(itemCount, atLeast)],
  ['maxItems', limit(itemCount, atMost)],
  ['minProperties', limit(propertyCount, atLeast)],
  ['maxProperties', limit(propertyCount, atMost)],
  ['pattern', ({ rule, value }) => typeof value !== 'string' || matches(rule, value)],
  ['format', ({ rule, value }) => typeof value === 'string' && surelyHasFormat(rule, value)],
  ['uniqueItems', ({ rule, value }) => rule === false || !Array.isArray(value) || areSurelyUnique(value)],
  ['required', ({ rule, value }) => Array.isArray(rule) && (!isSchemaObject(value) || hasAll(value, rule))],
  ['dependentRequired', testDependentRequired],
  ['properties', testProperties],
  ['patternProperties', testPatternProperties],
  ['additionalProperties', testAdditionalProperties],
  ['items', testItems],
  ['prefixItems', testPrefixItems],
  [
    'allOf',
    ({ rule, value, scope }) => Array.isArray(rule) && rule.every(one => isSurelyValid(one, value, deeper(scope))),
  ],
  ['anyOf', testAnyOf],
  ['$ref', testRef],
]);

function matches(pattern: unknown, text: string): boolean {
  try {
    return typeof pattern === 'string' && new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

function hasAll(value: JsonSchemaObject, names: readonly unknown[]): boolean {
  return names.every(name => typeof name === 'string' && Object.hasOwn(value, name));
}

function areSurelyUnique(items: readonly unknown[]): boolean {
  return items.every(item => typeof item !== 'object' || item === null) && new Set(items).size === items.length;
}

function testDependentRequired({ rule, value }: Question): boolean {
  if (!isSchemaObject(rule)) return false;
  if (!isSchemaObject(value)) return true;
  return Object.entries(rule).every(
    ([name, names]) => Array.isArray(names) && (!Object.hasOwn(value, name) || hasAll(value, names)),
  );
}

function testProperties({ rule, value, scope }: Question): boolean {
  if (!isSchemaObject(rule)) return false;
  if (!isSchemaObject(value)) return true;
  return Object.keys(value).every(
    name => !Object.hasOwn(rule, name) || isSurelyValid(rule[name], value[name], deeper(scope)),
  );
}

function testPatternProperties({ rule, value, scope }: Question): boolean {
  if (!isSchemaObject(rule)) return false;
  if (!isSchemaObject(value)) return true;
  return Object.entries(rule).every(
    ([pattern, schema]) =>
      isRegex(pattern) &&
      Object.keys(value).every(name => !matches(pattern, name) || isSurelyValid(schema, value[name], deeper(scope))),
  );
}

function isRegex(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') !== undefined;
  } catch {
    return false;
  }
}

function testAdditionalProperties({ rule, value, schema, scope }: Question): boolean {
  if (!isSchemaObject(value) || rule === true) return true;
  const properties = own(schema, 'properties') ?? {};
  const patterns = own(schema, 'patternProperties') ?? {};
  if (!isSchemaObject(properties) || !isSchemaObject(patterns)) return false;
  return Object.keys(value).every(
    name =>
      Object.hasOwn(properties, name) ||
      Object.keys(patterns).some(pattern => matches(pattern, name)) ||
      isSurelyValid(rule, value[name], deeper(scope)),
  );
}

function testItems({ rule, value, schema, scope }: Question): boolean {
  if (Array.isArray(rule)) return false;
  if (!Array.isArray(value)) return true;
  const first = scope.dialect === '2020-12' ? own(schema, 'prefixItems') : undefined;
  const items = value.slice(Array.isArray(first) ? first.length : 0);
  return items.every(item => isSurelyValid(rule, item, deeper(scope)));
}

function testPrefixItems({ rule, value, scope }: Question): boolean {
  if (scope.dialect !== '2020-12' || !Array.isArray(rule)) return false;
  if (!Array.isArray(value)) return true;
  return value.slice(0, rule.length).every((item, index) => isSurelyValid(rule[index], item, deeper(scope)));
}

// Validators fill in nothing inside alternatives.
function testAnyOf({ rule, value, scope }: Question): boolean {
  return Array.isArray(rule) && rule.some(one => isSurelyValid(one, value, { ...deeper(scope), fill: false }));
}

function testRef({ rule, value, schema, scope }: Question): boolean {
  if (typeof rule !== 'string') return false;
  const target = scope.refs().resolve(rule, schema);
  if (target.kind !== 'found') return false;
  return isSurelyValid(target.schema, value, deeper(scope));
}
