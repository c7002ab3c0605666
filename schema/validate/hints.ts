// In: a key that nobody knows, and those that exist, or a value of a wrong type. Out: what the author meant, and the hint that says so.
import type { Subject } from '../definitions.js';
import { isMap, type Path } from '../document.js';
import { limitKeyword } from '../json-schema/check-shorthand.js';
import { typeNames } from '../json-schema/keywords.js';
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
  },
  prompt: { parameters: 'arguments', params: 'arguments', template: 'text', content: 'text' },
  resource: { url: 'uri', mime: 'mimeType', content: 'text' },
};

const schemaElsewhere = 'a JSON Schema goes under inputSchema; in the short form, list the names under parameters';
const clientElsewhere = 'how clients start a server is in their own settings: toolwright install writes it';

/** What manifests of Kubernetes have around a definition. */
const envelope = {
  apiVersion: 'remove it: a definition needs no version of its format',
  kind: 'remove it: the folder says what kind of item this is',
  spec: 'a definition has no envelope: write its keys at the top level',
  metadata: 'a definition has no envelope: its name is the file name, and other keys are at the top level',
};

/** Keys that other kinds have, and why this one does not. */
const keysElsewhere: Readonly<Partial<Record<Subject, Readonly<Record<string, string>>>>> = {
  tool: {
    cache: 'clients cache lists and resources, not call results: put cache on the server or on a resource',
    timeout: 'write limits: { timeoutMs: ... }, in milliseconds',
    timeoutMs: 'write limits: { timeoutMs: ... }',
    type: schemaElsewhere,
    properties: schemaElsewhere,
    ...envelope,
  },
  prompt: envelope,
  resource: envelope,
  server: {
    port: 'write http: { port: ... }',
    host: 'write http: { host: ... }',
    path: 'write http: { path: ... }',
    command: clientElsewhere,
    args: clientElsewhere,
    env: 'variables that the server needs are listed under config in toolwright.yaml',
    ...envelope,
  },
};

/** What others write inside a parameter, and how it is said here. */
const foreignKeywords: Readonly<Record<string, string>> = {
  optional: 'parameters are required unless they say required: false, or have a default',
  nullable: 'write type: [string, "null"] in an inputSchema, or required: false',
  values: 'did you mean "enum"?',
  choices: 'did you mean "enum"?',
  options: 'did you mean "enum"?',
};

/** What others write in `auth` for the variable that holds the token. */
const tokenKeys: readonly string[] = ['token', 'secret', 'key', 'value', 'variable'];

/** The key of a definition that was meant by another. */
export function meantKey(subject: Subject, key: string, known: readonly string[]): string | undefined {
  const foreign = foreignKeys[subject] ?? {};
  if (subject === 'server' && known.includes('env') && tokenKeys.includes(key)) return 'env';
  return Object.hasOwn(foreign, key) ? foreign[key] : nearest(key, known);
}

/** `inside`: the map that has the key, unless it is the definition itself. */
export function keyHint(
  subject: Subject,
  key: string,
  known: readonly string[],
  inside: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  if (inside !== undefined) return insideHint(key, known, inside) ?? nearHint(nearest(key, known), known);
  const elsewhere = keysElsewhere[subject] ?? {};
  return Object.hasOwn(elsewhere, key) ? elsewhere[key] : nearHint(meantKey(subject, key, known), known);
}

function nearHint(meant: string | undefined, known: readonly string[]): string | undefined {
  return meant === undefined ? knownKeys(known) : `did you mean ${JSON.stringify(meant)}?`;
}

function insideHint(key: string, known: readonly string[], map: Readonly<Record<string, unknown>>): string | undefined {
  if (known.includes('required') && known.includes('enum')) {
    const limit = key === 'min' || key === 'max' ? limitKeyword(key, typeNames(map['type'])) : undefined;
    if (limit !== undefined) return `did you mean ${JSON.stringify(limit)}?`;
    return Object.hasOwn(foreignKeywords, key) ? foreignKeywords[key] : undefined;
  }
  if (!known.includes('env') || map['type'] !== 'bearer' || !tokenKeys.includes(key)) return undefined;
  const [, variable = 'MCP_TOKEN'] = /^\$?\{?([A-Z][A-Z0-9_]*)\}?$/.exec(String(map[key])) ?? [];
  return `write env: ${variable}, the variable that holds the token`;
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
  if (!isMap(value)) return false;
  const { $ref: reference, properties } = value;
  if (typeof reference === 'string' && !typeWords.includes(reference)) return true;
  if (value['type'] !== 'object') return false;
  return isMap(properties) && typeof properties['type'] !== 'string';
}

export function wholeSchemaHint(key: keyof typeof schemaKeys, tool: unknown): string {
  const schema = isMap(tool) ? tool[key] : undefined;
  const reference = isMap(schema) ? schema['$ref'] : undefined;
  return typeof reference === 'string'
    ? `write ${schemaKeys[key]}: { $ref: ${reference.startsWith('#') ? JSON.stringify(reference) : reference} }`
    : `write ${schemaKeys[key]}, or list what is under properties`;
}

// In: a value of another type than a key takes. Out: how to write what was probably meant.

export const typeWords: readonly string[] = ['string', 'integer', 'number', 'boolean', 'array', 'object'];

/** How the members of a map look that somebody wrote as a list of names. */
const memberForms: Readonly<Record<string, string>> = {
  parameters: 'string',
  output: 'string',
  arguments: '{ required: true }',
  requires: 'required',
  errors: '{ message: ... }',
  config: '{ type: string }',
  options: '{ type: string }',
};

/** Where a map is wanted: lists of names, or of maps with a name, are how others write parameters. */
export function mapHint(path: Path, types: readonly string[], value: unknown): string | undefined {
  const [key, member] = path;
  if (key === 'config' && path.length === 2 && types.includes('object')) return 'write { type: string }';
  if (!types.includes('object') || value === null) return undefined;
  if (typeof value === 'string' && types.length === 1) return stringHint(path, value) ?? plainHint(types);
  if (Array.isArray(value) && typeof key === 'string') {
    if (member === undefined) return listHint(key, value) ?? plainHint(types);
    if ((key === 'parameters' || key === 'output') && path.length === 2) return parameterHint(value);
  }
  return plainHint(types);
}

/** Where a map is wanted and a string is there. */
function stringHint([key, member, ...inside]: Path, text: string): string | undefined {
  const glued = /^([\w$.-]+):([^\s/].*)$/.exec(text);
  if (glued !== null) return `put a space after the colon: ${glued[1]}: ${glued[2]}`;
  if (key === 'errors' && member !== undefined && inside.length === 0)
    return `write { message: ${JSON.stringify(text)} }`;
  if ((key === 'parameters' || key === 'output') && member === undefined)
    return 'write a map from names to types, such as { name: string }';
  return undefined;
}

function plainHint(types: readonly string[]): string | undefined {
  return types.length === 1 ? 'write a map, one "key: value" per line' : undefined;
}

function listHint(key: string, list: readonly unknown[]): string | undefined {
  const form = memberForms[key];
  if (form === undefined || list.length === 0 || list.length > 8) return undefined;
  const members = list.map(entry => {
    if (typeof entry === 'string') return `${entry}: ${form}`;
    const name = isMap(entry) ? entry['name'] : undefined;
    if (typeof name !== 'string') return undefined;
    const type = isMap(entry) ? entry['type'] : undefined;
    return `${name}: ${typeof type === 'string' ? `{ type: ${type} }` : form}`;
  });
  return members.includes(undefined) ? undefined : `write a map: { ${members.join(', ')} }`;
}

function parameterHint(list: readonly unknown[]): string | undefined {
  const [first] = list;
  if (list.length === 1 && typeof first === 'string' && typeWords.includes(first)) {
    return `write { type: array, items: ${first} }`;
  }
  const isEnum = list.length > 0 && list.length <= 8 && list.every(one => typeof one === 'string');
  return isEnum ? `write { type: string, enum: [${list.join(', ')}] }` : undefined;
}

/** P3: what YAML made of a scalar, said in the words of the author's file. */
export function typeHint(
  types: readonly string[],
  value: unknown,
  source: string | undefined,
  key: string | number | undefined,
): string | undefined {
  if (value === null) return 'the value is missing';
  const spelling = source?.toLowerCase();
  if (types.includes('boolean') && typeof value === 'string') {
    if (spelling === 'yes' || spelling === 'on' || spelling === 'y')
      return 'YAML 1.2 reads this as a string: write true';
    if (spelling === 'no' || spelling === 'off' || spelling === 'n')
      return 'YAML 1.2 reads this as a string: write false';
    if (value === 'true' || value === 'false') return 'remove the quotes';
  }
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    return `put it in quotes: "${source ?? String(value)}"`;
  }
  const wantsNumber = types.includes('integer') || types.includes('number');
  if (wantsNumber && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) {
    return 'remove the quotes';
  }
  const milliseconds = wantsNumber && String(key).endsWith('Ms') ? readDuration(value) : undefined;
  if (milliseconds !== undefined) return `milliseconds, as a number: write ${milliseconds}`;
  if (wantsNumber && typeof value === 'boolean') return 'write the limit itself: true and false are draft-04';
  if (types.includes('array') && !types.includes('object') && typeof value === 'string')
    return value.length > 80 ? 'write a list' : `write a list: [${value}]`;
  if (types.includes('array') && isMap(value)) return 'start each entry with a dash';
  return undefined;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** @example readDuration('1.5 min') // 90000 */
function readDuration(text: unknown): number | undefined {
  const [, amount, ms, unit = ''] = /^(\d+(?:\.\d+)?) *(?:(ms|milli)|([smh]))[a-z]*$/i.exec(String(text)) ?? [];
  const milliseconds = Number(amount) * (units[ms === undefined ? unit.toLowerCase() : 'ms'] ?? 1);
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}
