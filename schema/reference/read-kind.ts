// In: a published schema. Out: what a reader must know about each of its keys, as data. Pages and the terminal are printed from it.
import { isMap } from '../document.js';
import { type KeyFacts, printFacts } from './facts.js';
import { printType } from './print-type.js';

type Schema = Readonly<Record<string, unknown>>;

/** An allowed value, and what it means. */
export interface Value {
  readonly value: string;
  readonly meaning: string;
}

export interface Key extends Omit<KeyFacts, 'default'> {
  /** From the root: `http.port`, `messages[].role`, `errors.<name>.status`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** As an author would write it, or in words. */
  readonly default: string | undefined;
  readonly isDefaultInWords: boolean;
  readonly description: string;
  readonly example: string;
  /** Lengths, ranges and patterns, in words. */
  readonly limits: readonly string[];
  readonly values: readonly Value[];
  /** Where its inside is described: another kind of file, or the keys below another key. */
  readonly inside?: Inside;
  /** The keys below it. */
  readonly keys: readonly Key[];
}

export type Inside = { readonly page: string } | { readonly key: string };

export interface KindReference {
  /** `tool` */
  readonly kind: string;
  readonly title: string;
  readonly description: string;
  readonly example: string;
  readonly keys: readonly Key[];
}

/** The kinds of files that have a page; the combined ones are maps of these. */
export const referenceKinds = ['pack', 'server', 'tool', 'prompt', 'resource', 'schema', 'overlay'] as const;

/**
 * Everything that a published schema says about its keys.
 *
 * @example readKind('tool', JSON.parse(text)).keys[0]?.path // '$schema'
 */
export function readKind(kind: string, schema: Schema): KindReference {
  const definitions = isMap(schema['definitions']) ? schema['definitions'] : {};
  const reader = new KeyReader(definitions, kind);
  const { description, example } = wordsOf(schema);
  return { kind, title: String(schema['title']), description, example, keys: reader.read(schema, '') };
}

/** All keys of a kind in the order of the page: each before what is below it. */
export function listKeys(keys: readonly Key[]): readonly Key[] {
  return keys.flatMap(key => [key, ...listKeys(key.keys)]);
}

class KeyReader {
  /** Definition -> the key under which it is described. */
  readonly #described = new Map<string, string>();

  constructor(
    readonly definitions: Schema,
    readonly kind: string,
  ) {}

  /** The keys of an object. Those that are written at one place come before what is inside them. */
  read(schema: Schema, path: string): readonly Key[] {
    const properties = isMap(schema['properties']) ? schema['properties'] : {};
    const facts = isMap(schema['x-toolwright']) ? schema['x-toolwright'] : {};
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    return Object.entries(properties).flatMap(([key, field]) =>
      isMap(field)
        ? [
            this.#readKey(field, {
              path: path === '' ? key : `${path}.${key}`,
              facts: (facts[key] ?? {}) as KeyFacts,
              isRequired: required.includes(key),
            }),
          ]
        : [],
    );
  }

  #readKey(
    field: Schema,
    { path, facts, isRequired }: { readonly path: string; readonly facts: KeyFacts; readonly isRequired: boolean },
  ): Key {
    const schema = this.#resolve(field);
    const { description, example } = wordsOf(field);
    const sentence = printFacts(facts);
    const value = facts.default ?? printDefault(schema['default']);
    const { default: _, ...others } = facts;
    return {
      path,
      type: printType(schema, this.definitions),
      isRequired,
      default: value,
      isDefaultInWords: facts.default !== undefined,
      // What the row of facts says is not said twice.
      description: description.endsWith(sentence)
        ? description.slice(0, description.length - sentence.length)
        : description,
      example,
      limits: limitsOf(schema),
      values: valuesOf(schema),
      ...others,
      ...this.#readInside(field, path),
    };
  }

  /** What is below a key: of an object, of the values of a map, of the entries of a list, in any of its forms. */
  #readInside(field: Schema, path: string): { readonly keys: readonly Key[]; readonly inside?: Inside } {
    const name = definitionOf(field) ?? '';
    if (isKind(name)) return { keys: [], inside: { page: name } };
    // A shared schema is a JSON Schema: what is inside it has the same keys.
    if (name === 'jsonSchema' && this.kind === 'schema') return { keys: [], inside: { page: 'schema' } };
    const home = this.#homeOf(name, path);
    if (home !== path) return { keys: [], inside: { key: home } };
    const schema = this.#resolve(field);
    const own = name === 'jsonSchema' ? this.#withoutShared(schema) : schema;
    const keys = [...this.read(own, path)];
    let inside: Inside | undefined = own === schema ? undefined : { key: this.#homeOf('parameter', path) };
    const enter = (below: unknown, place: string): void => {
      if (!isMap(below)) return;
      const found = this.#readInside(below, place);
      keys.push(...found.keys.filter(({ path: one }) => keys.every(known => known.path !== one)));
      inside ??= found.inside;
    };
    enter(schema['additionalProperties'], `${path}.<name>`);
    if (!Array.isArray(schema['items'])) enter(schema['items'], `${path}[]`);
    // The other forms of a key stand in branches.
    enter(schema['then'], path);
    enter(schema['else'], path);
    return { keys, ...(inside === undefined ? {} : { inside }) };
  }

  /** Where a definition is described: the large ones, which contain themselves, once; the others wherever they are used. */
  #homeOf(name: string, path: string): string {
    const home = homes[name] ?? (large.has(name) ? this.#described.get(name) : undefined) ?? path;
    if (large.has(name)) this.#described.set(name, home);
    return home;
  }

  /** Most keywords of JSON Schema are those of the shorthand, word for word: they are described there. */
  #withoutShared(schema: Schema): Schema {
    const keysOf = (one: unknown): Schema => (isMap(one) && isMap(one['properties']) ? one['properties'] : {});
    const shorthand = keysOf(this.definitions['parameter']);
    const own = Object.entries(keysOf(schema)).filter(
      ([key, field]) => JSON.stringify(shorthand[key]) !== JSON.stringify(field),
    );
    return { ...schema, properties: Object.fromEntries(own) };
  }

  #resolve(schema: Schema): Schema {
    const name = definitionOf(schema);
    const definition = name === undefined ? undefined : this.definitions[name];
    return isMap(definition) ? definition : schema;
  }
}

/** Definitions that contain themselves. */
const large: ReadonlySet<string> = new Set(['parameters', 'parameterOrType', 'parameter', 'rootSchema', 'jsonSchema']);

/** Where a reader looks first, though something else comes before. */
const homes: Readonly<Record<string, string>> = { jsonSchema: 'inputSchema' };

function isKind(name: string): boolean {
  return referenceKinds.some(kind => kind === name);
}

function definitionOf(schema: Schema): string | undefined {
  const ref = schema['$ref'];
  return typeof ref === 'string' ? ref.replace('#/definitions/', '') : undefined;
}

/** The Markdown of a description ends with an example in YAML. */
function wordsOf(schema: Schema): { readonly description: string; readonly example: string } {
  const [, example = ''] = /```yaml\n([\s\S]*)\n```$/.exec(String(schema['markdownDescription'] ?? '')) ?? [];
  return { description: String(schema['description'] ?? ''), example };
}

function printDefault(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function valuesOf(schema: Schema): readonly Value[] {
  const { enum: values, enumDescriptions: meanings, items, then } = schema;
  if (Array.isArray(values)) {
    return values.map((value, index) => ({
      value: String(value),
      meaning: Array.isArray(meanings) ? String(meanings[index]) : '',
    }));
  }
  // A list of words, or one name of a type.
  if (isMap(items) && !Array.isArray(items)) return valuesOf(items);
  return isMap(then) && schema['$ref'] === undefined ? valuesOf(then) : [];
}

function limitsOf({ minimum, maximum, exclusiveMinimum, minItems, maxItems, patternErrorMessage }: Schema): string[] {
  const range =
    minimum === undefined
      ? maximum === undefined
        ? []
        : [`at most ${String(maximum)}`]
      : [maximum === undefined ? `at least ${String(minimum)}` : `from ${String(minimum)} to ${String(maximum)}`];
  return [
    ...range,
    ...(exclusiveMinimum === undefined ? [] : [`greater than ${String(exclusiveMinimum)}`]),
    ...(minItems === undefined || minItems === maxItems ? [] : [`at least ${String(minItems)} entry`]),
    ...(patternErrorMessage === undefined ? [] : [ruleOf(String(patternErrorMessage))]),
  ];
}

/** That something must be there needs no sentence. */
function ruleOf(message: string): string {
  return message.startsWith('the value must not be empty') ? 'not empty' : message;
}
