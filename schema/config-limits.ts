// What a config key allows beside its type. In: its entry and a value of its type. Out: which rule the value breaks.
import type { ConfigEntry } from './definitions.js';
import { makeValidator } from './support/validator.js';

/** By keyword, as a message goes on after "must be"; arguments and defaults have the same words for numbers. */
export const limitRules: Readonly<Record<string, (limit: unknown) => string>> = {
  minimum: limit => `at least ${limit}`,
  maximum: limit => `at most ${limit}`,
  exclusiveMinimum: limit => `more than ${limit}`,
  exclusiveMaximum: limit => `less than ${limit}`,
  multipleOf: limit => `a multiple of ${limit}`,
  minLength: limit => `at least ${limit} character${limit === 1 ? '' : 's'} long`,
  maxLength: limit => `at most ${limit} character${limit === 1 ? '' : 's'} long`,
  pattern: limit => `a string that matches ${limit}`,
  format: limit => `a valid ${limit}`,
  minItems: limit => `a list of at least ${limit} item${limit === 1 ? '' : 's'}`,
  maxItems: limit => `a list of at most ${limit} item${limit === 1 ? '' : 's'}`,
};

export const configLimits: readonly string[] = Object.keys(limitRules);

/** The limits of an entry as a schema, or undefined where it has none. */
export function limitsOf(entry: object): Readonly<Record<string, unknown>> | undefined {
  const found = Object.entries(entry).filter(([key]) => Object.hasOwn(limitRules, key));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

const ofLists: ReadonlySet<string> = new Set(['minItems', 'maxItems']);

/**
 * The type and the limits of an entry as a schema. Those of a list are its own or, like a pattern, of each of its items.
 *
 * @example configSchema({ type: 'array', enum: ['pdf'] }) // { type: 'array', items: { type: 'string', enum: ['pdf'] } }
 */
export function configSchema(entry: ConfigEntry): Readonly<Record<string, unknown>> {
  const { type, enum: allowed } = entry;
  const rules = Object.entries({ ...limitsOf(entry), ...(allowed === undefined ? {} : { enum: allowed }) });
  if (type !== 'array') return { type, ...Object.fromEntries(rules) };
  const [own, inner] = [true, false].map(isOwn => rules.filter(([keyword]) => ofLists.has(keyword) === isOwn));
  return { type, ...Object.fromEntries(own ?? []), items: { type: 'string', ...Object.fromEntries(inner ?? []) } };
}

/**
 * Which limit a value of the right type breaks, as it goes on after "must be".
 *
 * @example brokenLimit({ type: 'integer', minimum: 1024 }, 80) // 'at least 1024'
 */
export function brokenLimit(entry: ConfigEntry, value: unknown): string | undefined {
  const limits = limitsOf(entry);
  if (limits === undefined) return undefined;
  for (const [keyword, limit] of Object.entries(limits)) {
    const isOfItems = Array.isArray(value) && !ofLists.has(keyword);
    const values: readonly unknown[] = isOfItems ? value : [value];
    if (!values.some(one => isBroken(keyword, limit, one))) continue;
    const rule = limitRules[keyword]?.(limit);
    return isOfItems ? `a list of strings, each ${rule}` : rule;
  }
  return undefined;
}

function isBroken(keyword: string, limit: unknown, value: unknown): boolean {
  try {
    return !makeValidator(() => ({ [keyword]: limit }), 'never')(value);
  } catch {
    // A pattern that is not a regular expression is reported by `check`.
    return false;
  }
}
