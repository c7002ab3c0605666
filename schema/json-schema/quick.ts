// In: a schema and a value. Out: true where the value is surely valid; false means "invalid, or not sure".
// Compiling a validator costs a thousand times more, and almost every default and example is plainly right.
import { type Dialect, effectiveDialect } from './dialect.js';
import { isEqual } from './equal.js';
import { isOfType, typeNames } from './json-type.js';
import { isSchemaObject, type JsonSchemaObject, own, wordKeywords } from './keywords.js';
import { type PlainQuestion, plainTests, surelyMatches, toRegex } from './quick-limits.js';
import { indexRefs, type RefIndex } from './refs.js';
import { isSoonMatched } from './regex-steps.js';

export interface QuickOptions {
  /** Whether absent properties are filled in with their defaults first, as for the input of tools. */
  readonly fillDefaults: boolean;
}

/** True only if the value certainly fits the schema, which is part of the document. */
export type QuickCheck = (schema: unknown, value: unknown) => boolean;

interface Scope {
  readonly dialect: Dialect;
  readonly refs: () => RefIndex;
  readonly fill: boolean;
  /** False where other schemas describe the same value: then filling in for one of them concerns the others. */
  readonly alone: boolean;
  readonly depth: number;
  /** Shared by one whole check: alternatives that refer back would multiply with every level of depth. */
  readonly budget: { steps: number };
}

interface Question extends PlainQuestion {
  readonly schema: JsonSchemaObject;
  readonly scope: Scope;
}

const deepest = 100;
const mostSteps = 20_000;

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
  const scope = { dialect: effectiveDialect(root), refs, fill: fillDefaults, alone: true, depth: 0 };
  return (schema, value) => isSurelyValid(schema, value, { ...scope, budget: { steps: mostSteps } });
}

function isTooFar({ depth, budget }: Scope): boolean {
  budget.steps -= 1;
  return depth > deepest || budget.steps < 0;
}

function isSurelyValid(schema: unknown, value: unknown, scope: Scope): boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isSchemaObject(schema) || isTooFar(scope)) return false;
  const inner = scope.alone && isComposed(schema) ? { ...scope, alone: false } : scope;
  const filled = scope.fill ? fillDefaults(schema, value, inner) : value;
  if (filled === undefined) return false;
  return Object.keys(schema).every(keyword => {
    const test = tests.get(keyword);
    if (test !== undefined) return test({ rule: schema[keyword], value: filled, schema, scope: inner });
    return annotations.has(keyword) || keyword.startsWith('x-');
  });
}

/** The value with the defaults of its absent properties, or undefined where the result of a validator is not certain. */
function fillDefaults(schema: JsonSchemaObject, value: unknown, scope: Scope): unknown {
  const properties = own(schema, 'properties');
  if (!isSchemaObject(properties) || !isSchemaObject(value)) return value;
  const defaults = Object.entries(properties).flatMap(([name, property]): [string, unknown][] =>
    !Object.hasOwn(value, name) && isSchemaObject(property) && Object.hasOwn(property, 'default')
      ? [[name, property.default]]
      : [],
  );
  if (defaults.length === 0) return value;
  // ajv takes `toString` and the like for present, and fills nothing in.
  if (!scope.alone || defaults.some(([name]) => Object.hasOwn(Object.prototype, name))) return undefined;
  return Object.fromEntries([...Object.entries(value), ...defaults]);
}

const composing = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties'];

/** Whether several schemas describe the value or one of its parts. A reference with nothing beside it is but one. */
function isComposed(schema: JsonSchemaObject): boolean {
  if (!composing.some(keyword => Object.hasOwn(schema, keyword))) return false;
  return !Object.keys(schema).every(keyword => keyword === '$ref' || annotations.has(keyword));
}

const annotations: ReadonlySet<string> = new Set([
  ...wordKeywords,
  '$anchor',
  '$defs',
  '$id',
  '$schema',
  'definitions',
]);

type Test = (question: Question) => boolean;

const deeper = (scope: Scope): Scope => ({ ...scope, depth: scope.depth + 1 });

const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ...plainTests,
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
  ['oneOf', testOneOf],
  ['$ref', testRef],
]);

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
  return Object.entries(rule).every(([pattern, schema]) => {
    const regex = toRegex(pattern);
    if (regex === undefined) return false;
    return Object.keys(value).every(
      name => isSoonMatched(pattern, name) && (!regex.test(name) || isSurelyValid(schema, value[name], deeper(scope))),
    );
  });
}

function testAdditionalProperties({ rule, value, schema, scope }: Question): boolean {
  if (!isSchemaObject(value) || rule === true) return true;
  const properties = own(schema, 'properties') ?? {};
  const patterns = own(schema, 'patternProperties') ?? {};
  if (!isSchemaObject(properties) || !isSchemaObject(patterns)) return false;
  return Object.keys(value).every(
    name =>
      Object.hasOwn(properties, name) ||
      Object.keys(patterns).some(pattern => surelyMatches(pattern, name)) ||
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

function testOneOf({ rule, value, scope }: Question): boolean {
  if (!Array.isArray(rule)) return false;
  const open = rule.filter(one => !isSurelyInvalid(one, value, deeper(scope)));
  return open.length === 1 && isSurelyValid(open[0], value, { ...deeper(scope), fill: false });
}

/** The other way round, for what tells alternatives apart: their type, a constant, or a property that is one. */
function isSurelyInvalid(schema: unknown, value: unknown, scope: Scope): boolean {
  if (schema === false) return true;
  if (!isSchemaObject(schema) || Object.hasOwn(schema, 'nullable') || isTooFar(scope)) return false;
  const type = own(schema, 'type');
  const constant = own(schema, 'const');
  const members = own(schema, 'enum');
  const properties = own(schema, 'properties');
  const ref = own(schema, '$ref');
  if (type !== undefined && !typeNames(type).some(name => isOfType(value, name))) return true;
  if (constant !== undefined && !isEqual(constant, value)) return true;
  if (Array.isArray(members) && !members.some(member => isEqual(member, value))) return true;
  if (isSchemaObject(properties) && isSchemaObject(value)) {
    const names = Object.keys(value).filter(name => Object.hasOwn(properties, name));
    if (names.some(name => isSurelyInvalid(properties[name], value[name], deeper(scope)))) return true;
  }
  if (typeof ref !== 'string') return false;
  const target = scope.refs().resolve(ref, schema);
  return target.kind === 'found' && isSurelyInvalid(target.schema, value, deeper(scope));
}

function testRef({ rule, value, schema, scope }: Question): boolean {
  if (typeof rule !== 'string') return false;
  const target = scope.refs().resolve(rule, schema);
  if (target.kind !== 'found') return false;
  return isSurelyValid(target.schema, value, deeper(scope));
}
