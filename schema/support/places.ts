// Where a search for violations stands, what it reports, and the rules that it asks in more than one way.
// Part of toolwright/support: imports only other parts of it.
import type { Nodes, Regex } from './nodes.js';
import { bitsOf, noType, type Rules, type Schema } from './rules.js';
import { outOfSteps, type Steps } from './steps.js';
import { equal } from './values.js';

/** One violation as ajv reports it. */
export interface Violation {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
  /** Of what is wrong with the name of a property. */
  readonly propertyName?: string;
}

/** As ajv reports it to those who want all of it: with the value, and with the schema that has the keyword. */
export interface FullViolation extends Violation {
  readonly data: unknown;
  readonly parentSchema: Schema;
}

/** What all places of one search share. */
export interface Looking {
  readonly root: Schema;
  readonly nodes: Nodes;
  readonly steps: Steps;
  /** What references led to, and the values that were looked at there: nothing is reported twice. */
  readonly seen: Map<Schema, Set<unknown>>;
  readonly toRegex: (pattern: string) => Regex;
  readonly regexes: Map<string, Regex>;
  /** Whether NaN and Infinity have no type, as JSON has it. */
  readonly isStrict: boolean;
  /** Everything that ajv says: full violations, of every alternative, as often as they are found. */
  readonly isFull: boolean;
  /** Whether properties are looked at in the order in which the schema has them, or the value. */
  readonly order: 'schema' | 'value';
}

export interface Place {
  readonly looking: Looking;
  /** Where violations go. Those that tell forms apart go elsewhere first. */
  readonly found: Violation[];
  /** False inside alternatives: the value may turn out to be of another form. */
  readonly fill: boolean;
  /** Of the value, and of the schema inside the definition that it stands in. */
  readonly path: string;
  readonly at: string;
  /** The property whose name is looked at. */
  readonly name: string | undefined;
  /** What is looked at there, for full violations. */
  value: unknown;
  schema: Schema;
}

/** Nobody reads more of them; the rest is not even searched for. */
const mostViolations = 10_000;

export function report(place: Place, keyword: string, params: Violation['params'], message: string): void {
  const { path: instancePath, at, name, found, schema: parentSchema, value: data, looking } = place;
  const schemaPath = `${at}/${keyword}`;
  // Written out: spreading takes longer than all the rest.
  const violation: Violation | FullViolation = looking.isFull
    ? { instancePath, schemaPath, keyword, params, message, data, parentSchema }
    : { instancePath, schemaPath, keyword, params, message };
  found.push(name === undefined ? violation : { ...violation, propertyName: name });
  if (found.length >= mostViolations) throw outOfSteps;
}

/** Making an expression takes longer than using it. */
export function regexOf({ looking: { regexes, toRegex } }: Place, pattern: string): Regex {
  const regex = regexes.get(pattern) ?? toRegex(pattern);
  regexes.set(pattern, regex);
  return regex;
}

/** The bits of a value's types. */
export function bitsAt({ looking }: Place, value: unknown): number {
  return looking.isStrict && typeof value === 'number' && !Number.isFinite(value) ? noType : bitsOf(value);
}

/** The place of a part of a value. */
export function below(place: Place, rule: string, key: string | number): Place {
  return moved(place, `${place.at}/${rule}`, `${place.path}/${escapeKey(String(key))}`, place.name);
}

/** A definition has its own function in ajv, and its paths begin there. */
export function inDefinition(ref: string, target: Schema, place: Place): Place {
  return typeof target === 'boolean' ? inside(place, ref) : moved(place, '#', place.path, undefined);
}

/** The place of the same value in another schema. */
export function inside(place: Place, at: string): Place {
  return moved(place, at, place.path, place.name);
}

function moved(
  { looking, found, fill, value, schema }: Place,
  at: string,
  path: string,
  name: string | undefined,
): Place {
  return { looking, found, fill, path, at, name, value, schema };
}

export function lookAtValues(schema: Rules, value: unknown, place: Place): void {
  const { enum: allowed } = schema;
  if (schema.const !== undefined && !equal(value, schema.const))
    report(place, 'const', { allowedValue: schema.const }, 'must be equal to constant');
  if (allowed === undefined) return;
  place.looking.steps.take(allowed.length);
  if (!allowed.some(member => equal(value, member)))
    report(place, 'enum', { allowedValues: allowed }, 'must be equal to one of the allowed values');
}

/** Violations of all alternatives stand right before the one that says that none fits, which is at `union`: where they start. */
export function startOfAlternatives(violations: readonly Violation[], union: number): number {
  const around = violations[union];
  // Not by `findLastIndex`: projects that compile for ES2022 read these sources in the tests of generated types.
  for (let at = union - 1; at >= 0; at -= 1) {
    const one = violations[at];
    if (one !== undefined && around !== undefined && !isAtOrBelow(one, around)) return at + 1;
  }
  return 0;
}

export function isAtOrBelow(violation: Violation, around: Violation): boolean {
  return `${violation.instancePath}/`.startsWith(`${around.instancePath}/`);
}

/** A step of a JSON pointer. */
export function escapeKey(key: string): string {
  return /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

export function escapeFragment(key: string): string {
  if (/^[\w$.-]*$/.test(key)) return key.replaceAll('$', '%24');
  // Half a character has no place in a URI.
  return encodeURIComponent(escapeKey(key).replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}
