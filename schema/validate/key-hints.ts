// In: a key that nobody knows, and those that exist. Out: which of them the author meant, and the hint that says so.
import type { Subject } from '../definitions.js';
import { isMap } from '../document.js';
import { nearest } from '../nearest.js';

/** What other frameworks and MCP itself call the keys of definitions: no typo, so that likeness does not find them. */
const foreignKeys: Readonly<Partial<Record<Subject, Readonly<Record<string, string>>>>> = {
  tool: {
    args: 'parameters',
    arguments: 'parameters',
    input: 'parameters',
    inputs: 'parameters',
    returns: 'output',
    readonly: 'effect',
    env: 'requires',
    timeout: 'limits',
  },
  prompt: { parameters: 'arguments', params: 'arguments', template: 'text', content: 'text' },
  resource: { url: 'uri', mime: 'mimeType', content: 'text' },
};

/** Keys that other kinds have, and why this one does not. */
const keysElsewhere: Readonly<Partial<Record<Subject, Readonly<Record<string, string>>>>> = {
  tool: { cache: 'clients keep lists and resources, not results of calls: put cache on the server or on a resource' },
};

/** What others write inside a parameter, and how it is said here. */
const foreignKeywords: Readonly<Record<string, string>> = {
  optional: 'parameters are required unless they say required: false, or have a default',
  nullable: 'write type: [string, "null"] in an inputSchema, or required: false',
  values: 'did you mean "enum"?',
  choices: 'did you mean "enum"?',
  options: 'did you mean "enum"?',
};

/** The key of a definition that was meant by another. */
export function meantKey(subject: Subject, key: string, known: readonly string[]): string | undefined {
  const foreign = foreignKeys[subject] ?? {};
  return Object.hasOwn(foreign, key) ? foreign[key] : nearest(key, known);
}

/** `where`: whether the key stands in a definition itself, or somewhere inside it. */
export function keyHint(
  subject: Subject,
  key: string,
  known: readonly string[],
  where: 'definition' | 'inside',
): string | undefined {
  const elsewhere = keysElsewhere[subject] ?? {};
  if (where === 'definition' && Object.hasOwn(elsewhere, key)) return elsewhere[key];
  const meant = where === 'definition' ? meantKey(subject, key, known) : nearest(key, known);
  const isParameter = where === 'inside' && known.includes('required') && known.includes('enum');
  if (isParameter && Object.hasOwn(foreignKeywords, key)) return foreignKeywords[key];
  return meant === undefined ? knownKeys(known) : `did you mean ${JSON.stringify(meant)}?`;
}

function knownKeys(keys: readonly string[]): string | undefined {
  if (keys.length === 0) return undefined;
  const shown = keys.filter(key => !key.startsWith('$')).slice(0, 12);
  return `known keys: ${shown.join(', ')}${keys.length > shown.length ? ', ...' : ''}`;
}

/** Where a whole schema belongs. */
export const schemaKeys = { parameters: 'inputSchema', output: 'outputSchema' } as const;

/** The keys of a tool whose value is surely meant as a schema. Only asked of tools whose form is wrong. */
export function wholeSchemas(tool: unknown): readonly (keyof typeof schemaKeys)[] {
  if (!isMap(tool)) return [];
  return (['parameters', 'output'] as const).filter(key => isWholeSchema(tool[key]));
}

/** A parameter may be called `type` and another one `properties`; that one has a type itself. */
function isWholeSchema(value: unknown): boolean {
  if (!isMap(value) || value['type'] !== 'object') return false;
  const { properties } = value;
  return isMap(properties) && typeof properties['type'] !== 'string';
}
