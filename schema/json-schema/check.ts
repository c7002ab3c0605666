// In: one JSON Schema of a definition. Out: its dialect, and what is wrong with it beyond the shape of its keywords.
import { type Diagnostic, diagnose } from '../diagnostics.js';
import type { Path } from '../document.js';
import { type CheckContext, listOwnNodes, type SchemaSource } from './check-context.js';
import {
  checkEnum,
  checkForm,
  checkFormat,
  checkPattern,
  checkPatternProperties,
  checkPropertyNames,
  checkRequired,
} from './check-keywords.js';
import { addressKeywords, checkRefs, followRefs } from './check-refs.js';
import { checkShorthand } from './check-shorthand.js';
import {
  type Dialect,
  dialectOf,
  effectiveDialect,
  isSchemaObject,
  type JsonSchemaObject,
  jsonTypes,
  own,
  typeNames,
} from './keywords.js';
import { indexRefs, type RefIndex, sharedName } from './refs.js';
import { pathOf, type SchemaNode, type Walk } from './walk.js';

export interface SchemaCheck {
  /** By whose rules the schema was read; an unknown dialect is a diagnostic and read as 2020-12. */
  readonly dialect: Dialect;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether it has defaults or examples, which `checkValues` would look at. */
  readonly hasValues: boolean;
}

/** A lower and an upper limit of values of some types. */
interface Limits {
  readonly least: string;
  readonly most: string;
  readonly types: readonly string[];
  /** Where one of them excludes its own value, equal limits leave nothing either. */
  readonly isOpen?: true;
}

const numbers = ['number', 'integer'];

const pairs: readonly Limits[] = [
  { least: 'minimum', most: 'maximum', types: numbers },
  { least: 'exclusiveMinimum', most: 'maximum', types: numbers, isOpen: true },
  { least: 'minimum', most: 'exclusiveMaximum', types: numbers, isOpen: true },
  { least: 'exclusiveMinimum', most: 'exclusiveMaximum', types: numbers, isOpen: true },
  { least: 'minLength', most: 'maxLength', types: ['string'] },
  { least: 'minItems', most: 'maxItems', types: ['array'] },
  { least: 'minProperties', most: 'maxProperties', types: ['object'] },
  { least: 'minContains', most: 'maxContains', types: ['array'] },
];

const upperLimits: readonly string[] = [...new Set(pairs.map(({ most }) => most))];

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
  const found = listOwnNodes(source, dialect);
  const hasAddresses = addressKeywords.some(keyword => found.keywords.has(keyword));
  const walk = hasAddresses ? followRefs(found, context) : found;
  for (const node of walk.nodes) {
    for (const keyword of Object.keys(node.schema)) {
      checkForm(keyword, node, context);
      nodeRules.get(keyword)?.(node, context);
    }
    if (source.style === 'shorthand') checkShorthand(node, context);
  }
  checkHeaders(walk, context);
  if (hasAddresses) checkRefs(walk, context);
  const hasValues = walk.keywords.has('default') || walk.keywords.has('examples');
  return { dialect, diagnostics: context.diagnostics, hasValues };
}

function makeCheckContext(source: SchemaSource, dialect: Dialect): CheckContext {
  const diagnostics: Diagnostic[] = [];
  let index: RefIndex | undefined;
  return {
    source,
    dialect,
    diagnostics,
    refs: () => {
      index ??= indexRefs(isSchemaObject(source.schema) ? source.schema : {});
      return index;
    },
    report: (code, params, at, extras) => {
      diagnostics.push(diagnose(code, params, source.site(at.path, at.side ?? 'value'), extras));
    },
  };
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
  if (role === 'shared') return;
  if (!isSchemaObject(schema)) {
    context.report('schema/root', { actual: JSON.stringify(schema) ?? 'nothing' }, { path: [] });
  } else if (role === 'input' && !Object.hasOwn(schema, 'type')) {
    // A shared schema that is not known might have a type, and is reported itself.
    if (sharedName(own(schema, '$ref')) !== undefined) return;
    const hint = 'the short form, without type and properties, goes under parameters';
    context.report('schema/root', { actual: 'no type at all' }, { path: [] }, isShorthand(schema) ? { hint } : {});
  } else if (role === 'input' && schema.type !== 'object' && areTypes(schema.type)) {
    context.report('schema/root', { actual: JSON.stringify(schema.type) ?? 'nothing' }, { path: ['type'] });
  }
}

// Rules on parameters that are repeated as HTTP headers (`header` in the shorthand, `x-mcp-header` in JSON Schema).

const headerName = /^[A-Za-z0-9!#$%&'*+.^_|~-]+$/;
const headerTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

function checkHeaders({ nodes, keywords }: Walk, context: CheckContext): void {
  if (!keywords.has('x-mcp-header')) return;
  const seen = new Map<string, Path>();
  for (const node of nodes) {
    if (!Object.hasOwn(node.schema, 'x-mcp-header')) continue;
    const path = [...pathOf(node), 'x-mcp-header'];
    const name = own(node.schema, 'x-mcp-header');
    const reason = headerMistake(node, name, context);
    if (reason !== undefined) {
      context.report('schema/header', { reason }, { path });
      continue;
    }
    const first = seen.get(String(name).toLowerCase());
    if (first === undefined) {
      seen.set(String(name).toLowerCase(), path);
    } else {
      const taken = `another parameter is sent as ${JSON.stringify(name)} already (upper and lower case do not count)`;
      const related = [{ ...context.source.site(first), message: 'first used here' }];
      context.report('schema/header', { reason: taken }, { path }, { related });
    }
  }
}

function headerMistake(node: SchemaNode, name: unknown, context: CheckContext): string | undefined {
  if (context.source.role === 'output') return 'outputs are not sent as headers';
  if (context.source.role === 'shared') return 'only parameters of a tool are sent as headers';
  if (typeof name !== 'string' || !headerName.test(name)) {
    return `${JSON.stringify(name)} is not a valid header name: only letters, digits and ! # $ % & ' * + - . ^ _ | ~ may be used`;
  }
  if (!isReachedByProperties(node)) return 'it must be reachable from the root through properties alone';
  const type = own(node.schema, 'type');
  if (headerTypes.has(type)) return undefined;
  if (type === undefined) return 'it needs the type string, integer or boolean';
  return `its type is ${Array.isArray(type) ? 'a union' : typeof type === 'string' ? type : JSON.stringify(type)}, not string, integer or boolean`;
}

function isReachedByProperties(node: SchemaNode): boolean {
  let at = node;
  while (at.parent !== undefined) {
    if (at.keyword !== 'properties') return false;
    at = at.parent;
  }
  return at.origin.length === 0 && at !== node;
}

// Rules on limits that contradict each other, so that no value fits.

/** Called for each upper limit of a schema. */
function checkLimits(most: string, node: SchemaNode, context: CheckContext): void {
  for (const pair of pairs) {
    if (pair.most !== most || !isImpossible(pair, node, context)) continue;
    const { least } = pair;
    const keywords = Object.keys(node.schema);
    const isMostLater = keywords.indexOf(most) > keywords.indexOf(least);
    const [first, later] = isMostLater ? [least, most] : [most, least];
    const path = pathOf(node);
    const related = [{ ...context.source.site([...path, first]), message: 'the other limit is here' }];
    const params = {
      least: `${least} ${String(own(node.schema, least))}`,
      most: `${most} ${String(own(node.schema, most))}`,
    };
    context.report('schema/empty-range', params, { path: [...path, later] }, { related });
    return;
  }
}

function isImpossible(pair: Limits, node: SchemaNode, context: CheckContext): boolean {
  const { least, most, types, isOpen } = pair;
  const { schema } = node;
  const [low, high] = [own(schema, least), own(schema, most)];
  // The forms of draft-04, where exclusiveMinimum is true or false, are reported as mistakes in form.
  if (typeof low !== 'number' || typeof high !== 'number') return false;
  if (isOpen === true ? low < high : low <= high) return false;
  if (least === 'minContains' && (context.dialect === 'draft-07' || !Object.hasOwn(schema, 'contains'))) return false;
  // Limits on values of another type limit nothing.
  const allowed = typeNames(own(schema, 'type'));
  return (allowed.length === 0 || types.some(type => allowed.includes(type))) && !isRefused(node);
}

/** What fits nothing can be meant where a schema says what is not, or asks first. */
function isRefused(node: SchemaNode): boolean {
  for (let at: SchemaNode | undefined = node; at !== undefined; at = at.parent)
    if (at.keyword === 'not' || at.keyword === 'if') return true;
  return false;
}
