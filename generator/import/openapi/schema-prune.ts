// What is returned, cut to a size that models and people can read. In: a converted schema. Out: a tolerant schema of what matters in it; what
// was cut is open, so that everything that a service returns passes.

import { setOwn } from '../../../schema/document.js';
import type { JsonSchemaObject } from '../../../schema/json-schema/keywords.js';
import { type ReadShape, type Shape, typesInOrder } from './schema-shape.js';
import { firstSentence } from './schema-text.js';

export interface Pruned {
  readonly schema: JsonSchemaObject;
  /** In characters of JSON. */
  readonly size: number;
  /** Paths of what is not described any more. */
  readonly cut: readonly string[];
  /** Components that it refers to instead of describing them. */
  readonly links: ReadonlySet<string>;
}

export interface Pruning {
  readonly read: ReadShape;
  /** The component that is pruned: it may refer to itself. */
  readonly self?: string | undefined;
  /** A reference to a component of its own; undefined where it has to be described in place. */
  link(pointer: string): string | undefined;
}

/** How much is kept: members of each level, the first that have a description, and the longest of those. */
interface Detail {
  readonly members: readonly number[];
  readonly described: number;
}

/** From the most to the least; the first that is small enough is taken. */
const details: readonly Detail[] = [
  { members: [80, 30, 12], described: 2 },
  { members: [80, 30, 12], described: 1 },
  { members: [80, 20, 6], described: 0 },
  { members: [80, 20], described: 0 },
  { members: [80, 8], described: 0 },
  { members: [80, 4], described: 0 },
  { members: [80, 2], described: 0 },
  { members: [80], described: 0 },
  { members: [40], described: 0 },
];

/** In characters of JSON. */
const largest = 4000;
const longestSentence = 120;
/** Envelopes in envelopes, which may go round in a circle. */
const deepest = 8;
/** Lists of lists of lists are drawings. */
const deepestList = 3;
/** An object with so few members is an envelope around what matters. */
const mostOfEnvelope = 8;
const mostCarried = 2;

/** Prunes a schema as little as its size allows. */
export function prune(schema: JsonSchemaObject, pruning: Pruning): Pruned {
  for (const detail of details) {
    const pruned = pruneTo(schema, detail, pruning);
    if (pruned !== undefined && pruned.size <= largest) return pruned;
  }
  const least = pruneTo(schema, { members: [15], described: 0 }, pruning, Number.POSITIVE_INFINITY);
  if (least === undefined) throw new Error('without a limit something is always left');
  return least;
}

interface Spot {
  readonly level: number;
  readonly depth: number;
  readonly lists: number;
  readonly path: string;
  /** Everything around it is an envelope. */
  readonly isCarried: boolean;
}

/** Undefined as soon as it is clear that more than `most` characters would come out. */
function pruneTo(
  schema: JsonSchemaObject,
  detail: Detail,
  { read, self, link }: Pruning,
  most = largest,
): Pruned | undefined {
  const cut: string[] = [];
  const links = new Set<string>();
  let size = 0;

  function keep(shape: Shape, spot: Spot, isRequired: boolean): JsonSchemaObject {
    const linked = linkOf(shape, spot);
    if (linked !== undefined) {
      const ref = { $ref: linked };
      return isRequired && shape.types?.has('null') !== true ? ref : { anyOf: [ref, { type: 'null' }] };
    }
    const types = typesInOrder(shape);
    const isNullable = shape.types !== undefined && (!isRequired || shape.types.has('null'));
    const names = [...types, ...(isNullable ? ['null'] : [])];
    return {
      ...(names.length === 0 ? {} : { type: names.length === 1 ? names[0] : names }),
      ...(types.includes('object') || shape.types === undefined ? keepMembers(shape, spot) : {}),
      ...(types.includes('array') ? keepItems(shape, spot) : {}),
    };
  }

  function linkOf({ pointer, types }: Shape, { isCarried, level }: Spot): string | undefined {
    if (pointer === undefined || types === undefined || [...types].some(type => type !== 'object' && type !== 'null'))
      return undefined;
    const isSelf = pointer === self && level > 0;
    if (!isSelf && (!isCarried || pointer === self)) return undefined;
    const ref = link(pointer);
    if (ref !== undefined) links.add(pointer);
    return ref;
  }

  function keepMembers(shape: Shape, spot: Spot): JsonSchemaObject {
    const { members, required, others } = shape;
    if (members.size === 0 && others === undefined) return {};
    const count = spot.depth > deepest ? undefined : detail.members[spot.level];
    if (count === undefined) {
      if (members.size > 0 || read(others ?? {}).members.size > 0) cut.push(spot.path);
      return {};
    }
    const shapes = new Map([...members].map(([name, member]) => [name, read(member)]));
    const isEnvelope = spot.isCarried && isAround(shapes);
    const chosen = choose(shapes, required, count);
    const depth = spot.depth + 1;
    const properties: Record<string, unknown> = {};
    for (const [name, member] of shapes) {
      if (size > most) return {};
      const path = spot.path === '' ? name : `${spot.path}.${name}`;
      if (!chosen.has(name)) {
        cut.push(path);
        continue;
      }
      const level = spot.level + (isEnvelope && spot.level > 0 ? 0 : 1);
      const made = keep(member, { ...spot, level, depth, path, isCarried: isEnvelope }, required.has(name));
      const description = spot.level < detail.described ? sentenceOf(member, members.get(name)) : '';
      size += name.length + (made['type'] === undefined ? 6 : 20) + (description === '' ? 0 : description.length + 17);
      if (required.has(name)) size += name.length + 3;
      setOwn(properties, name, description === '' ? made : { ...made, description });
    }
    const kept = [...required].filter(name => chosen.has(name));
    const path = `${spot.path}.*`.replace(/^\./, '');
    const rest =
      others === undefined
        ? {}
        : keep(read(others), { ...spot, level: spot.level + 1, depth, path, isCarried: false }, false);
    return {
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(kept.length === 0 ? {} : { required: kept }),
      ...(Object.keys(rest).length === 0 ? {} : { additionalProperties: rest }),
    };
  }

  function keepItems({ items }: Shape, spot: Spot): JsonSchemaObject {
    if (items === undefined) return {};
    const path = `${spot.path}[]`;
    if (spot.lists === deepestList) {
      cut.push(path);
      return {};
    }
    const made = keep(read(items), { ...spot, lists: spot.lists + 1, path }, true);
    return Object.keys(made).length === 0 ? {} : { items: made };
  }

  const shape = read(schema);
  const made = keep(shape, { level: 0, depth: 0, lists: 0, path: '', isCarried: true }, true);
  if (size > most) return undefined;
  const description = shape.description === undefined ? '' : firstSentence(shape.description, longestSentence);
  const isRoot = description !== '' && made['$ref'] === undefined;
  const whole = isRoot ? { description, ...made } : made;
  return { schema: whole, size: JSON.stringify(whole).length, cut, links };
}

/** A description of the member itself says more than that of its type. */
function sentenceOf(shape: Shape, written: JsonSchemaObject | undefined): string {
  const own = written?.['description'];
  const said = typeof own === 'string' ? own : shape.types?.has('object') ? undefined : shape.description;
  return said === undefined ? '' : firstSentence(said, longestSentence);
}

/** Whether an object is there for one or two others that it carries: a page of a list, an answer with data and errors. */
function isAround(shapes: ReadonlyMap<string, Shape>): boolean {
  if (shapes.size > mostOfEnvelope) return false;
  const carried = [...shapes.values()].filter(({ types }) => types?.has('object') || types?.has('array'));
  return carried.length <= mostCarried;
}

/** What one looks for first in an object. */
const telling: readonly RegExp[] = [
  /^(?:id|key|uid|uuid|slug)$/i,
  /^(?:name|title|label|type|kind|state|status)$/i,
  /(?:_id|Id|_at|At|url|Url)$/,
];

/** The members that are kept where there are too many: those that tell what it is, those that are always there, plain values. */
function choose(shapes: ReadonlyMap<string, Shape>, required: ReadonlySet<string>, most: number): ReadonlySet<string> {
  if (shapes.size <= most) return new Set(shapes.keys());
  const rank = (name: string, { types }: Shape): number => {
    const isPlain = types !== undefined && !types.has('object') && !types.has('array');
    const told = isPlain ? telling.findIndex(words => words.test(name)) : -1;
    return (told < 0 ? telling.length : told) * 4 + (isPlain ? 0 : 2) + (required.has(name) ? 0 : 1);
  };
  const ranked = [...shapes].map(([name, shape], index) => ({ name, rank: rank(name, shape), index }));
  ranked.sort((one, other) => one.rank - other.rank || one.index - other.index);
  return new Set(ranked.slice(0, most).map(({ name }) => name));
}
