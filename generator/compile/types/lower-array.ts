// In: the keywords of a schema that speak of lists. Out: an array type, or a tuple.
import { isSchemaObject, type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import { below, lower, type Place } from './lower.js';
import type { Scope } from './scope.js';
import { type TypeNode, unknownNode } from './type-node.js';

const arrayKeywords = ['items', 'prefixItems', 'unevaluatedItems', 'additionalItems'];

export function saysOfArrays(schema: JsonSchemaObject): boolean {
  return arrayKeywords.some(keyword => Object.hasOwn(schema, keyword));
}

export function lowerArray(schema: JsonSchemaObject, place: Place, scope: Scope): TypeNode {
  const { first, firstKeyword, rest, restKeyword } = itemsOf(schema, scope);
  const restType = rest === undefined ? unknownNode : lower(rest, below(place, restKeyword), scope);
  const most = limit(own(schema, 'maxItems')) ?? Number.POSITIVE_INFINITY;
  if (first.length === 0 && restType.kind !== 'never') return { kind: 'array', items: restType };
  const members = first.slice(0, most).map((member, index) => lower(member, below(place, firstKeyword, index), scope));
  const isClosed = restType.kind === 'never' || most <= first.length;
  return {
    kind: 'tuple',
    members,
    required: isFilled(first, scope) ? 0 : Math.min(limit(own(schema, 'minItems')) ?? 0, members.length),
    rest: isClosed ? undefined : restType,
  };
}

/** Defaults of tuples are filled in before they are counted, but 2020-12 has none: ajv looks for them in `items`. */
function isFilled(first: readonly unknown[], { spares, dialect }: Scope): boolean {
  if (!spares || dialect === '2020-12') return false;
  return first.some(member => isSchemaObject(member) && Object.hasOwn(member, 'default'));
}

interface Items {
  readonly first: readonly unknown[];
  readonly firstKeyword: string;
  /** What comes after the first ones; undefined where anything may. */
  readonly rest: unknown;
  readonly restKeyword: string;
}

// 2020-12 gave `items` a new meaning and `prefixItems` the old one.
function itemsOf(schema: JsonSchemaObject, { dialect, refsOf }: Scope): Items {
  const firstKeyword = dialect === '2020-12' ? 'prefixItems' : 'items';
  const written = own(schema, firstKeyword);
  const first = Array.isArray(written) ? written : [];
  const restKeyword = dialect !== '2020-12' && Array.isArray(written) ? 'additionalItems' : 'items';
  const rest = own(schema, restKeyword);
  const isAlone = !composing.some(keyword => Object.hasOwn(schema, keyword)) && refsOf(schema).length === 0;
  if (rest !== undefined || dialect === 'draft-07' || !isAlone) return { first, firstKeyword, rest, restKeyword };
  // With nothing beside it that could evaluate items, this is the same as `items`.
  return { first, firstKeyword, rest: own(schema, 'unevaluatedItems'), restKeyword: 'unevaluatedItems' };
}

const composing = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'contains'];

function limit(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : undefined;
}
