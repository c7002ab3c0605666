// The keywords of JSON Schema, in `parameters` and in a schema.

import type { View } from './kit.js';
import { a, absent, type Pair } from './pair.js';

/** A value of a keyword that a text or a list of texts may have. */
const keywords: Readonly<Record<string, unknown>> = {
  type: 'integer',
  description: 'Other',
  title: 'Other',
  examples: ['x'],
  deprecated: true,
  readOnly: true,
  writeOnly: true,
  format: 'email',
  contentEncoding: 'base64',
  contentMediaType: 'text/plain',
  contentSchema: { type: 'object' },
  $comment: 'Other',
  enum: ['x'],
  const: 'x',
  multipleOf: 2,
  minimum: 2,
  maximum: 2,
  exclusiveMinimum: 2,
  exclusiveMaximum: 2,
  minLength: 2,
  maxLength: 2,
  pattern: '^x',
  minItems: 2,
  maxItems: 2,
  uniqueItems: true,
  minContains: 2,
  maxContains: 2,
  minProperties: 2,
  maxProperties: 2,
  patternProperties: { '^x': { type: 'string' } },
  additionalProperties: { type: 'string' },
  propertyNames: { pattern: '^x' },
  unevaluatedProperties: false,
  dependentSchemas: { x: { required: ['y'] } },
  dependentRequired: { x: ['y'] },
  dependencies: { x: ['y'] },
  prefixItems: [{ type: 'string' }],
  additionalItems: false,
  contains: { type: 'string' },
  unevaluatedItems: false,
  allOf: [{ minLength: 2 }],
  anyOf: [{ minLength: 2 }],
  oneOf: [{ minLength: 2 }],
  not: { const: 'x' },
  if: { const: 'x' },
  then: { minLength: 2 },
  else: { minLength: 2 },
  $ref: '#/$defs/nowhere',
  $defs: { x: { type: 'string' } },
  definitions: { x: { type: 'string' } },
  $anchor: 'x',
  $dynamicRef: '#/$defs/nowhere',
  $dynamicAnchor: 'x',
  $recursiveRef: '#',
  $recursiveAnchor: true,
  $id: 'https://example.com/x',
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $vocabulary: { 'https://json-schema.org/draft/2020-12/vocab/core': true },
};

/** Keywords are sent to clients as they are written, so both lists show them; `defs` is there for references. */
export function keywordPairs(): [string, Pair][] {
  const defs = { $defs: { x: { type: 'string' } } };
  const raw = { type: 'object', properties: { a: { type: 'string' } }, ...defs };
  return Object.entries(keywords).flatMap(([keyword, value]): [string, Pair][] => {
    const before = keyword === 'type' ? 'string' : absent;
    const values = [before, value] as const;
    return [
      [
        `parameter.${keyword}`,
        { at: `tool.parameters.a.${keyword}`, values, base: a({ type: 'string' }), shows: shownBy(keyword) },
      ],
      [
        `jsonSchema.${keyword}`,
        {
          at: `tool.inputSchema.properties.a.${keyword}`,
          values,
          base: { tool: { inputSchema: raw } },
          shows: shownBy(keyword),
        },
      ],
    ];
  });
}

/** What a parameter may not have is a mistake; everything else reaches clients. */
function shownBy(keyword: string): View {
  return ['$ref', '$dynamicRef', '$recursiveRef'].includes(keyword) ? 'diagnostics' : 'lists';
}
