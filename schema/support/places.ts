// Where a search for violations stands, and the rules that it asks in more than one way.
// Part of toolwright/support: imports only other parts of it.
import { type Place, report } from './limits.js';
import type { Rules, Schema } from './rules.js';
import { equal } from './values.js';

/** The place of a part of a value. */
export function below(place: Place, rule: string, key: string | number): Place {
  return { ...place, path: `${place.path}/${escapeKey(String(key))}`, at: `${place.at}/${rule}` };
}

/** A definition has its own function in ajv, and its paths begin there. */
export function inDefinition(ref: string, target: Schema, place: Place): Place {
  return typeof target === 'boolean' ? { ...place, at: ref } : { ...place, at: '#', name: undefined };
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

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function escapeFragment(key: string): string {
  // Half a character has no place in a URI.
  return encodeURIComponent(escapeKey(key).replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}
