// The keywords that say nothing about further schemas, each as a test that passes only where the value surely fits.
import { isEqual } from './equal.js';
import { isOfType, typeNames } from './json-type.js';
import { isSchemaObject, type JsonSchemaObject } from './keywords.js';
import { surelyHasFormat } from './quick-formats.js';
import { isSoonMatched } from './regex-steps.js';

export interface PlainQuestion {
  /** What stands under the keyword. */
  readonly rule: unknown;
  readonly value: unknown;
}

type PlainTest = (question: PlainQuestion) => boolean;

/** A test of a limit that only concerns values of one type; others pass. A limit that is no number is not understood. */
const limit =
  <T>(measure: (value: unknown) => T | undefined, holds: (measured: T, limit: number) => boolean): PlainTest =>
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

export const plainTests: ReadonlyMap<string, PlainTest> = new Map<string, PlainTest>([
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
  ['pattern', ({ rule, value }) => typeof value !== 'string' || surelyMatches(rule, value)],
  ['format', ({ rule, value }) => typeof value === 'string' && surelyHasFormat(rule, value)],
  ['uniqueItems', ({ rule, value }) => rule === false || !Array.isArray(value) || areSurelyUnique(value)],
  ['required', ({ rule, value }) => Array.isArray(rule) && (!isSchemaObject(value) || hasAll(value, rule))],
  ['dependentRequired', testDependentRequired],
]);

export function surelyMatches(pattern: unknown, text: string): boolean {
  const regex = toRegex(pattern);
  return regex !== undefined && isSoonMatched(regex.source, text) && regex.test(text);
}

/** A pattern as validators read it, or undefined where it is none. */
export function toRegex(pattern: unknown): RegExp | undefined {
  try {
    return typeof pattern === 'string' ? new RegExp(pattern, 'u') : undefined;
  } catch {
    return undefined;
  }
}

function hasAll(value: JsonSchemaObject, names: readonly unknown[]): boolean {
  return names.every(name => typeof name === 'string' && Object.hasOwn(value, name));
}

function areSurelyUnique(items: readonly unknown[]): boolean {
  return items.every(item => typeof item !== 'object' || item === null) && new Set(items).size === items.length;
}

function testDependentRequired({ rule, value }: PlainQuestion): boolean {
  if (!isSchemaObject(rule)) return false;
  if (!isSchemaObject(value)) return true;
  return Object.entries(rule).every(
    ([name, names]) => Array.isArray(names) && (!Object.hasOwn(value, name) || hasAll(value, names)),
  );
}
