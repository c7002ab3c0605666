// In: declarations and the files found. Out: the catalog: for each item the definition that wins and what it shadows.

import { type Kind, keyOf, kinds } from '../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, type Outcome, type Site, startOf } from '../../schema/diagnostics.js';
import { byCodePoint, camelCase, isItemName } from '../../schema/names.js';
import { didYouMean, makeSuggester, type Suggester } from '../../schema/nearest.js';
import { discover, type SourceRef } from './discover.js';
import { type Folder, isLinkIn, joinPath } from './folder.js';
import { type Declaration, type Manifest, manifestFile, readManifest } from './manifest.js';
import { builtinPack } from './own-package.js';
import { createReader, type Reader } from './read.js';
import { type Item, type Split, split } from './split.js';

/** A definition that exists but loses. */
interface Shadow {
  readonly file: string;
  readonly why: string;
  /** An entry of the combined file, which a file of its own beats. */
  readonly isEntry?: true;
  site(): Site;
}

export interface Entry {
  readonly kind: Kind;
  readonly name: string;
  readonly declaration?: Declaration;
  /** Undefined where the definition is missing or its file is broken; then there is a diagnostic. */
  readonly winner: Item | undefined;
  /** The file that defines it or should; undefined where no file does. */
  readonly file: string | undefined;
  /** Nothing defines it: its name may be misspelt. */
  readonly isMissing?: true;
  readonly shadowed: readonly Shadow[];
}

export type Catalog = Readonly<Record<Kind, readonly Entry[]>>;

/** A catalog with these entries of each kind. */
export function makeCatalog(entriesOf: (kind: Kind) => readonly Entry[]): Catalog {
  return Object.fromEntries(kinds.map(kind => [kind, entriesOf(kind)])) as Record<Kind, readonly Entry[]>;
}

interface Sources {
  readonly root: string;
  readonly refs: readonly SourceRef[];
  readonly reader: Reader;
  readonly declarations: Readonly<Partial<Record<Kind, readonly Declaration[]>>>;
}

export function resolve(sources: Sources): Outcome<Catalog> {
  const diagnostics: Diagnostic[] = [];
  return { value: makeCatalog(kind => resolveKind(kind, sources, diagnostics)), diagnostics };
}

function resolveKind(kind: Kind, sources: Sources, diagnostics: Diagnostic[]): readonly Entry[] {
  const refs = sources.refs.filter(ref => ref.kind === kind);
  const own = groupByItem(refs);
  const combined = readCombined(
    kind,
    refs.filter(ref => ref.item === undefined),
    sources.reader,
    diagnostics,
  );
  const declared = sources.declarations[kind];
  const found = new Set([...own.keys(), ...combined.items.keys()]);
  const undeclared = declared === undefined ? [] : undeclaredNames(found, declared);
  const names = declared?.map(({ name }) => name) ?? [...found].filter(isUsable).sort(byCodePoint);
  const byName = new Map(declared?.map(declaration => [declaration.name, declaration]));
  // One typo, one diagnostic: a file that a misspelt declaration means is not also called unreachable.
  let suggestions: Suggester | undefined;
  const suggested = new Set<string>();
  const entries = names.map(name => resolveItem(name, byName.get(name)));
  reportUnreachable(undeclared.filter(name => !suggested.has(name)));
  reportClashes(entries, diagnostics);
  reportReserved(entries, diagnostics);
  return entries;

  function isUsable(name: string): boolean {
    if (isItemName(name)) return true;
    const site = siteOf(name);
    diagnostics.push(diagnose('resolve/item-name', { name }, site));
    return false;
  }

  function siteOf(name: string): Site {
    const [ref] = own.get(name) ?? [];
    return ref === undefined ? (combined.items.get(name)?.site() ?? startOf(sources.root)) : startOf(ref.path);
  }

  function reportUnreachable(names: readonly string[]): void {
    for (const item of names) diagnostics.push(diagnose('resolve/unreachable', { kind, item }, siteOf(item)));
  }

  function resolveItem(name: string, declaration: Declaration | undefined): Entry {
    const [first, ...others] = own.get(name) ?? [];
    const shadowed: Shadow[] = others.map(({ path }) => shadow(path, `${first?.path} comes first: json, yaml, yml`));
    const inCombined = combined.items.get(name);
    const entry = { kind, name, ...(declaration === undefined ? {} : { declaration }) };
    if (first === undefined) {
      if (inCombined === undefined && !combined.isBroken) {
        reportMissing(name, declaration);
        return { ...entry, winner: undefined, file: combined.path, isMissing: true, shadowed: [] };
      }
      const ignored = combined.ignored.map(path => shadow(path, `only ${combined.path} is read: json, yaml, yml`));
      return { ...entry, winner: inCombined, file: combined.path, shadowed: inCombined === undefined ? [] : ignored };
    }
    if (others.length > 0) {
      const ignored = others.map(({ path }) => path);
      diagnostics.push(diagnose('resolve/duplicate-format', { used: first.path, ignored }, startOf(ignored[0] ?? '')));
    }
    if (inCombined !== undefined) {
      const why = `its own file (${first.path}) wins over the combined file`;
      shadowed.push({ file: inCombined.file, why, isEntry: true, site: inCombined.site });
    }
    const { items, diagnostics: found } = split(first, sources.reader);
    addAll(diagnostics, found);
    return { ...entry, winner: items[0], file: first.path, shadowed };
  }

  function reportMissing(name: string, declaration: Declaration | undefined): void {
    const path = joinPath(sources.root, keyOf(kind), `${name}.yaml`);
    suggestions ??= makeSuggester(undeclared);
    const meant = suggestions.nearest(name);
    if (meant !== undefined) suggested.add(meant);
    const hint = meant === undefined ? undefined : didYouMean(name, [meant]);
    const site = declaration?.site() ?? startOf(path);
    diagnostics.push(diagnose('resolve/missing-definition', { kind, item: name, path }, site, { hint }));
  }
}

function shadow(file: string, why: string): Shadow {
  return { file, why, site: () => startOf(file) };
}

function groupByItem(refs: readonly SourceRef[]): ReadonlyMap<string, readonly SourceRef[]> {
  const groups = new Map<string, SourceRef[]>();
  for (const ref of refs) {
    if (ref.item === undefined) continue;
    const group = groups.get(ref.item);
    if (group === undefined) groups.set(ref.item, [ref]);
    else group.push(ref);
  }
  return groups;
}

interface Combined extends Omit<Split, 'items' | 'diagnostics'> {
  readonly path: string | undefined;
  readonly items: ReadonlyMap<string, Item>;
  readonly ignored: readonly string[];
}

/** W17: only the first combined format is read. */
function readCombined(kind: Kind, refs: readonly SourceRef[], reader: Reader, diagnostics: Diagnostic[]): Combined {
  const [first, ...others] = refs;
  if (first === undefined) return { path: undefined, items: new Map(), isBroken: false, ignored: [] };
  const ignored = others.map(({ path }) => path);
  if (ignored.length > 0) {
    diagnostics.push(diagnose('resolve/duplicate-format', { used: first.path, ignored }, startOf(ignored[0] ?? '')));
  }
  const { items, diagnostics: found, isBroken } = split(first, reader);
  addAll(diagnostics, found);
  const known = new Map(items.filter(item => item.kind === kind).map(item => [item.name, item]));
  return { path: first.path, items: known, isBroken, ignored };
}

function undeclaredNames(found: ReadonlySet<string>, declared: readonly Declaration[]): readonly string[] {
  const names = new Set(declared.map(({ name }) => name));
  return [...found].filter(name => !names.has(name)).sort(byCodePoint);
}

/** Item names become file names and identifiers: they must differ without regard to case and after camelCase. */
function reportClashes(entries: readonly Entry[], diagnostics: Diagnostic[]): void {
  const seen = new Map<string, Entry>();
  for (const entry of entries) {
    // What nothing defines has its diagnostic already.
    if (entry.isMissing === true) continue;
    const key = camelCase(entry.name).toLowerCase();
    const other = seen.get(key);
    if (other === undefined) {
      seen.set(key, entry);
      continue;
    }
    const place = (one: Entry): Site => one.declaration?.site() ?? one.winner?.site() ?? startOf('');
    const related = [{ ...place(other), message: 'the other one' }];
    const params = { kind: entry.kind, item: entry.name, other: other.name };
    diagnostics.push(diagnose('resolve/name-clash', params, place(entry), { related }));
  }
}

/** Someone who checks the pack out on Windows would not get these files. */
function reportReserved(entries: readonly Entry[], diagnostics: Diagnostic[]): void {
  for (const { name, declaration, winner } of entries) {
    const reason = reservedBecause(name);
    const site = winner?.site ?? declaration?.site;
    if (reason !== undefined && site !== undefined)
      diagnostics.push(diagnose('resolve/reserved-name', { name, reason }, site()));
  }
}

function reservedBecause(name: string): string | undefined {
  const [device = ''] = name.split('.');
  if (/^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(device)) return `${device} is a device`;
  return name.endsWith('.') ? 'it drops the dot at the end' : undefined;
}

export const emptyCatalog: Catalog = { server: [], tool: [], prompt: [], resource: [], schema: [] };

/** Discover, read, split and resolve below the root; without a root there are no items. */
export function resolveRoot(manifest: Manifest, reader: Reader, diagnostics: Diagnostic[]): Catalog {
  const { root, declarations } = manifest;
  if (root === undefined) return emptyCatalog;
  const status = reader.folder.status(root);
  const place = manifest.rootIsGiven ? manifest.at.site(['root']) : startOf(manifestFile);
  if (status === 'outside') {
    diagnostics.push(diagnose('resolve/path-escape', { path: root }, place));
    return emptyCatalog;
  }
  if (status !== 'folder') {
    // W10: an empty pack needs no root. A link that leads to none was meant to.
    const isExpected =
      manifest.rootIsGiven ||
      Object.values(declarations).some(list => list.length > 0) ||
      isLinkIn(reader.folder, root);
    if (isExpected) diagnostics.push(diagnose('resolve/missing-root', { root }, place));
    return emptyCatalog;
  }
  const { value: refs, diagnostics: unreadable } = discover(reader.folder, root);
  const { value: catalog, diagnostics: unresolved } = resolve({ root, refs, reader, declarations });
  addAll(diagnostics, unreadable);
  addAll(diagnostics, unresolved);
  return catalog;
}

/** Whether a name without a slash that a pack does not have is one of the built-in pack's (W32). */
export type IsBuiltIn = (kind: Kind, name: string) => boolean;

/** A pack whose names are all its own costs nothing: the built-in one is looked at for a name that nothing else has. */
export function makeIsBuiltIn(open: (path: string) => Folder): IsBuiltIn {
  let names: ReadonlySet<string> | undefined;
  return (kind, name) => {
    names ??= readNames(open(builtinPack()));
    return names.has(`${kind}:${name}`);
  };
}

function readNames(folder: Folder): ReadonlySet<string> {
  const reader = createReader(folder);
  const { value: manifest } = readManifest(reader);
  if (manifest === undefined) return new Set();
  const catalog = resolveRoot(manifest, reader, []);
  return new Set(Object.values(catalog).flatMap(entries => entries.map(({ kind, name }) => `${kind}:${name}`)));
}
