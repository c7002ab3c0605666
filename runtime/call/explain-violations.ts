// In: what a validator found wrong with a value. Out: one readable line per mistake, with its place and a hint.
import { type Path, pathOfPointer, printPath } from '../../schema/document.js';
import { isSchemaObject, type JsonSchemaObject, own, typeNames } from '../../schema/json-schema/keywords.js';
import { boundReason, countReason } from '../../schema/json-schema/reasons.js';
import { makeSchemaFinder, type SchemaFinder } from '../../schema/json-schema/walk.js';
import { didYouMean } from '../../schema/nearest.js';
import { escapeKey, type Violation } from '../../schema/support/places.js';
import { keepInnermost, type Settled, settleAlternatives } from './alternatives.js';
import { headOf } from './print-cause.js';

/** One mistake in arguments or in a result. */
export interface Mistake {
  /** A JSON pointer, also to what is missing. */
  readonly pointer: string;
  readonly message: string;
  readonly hint?: string;
}

export interface Mistakes {
  readonly listed: readonly Mistake[];
  /** How many there are beyond those; at least, where the search ended early. */
  readonly more: number;
  /** Whether the search for mistakes ended before it had seen everything. */
  readonly isCut: boolean;
}

export interface Validated {
  readonly value: unknown;
  readonly schema: JsonSchemaObject;
  /** What the value is called: `the arguments`. */
  readonly name: string;
  /** What a property is called: `argument`. */
  readonly property: string;
  /** Off where values are nobody's business. */
  readonly showValues: boolean;
}

const mostListed = 50;
/** Beyond them violations are only counted. */
const mostRead = 1_000;
const mostNames = 20;

/**
 * Explains violations, each mistake once.
 *
 * @example explainViolations(validate.errors, { value: args, schema, name: 'the arguments', property: 'argument', showValues: true })
 */
export function explainViolations(violations: readonly Violation[], validated: Validated): Mistakes {
  const finder = makeSchemaFinder(validated.schema);
  // `if` only announces what is wrong, and so does what is found inside `propertyNames`.
  const isCut = violations.at(-1)?.keyword === 'more';
  const all = violations.filter(({ keyword }) => keyword !== 'if' && keyword !== 'more');
  const telling = (isCut ? keepInnermost(all) : all).filter(one => !('propertyName' in one));
  const settled = joinSamePlace(settleAlternatives(telling.slice(0, mostRead), validated.value, finder));
  const listed = settled.slice(0, mostListed).map(one => explainOne(one, validated, finder));
  return { listed, more: settled.length - listed.length + Math.max(0, telling.length - mostRead), isCut };
}

/** How many mistakes there are beyond the first `shown`, as the end of a message. */
export function printRest({ listed, more, isCut }: Mistakes, shown: number): string {
  const hidden = Math.max(0, listed.length - shown) + more;
  if (hidden === 0) return isCut ? '; there may be more' : '';
  return `; and ${isCut ? 'at least ' : ''}${hidden} more`;
}

/** A mistake in a line, as messages list them. */
export function printMistake({ message, hint }: Mistake): string {
  return hint === undefined ? message : `${message} (${hint})`;
}

/** Several types or constants that are wanted at one place are one mistake; the same violation twice is one, too. */
function joinSamePlace(settled: readonly Settled[]): readonly Settled[] {
  const places = new Map<string, Settled>();
  const values = new Map<string, Set<unknown>>();
  for (const one of settled) {
    const violation = 'union' in one ? one.union : one;
    const { instancePath, keyword, params } = violation;
    if (keyword === 'type') {
      const key = `type ${instancePath}`;
      const known = places.get(key);
      const before = known === undefined || 'union' in known ? [] : typeNames(known.params['type']);
      places.set(key, { ...violation, params: { type: [...new Set([...before, ...typeNames(params['type'])])] } });
    } else if (keyword === 'const' || keyword === 'enum') {
      const key = `values ${instancePath}`;
      const known = values.get(key) ?? new Set();
      if (!values.has(key)) {
        values.set(key, known);
        places.set(key, violation);
      }
      for (const value of allowedValues(violation)) known.add(value);
    } else {
      places.set(`${keyword} ${instancePath} ${printAny(params)}`, one);
    }
  }
  for (const [key, allowed] of values) {
    const one = places.get(key);
    if (one === undefined || 'union' in one) continue;
    places.set(key, { ...one, keyword: 'enum', params: { allowedValues: [...allowed] } });
  }
  return [...places.values()];
}

function allowedValues({ keyword, params }: Violation): readonly unknown[] {
  if (keyword === 'const') return [params['allowedValue']];
  return Array.isArray(params['allowedValues']) ? params['allowedValues'] : [];
}

function explainOne(one: Settled, validated: Validated, finder: SchemaFinder): Mistake {
  const violation = 'union' in one ? one.union : one;
  const path = pathOfPointer(violation.instancePath, validated.value);
  const place: Place = {
    violation,
    path,
    where: path.length === 0 ? validated.name : shortenPath(printPath(path)),
    validated,
    finder,
  };
  const told = 'union' in one ? explainUndecided(one, place) : (explainers[violation.keyword] ?? explainRule)(place);
  const { at, message, hint } = told;
  return {
    pointer: at === undefined ? violation.instancePath : `${violation.instancePath}/${escapeKey(at)}`,
    message,
    ...(hint === undefined ? {} : { hint }),
  };
}

interface Place {
  readonly violation: Violation;
  readonly path: Path;
  readonly where: string;
  readonly validated: Validated;
  readonly finder: SchemaFinder;
}

interface Told {
  readonly message: string;
  readonly hint?: string | undefined;
  /** The property below that it is about. */
  readonly at?: string;
}

const bound = (place: Place): Told => ({
  message: `${place.where} ${boundReason(place.violation.keyword, place.violation.params)}${place.validated.showValues ? insteadOf(place) : ''}`,
});

const explainers: Readonly<Record<string, (place: Place) => Told>> = {
  type: place => {
    const types = typeNames(place.violation.params['type']).map(type => typeWords[type] ?? type);
    return { message: `${place.where} must be ${types.join(' or ')}${insteadOf(place)}` };
  },
  enum: place => {
    const allowed = allowedValues(place.violation);
    const value = valueAt(place);
    const texts = allowed.filter(member => typeof member === 'string');
    const meant = typeof value === 'string' ? didYouMean(value, texts) : undefined;
    const listed = listValues(allowed);
    return {
      message: `${place.where} must be ${allowed.length === 1 ? printAny(allowed[0]) : 'one of the allowed values'}${insteadOf(place)}`,
      hint: meant === undefined ? listed : `${meant} ${listed}`,
    };
  },
  required: place => missing(place, String(place.violation.params['missingProperty'])),
  dependentRequired: dependency,
  dependencies: dependency,
  additionalProperties: place => unknown(place, String(place.violation.params['additionalProperty'])),
  unevaluatedProperties: place => unknown(place, String(place.violation.params['unevaluatedProperty'])),
  propertyNames: place => {
    const name = String(place.violation.params['propertyName']);
    return { message: `${place.where} has a property with the name ${printAny(name)}, which is not allowed`, at: name };
  },
  minimum: bound,
  maximum: bound,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: bound,
  pattern: place => ({
    message: `${place.where} must match the pattern ${String(place.violation.params['pattern'])}${insteadOf(place)}`,
  }),
  format: place => ({
    message: `${place.where} must be a valid ${String(place.violation.params['format'])}${insteadOf(place)}`,
  }),
  uniqueItems: ({ violation: { params }, where }) => ({
    message: `${where} must not have the same item twice (at ${Number(params['j'])} and ${Number(params['i'])})`,
  }),
  oneOf: ({ violation: { params }, where }) => ({
    message: Array.isArray(params['passingSchemas'])
      ? `${where} must match only one of the allowed forms`
      : `${where} must match one of the allowed forms`,
  }),
  anyOf: ({ where }) => ({ message: `${where} must match one of the allowed forms` }),
  not: ({ where }) => ({ message: `${where} must not have this form` }),
  steps: ({ where }) => ({
    message: `checking ${where} would take too many steps`,
    hint: 'send less data at once, or nest it less deeply',
  }),
  'false schema': ({ where }) => ({ message: `${where} is not allowed` }),
};

function explainRule({ violation, where }: Place): Told {
  if (/^(?:min|max)(?:Items|Length|Properties)$/.test(violation.keyword))
    return { message: `${where} ${countReason(violation.keyword, Number(violation.params['limit']))}` };
  return { message: `${where} ${(violation.message ?? `breaks the rule ${violation.keyword}`).replace('NOT', 'not')}` };
}

function explainUndecided({ inside }: { readonly inside: readonly Violation[] }, place: Place): Told {
  const ways = inside.slice(0, 4).map(one => explainOne(one, place.validated, place.finder).message);
  return { message: `${place.where} must match one of the allowed forms`, hint: ways.join('; or ') };
}

function missing(place: Place, name: string): Told {
  const schemas = place.finder.at([...place.path, name]);
  const [type] = schemas.flatMap(schema => typeNames(own(schema, 'type')));
  const description = schemas.map(schema => own(schema, 'description')).find(text => typeof text === 'string');
  const words = [type === undefined ? undefined : (typeWords[type] ?? type), description].filter(
    word => word !== undefined,
  );
  const allowed = schemas.flatMap(schema => valuesOf(schema));
  const values = allowed.length === 0 ? [] : [listValues([...new Set(allowed)])];
  const hints = [...(words.length === 0 ? [] : [shorten(`it is ${words.join(': ')}`, 200)]), ...values];
  return {
    message: `${shortenPath(printPath([...place.path, name]))} is missing`,
    hint: hints.length === 0 ? undefined : hints.join('; '),
    at: name,
  };
}

function valuesOf(schema: JsonSchemaObject): readonly unknown[] {
  const listed = own(schema, 'enum');
  return Object.hasOwn(schema, 'const') ? [schema['const']] : Array.isArray(listed) ? listed : [];
}

function listValues(allowed: readonly unknown[]): string {
  const more = allowed.length > mostNames ? `, ... (${allowed.length} values)` : '';
  return `allowed: ${allowed.slice(0, mostNames).map(printAny).join(', ')}${more}`;
}

function dependency(place: Place): Told {
  const { property, missingProperty } = place.violation.params;
  const { message, ...rest } = missing(place, String(missingProperty));
  return { message: `${message}, which ${printAny(property)} needs`, ...rest };
}

function unknown(place: Place, name: string): Told {
  const { path, finder, validated } = place;
  const known = finder.at(path).flatMap(schema => {
    const properties = own(schema, 'properties');
    return isSchemaObject(properties) ? Object.keys(properties) : [];
  });
  const listed = [...new Set(known)];
  const more = listed.length > mostNames ? `, ... (${listed.length} names)` : '';
  const names = listed.length === 0 ? 'there are none' : `known: ${listed.slice(0, mostNames).join(', ')}${more}`;
  return {
    message: `${shorten(printPath([...path, name]), 100)} is not a known ${path.length === 0 ? validated.property : 'property'}`,
    hint: didYouMean(name, listed) ?? names,
    at: name,
  };
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
};

function valueAt({ path, validated }: Place): unknown {
  return path.reduce((at, key) => (Object(at) as Record<string | number, unknown>)[key], validated.value);
}

/** `, not the string "x"`. */
function insteadOf(place: Place): string {
  const value = valueAt(place);
  if (value === undefined) return '';
  if (Array.isArray(value)) return ', not an array';
  if (value !== null && typeof value === 'object') return ', not an object';
  if (!place.validated.showValues)
    return value === null ? ', not null' : `, not ${typeWords[typeof value] ?? typeof value}`;
  return `, not ${typeof value === 'string' ? 'the string ' : ''}${printAny(value)}`;
}

function printAny(value: unknown): string {
  return shorten(JSON.stringify(value) ?? String(value), 80);
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${headOf(text, most - 3)}...` : text;
}

/** Of a place far down, where it begins and where it ends; the pointer has all of it. */
function shortenPath(path: string): string {
  return path.length > 300 ? `${headOf(path, 80)} ... ${path.slice(-160)}` : path;
}
