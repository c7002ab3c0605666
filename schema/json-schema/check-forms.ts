// Rules on single keywords: forms that the dialect does not allow, and patterns that are not regular expressions.

import type { Severity } from '../diagnostics.js';
import { nearest } from '../nearest.js';
import { formats } from '../support/formats.js';
import type { CheckContext } from './check-context.js';
import type { Dialect } from './dialect.js';
import { isSchemaObject, type JsonSchemaObject, own } from './keywords.js';
import { pathOf, type SchemaNode } from './walk.js';

interface FormRule {
  readonly keyword: string;
  /** Where the rule holds; everywhere if left out. */
  readonly dialects?: readonly Dialect[];
  readonly isMistake: (value: unknown, schema: JsonSchemaObject) => boolean;
  readonly reason: string;
  readonly hint: string;
  readonly severity: Severity;
}

const always = (): boolean => true;
const typesOf = (schema: JsonSchemaObject): readonly unknown[] => [own(schema, 'type')].flat();

/** What ajv, non-strict, refuses to compile or reads otherwise than the author meant. */
const formRules: readonly FormRule[] = [
  {
    keyword: 'items',
    dialects: ['2020-12'],
    isMistake: Array.isArray,
    reason: 'is one schema in 2020-12, not a list',
    hint: 'write the list under prefixItems and what follows it under items, or declare draft-07 with $schema',
    severity: 'error',
  },
  {
    keyword: 'id',
    isMistake: always,
    reason: 'is from draft-04, and validators refuse it',
    hint: 'write $id; a property called id belongs under properties',
    severity: 'error',
  },
  {
    keyword: 'nullable',
    isMistake: (value, schema) =>
      !Object.hasOwn(schema, 'type') || (value === false && typesOf(schema).includes('null')),
    reason: 'is an OpenAPI keyword and does not fit the type next to it',
    hint: 'write the type as a list: `type: [string, "null"]`',
    severity: 'error',
  },
  {
    keyword: 'nullable',
    isMistake: (value, schema) => value === true && Object.hasOwn(schema, 'type'),
    reason: 'is an OpenAPI keyword, so most clients ignore it',
    hint: 'write the type as a list: `type: [string, "null"]`',
    severity: 'warning',
  },
  {
    keyword: '$async',
    isMistake: always,
    reason: 'is not a JSON Schema keyword and changes how validators answer',
    hint: 'remove it',
    severity: 'error',
  },
  {
    keyword: 'enum',
    isMistake: value => Array.isArray(value) && value.length === 0,
    reason: 'has no members, so no value could match',
    hint: 'list the allowed values, or remove it',
    severity: 'error',
  },
  {
    keyword: '$recursiveRef',
    dialects: ['2019-09'],
    isMistake: value => value !== '#',
    reason: 'can only be "#"',
    hint: 'write $ref to refer to another place',
    severity: 'error',
  },
  {
    keyword: '$dynamicRef',
    dialects: ['2020-12'],
    isMistake: value => typeof value !== 'string' || !value.startsWith('#'),
    reason: 'must name an anchor of this schema, such as "#node"',
    hint: 'write $ref to refer to another place',
    severity: 'error',
  },
  ...ignoredIn('draft-07', [
    ['prefixItems', 'write the list under items'],
    ['dependentRequired', 'write dependencies'],
    ['dependentSchemas', 'write dependencies'],
    ['unevaluatedItems', 'remove $schema, or write additionalItems'],
    ['unevaluatedProperties', 'remove $schema, or write additionalProperties'],
    ['minContains', 'remove $schema, or the keyword'],
    ['maxContains', 'remove $schema, or the keyword'],
    ['$recursiveRef', 'write $ref'],
    ['$dynamicRef', 'write $ref'],
  ]),
  ...ignoredIn('2019-09', [
    ['prefixItems', 'write the list under items'],
    ['$dynamicRef', 'write $recursiveRef or $ref'],
  ]),
  ...ignoredIn('2020-12', [
    ['additionalItems', 'write items, beside prefixItems'],
    ['$recursiveRef', 'write $dynamicRef or $ref'],
  ]),
];

function ignoredIn(dialect: Dialect, keywords: readonly (readonly [string, string])[]): FormRule[] {
  return keywords.map(([keyword, hint]) => ({
    keyword,
    dialects: [dialect],
    isMistake: always,
    reason: `is not part of ${dialect}, so it has no effect`,
    hint,
    severity: 'warning',
  }));
}

const rulesByKeyword: ReadonlyMap<string, readonly FormRule[]> = new Map(
  formRules.map(({ keyword }) => [keyword, formRules.filter(rule => rule.keyword === keyword)]),
);

export function checkForm(keyword: string, node: SchemaNode, context: CheckContext): void {
  const rules = rulesByKeyword.get(keyword);
  if (rules === undefined) return;
  for (const rule of rules) {
    if (rule.dialects !== undefined && !rule.dialects.includes(context.dialect)) continue;
    if (!rule.isMistake(node.schema[keyword], node.schema)) continue;
    const at = { path: [...pathOf(node), keyword], side: 'key' } as const;
    context.report('schema/keyword', { keyword, reason: rule.reason }, at, {
      hint: rule.hint,
      severity: rule.severity,
    });
  }
}

export function checkPattern(node: SchemaNode, context: CheckContext): void {
  const pattern = own(node.schema, 'pattern');
  if (typeof pattern === 'string') checkRegex(pattern, () => ({ path: [...pathOf(node), 'pattern'] }), context);
}

export function checkPatternProperties(node: SchemaNode, context: CheckContext): void {
  const patterns = own(node.schema, 'patternProperties');
  if (!isSchemaObject(patterns)) return;
  for (const key of Object.keys(patterns)) {
    checkRegex(key, () => ({ path: [...pathOf(node), 'patternProperties', key], side: 'key' }), context);
  }
}

function checkRegex(pattern: string, place: () => Parameters<CheckContext['report']>[2], context: CheckContext): void {
  const reason = regexMistake(pattern, 'u');
  if (reason === undefined) return;
  const hint =
    regexMistake(pattern, '') === undefined
      ? 'with the flag u only special characters may be escaped: write - or _ without a backslash, and \\{ for a brace'
      : undefined;
  context.report('schema/regex', { pattern, reason }, place(), { hint });
}

function regexMistake(pattern: string, flags: string): string | undefined {
  try {
    new RegExp(pattern, flags);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // `Invalid regular expression: /(/u: Unterminated group`: the pattern itself is already in our message.
    return message.slice(message.lastIndexOf(': ') + 2);
  }
}

/** They tell readers and models something, and no validator checks them. */
const described = [
  ...['idn-email', 'idn-hostname', 'iri', 'iri-reference', 'byte', 'binary', 'password', 'int8', 'int16', 'int32'],
  ...['int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float', 'double', 'decimal', 'markdown', 'html', 'color'],
];

/** Anything is allowed there by JSON Schema: a raw schema is only asked about what looks misspelt. */
export function checkFormat(node: SchemaNode, context: CheckContext): void {
  const format = own(node.schema, 'format');
  if (typeof format !== 'string' || Object.hasOwn(formats, format) || described.includes(format)) return;
  const meant = nearest(format, [...Object.keys(formats), ...described]);
  // `json` abbreviates json-pointer and is none.
  const isTypo = meant !== undefined && Math.abs(meant.length - format.length) <= 2;
  if (!isTypo && context.source.style === 'raw') return;
  const hint = isTypo ? `did you mean ${JSON.stringify(meant)}?` : undefined;
  context.report('schema/unknown-format', { format }, { path: [...pathOf(node), 'format'] }, { hint });
}
