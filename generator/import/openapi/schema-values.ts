// Values that stand in schemas of documents. In: `enum`, `const`, `default`, examples, and the types beside them. Out: those that fit;
// YAML and careless quotes often make a number of a string, or the other way round.
import { asList } from '../../../schema/document.js';
import { isCommon, openEngine } from '../../../schema/json-schema/engine.js';
import { isOfType, type JsonSchemaObject, typeNames } from '../../../schema/json-schema/keywords.js';
import { surelyMatches } from '../../../schema/json-schema/regex-steps.js';
import type { Schema } from '../../../schema/support/rules.js';

export interface ReadEnum {
  /** Each once; undefined where none is left, so that anything of the type fits. */
  readonly values: readonly unknown[] | undefined;
  readonly dropped: readonly unknown[];
}

/**
 * The members of an enum that its types allow, each as the first of them that it can be.
 *
 * @example readEnum(['a', 1, 'a'], ['string']).values // ['a', '1']
 */
export function readEnum(written: readonly unknown[], types: readonly string[]): ReadEnum {
  const values = new Map<string, unknown>();
  const dropped: unknown[] = [];
  for (const member of written) {
    const value = toType(member, types);
    if (value === undefined) dropped.push(member);
    else values.set(JSON.stringify(value), value);
  }
  return { values: values.size === 0 ? undefined : [...values.values()], dropped };
}

/** A value as one of some types; undefined where it is none of them, nor written like one. */
export function toType(written: unknown, types: readonly string[]): unknown {
  const value = toJson(written);
  if (value === undefined || types.length === 0 || types.some(type => isOfType(value, type))) return value;
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (typeof value !== 'string') return undefined;
  if (types.includes('boolean') && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  const number = /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  return types.some(type => isOfType(number, type)) ? number : undefined;
}

/** What JSON cannot say has no place in a schema. */
function toJson(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
}

/** The types of all members, where they have few enough to be named. */
export function typesOf(values: readonly unknown[]): readonly string[] {
  const types = new Set(values.map(typeOf));
  if (types.has('number')) types.delete('integer');
  return [...types];
}

function typeOf(value: unknown): string {
  return (
    ['null', 'boolean', 'string', 'integer', 'number', 'array', 'object'].find(type => isOfType(value, type)) ?? ''
  );
}

/** Larger ones repeat what the schema says. */
const longestExample = 300;
const longestDefault = 2000;
const mostExamples = 3;

/**
 * The schema with those of its defaults and examples that fit it: others would be reported, and teach wrong calls.
 * References to shared schemas are not followed; beside one nobody can tell.
 */
export function keepFitting(schema: JsonSchemaObject): JsonSchemaObject {
  if (!Object.hasOwn(schema, 'default') && !Object.hasOwn(schema, 'examples')) return schema;
  const { default: written, examples, ...rest } = schema;
  const fits = makeFits(rest);
  const types = typeNames(rest['type']);
  const given = toType(written, types);
  const isKept = given !== undefined && sizeOf(given) <= longestDefault && fits(given);
  const kept = asList(examples)
    .map(example => toType(example, types))
    .filter(example => example !== undefined && !isIdle(example) && sizeOf(example) <= longestExample && fits(example));
  return {
    ...rest,
    ...(isKept ? { default: given } : {}),
    ...(kept.length === 0 ? {} : { examples: kept.slice(0, mostExamples) }),
  };
}

/** What generators of documents write where nobody has given an example. */
function isIdle(example: unknown): boolean {
  return example === '' || example === 'string' || example === null;
}

function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : String(value).length;
}

const words: ReadonlySet<string> = new Set(['title', 'description', 'deprecated', 'type', 'enum']);

/** A pattern of a stranger may take forever on some text: what it says of that is not asked. */
function surely(pattern: string): { test(text: string): boolean } {
  return { test: text => surelyMatches(pattern, text) };
}

/** Nearly all schemas with a default are a type and an enum, for which no engine is needed. */
function makeFits(schema: JsonSchemaObject): (value: unknown) => boolean {
  const { type, enum: members } = schema;
  const types = typeNames(type);
  if (Object.keys(schema).every(key => words.has(key)))
    return value =>
      (types.length === 0 || types.some(one => isOfType(value, one))) &&
      (!Array.isArray(members) || members.some(one => JSON.stringify(one) === JSON.stringify(value)));
  let engine: ReturnType<typeof openEngine> | undefined;
  const isReadable = isCommon(schema);
  return value => {
    if (!isReadable) return false;
    engine ??= openEngine(schema as Schema, { toRegex: surely });
    return engine.fits(schema as Schema, value);
  };
}
