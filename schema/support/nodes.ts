// In: a schema. Out: the same as nodes that `fits` walks. Part of toolwright/support: imports only other parts of it.
// All nodes have the same shape, because every tool of a process goes through the same code.
import { formats } from './formats.js';
import { anyType, bitsAllowed, type Rules, resolveRef, type Schema } from './rules.js';
import type { Tags } from './tags.js';

/** A regular expression, or what stands in for one. */
export interface Regex {
  test(text: string): boolean;
}

/** Null in a node: no such rules. */
export interface Node {
  /** No rules but of types. */
  isSimple: boolean;
  allowed: number;
  values: ValueRules | null;
  joined: JoinedRules | null;
  number: NumberRules | null;
  text: TextRules | null;
  list: ListRules | null;
  map: MapRules | null;
}

export interface ValueRules {
  /** Members that are neither lists nor maps. Where there are few, comparing one by one is cheaper than a set. */
  readonly few: readonly unknown[] | null;
  readonly many: ReadonlySet<unknown> | null;
  /** Members that are lists or maps. */
  readonly nested: readonly unknown[];
}

/** Rules of other schemas that concern the very same value. */
export interface JoinedRules {
  readonly also: Node | null;
  readonly values: readonly ValueRules[];
  readonly not: Node | null;
  readonly any: readonly Node[] | null;
  readonly one: readonly Node[] | null;
  readonly all: readonly Node[] | null;
  readonly if: Node | null;
  readonly then: Node | null;
  readonly else: Node | null;
  /** What tells the forms of `any` and `one` apart, once somebody has asked. */
  readonly tags: Map<readonly Node[], Tags | null>;
}

export interface NumberRules {
  readonly least: number;
  readonly most: number;
  readonly above: number;
  readonly below: number;
  readonly step: number;
  readonly format: ((value: number) => boolean) | null;
}

export interface TextRules {
  readonly least: number;
  readonly most: number;
  readonly pattern: Regex | null;
  readonly format: ((text: string) => boolean) | null;
}

export interface ListRules {
  readonly least: number;
  readonly most: number;
  readonly first: readonly Node[];
  readonly rest: Node | null;
  readonly isUnique: boolean;
  /** The types that the schema of items names, for the search for equal ones. */
  readonly types: Rules['type'];
}

interface Member {
  readonly name: string;
  readonly node: Node | null;
  readonly isRequired: boolean;
  /** Whether `properties` has it; else it is only required. */
  readonly isKnown: boolean;
}

export interface Default {
  readonly name: string;
  readonly plain: unknown;
  /** The JSON of a list or a map: each call gets one of its own. */
  readonly text: string | null;
}

export interface MapRules {
  readonly least: number;
  readonly most: number;
  readonly defaults: readonly Default[] | null;
  readonly members: ReadonlyMap<string, Member>;
  /** For names that are not among them. */
  readonly other: Member;
  /** The members by their places in the last value. */
  readonly recent: Member[];
  readonly requiredCount: number;
  readonly names: Node | null;
  readonly patterns: readonly { readonly regex: Regex; readonly node: Node }[];
  readonly others: Node | null;
  readonly needs: readonly (readonly [string, readonly string[]])[];
}

/** A whole document as nodes, read as they are asked for. */
export interface Nodes {
  /** How many schemas were read so far. */
  readonly count: () => number;
  /** The node of a schema of the document. Alternatives fill nothing in. */
  readonly nodeOf: (schema: Schema, fills: boolean) => Node;
}

/** What differs between the callers of a tool and its author. */
export interface Reading {
  /** How patterns become expressions; `check` does not trust those of a stranger. */
  readonly toRegex: (pattern: string) => Regex;
  /** Whether NaN and Infinity have no type, as JSON has it. */
  readonly isStrict: boolean;
}

export const plainReading: Reading = { toRegex: pattern => new RegExp(pattern, 'u'), isStrict: false };

/** Makes the nodes of a document. Definitions that refer to themselves are read once. */
export function makeNodes(root: Schema, { toRegex, isStrict }: Reading = plainReading): Nodes {
  const known = [new Map<Schema, Node>(), new Map<Schema, Node>()] as const;
  // What references lead to is read one after the other: chains of them may be longer than any stack.
  const waiting: (() => void)[] = [];
  return {
    count: () => known[0].size + known[1].size,
    nodeOf: (schema, fills) => {
      const made = known[fills ? 1 : 0].get(schema);
      if (made !== undefined) return made;
      const node = read(schema, fills);
      for (const readNext of waiting) readNext();
      waiting.length = 0;
      return node;
    },
  };

  function read(schema: Schema, fills: boolean, isLater = false): Node {
    const node: Node = {
      isSimple: true,
      allowed: anyType,
      values: null,
      joined: null,
      number: null,
      text: null,
      list: null,
      map: null,
    };
    if (typeof schema === 'boolean') {
      node.allowed = schema ? anyType : 0;
      return node;
    }
    const made = known[fills ? 1 : 0].get(schema);
    if (made !== undefined) return made;
    known[fills ? 1 : 0].set(schema, node);
    if (isLater) waiting.push(() => readRules(node, schema, fills));
    else readRules(node, schema, fills);
    return node;
  }

  function readRules(node: Node, schema: Rules, fills: boolean): void {
    node.allowed = bitsAllowed(schema.type);
    const values: ValueRules[] = [];
    if (schema.const !== undefined) values.push(readValues([schema.const]));
    if (schema.enum !== undefined) values.push(readValues(schema.enum));
    node.joined = readJoined(schema, values, fills);
    if (node.joined === null) node.values = values[0] ?? null;
    node.number = readNumber(schema, isStrict);
    node.text = readText(schema, toRegex);
    node.list = readList(schema, fills);
    node.map = readMap(schema, fills);
    const hasNone = node.values === null && node.joined === null && node.number === null;
    node.isSimple = hasNone && node.text === null && node.list === null && node.map === null;
  }

  function readJoined(schema: Rules, values: readonly ValueRules[], fills: boolean): JoinedRules | null {
    const { $ref, not, anyOf, oneOf, allOf, if: condition } = schema;
    if ($ref === undefined && not === undefined && anyOf === undefined && oneOf === undefined && allOf === undefined)
      if (condition === undefined && values.length < 2) return null;
    // Nothing is filled in for a form that may not be the one.
    const readOne = (one: Schema | undefined, fillsOne: boolean): Node | null =>
      one === undefined ? null : read(one, fillsOne);
    return {
      also: $ref === undefined ? null : read(resolveRef(root, $ref), fills, true),
      values,
      not: readOne(not, false),
      any: anyOf?.map(one => read(one, false)) ?? null,
      one: oneOf?.map(one => read(one, false)) ?? null,
      all: allOf?.map(one => read(one, fills)) ?? null,
      if: readOne(condition, false),
      then: condition === undefined ? null : readOne(schema.then, fills),
      else: condition === undefined ? null : readOne(schema.else, fills),
      tags: new Map(),
    };
  }

  function readList(schema: Rules, fills: boolean): ListRules | null {
    const { minItems, maxItems, prefixItems, items, uniqueItems } = schema;
    if (minItems === undefined && maxItems === undefined && prefixItems === undefined && items === undefined)
      if (uniqueItems !== true) return null;
    return {
      least: minItems ?? 0,
      most: maxItems ?? Number.POSITIVE_INFINITY,
      first: prefixItems?.map(one => read(one, fills)) ?? [],
      rest: items === undefined ? null : read(items, fills),
      isUnique: uniqueItems === true,
      types: typeof items === 'object' ? items.type : undefined,
    };
  }

  function readMap(schema: Rules, fills: boolean): MapRules | null {
    const { properties, patternProperties, additionalProperties, propertyNames, required, dependentRequired } = schema;
    const { minProperties, maxProperties } = schema;
    if (properties === undefined && patternProperties === undefined && additionalProperties === undefined)
      if (propertyNames === undefined && required === undefined && dependentRequired === undefined)
        if (minProperties === undefined && maxProperties === undefined) return null;
    const members = new Map<string, Member>();
    const defaults: Default[] = [];
    const needed = new Set(required);
    for (const name of properties === undefined ? [] : Object.keys(properties)) {
      const property = properties?.[name] as Schema;
      members.set(name, { name, node: read(property, fills), isRequired: needed.has(name), isKnown: true });
      if (fills && typeof property === 'object' && property.default !== undefined)
        defaults.push(readDefault(name, property.default));
    }
    for (const name of needed)
      if (!members.has(name)) members.set(name, { name, node: null, isRequired: true, isKnown: false });
    return {
      least: minProperties ?? 0,
      most: maxProperties ?? Number.POSITIVE_INFINITY,
      defaults: defaults.length === 0 ? null : defaults,
      members,
      other: unknownMember,
      recent: [],
      requiredCount: needed.size,
      names: propertyNames === undefined ? null : read(propertyNames, false),
      patterns: patternProperties === undefined ? [] : readPatterns(patternProperties, fills),
      others: additionalProperties === undefined ? null : read(additionalProperties, fills),
      needs: dependentRequired === undefined ? [] : Object.entries(dependentRequired),
    };
  }

  function readPatterns(patterns: Readonly<Record<string, Schema>>, fills: boolean): MapRules['patterns'] {
    return Object.entries(patterns).map(([pattern, one]) => ({ regex: toRegex(pattern), node: read(one, fills) }));
  }
}

const unknownMember: Member = { name: '', node: null, isRequired: false, isKnown: false };

function readValues(list: readonly unknown[]): ValueRules {
  const nested = list.filter(isNested);
  const plain = nested.length === 0 ? list : list.filter(value => !isNested(value));
  const isFew = plain.length <= 8;
  return { few: isFew ? plain : null, many: isFew ? null : new Set(plain), nested };
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function readNumber(schema: Rules, isStrict: boolean): NumberRules | null {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  const known = format === undefined ? undefined : formats[format];
  const isLimited = minimum !== undefined || maximum !== undefined || multipleOf !== undefined;
  const isOpenLimited = exclusiveMinimum !== undefined || exclusiveMaximum !== undefined;
  const mustBeFinite = isStrict && type !== undefined && (bitsAllowed(type) & 6) !== 0;
  if (!isLimited && !isOpenLimited && !mustBeFinite && known?.type !== 'number') return null;
  const widest = mustBeFinite ? Number.MAX_VALUE : Number.POSITIVE_INFINITY;
  return {
    least: minimum ?? -widest,
    most: maximum ?? widest,
    above: exclusiveMinimum ?? Number.NaN,
    below: exclusiveMaximum ?? Number.NaN,
    step: multipleOf ?? 0,
    format: known?.type === 'number' ? known.validate : null,
  };
}

function readText({ minLength, maxLength, pattern, format }: Rules, toRegex: Reading['toRegex']): TextRules | null {
  const known = format === undefined ? undefined : formats[format];
  if (minLength === undefined && maxLength === undefined && pattern === undefined && known?.type !== 'string')
    return null;
  return {
    least: minLength ?? 0,
    most: maxLength ?? Number.POSITIVE_INFINITY,
    pattern: pattern === undefined ? null : toRegex(pattern),
    format: known?.type === 'string' ? known.validate : null,
  };
}

function readDefault(name: string, value: unknown): Default {
  return { name, plain: value, text: isNested(value) ? JSON.stringify(value) : null };
}
