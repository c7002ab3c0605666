// The published schemas: equal to their sources, self-contained, and written the way editors understand best.
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { printLanguageModule } from '../../schema/source/language.js';
import { printSchema, published } from '../../schema/source/publish.js';
import type { Schema } from '../../schema/source/shape.js';

const folder = new URL('../../schema/', import.meta.url);
const files = readdirSync(folder)
  .filter(name => name.endsWith('.schema.json'))
  .sort();

const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8').replaceAll('\r\n', '\n');
const documents = files.map(name => ({ name, schema: JSON.parse(read(name)) as Schema }));

const editorKeywords = [
  'markdownDescription',
  'enumDescriptions',
  'markdownEnumDescriptions',
  'x-intellij-enum-metadata',
  'patternErrorMessage',
  'defaultSnippets',
  'doNotSuggest',
  'x-toolwright',
];

interface Place {
  readonly path: string;
  readonly schema: Schema;
  /** How the parent holds it: `properties`, `items`, ... */
  readonly role: string;
  readonly inCondition: boolean;
}

const single = ['items', 'additionalProperties', 'propertyNames', 'if', 'then', 'else', 'not', 'contains'];
const named = ['properties', 'patternProperties', 'definitions'];

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every schema in a document, by what holds it; data such as snippet bodies is not entered. */
function* places(schema: Schema, path = '', role = 'root', inCondition = false): Generator<Place> {
  yield { path, schema, role, inCondition };
  for (const [keyword, value] of Object.entries(schema)) {
    const below = inCondition || keyword === 'if' || keyword === 'not';
    if (named.includes(keyword) && isSchema(value)) {
      for (const [name, one] of Object.entries(value)) {
        if (isSchema(one)) yield* places(one, `${path}/${keyword}/${name}`, keyword, below);
      }
    } else if (Array.isArray(value) && ['items', 'allOf', 'anyOf', 'oneOf'].includes(keyword)) {
      for (const [index, one] of value.entries()) {
        if (isSchema(one)) yield* places(one, `${path}/${keyword}/${index}`, keyword, below);
      }
    } else if (single.includes(keyword) && isSchema(value)) {
      yield* places(value, `${path}/${keyword}`, keyword, below);
    }
  }
}

/** Paths at which a rule is broken, over all documents. */
function broken(rule: (place: Place) => boolean): string[] {
  return documents.flatMap(({ name, schema }) =>
    [...places(schema)].filter(place => !rule(place)).map(place => `${name}#${place.path}`),
  );
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

describe('published schemas', () => {
  it('P19 X1 the published schemas are the thirteen that authors can bind', () => {
    const names = ['overlay', 'pack', 'prompt', 'resource', 'schema', 'server', 'tool'];
    const combined = ['overlays', 'prompts', 'resources', 'schemas', 'servers', 'tools'];
    expect(files).toEqual([...names, ...combined].map(name => `${name}.schema.json`).sort());
    expect(Object.keys(published).sort()).toEqual([...names, ...combined].sort());
  });

  it.each(Object.keys(published))('P19 %s.schema.json is what its source makes', name => {
    expect(read(`${name}.schema.json`)).toBe(printSchema(published[name] ?? {}));
  });

  it('P19 validators read the language that its sources make', () => {
    expect(read('validate/language.gen.ts')).toBe(printLanguageModule());
  });

  it.each(documents)('P19 $name shows itself as an example of its $schema key', ({ name, schema }) => {
    const key = (schema['properties'] as Schema)['$schema'] as Schema;
    expect(key['markdownDescription']).toContain(`/node_modules/toolwright/schema/${name}`);
  });

  it.each(documents)('P19 $name is valid draft-07 and compiles in strict mode', ({ schema }) => {
    const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false });
    ajv.addVocabulary(editorKeywords);
    expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#');
    expect(ajv.compile(schema)).toBeTypeOf('function');
  });
});

describe('rules for writing schemas', () => {
  it('P19 no schema uses oneOf or anyOf, because editors blame the wrong branch', () => {
    expect(broken(({ schema }) => !Object.hasOwn(schema, 'oneOf') && !Object.hasOwn(schema, 'anyOf'))).toEqual([]);
  });

  it('P19 every reference stays in its file and leads somewhere', () => {
    const dangling = documents.flatMap(({ name, schema }) => {
      const known = Object.keys((schema['definitions'] ?? {}) as Schema).map(key => `#/definitions/${key}`);
      return [...places(schema)]
        .map(place => place.schema['$ref'])
        .filter(ref => ref !== undefined && !known.includes(String(ref)))
        .map(ref => `${name}: ${String(ref)}`);
    });
    expect(dangling).toEqual([]);
  });

  it('P19 every definition of a file is used in it', () => {
    const unused = documents.flatMap(({ name, schema }) => {
      const refs = new Set([...places(schema)].map(place => place.schema['$ref']));
      return Object.keys((schema['definitions'] ?? {}) as Schema)
        .filter(key => !refs.has(`#/definitions/${key}`))
        .map(key => `${name}: ${key}`);
    });
    expect(unused).toEqual([]);
  });

  it('P19 only descriptions stand beside a reference, because draft-07 ignores the rest', () => {
    const words = ['$ref', 'description', 'markdownDescription'];
    expect(
      broken(({ schema }) => !Object.hasOwn(schema, '$ref') || Object.keys(schema).every(key => words.includes(key))),
    ).toEqual([]);
  });

  it('P19 every field has a description, and one in Markdown with an example', () => {
    const fieldsOnly = (place: Place): boolean => place.role === 'properties' && !isInBranch(place);
    expect(
      broken(
        place =>
          !fieldsOnly(place) ||
          (isText(place.schema['description']) &&
            /```yaml\n[\s\S]+\n```/.test(String(place.schema['markdownDescription']))),
      ),
    ).toEqual([]);
  });

  it('P19 every object with keys or a map of its own has a title', () => {
    expect(
      broken(place => isInBranch(place) || place.schema['type'] !== 'object' || isText(place.schema['title'])),
    ).toEqual([]);
  });

  it('P19 every pattern says in words what it wants, to follow "but"', () => {
    expect(
      broken(
        ({ schema }) =>
          !Object.hasOwn(schema, 'pattern') || /^(an?|the) .*[^.]$/.test(String(schema['patternErrorMessage'])),
      ),
    ).toEqual([]);
  });

  it('P19 every enum explains each of its members', () => {
    expect(
      broken(({ schema }) => {
        const members = schema['enum'];
        if (!Array.isArray(members)) return true;
        const jetBrains = Object.entries((schema['x-intellij-enum-metadata'] ?? {}) as Record<string, Schema>);
        return (
          [schema['enumDescriptions'], schema['markdownEnumDescriptions']].every(
            words => Array.isArray(words) && words.length === members.length && words.every(isText),
          ) && jetBrains.every(([value, { description }], index) => value === members[index] && isText(description))
        );
      }),
    ).toEqual([]);
  });

  it('P19 unknown keys are refused only where the known ones are listed', () => {
    expect(broken(({ schema }) => schema['additionalProperties'] !== false || isSchema(schema['properties']))).toEqual(
      [],
    );
  });

  it('P19 snippets have object bodies or are values, and defaults are scalars', () => {
    const isScalar = (value: unknown): boolean => typeof value !== 'object';
    expect(
      broken(({ schema }) => {
        const snippets = schema['defaultSnippets'] ?? [];
        const bodies = Array.isArray(snippets) ? snippets.map((one: Schema) => one['body']) : [undefined];
        return bodies.every(body => isSchema(body) || isText(body)) && isScalar(schema['default'] ?? '');
      }),
    ).toEqual([]);
  });

  it('P19 a string that may also be something else completes as a string', () => {
    // Editors insert the form of `properties` or `items`, and a single snippet, whenever such a key is completed.
    expect(
      broken(({ schema, role }) => {
        const type = schema['type'];
        if (role !== 'properties' || !Array.isArray(type) || type[0] !== 'string') return true;
        const snippets = Array.isArray(schema['defaultSnippets']) ? schema['defaultSnippets'].length : 0;
        return !Object.hasOwn(schema, 'properties') && !Object.hasOwn(schema, 'items') && snippets !== 1;
      }),
    ).toEqual([]);
  });
});

/** Branches narrow what is described around them: `then: {properties: {default: {type}}}`. */
function isInBranch({ path, inCondition }: Place): boolean {
  return inCondition || /\/(then|else)(\/|$)/.test(path);
}
