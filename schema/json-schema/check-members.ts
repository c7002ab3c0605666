// Rules on what schemas list: required properties that nobody describes, enum members that contradict their type,
// and property names that every JavaScript object already has.

import { didYouMean } from '../nearest.js';
import { type CheckContext, lenientSeverity } from './check-context.js';
import { isInheritedName } from './inherited-names.js';
import { isOfType, typeNames } from './json-type.js';
import { inPlaceKeywords, isSchemaObject, type JsonSchemaObject, own } from './keywords.js';
import { refKeywords } from './refs.js';
import { isSoonMatched } from './regex-steps.js';
import { pathOf, type SchemaNode } from './walk.js';

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
