// What lowering shares for one schema document: its references, what its values can be, the names of its types, and what had to be widened.
import type { Path } from '../../../schema/document.js';
import { type Dialect, isSchemaObject, type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import {
  indexRefs,
  type RefIndex,
  type RefKeyword,
  type RefTarget,
  refKeywords,
} from '../../../schema/json-schema/refs.js';
import { hasDefault, listNodes } from '../../../schema/json-schema/walk.js';
import type { Filling } from '../../../schema/support/validator.js';
import type { TypeNode } from './type-node.js';

/** `args`: what the handler receives; `input`: what callers send; `output`: what the handler returns. */
export type TypeMode = 'args' | 'input' | 'output';

/** A part of a schema that the type says less about than the schema does. */
export interface Widening {
  readonly path: Path;
  readonly reason: string;
}

/** A type that something refers to, to be declared. */
interface Declaration {
  readonly name: string;
  readonly schema: JsonSchemaObject;
  readonly path: Path;
  readonly fill: boolean;
  readonly filled: ReadonlySet<string>;
}

export interface Ref {
  readonly keyword: RefKeyword;
  readonly target: RefTarget;
}

export interface Scope {
  readonly root: JsonSchemaObject;
  readonly mode: TypeMode;
  /** Whether callers may leave out what is required, if it has a default. */
  readonly spares: boolean;
  readonly dialect: Dialect;
  /** Whether the type of the root leaves out values that are not objects, though the schema does not. */
  readonly narrowRoot: boolean;
  readonly declarations: readonly Declaration[];
  readonly widened: readonly Widening[];
  /** Flat copies of types that are merged into others; undefined while one is made. */
  readonly inlined: Map<string, Map<JsonSchemaObject, TypeNode | undefined>>;
  refsOf(schema: JsonSchemaObject): readonly Ref[];
  possibleTypes(schema: unknown): number;
  /** Matters for callers only: it says there what others fill in. */
  readonly filledNames: FilledNames;
  /** Whether the schema refers to itself for the same value, which no type can say. */
  isCircular(schema: JsonSchemaObject): boolean;
  nameOf(schema: JsonSchemaObject, path: Path, how: Pick<Declaration, 'fill' | 'filled'>): string;
  widen(path: Path, reason: string): void;
}

/** How a type is made for those who use it: what handlers read, with or without defaults filled in; what callers send; what is given. */
export type SharedForm = 'read' | 'filled' | 'sent' | 'given';

/** Types that are declared elsewhere, for schemas that several definitions share. */
export interface SharedTypes {
  /** Of the schema under a name in `$defs`; undefined where the name is the author's own. */
  nameOf(key: string, form: SharedForm): string | undefined;
}

interface ScopeOptions {
  readonly root: JsonSchemaObject;
  readonly name: string;
  readonly mode: TypeMode;
  readonly filling: Filling;
  readonly dialect: Dialect;
  /** Whether the values of the root are known to be objects, beyond what the schema says. */
  readonly isObject: boolean;
  readonly shared?: SharedTypes | undefined;
}

export function makeScope({ root, name, mode, filling, dialect, isObject, shared }: ScopeOptions): Scope {
  const fills = mode === 'args' && filling !== 'never' && hasDefault(root);
  const spares = mode === 'input' && filling === 'always' && hasDefault(root);
  const takeName = makeTypeNames(name);
  const declarations: Declaration[] = [{ name, schema: root, path: [], fill: fills, filled: new Set() }];
  // By what is filled in, then by schema.
  const declared = new Map([[JSON.stringify([fills]), new Map([[root, name]])]]);
  const widened = new Map<string, Widening>();
  const circular = new Map<JsonSchemaObject, boolean>();
  const refsOf = makeRefs(root, dialect);
  const follow: Follow = schema =>
    refsOf(schema).flatMap(({ target }) => (target.kind === 'found' ? [target.schema] : []));
  const possibleTypes = makePossibleTypes(follow);
  const rootTypes = possibleTypes(root);
  return {
    root,
    mode,
    spares,
    dialect,
    narrowRoot: isObject && rootTypes !== valueTypes.object && (rootTypes & valueTypes.object) !== 0,
    declarations,
    inlined: new Map(),
    get widened() {
      return [...widened.values()];
    },
    refsOf,
    possibleTypes,
    filledNames: spares ? makeFilledNames(follow) : nothingFilled,
    isCircular: schema => {
      const known = circular.get(schema) ?? leadsBack(schema, follow);
      circular.set(schema, known);
      return known;
    },
    nameOf: (schema, path, { fill, filled }) => {
      const [first, definition = '', ...below] = path;
      if (shared !== undefined && first === '$defs' && below.length === 0 && filled.size === 0) {
        const form = mode === 'args' ? (fill ? 'filled' : 'read') : spares ? 'sent' : 'given';
        const elsewhere = shared.nameOf(String(definition), form);
        if (elsewhere !== undefined) return elsewhere;
      }
      const key = JSON.stringify([fill, ...filled]);
      const table = declared.get(key) ?? new Map<JsonSchemaObject, string>();
      declared.set(key, table);
      const known = table.get(schema);
      if (known !== undefined) return known;
      const fresh = takeName(path);
      table.set(schema, fresh);
      declarations.push({ name: fresh, schema, path, fill, filled });
      return fresh;
    },
    widen: (path, reason) => {
      widened.set(JSON.stringify([path, reason]), { path, reason });
    },
  };
}

/** The references of one schema, each resolved once; the index is only made where there are any. */
function makeRefs(root: JsonSchemaObject, dialect: Dialect): (schema: JsonSchemaObject) => readonly Ref[] {
  let index: RefIndex | undefined;
  let anchors: ReadonlySet<string> | undefined;
  const known = new Map<JsonSchemaObject, readonly Ref[]>();
  const none: readonly Ref[] = [];
  const resolve = (keyword: RefKeyword, ref: string, schema: JsonSchemaObject): Ref => {
    index ??= indexRefs(root);
    if (keyword !== '$ref') {
      anchors ??= repeatedAnchors(root, dialect);
      // Which schema a dynamic reference means depends on the way that led to it: a type cannot follow.
      const anchor = keyword === '$recursiveRef' ? '$recursiveAnchor' : ref.slice(ref.indexOf('#') + 1);
      if (anchors.has(anchor)) return { keyword, target: { kind: 'dangling' } };
    }
    return { keyword, target: index.resolve(ref, schema, keyword) };
  };
  return schema => {
    const done = known.get(schema);
    if (done !== undefined) return done;
    let refs = none;
    for (const keyword of refKeywords[dialect]) {
      const ref = own(schema, keyword);
      if (typeof ref === 'string') refs = [...refs, resolve(keyword, ref, schema)];
    }
    if (refs !== none) known.set(schema, refs);
    return refs;
  };
}

/** Dynamic anchors that several schemas have. */
function repeatedAnchors(root: JsonSchemaObject, dialect: Dialect): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { schema } of listNodes(root, dialect).nodes) {
    const dynamic = own(schema, '$dynamicAnchor');
    const anchor = own(schema, '$recursiveAnchor') === true ? '$recursiveAnchor' : dynamic;
    if (typeof anchor !== 'string') continue;
    if (seen.has(anchor)) repeated.add(anchor);
    seen.add(anchor);
  }
  return repeated;
}

function leadsBack(start: JsonSchemaObject, follow: Follow): boolean {
  const seen = new Set<JsonSchemaObject>();
  const waiting: JsonSchemaObject[] = [start];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    const members = ['allOf', 'anyOf', 'oneOf'].flatMap(keyword => [...listOf(schema ?? start, keyword)]);
    for (const next of [...follow(schema), ...members]) {
      if (next === start) return true;
      if (!isSchemaObject(next) || seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return false;
}

// In: where a schema stands. Out: the name of its type, different from every other name it could be taken for.
const structure: ReadonlySet<string> = new Set(['$defs', 'definitions', 'properties', 'patternProperties']);

/**
 * Names helper types after the place of their schema, each only once: `<prefix>_<Place>`. No place has an underscore, so that helpers
 * of different prefixes never have the same name, nor that of anything else: all items of a kind share one file.
 *
 * @example makeTypeNames('GetIssueArgs')(['$defs', 'user-name']) // 'GetIssueArgs_UserName'
 */
function makeTypeNames(prefix: string): (path: Path) => string {
  const used = new Set<string>();
  return path => {
    const place = path.filter((key, index) => !(structure.has(String(key)) && index % 2 === 0));
    const base = `${prefix}_${place.map(key => pascalCase(String(key))).join('') || 'Type'}`;
    let name = base;
    for (let number = 2; used.has(name); number += 1) name = `${base}${number}`;
    used.add(name);
    return name;
  };
}

/** The words of a string joined, each with a capital; what cannot be part of an identifier separates words. */
function pascalCase(text: string): string {
  return text
    .split(/[^\p{ID_Continue}]+|_+/u)
    .map(word => {
      const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
      return word === '' ? '' : first.toUpperCase() + word.slice(first.length);
    })
    .join('');
}

// In: a schema. Out: of which of the six types of JSON its values can be, as a set of bits.
export const valueTypes = { string: 1, number: 2, boolean: 4, object: 8, array: 16, null: 32 } as const;
export const allTypes = 63;

const bitsByName: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ...Object.entries(valueTypes),
  ['integer', valueTypes.number],
]);

/** What `type` alone allows. A name that nobody knows forbids nothing. */
export function declaredTypes(schema: JsonSchemaObject): number {
  const type = own(schema, 'type');
  if (type === undefined) return allTypes;
  if (typeof type === 'string' && !Object.hasOwn(schema, 'nullable')) return bitsByName.get(type) ?? allTypes;
  let bits = 0;
  for (const name of Array.isArray(type) ? type : [type]) bits |= bitsByName.get(name) ?? allTypes;
  // A word of OpenAPI that ajv knows as well.
  return own(schema, 'nullable') === true ? bits | valueTypes.null : bits;
}

export function typeOfValue(value: unknown): number {
  if (value === null) return valueTypes.null;
  if (Array.isArray(value)) return valueTypes.array;
  return bitsByName.get(typeof value) ?? 0;
}

const deepest = 100;

/** The schemas that a schema refers to. */
type Follow = (schema: JsonSchemaObject) => readonly (JsonSchemaObject | boolean)[];

/** Follows references and compositions. */
function makePossibleTypes(follow: Follow): (schema: unknown) => number {
  const known = new Map<JsonSchemaObject, number>();
  const possible = (schema: unknown, depth: number): number => {
    if (schema === false) return 0;
    if (!isSchemaObject(schema) || depth > deepest) return allTypes;
    const done = known.get(schema);
    if (done !== undefined) return done;
    // Until it is known, a schema that leads back here allows everything: too wide is never wrong.
    known.set(schema, allTypes);
    let bits = ownTypes(schema);
    for (const target of follow(schema)) bits &= possible(target, depth + 1);
    for (const member of listOf(schema, 'allOf')) bits &= possible(member, depth + 1);
    for (const keyword of ['anyOf', 'oneOf']) {
      const members = listOf(schema, keyword);
      if (members.length > 0) bits &= members.reduce<number>((sum, one) => sum | possible(one, depth + 1), 0);
    }
    known.set(schema, bits);
    return bits;
  };
  return schema => possible(schema, 0);
}

/** What `type`, `const` and `enum` allow. */
export function ownTypes(schema: JsonSchemaObject): number {
  const declared = declaredTypes(schema);
  if (Object.hasOwn(schema, 'const')) return declared & typeOfValue(schema['const']);
  const members = own(schema, 'enum');
  if (!Array.isArray(members)) return declared;
  return declared & members.reduce<number>((bits, value) => bits | typeOfValue(value), 0);
}

/** The members of a keyword that holds a list of schemas. */
export function listOf(schema: JsonSchemaObject, keyword: string): readonly unknown[] {
  const value = own(schema, keyword);
  return Array.isArray(value) ? value : [];
}

// In: a schema. Out: which properties validators have filled in once they are done with it, and which it requires.
// Of several schemas for the same value one can require what another has filled in before.
interface FilledNames {
  after(schema: unknown): ReadonlySet<string>;
  /** Those of the names that the schema, or one that it applies to the same value, requires. */
  required(schema: JsonSchemaObject, names: ReadonlySet<string>): ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/** Of documents in which nothing is filled in, or where that does not matter. */
const nothingFilled: FilledNames = { after: () => none, required: () => none };

function makeFilledNames(follow: Follow): FilledNames {
  const filled = collector(
    schema => [...follow(schema), ...listOf(schema, 'allOf'), ...conditionalsOf(schema)],
    schema => defaultsOf(schema),
  );
  const required = collector(
    schema => [...follow(schema), ...['allOf', 'anyOf', 'oneOf'].flatMap(keyword => listOf(schema, keyword))],
    schema => listOf(schema, 'required').map(String),
  );
  return {
    after: schema => (isSchemaObject(schema) ? filled(schema) : none),
    required: (schema, names) => {
      if (names.size === 0) return none;
      const wanted = required(schema);
      return new Set([...names].filter(name => wanted.has(name)).sort());
    },
  };
}

/** Collects names of all schemas that a schema leads to, once for each schema. */
function collector(
  nextOf: (schema: JsonSchemaObject) => readonly unknown[],
  namesOf: (schema: JsonSchemaObject) => readonly string[],
): (schema: JsonSchemaObject) => ReadonlySet<string> {
  const known = new Map<JsonSchemaObject, ReadonlySet<string>>();
  return start => {
    const done = known.get(start);
    if (done !== undefined) return done;
    const names = new Set<string>();
    const seen = new Set([start]);
    // A set goes on to what is added to it meanwhile.
    for (const schema of seen) {
      for (const name of namesOf(schema)) names.add(name);
      for (const next of nextOf(schema)) if (isSchemaObject(next)) seen.add(next);
    }
    known.set(start, names);
    return names;
  };
}

function conditionalsOf(schema: JsonSchemaObject): unknown[] {
  const maps = ['dependentSchemas', 'dependencies'].map(keyword => own(schema, keyword)).filter(isSchemaObject);
  return [own(schema, 'then'), own(schema, 'else'), ...maps.flatMap(map => Object.values(map))];
}

function defaultsOf(schema: JsonSchemaObject): string[] {
  const properties = own(schema, 'properties');
  if (!isSchemaObject(properties)) return [];
  return Object.keys(properties).filter(name => {
    const property = properties[name];
    return isSchemaObject(property) && Object.hasOwn(property, 'default');
  });
}
