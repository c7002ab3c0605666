// What lowering shares for one schema document: its references, the names of its types, and what had to be widened.
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
import {
  type FilledNames,
  listOf,
  makeFilledNames,
  makePossibleTypes,
  nothingFilled,
  valueTypes,
} from './schema-values.js';
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

interface ScopeOptions {
  readonly root: JsonSchemaObject;
  readonly name: string;
  readonly mode: TypeMode;
  readonly filling: Filling;
  readonly dialect: Dialect;
  /** Whether the values of the root are known to be objects, beyond what the schema says. */
  readonly isObject: boolean;
}

export function makeScope({ root, name, mode, filling, dialect, isObject }: ScopeOptions): Scope {
  const fills = mode === 'args' && filling !== 'never' && hasDefault(root);
  const spares = mode === 'input' && filling === 'always' && hasDefault(root);
  const names = makeTypeNames(name);
  const declarations: Declaration[] = [{ name, schema: root, path: [], fill: fills, filled: new Set() }];
  // By what is filled in, then by schema.
  const declared = new Map([[JSON.stringify([fills]), new Map([[root, name]])]]);
  const widened = new Map<string, Widening>();
  const circular = new Map<JsonSchemaObject, boolean>();
  const refsOf = makeRefs(root, dialect);
  const targetsOf = (schema: JsonSchemaObject): (JsonSchemaObject | boolean)[] =>
    refsOf(schema).flatMap(({ target }) => (target.kind === 'found' ? [target.schema] : []));
  const possibleTypes = makePossibleTypes(targetsOf);
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
    filledNames: spares ? makeFilledNames(targetsOf) : nothingFilled,
    isCircular: schema => {
      const known = circular.get(schema) ?? leadsBack(schema, targetsOf);
      circular.set(schema, known);
      return known;
    },
    nameOf: (schema, path, { fill, filled }) => {
      const key = JSON.stringify([fill, ...filled]);
      const table = declared.get(key) ?? new Map<JsonSchemaObject, string>();
      declared.set(key, table);
      const known = table.get(schema);
      if (known !== undefined) return known;
      const fresh = names.take(path);
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

function leadsBack(
  start: JsonSchemaObject,
  targetsOf: (schema: JsonSchemaObject) => readonly (JsonSchemaObject | boolean)[],
): boolean {
  const seen = new Set<JsonSchemaObject>();
  const waiting: JsonSchemaObject[] = [start];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    const members = ['allOf', 'anyOf', 'oneOf'].flatMap(keyword => [...listOf(schema ?? start, keyword)]);
    for (const next of [...targetsOf(schema), ...members]) {
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

/** Hands out names; each only once. */
interface TypeNames {
  take(path: Path): string;
}

/**
 * Names helper types after the place of their schema: `<prefix>_<Place>`. No place has an underscore, so that helpers of
 * different prefixes never have the same name, nor that of anything else: all items of a kind share one file.
 *
 * @example makeTypeNames('GetIssueArgs').take(['$defs', 'user-name']) // 'GetIssueArgs_UserName'
 */
function makeTypeNames(prefix: string): TypeNames {
  const used = new Set<string>();
  return {
    take: path => {
      const place = path.filter((key, index) => !(structure.has(String(key)) && index % 2 === 0));
      const base = `${prefix}_${place.map(key => pascalCase(String(key))).join('') || 'Type'}`;
      let name = base;
      for (let number = 2; used.has(name); number += 1) name = `${base}${number}`;
      used.add(name);
      return name;
    },
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
