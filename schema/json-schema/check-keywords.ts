// Rules on single keywords: forms that the dialect does not allow, patterns that are not regular expressions, members that
// contradict each other.
import type { Severity } from '../diagnostics.js';
import { didYouMean, nearest } from '../nearest.js';
import { formats } from '../support/formats.js';
import { type CheckContext, lenientSeverity } from './check-context.js';
import {
  type Dialect,
  inPlaceKeywords,
  isInheritedName,
  isOfType,
  isSchemaObject,
  type JsonSchemaObject,
  own,
  typeNames,
} from './keywords.js';
import { refKeywords } from './refs.js';
import { isSoonMatched } from './regex-steps.js';
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
    reason: 'must name an anchor in this schema, such as "#node"',
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

/**
 * Whether a format that nobody knows looks like a misspelt one.
 *
 * @example isOddFormat('date-tme') // true
 */
export function isOddFormat(format: string): boolean {
  return !isKnownFormat(format) && meantFormat(format) !== undefined;
}

function isKnownFormat(format: string): boolean {
  return Object.hasOwn(formats, format) || described.includes(format);
}

function meantFormat(format: string): string | undefined {
  const meant = nearest(format, [...Object.keys(formats), ...described]);
  // `json` abbreviates json-pointer and is none.
  return meant !== undefined && Math.abs(meant.length - format.length) <= 2 ? meant : undefined;
}

/** Anything is allowed there by JSON Schema: a raw schema is only asked about what looks misspelt. */
export function checkFormat(node: SchemaNode, context: CheckContext): void {
  const format = own(node.schema, 'format');
  if (typeof format !== 'string' || isKnownFormat(format)) return;
  const meant = meantFormat(format);
  if (meant === undefined && context.source.style === 'raw') return;
  const hint = meant === undefined ? undefined : `did you mean ${JSON.stringify(meant)}?`;
  context.report('schema/unknown-format', { format }, { path: [...pathOf(node), 'format'] }, { hint });
}

// Rules on what schemas list: required properties that nobody describes, enum members that contradict their type,
// and property names that every JavaScript object already has.

export function checkRequired(node: SchemaNode, context: CheckContext): void {
  const required = own(node.schema, 'required');
  if (!Array.isArray(required)) return;
  const properties = own(node.schema, 'properties');
  let value: DescribedValue | undefined;
  required.forEach((name, index) => {
    if (typeof name !== 'string' || (isSchemaObject(properties) && Object.hasOwn(properties, name))) return;
    value ??= describeValue(node, context);
    if (!value.isObject || value.describes(name)) return;
    context.report(
      'schema/unknown-required',
      { name },
      { path: [...pathOf(node), 'required', index] },
      { severity: lenientSeverity(context.source), hint: didYouMean(name, value.names) },
    );
  });
}

/** What all schemas that describe one and the same value say about its properties. */
interface DescribedValue {
  /** Whether any of them has `properties`: where none has, `required` alone is the description. */
  readonly isObject: boolean;
  readonly names: ReadonlySet<string>;
  describes(name: string): boolean;
}

// Under `not` and `if` a name may be required just because nobody describes it.
const assertingKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else']);

function describeValue(node: SchemaNode, context: CheckContext): DescribedValue {
  let top = node;
  let asserts = true;
  while (top.parent !== undefined && inPlaceKeywords.has(top.keyword)) {
    asserts &&= assertingKeywords.has(top.keyword);
    top = top.parent;
  }
  const names = new Set<string>();
  const patterns: string[] = [];
  const endless = new Set<string>();
  let hasProperties = false;
  let isFurtherDescribed = false;
  for (const schema of schemasOfSameValue(top.schema, context)) {
    hasProperties ||= isSchemaObject(own(schema, 'properties'));
    for (const name of keysOf(own(schema, 'properties'))) names.add(name);
    for (const pattern of keysOf(own(schema, 'patternProperties'))) patterns.push(pattern);
    isFurtherDescribed ||= isSchemaObject(own(schema, 'additionalProperties'));
    isFurtherDescribed ||= isSchemaObject(own(schema, 'unevaluatedProperties'));
  }
  return {
    isObject: hasProperties && (asserts || isSchemaObject(own(node.schema, 'properties'))),
    names,
    describes: name =>
      isFurtherDescribed || names.has(name) || patterns.some(pattern => mayMatch(pattern, name, endless)),
  };
}

function schemasOfSameValue(top: JsonSchemaObject, context: CheckContext): ReadonlySet<JsonSchemaObject> {
  const found = new Set<JsonSchemaObject>([top]);
  // A set that grows while it is iterated yields what was added, each member once.
  for (const schema of found) {
    for (const [keyword, value] of Object.entries(schema)) {
      if (!inPlaceKeywords.has(keyword)) continue;
      const members = keyword.startsWith('dependen') && isSchemaObject(value) ? Object.values(value) : [value].flat();
      for (const member of members) if (isSchemaObject(member)) found.add(member);
    }
    for (const keyword of refKeywords[context.dialect]) {
      const ref = own(schema, keyword);
      if (typeof ref !== 'string') continue;
      const target = context.refs().resolve(ref, schema, keyword);
      if (target.kind === 'found' && isSchemaObject(target.schema)) found.add(target.schema);
    }
  }
  return found;
}

function keysOf(value: unknown): readonly string[] {
  return isSchemaObject(value) ? Object.keys(value) : [];
}

/** `endless` collects patterns that take too long, so that each is tried once. */
function mayMatch(pattern: string, name: string, endless: Set<string>): boolean {
  if (endless.has(pattern)) return true;
  try {
    const regex = new RegExp(pattern, 'u');
    if (isSoonMatched(pattern, name)) return regex.test(name);
    endless.add(pattern);
    return true;
  } catch {
    // A broken pattern is a finding of its own; it must not cause a second one. Nor must one that takes for ever.
    return true;
  }
}

export function checkEnum(node: SchemaNode, context: CheckContext): void {
  const members = own(node.schema, 'enum');
  if (!Array.isArray(members)) return;
  checkTwice(members, node, context);
  const types = typeNames(own(node.schema, 'type'));
  if (types.length === 0) return;
  const isNullable = own(node.schema, 'nullable') === true;
  members.forEach((member, index) => {
    if (types.some(type => isOfType(member, type)) || (isNullable && member === null)) return;
    const path = [...pathOf(node), 'enum', index];
    // YAML has read 1.10 as 1.1 by now.
    const typed = typeof member === 'object' ? undefined : context.source.typed?.(path);
    const text = typed ?? JSON.stringify(member);
    context.report(
      'schema/enum-type',
      { member: text.length > 80 ? `${text.slice(0, 77)}...` : text, expected: types.join(' or ') },
      { path },
      { severity: lenientSeverity(context.source), hint: enumHint(member, types, typed) },
    );
  });
}

function checkTwice(members: readonly unknown[], node: SchemaNode, context: CheckContext): void {
  // Keys of maps may come in any order; two such members are rare enough.
  const seen = new Set<string>();
  for (const [index, member] of members.entries()) {
    const text = JSON.stringify(member) ?? 'undefined';
    const shown = text.length > 80 ? `${text.slice(0, 77)}...` : text;
    if (seen.has(text))
      context.report('schema/duplicate-enum', { member: shown }, { path: [...pathOf(node), 'enum', index] });
    seen.add(text);
  }
}

function enumHint(member: unknown, types: readonly string[], typed = String(member)): string | undefined {
  if (member === null) return `write \`type: [${types.join(', ')}, "null"]\` if null is allowed`;
  if (types.includes('string') && typeof member !== 'object') return `write ${JSON.stringify(typed)} in quotes`;
  return undefined;
}

export function checkPropertyNames(node: SchemaNode, context: CheckContext): void {
  for (const name of keysOf(own(node.schema, 'properties'))) {
    if (!isInheritedName(name)) continue;
    context.report('schema/inherited-name', { name }, { path: [...pathOf(node), 'properties', name], side: 'key' });
  }
}
