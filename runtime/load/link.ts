// In: a catalog. Out: the program: every item linked to its texts, schemas and references, in declaration order.
import type { Kind } from '../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, hasErrors, type Site, startOf } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import type { Suggester } from '../../schema/nearest.js';
import { checkFlags } from './check-flags.js';
import { type Conditions, excludeEachOther } from './conditions.js';
import { type ForeignOptions, type ForeignShared, openShared } from './foreign-shared.js';
import { linkBackends } from './link-backends.js';
import {
  checkDeclared,
  findLostPages,
  findUnboundIdentity,
  findUncheckedScopes,
  takesResources,
} from './link-checks.js';
import { type ForeignMention, linkHandler, type Scope } from './link-item.js';
import { linkPrompt } from './link-prompt.js';
import { linkResource } from './link-resource.js';
import { inlineItems, linkServer, makeOffer, type Offer, suggestDefined } from './link-server.js';
import { foreignAmong, type LinkedSchema, linkShared, spreadMistakes } from './link-shared.js';
import { checkDefault, checkLimits, type LinkedTool, linkTool } from './link-tool.js';
import { checkReach } from './link-when.js';
import { type Manifest, manifestFile } from './manifest.js';
import type { Program, Resource, Schema, Server, Tool } from './program.js';
import type { Reader } from './read.js';
import type { Catalog, Entry, IsBuiltIn } from './resolve.js';
import type { Item } from './split.js';

export interface Linked {
  readonly program: Program;
  /** All tools, broken ones too, with the positions of their schemas. */
  readonly tools: readonly LinkedTool[];
  /** All shared schemas, broken ones too, with their positions. */
  readonly schemas: readonly LinkedSchema[];
  readonly foreign: ForeignShared;
  /** All servers, broken ones too: what they take from other packs is looked up by `check` all the same. */
  readonly servers: readonly Server[];
  readonly mentions: readonly ForeignMention[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Names one item: `tool:get-issue`. */
export function itemKey({ kind, name }: { readonly kind: Kind; readonly name: string }): string {
  return `${kind}:${name}`;
}

/** All items, those whose form is right, and of these the ones without any error. */
interface Sorted<T> {
  readonly all: readonly T[];
  readonly wellFormed: ReadonlySet<T>;
  readonly sound: readonly T[];
}

interface Linkable {
  readonly entry: Pick<Entry, 'declaration'>;
  readonly item: Item;
}

/** What only the whole of a run knows. */
interface Surroundings {
  /** Whether any text can hold characters that nobody sees. */
  mayHide?: () => boolean;
  isBuiltIn?: IsBuiltIn;
  /** How other packs are read. */
  foreign?: ForeignOptions;
}

/**
 * `malformed`: the keys of items whose form is wrong already. They are linked too, so that all their mistakes are
 * found in one run, but like every item with an error they are not part of the program (J71).
 */
export function link(
  catalog: Catalog,
  manifest: Manifest,
  reader: Reader,
  malformed: ReadonlySet<string>,
  { mayHide = reader.mayHide, isBuiltIn = () => false, foreign = {} }: Surroundings = {},
): Linked {
  const diagnostics: Diagnostic[] = [];
  const inline = catalog.server.flatMap(({ winner }) => (winner === undefined ? [] : inlineItems(winner)));
  const items = {
    tool: collect('tool', catalog, inline, diagnostics),
    prompt: collect('prompt', catalog, inline, diagnostics),
    resource: collect('resource', catalog, inline, diagnostics),
    schema: collect('schema', catalog, inline, diagnostics),
  };
  const toolNames = new Set([...catalog.tool.map(({ name }) => name), ...items.tool.map(({ item }) => item.name)]);
  let suggestions: Suggester | undefined;
  const scope: Scope = {
    reader,
    handlers: manifest.handlers,
    config: new Map(Object.entries(manifest.config)),
    backends: manifest.backends,
    tools: toolNames,
    suggestTool(item) {
      const known = items.tool.find(one => isMap(one.item.definition) && one.item.definition['name'] === item);
      if (known !== undefined) {
        const { name } = known.item;
        return `clients see ${JSON.stringify(name)} under this name; write {{tool:${name}}}`;
      }
      suggestions ??= suggestDefined('tool', catalog, inline);
      return suggestions.didYouMean(item);
    },
    pack: manifest.name,
    isBuiltIn,
    shared: openShared({ name: manifest.name, folder: reader.folder.path, items: items.schema }, foreign),
    mentions: [],
    mayHide,
    diagnostics,
  };
  const context = linkHandler(manifest.context, ['context'], manifest.at, scope);
  for (const [name, entry] of Object.entries(manifest.config)) {
    const path = ['config', name];
    checkDefault(entry, path, manifest.at, scope, true);
    checkLimits(entry, path, manifest.at, scope);
    // An empty string says that the secret may be absent.
    if (entry.secret === true && entry.default !== undefined && entry.default !== '')
      diagnostics.push(diagnose('config/secret-default', { name }, manifest.at.site([...path, 'default'], 'key')));
  }
  addAll(diagnostics, checkFlags(manifest.config, manifest.at));
  linkBackends(manifest.backends, manifest.at, scope);
  const linkAll = <T>(list: readonly Linkable[], linkOne: (entry: Linkable['entry'], item: Item) => T): Sorted<T> => {
    const all: T[] = [];
    const wellFormed = new Set<T>();
    const sound: T[] = [];
    for (const { entry, item } of list) {
      const before = diagnostics.length;
      const linked = linkOne(entry, item);
      const found = diagnostics.length === before ? [] : diagnostics.splice(before);
      const isMalformed =
        malformed.has(itemKey(item)) || malformed.has(itemKey({ kind: 'server', name: item.server ?? '' }));
      // What is said to be missing may be there, in a wrong form.
      addAll(diagnostics, isMalformed ? found.filter(({ code }) => code !== 'link/no-description') : found);
      all.push(linked);
      if (isMalformed) continue;
      wellFormed.add(linked);
      if (!hasErrors(found)) sound.push(linked);
    }
    return { all, wellFormed, sound };
  };
  const schemas = linkAll(items.schema, (entry, item) => linkShared(entry, item, scope));
  for (const one of schemas.all)
    if (!schemas.wellFormed.has(one)) scope.shared.broken.set(one.schema.item, one.schema.item);
  spreadMistakes(schemas.all, scope.shared);
  const tools = linkAll(items.tool, (entry, item) => linkTool(entry, item, scope));
  const prompts = linkAll(items.prompt, (entry, item) => linkPrompt(entry, item, scope)).sound;
  const resources = linkAll(items.resource, (entry, item) => linkResource(entry, item, scope)).sound;
  const soundSchemas = schemas.sound.map(({ schema }) => schema).filter(({ item }) => !scope.shared.broken.has(item));
  const soundTools = tools.sound.map(({ tool }) => tool);
  const foreignSchemas = foreignAmong([...soundSchemas, ...soundTools].flatMap(sharedBy), scope.shared);
  for (const { hidden } of foreignSchemas) addAll(diagnostics, hidden);
  let offer: Offer | undefined;
  const found = catalog.server.flatMap(entry => (entry.winner === undefined ? [] : [{ entry, item: entry.winner }]));
  const servers = linkAll(found, (entry, item) => {
    offer ??= makeOffer(manifest, catalog, inline, [...soundTools, ...prompts, ...resources]);
    return linkServer(entry, item, offer, scope);
  });
  reportDuplicateUris(resources, manifest, diagnostics);
  addAll(diagnostics, findUncheckedScopes(soundTools, servers.all));
  addAll(diagnostics, findUnboundIdentity(soundTools, servers.all));
  addAll(
    diagnostics,
    checkDeclared(catalog, {
      servers: servers.sound,
      tools: soundTools,
      prompts,
      resources,
      schemas: soundSchemas,
    }),
  );
  reportDialects(tools.all, diagnostics);
  // Resources of other packs are looked up by `check`.
  if (!servers.all.some(takesResources)) {
    const all = tools.all.map(({ tool }) => tool);
    const resources = items.resource.map(({ item }) => item);
    addAll(diagnostics, findLostPages(all, resources));
  }
  const { name, version, description, root, generated, handlers, dist, isolate, config, backends } = manifest;
  if (isolate === 'thread' && items.tool.length === 0)
    diagnostics.push(diagnose('link/idle-isolate', {}, manifest.at.site(['isolate'], 'key')));
  const program: Program = {
    pack: {
      name,
      version,
      ...(description === undefined ? {} : { description }),
      folder: reader.folder.path,
      root: root ?? '',
      generated,
      handlers,
      dist,
      ...(context === undefined ? {} : { context }),
      ...(isolate === undefined ? {} : { isolate }),
      config,
      ...(Object.keys(backends).length === 0 ? {} : { backends }),
      at: manifest.at,
    },
    servers: servers.sound,
    tools: soundTools,
    prompts,
    resources,
    schemas: soundSchemas,
    ...(foreignSchemas.length === 0 ? {} : { foreignSchemas: foreignSchemas.map(({ schema }) => schema) }),
  };
  checkReach(program, scope);
  return {
    program,
    schemas: schemas.all,
    foreign: scope.shared.foreign,
    servers: servers.all,
    mentions: scope.mentions,
    tools: tools.all.map(one => (tools.wellFormed.has(one) ? one : { ...one, hasSoundSchemas: false })),
    diagnostics,
  };
}

/** The names of all shared schemas that an item has in its own. */
function sharedBy(item: Tool | Schema): readonly string[] {
  const all = item.kind === 'schema' ? [item] : [item.sharing?.input, item.sharing?.output];
  return all.flatMap(one => (one === undefined ? [] : Object.values(one.uses)));
}

/** The items of one kind: the catalog's, then inline ones; an inline item cannot take a name that exists. */
function collect(
  kind: Kind,
  catalog: Catalog,
  inline: readonly Item[],
  diagnostics: Diagnostic[],
): readonly Linkable[] {
  const linkable: Linkable[] = [];
  const sites = new Map<string, () => Site>();
  for (const entry of catalog[kind]) {
    const { winner, name, declaration } = entry;
    sites.set(name, winner?.site ?? declaration?.site ?? (() => startOf(manifestFile)));
    if (winner !== undefined) linkable.push({ entry, item: winner });
  }
  for (const item of inline) {
    if (item.kind !== kind) continue;
    const first = sites.get(item.name);
    if (first === undefined) {
      sites.set(item.name, item.site);
      linkable.push({ entry: {}, item });
    } else {
      const related = [{ ...first(), message: 'first defined here' }];
      diagnostics.push(diagnose('resolve/duplicate-item', { kind, item: item.name }, item.site(), { related }));
    }
  }
  return linkable;
}

function reportDuplicateUris(
  resources: readonly Resource[],
  { config }: Pick<Manifest, 'config'>,
  diagnostics: Diagnostic[],
): void {
  const seen = new Map<string, readonly Resource[]>();
  for (const resource of resources) {
    const { uri } = resource.definition;
    if (typeof uri !== 'string') continue;
    const others = seen.get(uri) ?? [];
    const whenOf = ({ definition: { when } }: Resource): Conditions => ({ when });
    const first = others.find(other => !excludeEachOther(whenOf(resource), whenOf(other), config));
    if (first === undefined) seen.set(uri, [...others, resource]);
    else {
      const related = [{ ...first.at.site(['uri']), message: 'the other one' }];
      diagnostics.push(diagnose('link/duplicate-uri', { uri }, resource.at.site(['uri']), { related }));
    }
  }
}

/** J51: other dialects are honoured; one note per pack and dialect is enough. */
function reportDialects(tools: readonly LinkedTool[], diagnostics: Diagnostic[]): void {
  const seen = new Set<string>();
  for (const { dialect, site } of tools.flatMap(({ dialects }) => dialects)) {
    if (seen.has(dialect)) continue;
    seen.add(dialect);
    diagnostics.push(diagnose('schema/dialect', { dialect }, site()));
  }
}
