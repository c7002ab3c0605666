// In: one JSON Schema of a definition. Out: its dialect, and what is wrong with it beyond the shape of its keywords.
import type { Diagnostic } from '../diagnostics.js';
import type { SchemaSource } from './check-context.js';
import { type CheckContext, makeCheckContext } from './check-context.js';
import { checkForm, checkFormat, checkPattern, checkPatternProperties } from './check-forms.js';
import { checkHeaders } from './check-headers.js';
import { checkLimits, upperLimits } from './check-limits.js';
import { checkEnum, checkPropertyNames, checkRequired } from './check-members.js';
import { checkRefs, followRefs } from './check-refs.js';
import { type Dialect, dialectOf, effectiveDialect } from './dialect.js';
import { jsonTypes } from './json-type.js';
import { isSchemaObject, type JsonSchemaObject } from './keywords.js';
import { listNodes, type SchemaNode } from './walk.js';

export type { SchemaRole, SchemaSource, SchemaStyle } from './check-context.js';

export interface SchemaCheck {
  /** By whose rules the schema was read; an unknown dialect is a diagnostic and read as 2020-12. */
  readonly dialect: Dialect;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether it has defaults or examples, which `checkValues` would look at. */
  readonly hasValues: boolean;
}

type NodeRule = (node: SchemaNode, context: CheckContext) => void;

/** By the keyword that they are about: a schema has some five keywords, and most of them have no rule. */
const nodeRules: ReadonlyMap<string, NodeRule> = new Map<string, NodeRule>([
  ['enum', checkEnum],
  ['format', checkFormat],
  ['pattern', checkPattern],
  ['patternProperties', checkPatternProperties],
  ['properties', checkPropertyNames],
  ['required', checkRequired],
  ...upperLimits.map((keyword): [string, NodeRule] => [keyword, (...at) => checkLimits(keyword, ...at)]),
]);

/**
 * Checks what an editor schema cannot: references, regular expressions, dialects, and keywords that contradict each
 * other. Defaults and examples are checked by `checkValues`, which needs a validator.
 *
 * @example
 * checkSchema({ schema: { type: 'object' }, role: 'input', style: 'raw', name: 'get-issue', site: path => document.site(path) })
 */
export function checkSchema(source: SchemaSource): SchemaCheck {
  const dialect = effectiveDialect(source.schema);
  const context = makeCheckContext(source, dialect);
  checkDialect(context);
  checkRoot(context);
  const walk = followRefs(listNodes(source.schema, dialect), context);
  for (const node of walk.nodes) {
    for (const keyword of Object.keys(node.schema)) {
      checkForm(keyword, node, context);
      nodeRules.get(keyword)?.(node, context);
    }
  }
  checkHeaders(walk, context);
  checkRefs(walk, context);
  const hasValues = walk.keywords.has('default') || walk.keywords.has('examples');
  return { dialect, diagnostics: context.diagnostics, hasValues };
}

function checkDialect(context: CheckContext): void {
  const { schema } = context.source;
  const dialect = dialectOf(schema);
  // A $schema that is not a string is a mistake in form, and reported as one.
  if (typeof dialect === 'string' || (isSchemaObject(schema) && typeof schema.$schema !== 'string')) return;
  context.report('schema/unknown-dialect', { dialect: dialect.unknown }, { path: ['$schema'] });
}

/** A misspelt type is a mistake in form, and reported as that. */
function areTypes(value: unknown): boolean {
  return [value].flat().every(type => typeof type === 'string' && jsonTypes.has(type));
}

/** `inputSchema: {city: string}`: maps and type names where keywords are expected. */
function isShorthand(schema: JsonSchemaObject): boolean {
  const values = Object.values(schema);
  return values.length > 0 && values.every(value => isSchemaObject(value) || jsonTypes.has(String(value)));
}

// An output may have any root: the protocol of 2026 takes it as it is, and for older clients the SDK wraps it.
function checkRoot(context: CheckContext): void {
  const { schema, role } = context.source;
  if (!isSchemaObject(schema)) {
    context.report('schema/root', { actual: JSON.stringify(schema) ?? 'nothing' }, { path: [] });
  } else if (role === 'input' && !Object.hasOwn(schema, 'type')) {
    const hint = 'the short form, without type and properties, goes under parameters';
    context.report('schema/root', { actual: 'no type at all' }, { path: [] }, isShorthand(schema) ? { hint } : {});
  } else if (role === 'input' && schema.type !== 'object' && areTypes(schema.type)) {
    context.report('schema/root', { actual: JSON.stringify(schema.type) ?? 'nothing' }, { path: ['type'] });
  }
}
