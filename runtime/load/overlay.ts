// In: a catalog and folders of patches, later ones winning. Out: the catalog with texts and policy replaced (P2).
// A patched item still knows, for every field, in which file it was written.
import { delimiter, resolve } from 'node:path';
import { type Kind, kinds, type OptionEntry } from '../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, type Outcome, type Site } from '../../schema/diagnostics.js';
import { isMap, type Locator, omitKeys, type Path } from '../../schema/document.js';
import { packOf, parseName } from '../../schema/names.js';
import { didYouMean, makeSuggester } from '../../schema/nearest.js';
import { fitsOption } from '../../schema/scalar-types.js';
import { typeName } from '../../schema/validate/errors.js';
import { hasKey } from '../../schema/validate/language.js';
import { validate } from '../../schema/validate/validate.js';
import { discover } from './discover.js';
import type { Folder } from './folder.js';
import type { Reader } from './read.js';
import type { Catalog, Entry, IsBuiltIn } from './resolve.js';
import { type Item, split } from './split.js';

type Fields = Readonly<Record<string, unknown>>;

/** What an overlay may change: texts and policy, never names, schemas or code. */
const patchable: Readonly<Record<Kind, readonly string[]>> = {
  server: ['title', 'description', 'instructions', 'enabled'],
  tool: ['title', 'description', 'guidelines', 'annotations', 'options', 'enabled', 'limits'],
  prompt: ['title', 'description', 'enabled'],
  resource: ['title', 'description', 'annotations', 'enabled'],
  schema: [],
};

/** Where each patched field (`title`, `limits.timeoutMs`) comes from. */
type Origins = ReadonlyMap<string, { readonly at: Locator; readonly path: Path }>;

/** A patch for an item of another pack. */
export interface ForeignPatch {
  readonly kind: Kind;
  readonly item: string;
  readonly pack: string;
  site(): Site;
}

interface Patched {
  readonly catalog: Catalog;
  /** Of the judge alone. */
  readonly foreign: readonly ForeignPatch[];
}

export function applyOverlays(catalog: Catalog, overlays: readonly Reader[], scope: OverlayScope): Outcome<Patched> {
  const diagnostics: Diagnostic[] = [];
  const foreign: ForeignPatch[] = [];
  let patched: Catalog = catalog;
  for (const reader of overlays) {
    const { patches, elsewhere } = readPatches(reader, scope, diagnostics);
    for (const { kind, name, site } of elsewhere) {
      const parsed = parseName(name);
      const pack = 'name' in parsed ? packOf(parsed.name) : undefined;
      if ('name' in parsed && pack !== undefined) foreign.push({ kind, item: parsed.name.item, pack, site });
      else if (catalog[kind].some(entry => entry.name === name))
        diagnostics.push(diagnose('overlay/unqualified', { kind, item: name, pack: scope.pack }, site()));
    }
    const next: Record<Kind, readonly Entry[]> = { ...patched };
    for (const kind of kinds) {
      const mine = patches.get(kind) ?? new Map<string, Item>();
      next[kind] = patched[kind].map(entry => {
        const patch = mine.get(entry.name);
        mine.delete(entry.name);
        if (patch === undefined || entry.winner === undefined || !isMap(entry.winner.definition)) return entry;
        return { ...entry, winner: patchItem(entry.winner, patch, reader, diagnostics) };
      });
      const suggestions = makeSuggester(patched[kind].flatMap(({ name, isMissing }) => (isMissing ? [] : [name])));
      for (const [item, patch] of mine) {
        const isQualified = patch.name.includes('/');
        if (!isQualified && (scope.names === 'builtin' || scope.isBuiltIn(kind, item))) continue;
        const hint = suggestions.didYouMean(item);
        diagnostics.push(diagnose('overlay/unknown-item', { kind, item }, patch.site(), { hint }));
      }
    }
    patched = next;
  }
  return { value: { catalog: patched, foreign }, diagnostics };
}

function patchItem(item: Item, patch: Item, reader: Reader, diagnostics: Diagnostic[]): Item {
  const { kind } = item;
  const refused = isMap(patch.definition) ? Object.keys(patch.definition).filter(isRefused) : [];
  for (const field of refused) {
    diagnostics.push(diagnose('overlay/refused', { field, kind }, patch.at.site([field], 'key')));
  }
  const rest = isMap(patch.definition) ? omitKeys(patch.definition, refused) : patch.definition;
  const wrong = validate('overlay', rest, patch.at);
  addAll(diagnostics, wrong);
  if (!isMap(rest) || wrong.length > 0) return item;
  const definition: Record<string, unknown> = { ...(item.definition as Fields) };
  const origins = new Map<string, { at: Locator; path: Path }>();
  for (const [field, value] of Object.entries(rest)) {
    if (field === '$schema') continue;
    const before = Object.hasOwn(definition, field) ? definition[field] : undefined;
    if (field === 'options') {
      definition[field] = patchOptions(item, value, patch, origins, diagnostics);
    } else if (isMap(value) && !Object.hasOwn(value, 'file')) {
      definition[field] = mergeOneLevel(isMap(before) ? before : {}, value);
      for (const key of Object.keys(value)) origins.set(`${field}.${key}`, { at: patch.at, path: [field, key] });
      if (before === undefined) origins.set(field, { at: patch.at, path: [field] });
    } else {
      const text = inlineFile(value, [field], patch, reader, diagnostics);
      // A string that cannot be read changes nothing; that is one mistake, not two.
      if (text === undefined) continue;
      origins.set(field, { at: patch.at, path: [field] });
      if (text === null) delete definition[field];
      else definition[field] = text;
    }
  }
  return { ...item, definition, at: patchedLocator(item.at, origins) };

  function isRefused(field: string): boolean {
    return field !== '$schema' && hasKey(kind, field) && !patchable[kind].includes(field);
  }
}

function mergeOneLevel(before: Fields, patch: Fields): Fields {
  const merged = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** An overlay's Markdown lies in the overlay, not in the pack, so that it is read here. */
function inlineFile(value: unknown, path: Path, patch: Item, reader: Reader, diagnostics: Diagnostic[]): unknown {
  if (!isMap(value) || typeof value['file'] !== 'string') return value;
  const read = reader.named(value['file'], patch.at.site([...path, 'file']));
  addAll(diagnostics, read.diagnostics);
  return read.value?.text;
}

/** An operator sets values of options; what the option is stays the tool's. */
function patchOptions(
  item: Item,
  values: unknown,
  patch: Item,
  origins: Map<string, { at: Locator; path: Path }>,
  diagnostics: Diagnostic[],
): unknown {
  const before = isMap(item.definition) && isMap(item.definition['options']) ? item.definition['options'] : {};
  if (!isMap(values)) return before;
  const options = new Map(Object.entries(before));
  for (const [option, value] of Object.entries(values)) {
    const path = ['options', option];
    const declared = options.get(option);
    if (!isMap(declared)) {
      const hint = didYouMean(option, Object.keys(before));
      const site = patch.at.site(path, 'key');
      diagnostics.push(diagnose('overlay/unknown-option', { option, item: item.name }, site, { hint }));
    } else if (value === null) {
      options.set(option, omitKeys(declared, ['default']));
      origins.set(`options.${option}`, { at: patch.at, path });
    } else if (!fitsOption(declared as unknown as OptionEntry, value)) {
      const params = { option, expected: `of type ${String(declared['type'])}`, actual: typeName(value) };
      diagnostics.push(diagnose('overlay/option-type', params, patch.at.site(path)));
    } else {
      options.set(option, { ...declared, default: value });
      origins.set(`options.${option}`, { at: patch.at, path });
    }
  }
  return Object.fromEntries(options);
}

function patchedLocator(base: Locator, origins: Origins): Locator {
  const pick = (path: Path): { at: Locator; path: Path } => {
    const [field, key] = path;
    const inner = origins.get(`${field}.${key}`);
    if (key !== undefined && inner !== undefined) {
      // `options.limit.default` of the merged definition is `options.limit` in the overlay.
      const rest = field === 'options' ? path.slice(3) : path.slice(2);
      return { at: inner.at, path: [...inner.path, ...rest] };
    }
    const outer = origins.get(String(field));
    return outer === undefined ? { at: base, path } : { at: outer.at, path };
  };
  return {
    site: (path, side) => {
      const found = pick(path);
      return found.at.site(found.path, side);
    },
    find: (path, text, nth) => {
      const found = pick(path);
      return found.at.find(found.path, text, nth);
    },
    source: path => {
      const found = pick(path);
      return found.at.source(found.path);
    },
  };
}

/** `foreign`: a key without a slash means an item of some other pack. `builtin`: it may mean one of this pack's. */
export type OverlayNames = 'own' | 'foreign' | 'builtin';

interface OverlayScope {
  readonly pack: string;
  readonly names: OverlayNames;
  /** Whether the overlays are given for this pack: then it tells what is wrong with them as a whole, once for all packs. */
  readonly isJudge: boolean;
  readonly isBuiltIn: IsBuiltIn;
}

interface Patches {
  readonly patches: ReadonlyMap<Kind, Map<string, Item>>;
  /** Those that are for other packs, as far as the judge is concerned. */
  readonly elsewhere: readonly Item[];
}

/** The patches of one folder by kind and item: a file of its own beats the combined file, as in a root. */
function readPatches(reader: Reader, scope: OverlayScope, diagnostics: Diagnostic[]): Patches {
  const found = discover(reader.folder, '');
  const { isJudge } = scope;
  // The name of a file has no slash: it never means an item of another pack.
  const hasFiles = scope.names !== 'foreign';
  if (isJudge)
    addAll(
      diagnostics,
      found.diagnostics.map(one => ({ ...one, file: reader.shown(one.file) })),
    );
  const patches = new Map<Kind, Map<string, Item>>(kinds.map(kind => [kind, new Map()]));
  const elsewhere: Item[] = [];
  const taken = new Set<string>();
  for (const ref of found.value) {
    const slot = `${ref.kind}:${ref.item ?? ''}`;
    if (taken.has(slot)) continue;
    taken.add(slot);
    const { items, diagnostics: broken } = split(ref, reader);
    if (isJudge) addAll(diagnostics, broken);
    for (const item of items) {
      const name = ownItem(item, scope, diagnostics);
      const mine = patches.get(item.kind);
      if (name === undefined && isJudge) elsewhere.push(item);
      const isShadowed = item.form === 'combined' && hasFiles && taken.has(`${item.kind}:${name}`);
      if (name !== undefined && mine?.has(name) === false && !isShadowed) mine.set(name, item);
    }
  }
  return { patches, elsewhere };
}

/** Keys of combined overlays may be qualified; patches for other packs are not ours to judge. */
function ownItem(patch: Item, { pack, names, isJudge }: OverlayScope, diagnostics: Diagnostic[]): string | undefined {
  const parsed = parseName(patch.name);
  if ('problem' in parsed) {
    if (!isJudge) return undefined;
    const params = { name: patch.name, reason: parsed.problem };
    diagnostics.push(diagnose('link/invalid-name', params, patch.site()));
    return undefined;
  }
  const { item } = parsed.name;
  const named = packOf(parsed.name);
  if (named === undefined) return names === 'foreign' ? undefined : item;
  return named === pack ? item : undefined;
}

// Which overlays there are. In: the environment of a server and the folders that were given. Out: all of them, later ones win: those of
// TOOLWRIGHT_OVERLAY, those given, and what an install has set (TOOLWRIGHT_SETTINGS).

/** Absolute. Those of the environment come first, so that those of a command line win. */
export function listOverlays<F extends string | Folder>(
  env: Readonly<Record<string, string | undefined>>,
  given: readonly F[],
  cwd: string,
): readonly (F | string)[] {
  const ofEnvironment = (env['TOOLWRIGHT_OVERLAY'] ?? '').split(delimiter).filter(path => path !== '');
  return [...ofEnvironment, ...given].map(one => (typeof one === 'string' ? resolve(cwd, one) : one));
}

/** `base`: where the settings are said to be. */
export function withSettings(
  overlays: readonly (string | Folder)[],
  env: Readonly<Record<string, string | undefined>>,
  base: string,
): readonly (string | Folder)[] {
  const settings = settingsFolder(env[settingsVariable], base);
  return settings === undefined ? overlays : [...overlays, settings];
}

/** The variable that carries them: `{"tools": {"delete-issue": {"enabled": false}}}`. */
export const settingsVariable = 'TOOLWRIGHT_SETTINGS';

/**
 * Install settings as the last overlay: a folder of combined files with the JSON that a client's entry carries. Undefined where there
 * are none. What is not JSON at all is one broken file, so that it is reported like any other.
 *
 * @example settingsFolder('{"tools": {"x": {"enabled": false}}}', '/pack')
 */
export function settingsFolder(text: string | undefined, base: string): Folder | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const files = new Map([...filesOf(text)].map(([name, content]) => [name, new TextEncoder().encode(content)]));
  return {
    path: `${base}/$${settingsVariable}`,
    status: path => (path === '' ? 'folder' : files.has(path) ? 'file' : 'missing'),
    list: path => (path === '' ? [...files.keys()].sort().map(name => ({ name, type: 'file' })) : undefined),
    read(path, limit) {
      const bytes = files.get(path);
      if (bytes === undefined) throw Object.assign(new Error(`there is no ${path}`), { code: 'ENOENT' });
      return bytes.length > limit ? bytes.length : bytes;
    },
  };
}

function filesOf(text: string): ReadonlyMap<string, string> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return new Map([['tools.json', text]]);
  }
  if (!isMap(data)) return new Map([['tools.json', text]]);
  return new Map(Object.entries(data).map(([kind, items]) => [`${kind}.json`, JSON.stringify(items, undefined, 2)]));
}
