// What a pack has of the kinds that are imported. In: a loaded pack. Out: its items and its entries of toolwright.yaml, each with the
// place where it can be edited.
import { type Folder, formatOf } from '../../runtime/load/folder.js';
import { inlineItems } from '../../runtime/load/link-server.js';
import type { LoadedPack } from '../../runtime/load/load.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { createReader } from '../../runtime/load/read.js';
import { kinds } from '../../schema/definitions.js';
import { type Site, startOf } from '../../schema/diagnostics.js';
import { asMap, type Format, isMap, type Locator, within } from '../../schema/document.js';
import { camelCase } from '../../schema/names.js';
import { type RecordedKind, recordedKinds } from './record/record.js';

export interface PackItem {
  readonly kind: RecordedKind;
  readonly name: string;
  /** Undefined where it is declared or has a file, and cannot be read. */
  readonly definition: unknown;
  readonly file: string;
  readonly format: Format;
  /** Where the definition is in the file; undefined where it stands inside of a server. */
  readonly path: readonly string[] | undefined;
  readonly at: Locator;
  site(): Site;
}

export interface PackItems {
  get(kind: RecordedKind, name: string): PackItem | undefined;
  all(kind: RecordedKind): readonly PackItem[];
  /** Whether code or a file could not tell the name from one that the pack has. */
  isTaken(kind: RecordedKind, name: string): boolean;
  /** So that no other item gets it. */
  take(kind: RecordedKind, name: string): void;
}

export function packItems(loaded: LoadedPack, folder: Folder): PackItems {
  const byKind = new Map(recordedKinds.map(kind => [kind, new Map<string, PackItem>()]));
  const add = (item: PackItem): void => {
    const known = byKind.get(item.kind);
    if (known?.has(item.name) === false) known.set(item.name, item);
  };
  for (const kind of kinds) {
    for (const { name, winner, file = manifestFile } of loaded.catalog[kind]) {
      if (winner === undefined) {
        add({ kind, name, definition: undefined, file, format: formatOf(file), path: undefined, ...nowhere(file) });
        continue;
      }
      const path = winner.form === 'per-item' ? [] : winner.form === 'combined' ? [name] : undefined;
      const { definition, at, site } = winner;
      add({ kind, name, definition, file: winner.file, format: formatOf(winner.file), path, at, site });
    }
  }
  const inline = loaded.catalog.server.flatMap(({ winner }) => (winner === undefined ? [] : inlineItems(winner)));
  for (const { kind, name, definition, file, at, site } of inline)
    add({ kind, name, definition, file, format: formatOf(file), path: undefined, at, site });
  addEntries(folder, add);
  const taken = new Map(
    recordedKinds.map(kind => [kind, new Set([...(byKind.get(kind)?.keys() ?? [])].map(likeness))]),
  );
  return {
    get: (kind, name) => byKind.get(kind)?.get(name),
    all: kind => [...(byKind.get(kind)?.values() ?? [])],
    isTaken: (kind, name) => taken.get(kind)?.has(likeness(name)) === true,
    take: (kind, name) => taken.get(kind)?.add(likeness(name)),
  };
}

/** Names that differ in case alone are one file on some disks, and one name in code. */
function likeness(name: string): string {
  return camelCase(name).toLowerCase();
}

function nowhere(file: string): Pick<PackItem, 'at' | 'site'> {
  const site = (): Site => startOf(file);
  return { at: { site, find: site, source: () => undefined }, site };
}

/** `backends:` and `config:` of toolwright.yaml. */
function addEntries(folder: Folder, add: (item: PackItem) => void): void {
  if (folder.status(manifestFile) !== 'file') return;
  const [document] = createReader(folder).documents(manifestFile, 'yaml').value ?? [];
  if (document === undefined || !isMap(document.value)) return;
  for (const [kind, key] of [
    ['backend', 'backends'],
    ['config', 'config'],
  ] as const) {
    for (const [name, definition] of Object.entries(asMap(document.value[key]))) {
      const path = [key, name];
      const site = (): Site => document.site(path, 'key');
      add({ kind, name, definition, file: manifestFile, format: 'yaml', path, at: within(document, path), site });
    }
  }
}
