// The validators of the language. In: the definitions. Out: the text of a CommonJS module that needs nothing.
import { _, Ajv, type CodeKeywordDefinition, type KeywordCxt, type Name } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { definitions } from './definitions.js';
import { everyType, type Schema } from './shape.js';

const exported = ['pack', 'server', 'tool', 'prompt', 'resource', 'overlay'] as const;

/** Errors carry their schema, so that words for editors would be most of the module. */
const editorKeywords: ReadonlySet<string> = new Set([
  'description',
  'markdownDescription',
  'enumDescriptions',
  'markdownEnumDescriptions',
  'x-intellij-enum-metadata',
  'defaultSnippets',
  'doNotSuggest',
  'default',
  'examples',
]);

/** The keywords whose value is a map of names to schemas: there, `description` is a name and no keyword. */
const namedSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions']);

/** Pointers between definitions become addresses, because ajv compiles each address once and shares it. */
function toAddress(pointer: string): string {
  return pointer.slice('#/definitions/'.length);
}

/** A schema without what no validator looks at. */
export function strip(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strip);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([keyword, value]) => !editorKeywords.has(keyword) && !(keyword === 'type' && value === everyType),
  );
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword === '$ref' && typeof value === 'string') return [keyword, toAddress(value)];
      if (!namedSchemas.has(keyword)) return [keyword, strip(value)];
      return [keyword, Object.fromEntries(Object.entries(value as Schema).map(([name, one]) => [name, strip(one)]))];
    }),
  );
}

/**
 * ajv's `properties` asks an object for every property that the schema describes: a parameter could have some seventy
 * and has five, and asking in vain is most of the time of a check. This one looks only at the properties of the object.
 */
const properties: CodeKeywordDefinition = {
  keyword: 'properties',
  type: 'object',
  schemaType: 'object',
  before: 'patternProperties',
  code(cxt: KeywordCxt) {
    const { gen, data, it } = cxt;
    const valid = gen.name('valid');
    gen.forIn('key', data, (key: Name) => {
      for (const [index, name] of Object.keys(cxt.schema as Schema).entries()) {
        it.definedProperties.add(name);
        if (index === 0) gen.if(_`${key} === ${name}`);
        else gen.elseIf(_`${key} === ${name}`);
        cxt.subschema({ keyword: 'properties', schemaProp: name, dataProp: name }, valid);
      }
      gen.endIf();
    });
  },
};

/** The text of `validators.gen.cjs`. It is CommonJS because it is loaded late, when the first mistake is found. */
export function compileValidators(): string {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: true,
    // Texts or files, names or declarations: `type: [string, object]` is how the language says "either".
    allowUnionTypes: true,
    // Conditions such as "without uriTemplate, uri is needed" name keys that are described in the schema around them.
    strictRequired: false,
    inlineRefs: false,
    code: { source: true, lines: false },
  });
  ajv.removeKeyword('properties').addKeyword(properties);
  ajv.addVocabulary(['patternErrorMessage']);
  for (const [name, definition] of Object.entries(definitions)) {
    ajv.addSchema({ ...(strip(definition) as Schema), $id: name });
  }
  const code = standalone.default(ajv, Object.fromEntries(exported.map(name => [name, name])));
  if (code.includes('require(')) throw new Error('validators need a part of ajv, which must not be loaded for them');
  return `// Made by schema/source/make.ts; do not edit.\n${code}\n`;
}
