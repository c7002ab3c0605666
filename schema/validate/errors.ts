// In: what the engine says about one value. Out: one diagnostic per mistake, under the key or value that is wrong.
// Our schemas use no oneOf/anyOf, only if/then by type, so the errors that arrive belong to the branch that was meant.
import { quote } from '../codes/entry.js';
import type { Subject } from '../definitions.js';
import { type Diagnostic, diagnose } from '../diagnostics.js';
import { isMap, type Locator, type Path, pathOfPointer, printPath } from '../document.js';
import type { FullViolation } from '../support/places.js';
import { keyHint, mapHint, meantKey, typeHint, wholeSchemaHint, wholeSchemas } from './hints.js';
import { wordHint } from './word-hints.js';

/** Five hundred mistakes in one definition are really one. */
const mostMistakes = 500;

/** They only announce the error that says what is wrong, or that there would be more. */
const announcing: ReadonlySet<string> = new Set(['if', 'propertyNames', 'more']);

interface Mistake {
  readonly error: FullViolation;
  readonly path: Path;
  readonly where: string;
  readonly subject: Subject;
  readonly at: Locator;
}

export function toDiagnostics(
  subject: Subject,
  value: unknown,
  errors: readonly FullViolation[],
  at: Locator,
): Diagnostic[] {
  const root = subject === 'pack' ? 'toolwright.yaml' : `the ${subject}`;
  const whole = subject === 'tool' ? wholeSchemas(value) : [];
  const chosen = placesOfChoices(errors);
  const mistakes = errors
    .filter(({ instancePath }) => !whole.some(key => `${instancePath}/`.startsWith(`/${key}/`)))
    .filter(error => !announcing.has(error.keyword))
    // Which words are allowed says of which type they are.
    .filter(error => error.keyword !== 'type' || !chosen.get(error.parentSchema)?.has(error.instancePath))
    .slice(0, mostMistakes)
    .map((error): Mistake => {
      const path = pathOfPointer(error.instancePath, value);
      return { error, path, where: path.length === 0 ? root : printPath(path), subject, at };
    });
  const found: Diagnostic[] = whole.map(key => {
    return diagnose('validate/whole-schema', { key }, at.site([key], 'key'), { hint: wholeSchemaHint(key, value) });
  });
  const missing = new Map<string, Mistake[]>();
  for (const mistake of mistakes) {
    if (mistake.error.keyword === 'required') {
      if (isMisspelt(mistake, mistakes)) continue;
      const group = missing.get(mistake.error.instancePath) ?? [];
      missing.set(mistake.error.instancePath, [...group, mistake]);
    } else found.push(toDiagnostic(mistake));
  }
  for (const group of missing.values()) found.push(missingKeys(group));
  return onePerPlace(found);
}

/** Where a word of a fixed set is wanted, by the schema that wants it. */
function placesOfChoices(errors: readonly FullViolation[]): ReadonlyMap<unknown, ReadonlySet<string>> {
  const places = new Map<unknown, Set<string>>();
  for (const { keyword, parentSchema, instancePath } of errors) {
    if (keyword !== 'enum') continue;
    const known = places.get(parentSchema);
    if (known === undefined) places.set(parentSchema, new Set([instancePath]));
    else known.add(instancePath);
  }
  return places;
}

/** What an anchor says wrong is wrong at each of its aliases, but it is one mistake at one place. */
function onePerPlace(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const places = new Map<string, Diagnostic>();
  for (const one of diagnostics) {
    const place = `${one.code} ${one.file} ${one.line}:${one.column}`;
    if (!places.has(place)) places.set(place, one);
  }
  return [...places.values()];
}

/** A key that is missing because it is misspelt is reported once, as the unknown key. */
function isMisspelt(missing: Mistake, all: readonly Mistake[]): boolean {
  const key = String(missing.error.params['missingProperty']);
  const wanted = [key, ...(otherKeys[key] ?? [])];
  return all.some(
    ({ error, subject }) =>
      error.instancePath === missing.error.instancePath &&
      error.keyword === 'additionalProperties' &&
      wanted.includes(meantKey(subject, String(error.params['additionalProperty']), wanted) ?? ''),
  );
}

function missingKeys(group: readonly Mistake[]): Diagnostic {
  const [first] = group;
  if (first === undefined) throw new Error('a group of missing keys is never empty');
  const keys = [...new Set(group.map(({ error }) => String(error.params['missingProperty'])))];
  // Only a resource of the pack may have a template instead.
  const isEmbedded = keys[0] === 'uri' && first.path.length > 0 && first.path.includes('messages');
  const hint = keys.length === 1 && !isEmbedded ? alternatives[keys[0] ?? ''] : undefined;
  return diagnose('validate/missing-key', { keys, where: first.where }, first.at.site(first.path, 'key'), { hint });
}

/** Where one of several keys is needed, the schemas ask for the first. */
const alternatives: Readonly<Record<string, string>> = {
  uri: 'or uriTemplate, for a family of resources',
  text: 'or image, audio, resource or link',
};

const otherKeys: Readonly<Record<string, readonly string[]>> = {
  uri: ['uriTemplate'],
  text: ['image', 'audio', 'resource', 'link'],
};

const requiredHint = 'parameters are required; write `required: false` on each optional one';

function toDiagnostic(mistake: Mistake): Diagnostic {
  const { error, path, where, at } = mistake;
  const schema = isMap(error.parentSchema) ? error.parentSchema : {};
  const rule = typeof schema['patternErrorMessage'] === 'string' ? schema['patternErrorMessage'] : undefined;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(error.params['additionalProperty']);
      const known = isMap(schema['properties']) ? Object.keys(schema['properties']) : [];
      // As in JSON Schema, one level too high.
      if (key === 'required' && path.length === 0 && known.includes('parameters')) {
        return diagnose('validate/required-list', { where }, at.site([key], 'key'), { hint: requiredHint });
      }
      const inside = path.length === 0 || !isMap(error.data) ? undefined : error.data;
      const hint = keyHint(mistake.subject, key, known, inside);
      return diagnose('validate/unknown-key', { key, where }, at.site([...path, key], 'key'), { hint });
    }
    case 'type':
      return typeMistake(mistake);
    case 'enum': {
      const allowed = (error.params['allowedValues'] as readonly unknown[]).map(String);
      const hint = typeof error.data === 'string' ? wordHint(error.data, allowed) : undefined;
      return diagnose('validate/value', { where, allowed, actual: printValue(error.data) }, at.site(path), { hint });
    }
    case 'const': {
      const allowed = [String(error.params['allowedValue'])];
      return diagnose('validate/value', { where, allowed, actual: printValue(error.data) }, at.site(path));
    }
    case 'pattern': {
      const must = rule ?? `it must match ${String(error.params['pattern'])}`;
      if (error.propertyName !== undefined) {
        const key = error.propertyName;
        return diagnose('validate/key-name', { key, rule: must }, at.site([...path, key], 'key'));
      }
      return diagnose('validate/pattern', { where, actual: String(error.data), rule: must }, at.site(path));
    }
    default: {
      const limit = limitRules[error.keyword]?.(Number(error.params['limit']), error.data);
      const broken = limit ?? error.message;
      return diagnose('validate/limit', { where, rule: broken }, at.site(path), { hint: declarationHint(mistake) });
    }
  }
}

/** W4: an entry of a list in toolwright.yaml that has none of the three forms. */
function declarationHint({ subject, path, error }: Mistake): string | undefined {
  const isDeclaration = subject === 'pack' && path.length === 2 && typeof path[1] === 'number';
  if (isDeclaration && Array.isArray(error.data) && error.data.length > 2 && error.data.every(isText)) {
    const [name, ...words] = error.data;
    return `put the text in quotes: [${name}, ${JSON.stringify(words.join(', '))}]`;
  }
  return isDeclaration ? 'a declaration is a name, [name, description] or {name, description, ...}' : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Limits in the words of the other messages. */
const limitRules: Readonly<Record<string, (limit: number, value: unknown) => string>> = {
  minimum: limit => `must be at least ${limit}`,
  maximum: limit => `must be at most ${limit}`,
  exclusiveMinimum: limit => `must be more than ${limit}`,
  exclusiveMaximum: limit => `must be less than ${limit}`,
  minLength: limit => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: limit => `must have at most ${limit} characters`,
  minItems: (limit, value) => `must have at least ${entries(limit)}, not ${(value as unknown[]).length}`,
  maxItems: (limit, value) => `must have at most ${entries(limit)}, not ${(value as unknown[]).length}`,
  minProperties: limit => `must have at least ${entries(limit)}`,
  uniqueItems: () => 'has the same entry twice',
};

function entries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}

function typeMistake(mistake: Mistake): Diagnostic {
  const { error, path, where, at } = mistake;
  const types = [error.params['type']].flat().flatMap(type => String(type).split(','));
  const actual = typeName(error.data);
  if (path.at(-1) === 'required' && types.includes('boolean') && actual === 'a list') {
    return diagnose('validate/required-list', { where: printPath(path.slice(0, -1)) }, at.site(path, 'key'));
  }
  const expected = types.map(type => typeNames[type] ?? type).join(' or ');
  return diagnose('validate/type', { where, expected, actual }, at.site(path), {
    hint:
      declarationHint(mistake) ??
      mapHint(path, types, error.data) ??
      typeHint(types, error.data, at.source(path), path.at(-1)),
  });
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  null: 'empty',
};

/** What a value is called in messages. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'string') return `the string ${quote(value)}`;
  return `${typeof value === 'number' ? 'the number ' : ''}${String(value)}`;
}

function printValue(value: unknown): string {
  return typeof value === 'string' ? quote(value) : typeName(value);
}
