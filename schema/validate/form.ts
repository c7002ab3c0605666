// In: a value and what it should be. Out: whether it has the form, which nearly every value has. What is wrong with the
// others is said by the validators, which are a hundred times as much code and agree with this (test/form.test.ts).
import type { Subject } from '../definitions.js';
import { isMap } from '../document.js';
import { forms } from '../forms.gen.js';
import { equal } from '../support.js';

type Form = (value: unknown) => boolean;
type Schema = Readonly<Record<string, unknown>>;

const made = new Map<string, Form>();

/**
 * Whether a value matches the schema of its kind.
 *
 * @example hasForm('tool', { description: 'Gets it.' }) // true
 */
export function hasForm(subject: Subject, value: unknown): boolean {
  return formOf(subject)(value);
}

/** The keys that a definition may have. */
export function keysOf(subject: Subject): readonly string[] {
  return Object.keys(propertiesOf(subject));
}

/** Whether a value could stand under a key of a definition. */
export function fitsKey(subject: Subject, key: string, value: unknown): boolean {
  const schema = propertiesOf(subject)[key];
  return schema !== undefined && makeForm(schema)(value);
}

function propertiesOf(subject: Subject): Schema {
  return (forms[subject]?.['properties'] ?? {}) as Schema;
}

/** Made when first asked for: definitions refer to each other and to themselves, and most packs need few of them. */
function formOf(name: string): Form {
  let form = made.get(name);
  if (form === undefined) {
    const schema = forms[name];
    if (schema === undefined) throw new Error(`there is no definition ${name}`);
    form = makeForm(schema);
    made.set(name, form);
  }
  return form;
}

/** What each keyword asks of a value; `then`, `else` and the other properties belong to the keyword before them. */
const makers: Readonly<Record<string, (rule: never, schema: Schema) => Form | undefined>> = {
  $ref(name: string) {
    let form: Form | undefined;
    return value => {
      form ??= formOf(name);
      return form(value);
    };
  },
  type: makeType,
  properties: (_: unknown, schema) => makeMembers(schema),
  patternProperties: (_: unknown, schema) => (Object.hasOwn(schema, 'properties') ? undefined : makeMembers(schema)),
  additionalProperties: (_: unknown, schema) =>
    Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, 'patternProperties') ? undefined : makeMembers(schema),
  propertyNames(rule: Schema) {
    const form = makeForm(rule);
    return onMaps(map => Object.keys(map).every(form));
  },
  required: (keys: readonly string[]) => onMaps(map => keys.every(key => map[key] !== undefined)),
  maxProperties: (limit: number) => onMaps(map => Object.keys(map).length <= limit),
  items(rule: Schema | readonly Schema[]) {
    if (!Array.isArray(rule)) {
      const form = makeForm(rule as Schema);
      return onLists(list => list.every(form));
    }
    const tuple = rule.map(makeForm);
    return onLists(list => tuple.every((form, index) => index >= list.length || form(list[index])));
  },
  minItems: (limit: number) => onLists(list => list.length >= limit),
  maxItems: (limit: number) => onLists(list => list.length <= limit),
  uniqueItems: (rule: boolean) => (rule ? onLists(areUnique) : undefined),
  minimum: (limit: number) => onNumbers(number => number >= limit),
  maximum: (limit: number) => onNumbers(number => number <= limit),
  exclusiveMinimum: (limit: number) => onNumbers(number => number > limit),
  pattern(rule: string) {
    const pattern = new RegExp(rule, 'u');
    return value => typeof value !== 'string' || pattern.test(value);
  },
  const: (rule: unknown) => value => equal(rule, value),
  enum(rule: readonly unknown[]) {
    const members = new Set(rule);
    return value => members.has(value);
  },
  allOf: (rule: readonly Schema[]) => all(rule.map(makeForm)),
  not(rule: Schema) {
    const form = makeForm(rule);
    return value => !form(value);
  },
  if: makeCondition,
  // Parts of `if`, and what describes.
  then: () => undefined,
  else: () => undefined,
  title: () => undefined,
};

function makeForm(schema: unknown): Form {
  if (typeof schema === 'boolean') return () => schema;
  const tests = Object.entries(schema as Schema).flatMap(([keyword, rule]) => {
    const make = makers[keyword];
    if (make === undefined) throw new Error(`the language uses the keyword ${keyword}, which hasForm does not know`);
    return make(rule as never, schema as Schema) ?? [];
  });
  return all(tests);
}

function all(tests: readonly Form[], none: Form = () => true): Form {
  const [first = none, second] = tests;
  if (second === undefined) return first;
  if (tests.length === 2) return value => first(value) && second(value);
  return value => {
    for (const test of tests) if (!test(value)) return false;
    return true;
  };
}

const types: Readonly<Record<string, Form>> = {
  string: value => typeof value === 'string',
  boolean: value => typeof value === 'boolean',
  number: value => typeof value === 'number' && Number.isFinite(value),
  integer: Number.isInteger,
  null: value => value === null,
  array: Array.isArray,
  object: isMap,
};

function makeType(rule: string | readonly string[]): Form {
  const tests = [rule].flat().map(name => types[name] ?? (() => false));
  const [only = () => false] = tests;
  if (tests.length === 1) return only;
  return value => {
    for (const test of tests) if (test(value)) return true;
    return false;
  };
}

/** Looks up the keys of the value, not all possible ones: a parameter could have seventy and has five. */
function makeMembers(schema: Schema): Form {
  const entries = (keyword: string): [string, Form][] =>
    Object.entries((schema[keyword] ?? {}) as Schema).map(([name, one]) => [name, makeForm(one)]);
  const patterns = entries('patternProperties').map(([name, form]) => ({ pattern: new RegExp(name, 'u'), form }));
  const matching = (key: string): Form[] => patterns.flatMap(({ pattern, form }) => (pattern.test(key) ? [form] : []));
  const known = new Map(entries('properties').map(([key, form]) => [key, all([form, ...matching(key)])]));
  const others = makeForm(schema['additionalProperties'] ?? true);
  return onMaps(map => {
    for (const key in map) {
      const form = known.get(key) ?? (patterns.length === 0 ? others : all(matching(key), others));
      if (!form(map[key])) return false;
    }
    return true;
  });
}

function makeCondition(rule: Schema, schema: Schema): Form {
  const test = makeForm(rule);
  const yes = makeForm(schema['then'] ?? true);
  const no = makeForm(schema['else'] ?? true);
  return value => (test(value) ? yes(value) : no(value));
}

function areUnique(list: readonly unknown[]): boolean {
  if (list.every(item => typeof item !== 'object' || item === null)) return new Set(list).size === list.length;
  return list.every((item, index) => !list.some((other, at) => at < index && equal(item, other)));
}

function onMaps(test: (map: Schema) => boolean): Form {
  return value => !isMap(value) || test(value);
}

function onLists(test: (list: readonly unknown[]) => boolean): Form {
  return value => !Array.isArray(value) || test(value);
}

function onNumbers(test: (number: number) => boolean): Form {
  return value => typeof value !== 'number' || test(value);
}
