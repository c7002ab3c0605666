// In: the shared schemas of a pack. Out: each with what it refers to, what is wrong with it, and how definitions refer to it.
import type { JsonSchema } from '../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, hasErrors } from '../../schema/diagnostics.js';
import { isMap, type Path } from '../../schema/document.js';
import { checkSchema } from '../../schema/json-schema/check.js';
import { listOwnNodes, type SchemaSource } from '../../schema/json-schema/check-context.js';
import { effectiveDialect, own } from '../../schema/json-schema/keywords.js';
import { sharedName } from '../../schema/json-schema/refs.js';
import { type Bundle, bundleShared, type SharedSchema } from '../../schema/json-schema/shared.js';
import { pathOf } from '../../schema/json-schema/walk.js';
import { makeSuggester, type Suggester } from '../../schema/nearest.js';
import { type Declared, linkItem, type Scope } from './link-item.js';
import type { Schema } from './program.js';
import type { Item } from './split.js';

/** What definitions can refer to, by name. */
export interface Shared {
  readonly byName: ReadonlyMap<string, SharedSchema>;
  /** Schemas that cannot be used -> the one with mistakes that they are or refer to. Filled as they are linked. */
  readonly broken: Map<string, string>;
  find(name: string): SharedSchema | undefined;
  has(name: string): boolean;
  suggest(name: string): string | undefined;
}

export interface LinkedSchema {
  readonly schema: Schema;
  readonly source: SchemaSource;
  /** It has defaults or examples. */
  readonly hasValues: boolean;
}

/** `pack`: the own one, by which references may be qualified. */
export function openShared(items: readonly { readonly entry: Declared; readonly item: Item }[], pack: string): Shared {
  const byName = new Map(items.map(({ entry, item }) => [item.name, toShared(entry, item)]));
  const find = (name: string): SharedSchema | undefined =>
    byName.get(name.startsWith(`${pack}/`) ? name.slice(pack.length + 1) : name);
  let suggestions: Suggester | undefined;
  return {
    byName,
    broken: new Map(),
    find,
    has: name => find(name) !== undefined,
    suggest: name => {
      if (name.includes('/') && !name.startsWith(`${pack}/`)) return 'only schemas of the same pack can be referred to';
      suggestions ??= makeSuggester(byName.keys());
      return suggestions.didYouMean(name);
    },
  };
}

/** W2: a declared description is the default of the definition's. */
function toShared({ declaration }: Declared, { name, definition, at }: Item): SharedSchema {
  const { description } = declaration ?? {};
  const written = withoutEditorKey(definition);
  const schema = isMap(written) && description !== undefined ? { description, ...written } : written;
  return { name, schema, site: at.site, typed: path => at.source(path) };
}

/** `$schema` names a dialect, or the schema that editors check the file with. */
function withoutEditorKey(definition: unknown): unknown {
  if (!isMap(definition) || !/(?:^|\/)schemas?\.schema\.json$/.test(String(definition['$schema']))) return definition;
  const { $schema: _, ...schema } = definition;
  return schema;
}

export function linkShared(entry: Declared, item: Item, scope: Scope): LinkedSchema {
  const { shared, diagnostics } = scope;
  const linked = linkItem<JsonSchema>(entry, item, scope);
  const { schema, site, typed } = shared.byName.get(item.name) ?? toShared(entry, item);
  const base: SchemaSource = {
    role: 'shared',
    style: 'raw',
    filling: 'never',
    name: item.name,
    schema,
    site,
    ...(typed === undefined ? {} : { typed }),
    sharedNames: shared,
  };
  const bundle = bundleShared(base, shared);
  const before = diagnostics.length;
  reportProblems(bundle, scope);
  const { diagnostics: found, hasValues } = checkSchema(bundle.source);
  addAll(diagnostics, found);
  reportDynamic(bundle.source, scope);
  if (hasErrors(diagnostics.slice(before))) shared.broken.set(item.name, item.name);
  const used = new Set([...Object.values(bundle.uses)].filter(name => name !== item.name));
  return {
    schema: {
      ...linked,
      kind: 'schema',
      name: item.name,
      schema: bundle.source.schema as JsonSchema,
      site: bundle.source.site,
      uses: bundle.uses,
      refersTo: [...used],
    },
    source: bundle.source,
    hasValues,
  };
}

/** Once all are linked: a schema is as good as those that it refers to. */
export function spreadMistakes(schemas: readonly LinkedSchema[], { broken }: Shared): void {
  const direct = new Map(broken);
  for (const { schema } of schemas) {
    const cause = schema.refersTo.find(name => direct.has(name));
    if (cause !== undefined && !broken.has(schema.item)) broken.set(schema.item, cause);
  }
}

/** A definition's schema with all that it shares, and whether that can be used. */
export function shareSchemas(source: SchemaSource, scope: Scope): Bundle {
  const { shared } = scope;
  // A pack without shared schemas has nothing to look for.
  const asked = { ...source, sharedNames: shared };
  if (shared.byName.size === 0) return { source: asked, uses: {}, problems: [] };
  const bundle = bundleShared(asked, shared);
  reportProblems(bundle, scope);
  if (shared.broken.size > 0) reportBroken(asked, scope);
  return bundle;
}

function reportProblems({ problems }: Bundle, { diagnostics }: Scope): void {
  for (const { kind, name, site } of problems) diagnostics.push(diagnose(`schema/shared-${kind}`, { name }, site()));
}

function reportBroken(source: SchemaSource, { shared, diagnostics }: Scope): void {
  for (const node of listOwnNodes(source, effectiveDialect(source.schema)).nodes) {
    const asked = sharedName(own(node.schema, '$ref'));
    const name = asked === undefined ? undefined : shared.find(asked)?.name;
    const broken = name === undefined ? undefined : shared.broken.get(name);
    if (name === undefined || broken === undefined) continue;
    const site = source.site([...pathOf(node), '$ref']);
    diagnostics.push(diagnose('schema/broken-shared', { name, broken }, site));
  }
}

const dynamic = ['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'];

/** Where they lead depends on the schemas around, which differ from one definition to the next. */
function reportDynamic(source: SchemaSource, { diagnostics }: Scope): void {
  for (const node of listOwnNodes(source, effectiveDialect(source.schema)).nodes) {
    for (const keyword of dynamic) {
      if (!Object.hasOwn(node.schema, keyword)) continue;
      const site = source.site([...pathOf(node), keyword], 'key');
      const reason = 'has no meaning in a shared schema: write $ref';
      diagnostics.push(diagnose('schema/keyword', { keyword, reason }, site, { severity: 'error' }));
    }
  }
}

const valueKeywords = ['const', 'default', 'enum', 'examples'];

/** References to shared schemas inside values, where JSON Schema has none. */
export function findDataRefs(source: SchemaSource): readonly Diagnostic[] {
  return listOwnNodes(source, effectiveDialect(source.schema)).nodes.flatMap(node =>
    valueKeywords.flatMap(keyword =>
      refsInside(own(node.schema, keyword), [keyword]).map(({ name, path }) =>
        diagnose('schema/data-ref', { name, keyword }, source.site([...pathOf(node), ...path])),
      ),
    ),
  );
}

function refsInside(value: unknown, path: Path): readonly { readonly name: string; readonly path: Path }[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => refsInside(one, [...path, index]));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const name = key === '$ref' ? sharedName(one) : undefined;
    return name === undefined ? refsInside(one, [...path, key]) : [{ name, path: [...path, key] }];
  });
}
