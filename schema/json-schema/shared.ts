// Schemas that several definitions share. In: a schema with references such as `schema:issue`. Out: one document that needs nothing else:
// what the references reach stands under `$defs`.
import type { Site } from '../diagnostics.js';
import { omitKeys, type Path } from '../document.js';
import type { SchemaSource, SharedNames } from './check-context.js';
import { type Dialect, effectiveDialect, isSchemaObject, type JsonSchemaObject, own } from './keywords.js';
import { indexRefs, printPointer, sharedName } from './refs.js';
import { listNodes, pathOf, type SchemaNode } from './walk.js';

/** A schema that others may refer to, as it was written. */
export interface SharedSchema {
  /** By which references know it. */
  readonly name: string;
  readonly schema: unknown;
  site(path: Path, side?: 'key' | 'value'): Site;
  typed?(path: Path): string | undefined;
  /** Where its own references lead: they are those of its pack. */
  readonly around: SharedSchemas;
}

export interface SharedSchemas extends SharedNames {
  find(name: string): SharedSchema | undefined;
}

/** Which schema stands under which name in `$defs`. */
export type SharedUses = Readonly<Record<string, string>>;

/** A reference to a schema that cannot be put into the document. */
interface SharedProblem {
  readonly name: string;
  readonly kind: 'dialect' | 'base';
  site(): Site;
}

export interface Bundle {
  readonly source: SchemaSource;
  readonly uses: SharedUses;
  /** The schema that the root is, where it is nothing but a reference. */
  readonly root?: string;
  readonly problems: readonly SharedProblem[];
}

/** Words beside a reference at the root that say nothing about values. */
const annotations = ['$schema', '$comment', 'title', 'description', 'examples', 'deprecated', 'readOnly', 'writeOnly'];

interface Taken {
  /** Its name in `$defs`. */
  readonly key: string;
  readonly shared: SharedSchema;
}

/**
 * Puts all shared schemas that a schema reaches into it. One without such references is given back as it is.
 *
 * @example bundleShared(source, schemas).source.schema // { ..., $defs: { issue: { type: 'object' } } }
 */
export function bundleShared(source: SchemaSource, schemas: SharedSchemas): Bundle {
  const { schema } = source;
  if (!isSchemaObject(schema) || !hasRef(schema, isShared)) return { source, uses: {}, problems: [] };
  const dialect = effectiveDialect(schema);
  const isReferring = listNodes(schema, dialect).nodes.some(node => sharedName(own(node.schema, '$ref')) !== undefined);
  if (!isReferring) return { source, uses: {}, problems: [] };
  const host = structuredClone(schema) as Record<string, unknown>;
  const written = isSchemaObject(host['$defs']) ? host['$defs'] : undefined;
  const taken = new Map<SharedSchema, Taken>();
  const byKey = new Map<string, Taken>();
  const problems: SharedProblem[] = [];
  const bodies: [string, unknown][] = [];

  const take = (shared: SharedSchema): Taken => {
    const known = taken.get(shared);
    if (known !== undefined) return known;
    const base = shared.name.slice(shared.name.lastIndexOf('/') + 1).replace(/#.*/, '');
    let key = base;
    for (let number = 2; byKey.has(key) || (written !== undefined && Object.hasOwn(written, key)); number += 1)
      key = `${base}_${number}`;
    const one = { key, shared };
    taken.set(shared, one);
    byKey.set(key, one);
    return one;
  };

  /** What a reference becomes; undefined where it stays. */
  const follow = (ref: string, around: SharedSchemas, site: () => Site): string | undefined => {
    const name = sharedName(ref);
    if (name === undefined) return undefined;
    const shared = around.find(name);
    if (shared === undefined) return undefined;
    if (isOther(shared.schema, dialect)) {
      problems.push({ name, kind: 'dialect', site });
      return undefined;
    }
    return printPointer(['$defs', take(shared).key]);
  };

  for (const node of listNodes(host, dialect).nodes) {
    const ref = own(node.schema, '$ref');
    if (typeof ref !== 'string') continue;
    const site = (): Site => source.site([...pathOf(node), '$ref']);
    const name = sharedName(ref);
    if (name !== undefined && hasOwnBase(node)) problems.push({ name, kind: 'base', site });
    else setRef(node, follow(ref, schemas, site));
  }
  // The map grows while it is read: what a shared schema refers to is needed as well.
  for (const { key, shared } of taken.values()) {
    const toShared = (ref: string, path: Path): string | undefined =>
      follow(ref, shared.around, () => shared.site([...path, '$ref']));
    bodies.push([key, settle(shared.schema, key, dialect, toShared)]);
  }
  const uses = Object.fromEntries([...taken.values()].map(({ key, shared }) => [key, shared.name]));
  const defs: Record<string, unknown> = { ...written, ...Object.fromEntries(bodies) };
  const rootKey = source.role === 'shared' ? undefined : rootOf(host, byKey);
  const body = rootKey === undefined ? undefined : defs[rootKey.key];
  const isInlined = isSchemaObject(body);
  const words = omitKeys(host, ['$ref', '$defs']);
  // The root is there once, and under its name only where something refers to that.
  const pointer = rootKey === undefined ? '' : `${printPointer(['$defs', rootKey.key])}/`;
  if (isInlined && rootKey !== undefined && !hasRef(defs, ref => `${ref}/`.startsWith(pointer)))
    delete defs[rootKey.key];
  const root = omitKeys(isInlined ? { ...body, ...words } : host, ['$defs']);
  const bundled = { ...root, ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }) };
  const place = (path: Path): { readonly shared?: SharedSchema; readonly path: Path } => {
    const [first, key = ''] = path;
    const one = first === '$defs' ? byKey.get(String(key)) : undefined;
    if (one !== undefined) return { shared: one.shared, path: path.slice(2) };
    // The protocol wants an object, and it was this definition that took something else for one.
    if (!isInlined || rootKey === undefined || first === undefined || (first === 'type' && path.length === 1))
      return { path: isInlined ? ['$ref'] : path };
    return Object.hasOwn(words, first) ? { path } : { shared: rootKey.shared, path };
  };
  return {
    source: {
      ...source,
      schema: bundled,
      site(path, side) {
        const found = place(path);
        return found.shared === undefined ? source.site(found.path, side) : found.shared.site(found.path, side);
      },
      typed(path) {
        const found = place(path);
        return found.shared === undefined ? source.typed?.(found.path) : found.shared.typed?.(found.path);
      },
      shared: { keys: new Map(Object.entries(uses)), isRoot: isInlined },
    },
    uses,
    ...(isInlined && rootKey !== undefined ? { root: rootKey.shared.name } : {}),
    problems,
  };
}

/** Whether any reference is such a one. Nearly no schema has any, and finding that out must cost next to nothing. */
function hasRef(value: unknown, isMeant: (ref: unknown) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  for (const [key, one] of Object.entries(value))
    if ((key === '$ref' && isMeant(one)) || hasRef(one, isMeant)) return true;
  return false;
}

/** The schema that the root stands for. Many clients look for properties at the root, and follow no reference there. */
function rootOf(host: JsonSchemaObject, byKey: ReadonlyMap<string, Taken>): Taken | undefined {
  const ref = own(host, '$ref');
  const isAlone = Object.keys(host).every(key => key === '$ref' || key === '$defs' || annotations.includes(key));
  if (!isAlone || typeof ref !== 'string') return undefined;
  return [...byKey.values()].find(({ key }) => printPointer(['$defs', key]) === ref);
}

function isShared(ref: unknown): boolean {
  return sharedName(ref) !== undefined;
}

function setRef({ schema }: SchemaNode, ref: string | undefined): void {
  if (ref !== undefined) (schema as Record<string, unknown>)['$ref'] = ref;
}

/** Below an `$id` of its own a pointer would begin there. */
function hasOwnBase(node: SchemaNode): boolean {
  for (let at: SchemaNode | undefined = node; at?.parent !== undefined; at = at.parent)
    if (typeof own(at.schema, '$id') === 'string') return true;
  return false;
}

/** Only a schema that names its dialect can have another one. */
function isOther(schema: unknown, dialect: Dialect): boolean {
  return isSchemaObject(schema) && Object.hasOwn(schema, '$schema') && effectiveDialect(schema) !== dialect;
}

/** Names of places: every reference is a pointer once it is settled, so that nobody asks for them. */
const addresses = ['$schema', '$id', '$anchor'];

/** A copy for `$defs/<key>`: references inside it still lead to the same places. */
function settle(
  schema: unknown,
  key: string,
  dialect: Dialect,
  toShared: (ref: string, path: Path) => string | undefined,
): unknown {
  if (!isSchemaObject(schema)) return schema;
  const copy = structuredClone(schema) as JsonSchemaObject;
  const refs = indexRefs(copy);
  const nodes = [...listNodes(copy, dialect).nodes];
  const known = new Set(nodes.map(node => node.schema));
  const settled: [SchemaNode, string | undefined][] = [];
  // The list grows while it is read: references may lead below keywords that nobody knows.
  for (const node of nodes) {
    const ref = own(node.schema, '$ref');
    if (typeof ref !== 'string') continue;
    const target = sharedName(ref) === undefined ? refs.resolve(ref, node.schema) : undefined;
    if (target?.kind !== 'found') {
      settled.push([node, toShared(ref, pathOf(node))]);
      continue;
    }
    settled.push([node, printPointer(['$defs', key, ...target.path])]);
    if (!isSchemaObject(target.schema) || known.has(target.schema)) continue;
    for (const further of listNodes(target.schema, dialect, target.path).nodes) {
      if (known.has(further.schema)) continue;
      known.add(further.schema);
      nodes.push(further);
    }
  }
  for (const [node, ref] of settled) setRef(node, ref);
  for (const { schema: one } of nodes) for (const word of addresses) delete (one as Record<string, unknown>)[word];
  return copy;
}
