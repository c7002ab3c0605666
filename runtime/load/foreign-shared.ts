// Shared schemas of other packs. In: the name in a reference such as `schema:acme/jira/issue`, and the folder of the pack that has the
// reference. Out: the schema as the other pack wrote it. Of a pack nothing but its schemas is read, and that once for all references.
import type { SharedSchema } from '../../schema/json-schema/shared.js';
import { packageOfPack, packOf, parseName } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import { discover } from './discover.js';
import { findPack, type OpenFolder, realPath, startsOf } from './find-pack.js';
import { nodeFolder, relativePath } from './folder.js';
import type { Declared } from './link-item.js';
import { makeShared, type Shared } from './link-shared.js';
import { manifestFile, readManifest } from './manifest.js';
import type { ForeignSchema } from './program.js';
import { createReader, type ReaderOptions } from './read.js';
import { resolve } from './resolve.js';
import type { Item } from './split.js';

/** A schema of another pack, and where it comes from. */
export interface Foreign {
  readonly shared: SharedSchema;
  readonly pack: ForeignSchema['pack'];
  readonly item: Item;
  /** Relative to the pack that is loaded. */
  readonly file: string;
  mayHide(): boolean;
}

export interface ForeignShared {
  /** `from`: the folder of the pack that refers. */
  find(name: string, from: string): SharedSchema | undefined;
  /** Why there is none. */
  explain(name: string, from: string): string;
  /** One of a pack that was found before, by its full name. */
  known(name: string): Foreign | undefined;
  /** Of a file of another pack; undefined where it is none. */
  hashOf(file: string): string | undefined;
}

export interface ForeignOptions extends Pick<ReaderOptions, 'cache' | 'keepsTrees'> {
  readonly open?: OpenFolder | undefined;
}

/** The schemas of one pack, by the names of its items. */
export interface PackItems {
  /** By which its own references may be qualified. */
  readonly name: string;
  readonly folder: string;
  readonly items: readonly { readonly entry: Declared; readonly item: Item }[];
  nameOf(item: string): string;
}

type Found =
  | { readonly shared: Shared; readonly folder: string; readonly names: readonly string[] }
  | { readonly problem: string };

/** The schemas of the pack that is loaded. Other packs are looked for when something refers to them, and not before. */
export function openShared(own: Omit<PackItems, 'nameOf'>, options: ForeignOptions = {}): Shared {
  const shared: Shared = makeShared(
    { ...own, nameOf: item => item },
    openForeign({ folder: own.folder, shared: () => shared }, options),
  );
  return shared;
}

/** `own`: the folder of the pack that is loaded. */
function openForeign(
  own: { readonly folder: string; shared(): Shared },
  { open = nodeFolder, cache, keepsTrees }: ForeignOptions,
): ForeignShared {
  const packs = new Map<string, Found>();
  const byName = new Map<string, Foreign>();
  const hashes = new Map<string, (file: string) => string>();
  const taken = new Map<string, number>();

  const packNamed = (name: string, from: string): Found => {
    const found = findPack(name, startsOf(from, own.folder), open);
    if ('missing' in found)
      return { problem: `the pack ${JSON.stringify(name)} is not installed: its package is ${packageOfPack(name)}` };
    if ('plainPackage' in found) return { problem: `${JSON.stringify(name)} is not a pack: it has no ${manifestFile}` };
    const place = realPath(found.folder);
    if (place === realPath(own.folder)) return { shared: own.shared(), folder: own.folder, names: [] };
    const known = packs.get(place) ?? openPack(name, found.folder);
    packs.set(place, known);
    return known;
  };

  const openPack = (name: string, folder: string): Found => {
    const shown = relativePath(own.folder, folder);
    const prefix = `${shown}/`;
    const reader = createReader(open(folder), { cache, keepsTrees, prefix });
    const { value: manifest } = readManifest(reader);
    if (manifest === undefined) return { problem: `${prefix}${manifestFile} has mistakes` };
    const { root, declarations, version } = manifest;
    const pack = { name, version, folder, root: root ?? '' };
    const isThere = root !== undefined && reader.folder.status(root) === 'folder';
    const refs = isThere ? discover(reader.folder, root).value.filter(({ kind }) => kind === 'schema') : [];
    const declared = declarations.schema === undefined ? {} : { schema: declarations.schema };
    const { value: catalog } = resolve({ root: root ?? '', refs, reader, declarations: declared });
    const items = catalog.schema.flatMap(entry => (entry.winner === undefined ? [] : [{ entry, item: entry.winner }]));
    // Two versions of a pack may be installed: each has schemas of its own.
    const number = (taken.get(name) ?? 0) + 1;
    taken.set(name, number);
    const suffix = number === 1 ? '' : `#${number}`;
    const nameOf = (item: string): string => `${name}/${item}${suffix}`;
    const shared = makeShared({ name: manifest.name, folder, items, nameOf }, foreign);
    hashes.set(prefix, file => reader.text(file).value?.hash ?? '');
    for (const { item } of items) {
      const schema = shared.byName.get(item.name);
      const facts = { pack, item, file: item.file, mayHide: reader.mayHide };
      if (schema !== undefined) byName.set(schema.name, { shared: schema, ...facts });
    }
    return { shared, folder: shown, names: catalog.schema.map(entry => entry.name) };
  };

  const parsed = (name: string) => {
    const read = parseName(name);
    if ('problem' in read) return read;
    return { pack: packOf(read.name) ?? '', item: read.name.item };
  };

  const foreign: ForeignShared = {
    find(name, from) {
      const wanted = parsed(name);
      const found = 'problem' in wanted ? wanted : packNamed(wanted.pack, from);
      return 'problem' in found || 'problem' in wanted ? undefined : found.shared.byName.get(wanted.item);
    },
    explain(name, from) {
      const wanted = parsed(name);
      if ('problem' in wanted) return `${wanted.problem}: write schema:pack/name or schema:publisher/pack/name`;
      const found = packNamed(wanted.pack, from);
      if ('problem' in found) return found.problem;
      if (found.names.includes(wanted.item)) return `its definition in ${found.folder} cannot be read`;
      const qualified = [...found.shared.byName.keys()].map(item => `${wanted.pack}/${item}`);
      const none = qualified.length === 0 ? 'no shared schemas' : `these: ${qualified.join(', ')}`;
      return didYouMean(name, qualified) ?? `the pack ${JSON.stringify(wanted.pack)} has ${none}`;
    },
    known: name => byName.get(name),
    hashOf(file) {
      for (const [prefix, hashOf] of hashes) if (file.startsWith(prefix)) return hashOf(file.slice(prefix.length));
      return undefined;
    },
  };
  return foreign;
}
