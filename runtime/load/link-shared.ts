// In: the shared schemas of a pack. Out: each with what it refers to, what is wrong with it, and how definitions refer to it.
import type { JsonSchema } from '../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, hasErrors } from '../../schema/diagnostics.js';
import { asText, isMap, type Path } from '../../schema/document.js';
import { checkSchema } from '../../schema/json-schema/check.js';
import { listOwnNodes, type SchemaSource } from '../../schema/json-schema/check-context.js';
import { effectiveDialect, own } from '../../schema/json-schema/keywords.js';
import { sharedName } from '../../schema/json-schema/refs.js';
import { type Bundle, bundleShared, type SharedSchema, type SharedSchemas } from '../../schema/json-schema/shared.js';
import { listNodes, pathOf } from '../../schema/json-schema/walk.js';
import { byCodePoint } from '../../schema/names.js';
import { makeSuggester, type Suggester } from '../../schema/nearest.js';
import { checkTexts } from '../../schema/texts/check-texts.js';
import { validate } from '../../schema/validate/validate.js';
import type { ForeignShared, PackItems } from './foreign-shared.js';
import { type Declared, linkItem, type Scope } from './link-item.js';
import type { ForeignSchema, Schema } from './program.js';
import type { Item } from './split.js';

/** What the definitions of a pack can refer to, by name. */
export interface Shared extends SharedSchemas {
  /** The pack's own, by item. */
  readonly byName: ReadonlyMap<string, SharedSchema>;
  /** Own schemas that cannot be used -> the one with mistakes that they are or refer to. Filled as they are linked. */
  readonly broken: Map<string, string>;
  /** Those of other packs. */
  readonly foreign: ForeignShared;
  /** Of them, the ones that something here refers to, by name. Filled as they are asked for. */
  readonly linked: Map<string, LinkedForeign>;
}

export interface LinkedSchema {
  readonly schema: Schema;
  readonly source: SchemaSource;
  /** It has defaults or examples. */
  readonly hasValues: boolean;
}

/** The schemas of one pack. `foreign` finds those of others. */
export function makeShared({ name: pack, folder, items, nameOf }: PackItems, foreign: ForeignShared): Shared {
  const byName = new Map<string, SharedSchema>();
  /** Its name in the pack; undefined for one of another pack. */
  const itemOf = (name: string): string | undefined => {
    const item = name.startsWith(`${pack}/`) ? name.slice(pack.length + 1) : name;
    return item.includes('/') ? undefined : item;
  };
  const find = (name: string): SharedSchema | undefined => {
    const item = itemOf(name);
    return item === undefined ? foreign.find(name, folder) : byName.get(item);
  };
  let suggestions: Suggester | undefined;
  const shared: Shared = {
    byName,
    broken: new Map(),
    foreign,
    linked: new Map(),
    find,
    has: name => find(name) !== undefined,
    suggest: name => {
      if (name.includes('#')) return 'a reference leads to a whole schema: make the part a shared schema of its own';
      if (itemOf(name) === undefined) return foreign.explain(name, folder);
      suggestions ??= makeSuggester(byName.keys());
      return suggestions.didYouMean(name);
    },
  };
  for (const { entry, item } of items) byName.set(item.name, toShared(entry, item, nameOf(item.name), shared));
  return shared;
}

/** W2: a declared description is the default of the definition's. */
function toShared(
  { declaration }: Declared,
  { definition, at }: Item,
  name: string,
  around: SharedSchemas,
): SharedSchema {
  const { description } = declaration ?? {};
  const written = withoutEditorKey(definition);
  const schema = isMap(written) && description !== undefined ? { description, ...written } : written;
  return { name, schema, site: at.site, typed: path => at.source(path), around };
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
  const mine = shared.byName.get(item.name) ?? toShared(entry, item, item.name, shared);
  const before = diagnostics.length;
  const { source, bundle, hasValues } = checkShared(mine, diagnostics);
  // Mistakes in other schemas of this pack have their own diagnostics.
  reportBroken(source, bundle, scope, isForeign);
  if (hasErrors(diagnostics.slice(before))) shared.broken.set(item.name, item.name);
  return { schema: { ...linked, ...schemaOf(mine, bundle), name: item.name }, source: bundle.source, hasValues };
}

interface CheckedShared {
  /** As it was written. */
  readonly source: SchemaSource;
  readonly bundle: Bundle;
  readonly hasValues: boolean;
}

function checkShared({ name, schema, site, typed, around }: SharedSchema, diagnostics: Diagnostic[]): CheckedShared {
  const source: SchemaSource = {
    role: 'shared',
    style: 'raw',
    filling: 'never',
    name,
    schema,
    site,
    ...(typed === undefined ? {} : { typed }),
    sharedNames: around,
  };
  const bundle = bundleShared(source, around);
  reportProblems(bundle, diagnostics);
  const { diagnostics: found, hasValues } = checkSchema(bundle.source);
  addAll(diagnostics, found);
  reportDynamic(bundle.source, diagnostics);
  return { source, bundle, hasValues };
}

function schemaOf(
  { name }: SharedSchema,
  { source, uses }: Bundle,
): Pick<Schema, 'kind' | 'schema' | 'site' | 'uses' | 'refersTo'> {
  const refersTo = [...new Set(Object.values(uses))].filter(one => one !== name);
  return { kind: 'schema', schema: source.schema as JsonSchema, site: source.site, uses, refersTo };
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
  const asked = { ...source, sharedNames: shared };
  const bundle = bundleShared(asked, shared);
  if (bundle.source === asked) return bundle;
  reportProblems(bundle, scope.diagnostics);
  reportBroken(asked, bundle, scope);
  return bundle;
}

export interface LinkedForeign {
  readonly schema: ForeignSchema;
  readonly isBroken: boolean;
  /** Where its texts hold characters that nobody sees. */
  readonly hidden: readonly Diagnostic[];
}

/** Schemas of other packs have qualified names. */
function isForeign(name: string): boolean {
  return name.includes('/');
}

/** What is wrong inside it is its author's to read; here it only matters that something is. */
function linkForeign(name: string, { foreign, linked }: Shared): LinkedForeign | undefined {
  const known = linked.get(name);
  const found = foreign.known(name);
  if (known !== undefined || found === undefined) return known;
  const { shared, pack, file, item, mayHide } = found;
  const { definition, at } = item;
  const wrong = validate('schema', definition, at);
  const { bundle } = checkShared(shared, wrong);
  const { description } = isMap(shared.schema) ? shared.schema : {};
  const one: LinkedForeign = {
    schema: {
      ...schemaOf(shared, bundle),
      ...{ item: name, name, description: asText(description), file, at, pack },
      definition: definition as JsonSchema,
    },
    isBroken: hasErrors(wrong),
    hidden: mayHide() ? checkTexts(definition, at) : [],
  };
  linked.set(name, one);
  return one;
}

/** The schemas of other packs among these, and all that they refer to. */
export function foreignAmong(names: Iterable<string>, shared: Shared): readonly LinkedForeign[] {
  return [...new Set(names)]
    .filter(isForeign)
    .sort(byCodePoint)
    .flatMap(name => linkForeign(name, shared) ?? []);
}

function reportProblems({ problems }: Bundle, diagnostics: Diagnostic[]): void {
  for (const { kind, name, site } of problems) diagnostics.push(diagnose(`schema/shared-${kind}`, { name }, site()));
}

/** The schema with mistakes that one is or refers to. */
function brokenBy(name: string, shared: Shared): string | undefined {
  if (!isForeign(name)) return shared.broken.get(name);
  const isBroken = (one: string): boolean =>
    isForeign(one) ? linkForeign(one, shared)?.isBroken === true : shared.broken.has(one);
  return [name, ...(linkForeign(name, shared)?.schema.refersTo ?? [])].find(isBroken);
}

function reportBroken(
  source: SchemaSource,
  { uses }: Bundle,
  { shared, diagnostics }: Scope,
  isAsked: (name: string) => boolean = () => true,
): void {
  const wrong = new Map<string, string>();
  for (const name of new Set(Object.values(uses))) {
    const broken = isAsked(name) ? brokenBy(name, shared) : undefined;
    if (broken !== undefined) wrong.set(name, broken);
  }
  if (wrong.size === 0) return;
  for (const node of listNodes(source.schema, effectiveDialect(source.schema)).nodes) {
    const asked = sharedName(own(node.schema, '$ref'));
    const name = asked === undefined ? undefined : shared.find(asked)?.name;
    const broken = name === undefined ? undefined : wrong.get(name);
    if (name === undefined || broken === undefined) continue;
    const file = isForeign(broken) ? shared.foreign.known(broken)?.file : undefined;
    const hint = file === undefined ? {} : { hint: `they are in ${file}: toolwright check, in that pack, shows them` };
    diagnostics.push(diagnose('schema/broken-shared', { name, broken }, source.site([...pathOf(node), '$ref']), hint));
  }
}

const dynamic = ['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'];

/** Where they lead depends on the schemas around, which differ from one definition to the next. */
function reportDynamic(source: SchemaSource, diagnostics: Diagnostic[]): void {
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

/** All references to shared schemas in a value, and where they are. */
export function refsInside(value: unknown, path: Path): readonly { readonly name: string; readonly path: Path }[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => refsInside(one, [...path, index]));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const name = key === '$ref' ? sharedName(one) : undefined;
    return name === undefined ? refsInside(one, [...path, key]) : [{ name, path: [...path, key] }];
  });
}
