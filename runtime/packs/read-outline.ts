// In: the folder of a pack. Out: its outline, as a list shows it, from package.json, toolwright.yaml, file names and server
// definitions alone (DESIGN.md 5, discovery); definitions of items are parsed where a server picks them by tag, where somebody asks for tags,
// and where they may run a program. Nothing is run, and what is broken is said in one line, never thrown.
import { reachesOf } from '../../schema/backend/reach.js';
import { type HandledKind, handledKinds, type Kind, keyOf, kinds } from '../../schema/definitions.js';
import { type Diagnostic, sortDiagnostics } from '../../schema/diagnostics.js';
import { asList, asMap, asText, isMap } from '../../schema/document.js';
import { makePattern, packNameOfPackage } from '../../schema/names.js';
import { renderMentions } from '../../schema/template/mentions.js';
import { validate } from '../../schema/validate/validate.js';
import { discover, type SourceRef } from '../load/discover.js';
import { type Folder, joinPath } from '../load/folder.js';
import { groupByTag } from '../load/link-server.js';
import { type Manifest, readManifest } from '../load/manifest.js';
import { createReader, type Reader } from '../load/read.js';
import { type Entry, resolve } from '../load/resolve.js';
import { split } from '../load/split.js';

/** What a server lists of one kind: how many items of its own pack, and the references and patterns to other packs. */
export interface ListOutline {
  readonly own: number;
  readonly foreign: readonly string[];
}

export interface ServerOutline {
  readonly item: string;
  /** One line: what toolwright.yaml declares (W2), else the beginning of what the definition says. */
  readonly description: string;
  /** X12: of the own items that it serves, where somebody asked for them. */
  readonly tags?: readonly string[];
  readonly version: string;
  readonly transport: string;
  /** N18: of several, the one that is meant where none is named. */
  readonly isDefault?: true;
  readonly lists: Readonly<Record<HandledKind, ListOutline>>;
  /** Why it cannot be served. */
  readonly broken?: string;
}

/** Plain data, so that it can be kept in a cache. */
export interface PackOutline {
  /** As the pack calls itself. */
  readonly name: string;
  readonly version: string;
  /** Without those that are switched off. */
  readonly servers: readonly ServerOutline[];
  readonly items: Readonly<Record<HandledKind, readonly string[]>>;
  /** X1: the names of shared schemas, where somebody asked for them. */
  readonly schemas?: readonly string[];
  /** X12: the names of items by tag, where somebody asked for them. */
  readonly tags?: Readonly<Record<HandledKind, Readonly<Record<string, readonly string[]>>>>;
  /** The hosts, databases and servers that its backends are, as toolwright.yaml says it, and the programs of its tools. */
  readonly reaches?: readonly string[];
  /** Why the pack as a whole is in doubt. */
  readonly broken?: string;
}

/** A list of ten thousand declarations has 1 MB; more is there to keep a reader busy. */
const sizeLimit = 4 * 1024 * 1024;

export interface OutlineOptions {
  /** Definitions of all items are read for their tags. */
  readonly withTags?: boolean;
  readonly withSchemas?: boolean;
}

export function readOutline(
  folder: Folder,
  { withTags = false, withSchemas = false }: OutlineOptions = {},
): PackOutline {
  const reader = createReader(withLimit(folder));
  const { value: manifest, diagnostics } = readManifest(reader);
  const broken = reasonOf(diagnostics);
  if (manifest === undefined) return { ...packageOf(reader), servers: [], items: noItems, broken: broken ?? 'unknown' };
  const { name, version, root } = manifest;
  const status = root === undefined ? 'missing' : reader.folder.status(root);
  const refs = root !== undefined && status === 'folder' ? discover(withoutDeclared(reader, manifest), root).value : [];
  const items = {
    tool: namesOf('tool', manifest, refs, reader),
    prompt: namesOf('prompt', manifest, refs, reader),
    resource: namesOf('resource', manifest, refs, reader),
  };
  const tagsOf = makeTagsOf(manifest, reader);
  const { servers, unusable } = readServers({ manifest, refs, reader, items, tagsOf, withTags });
  const programs = status === 'folder' ? programsOf(manifest, reader) : [];
  const reached = [...reachesOf(manifest.backends), ...programs];
  const wrongRoot = status === 'outside' ? `${root} is outside the pack` : undefined;
  const reason = broken ?? wrongRoot ?? unusable;
  const tags = withTags
    ? { tool: toRecord(tagsOf('tool')), prompt: toRecord(tagsOf('prompt')), resource: toRecord(tagsOf('resource')) }
    : undefined;
  return {
    ...{ name, version, servers, items },
    ...(withSchemas ? { schemas: namesOf('schema', manifest, refs, reader) } : {}),
    ...(tags === undefined ? {} : { tags }),
    ...(reached.length === 0 ? {} : { reaches: reached }),
    ...(reason === undefined ? {} : { broken: reason }),
  };
}

/** B3: the programs that tools run. Of all definitions only those are parsed in which the word stands. */
function programsOf({ root = '' }: Manifest, reader: Reader): readonly string[] {
  const { folder } = reader;
  const refs = discover(folder, root).value.filter(({ kind }) => kind === 'tool' || kind === 'server');
  const programs = refs
    .filter(({ path }) => mentions(folder, path, 'exec'))
    .flatMap(ref => split(ref, reader).items)
    .flatMap(({ kind, definition }) => (kind === 'tool' ? [definition] : inlineTools(definition)))
    .map(definition => asText(asMap(asMap(definition)['exec'])['command']));
  return [...new Set(programs)].filter(command => command !== '').map(command => `runs ${command}`);
}

function inlineTools(server: unknown): readonly unknown[] {
  return asList(asMap(server)['tools']);
}

/** What cannot be read is somebody else's to report. */
function mentions(folder: Folder, path: string, word: string): boolean {
  try {
    const bytes = folder.read(path, sizeLimit);
    return typeof bytes !== 'number' && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(word);
  } catch {
    return false;
  }
}

function toRecord(groups: ReadonlyMap<string, readonly string[]>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(groups);
}

/** Where toolwright.yaml names all items of a kind, nobody need look at their files. */
function withoutDeclared({ folder }: Reader, { root = '', declarations }: Manifest): Folder {
  const declared = kinds.filter(kind => kind !== 'server' && declarations[kind] !== undefined);
  const skipped = new Set(declared.map(kind => joinPath(root, keyOf(kind))));
  return { ...folder, list: path => (skipped.has(path) ? [] : folder.list(path)) };
}

/** What is known of a pack whose own manifest says nothing; empty where that is nothing either. */
function packageOf(reader: Reader): { readonly name: string; readonly version: string } {
  const isFile = reader.folder.status('package.json') === 'file';
  const value = isFile ? reader.documents('package.json', 'json').value?.[0]?.value : undefined;
  const { name, version } = isMap(value) ? value : {};
  return {
    name: typeof name === 'string' ? packNameOfPackage(name) : '',
    version: typeof version === 'string' ? version : '',
  };
}

const noItems: PackOutline['items'] = { tool: [], prompt: [], resource: [] };

function withLimit(folder: Folder): Folder {
  return {
    path: folder.path,
    status: path => folder.status(path),
    list: path => folder.list(path),
    read: (path, limit) => folder.read(path, Math.min(limit, sizeLimit)),
  };
}

/** Declared, or else those that files are named for. A combined file is read only where nothing else has its names. */
function namesOf(kind: Kind, { declarations }: Manifest, refs: readonly SourceRef[], reader: Reader): string[] {
  const declared = declarations[kind];
  if (declared !== undefined) return declared.map(({ name }) => name);
  const mine = refs.filter(ref => ref.kind === kind);
  const combined = mine.find(({ item }) => item === undefined);
  const names = new Set(mine.flatMap(({ item }) => item ?? []));
  if (combined !== undefined) for (const { name } of split(combined, reader).items) names.add(name);
  return [...names].sort();
}

interface Servers {
  readonly servers: readonly ServerOutline[];
  /** What is wrong and belongs to none of them, such as a name that is none. */
  readonly unusable: string | undefined;
}

/** What is known of the pack around a server. */
interface Surroundings {
  readonly manifest: Manifest;
  readonly refs: readonly SourceRef[];
  readonly reader: Reader;
  readonly items: PackOutline['items'];
  readonly tagsOf: TagsOf;
  readonly withTags: boolean;
}

function readServers(around: Surroundings): Servers {
  const { manifest, refs, reader } = around;
  const { root = '', declarations } = manifest;
  const { value: catalog, diagnostics } = resolve({
    root,
    refs: refs.filter(({ kind }) => kind === 'server'),
    reader,
    declarations: declarations.server === undefined ? {} : { server: declarations.server },
  });
  const told = new Set<Diagnostic>();
  const servers = catalog.server.flatMap(entry => {
    const mine = entry.winner === undefined ? diagnostics.filter(isAbout(entry)) : [];
    for (const one of mine) told.add(one);
    return outlineServer(entry, mine, around) ?? [];
  });
  const [first, ...others] = servers;
  const hasDefault = first !== undefined && others.length > 0 && declarations.server !== undefined;
  const marked = hasDefault ? [{ ...first, isDefault: true as const }, ...others] : servers;
  return { servers: marked, unusable: reasonOf(diagnostics.filter(one => !told.has(one))) };
}

/** In the file that should define it, or at its declaration. */
function isAbout({ file, declaration }: Entry): (diagnostic: Diagnostic) => boolean {
  const declared = declaration?.site();
  return one => one.file === file || (one.file === declared?.file && one.line === declared.line);
}

function outlineServer(
  entry: Entry,
  unresolved: readonly Diagnostic[],
  around: Surroundings,
): ServerOutline | undefined {
  const { winner, name: item, declaration } = entry;
  const { manifest, withTags } = around;
  const definition = isMap(winner?.definition) ? winner.definition : {};
  if (definition['enabled'] === false) return undefined;
  const wrong = winner === undefined ? unresolved : validate('server', winner.definition, winner.at);
  const broken = reasonOf(wrong) ?? (winner === undefined ? 'its definition is missing' : undefined);
  const { version, transport } = definition;
  const lists = {
    tool: outlineList(definition, 'tool', around),
    prompt: outlineList(definition, 'prompt', around),
    resource: outlineList(definition, 'resource', around),
  };
  const told = declaration?.description ?? asText(definition['description']);
  const tags = handledKinds.flatMap(kind => lists[kind].tags);
  return {
    item,
    description: briefDescription(renderMentions(told, name => name)),
    ...(withTags ? { tags: [...new Set(tags)].sort() } : {}),
    version: typeof version === 'string' ? version : manifest.version,
    transport: transport === 'http' ? 'http' : 'stdio',
    lists: { tool: lists.tool.outline, prompt: lists.prompt.outline, resource: lists.resource.outline },
    ...(broken === undefined ? {} : { broken }),
  };
}

interface OutlinedList {
  readonly outline: ListOutline;
  readonly tags: readonly string[];
}

/** Absent means all. A name without a slash that the pack does not have is a built-in, and counts as well. */
function outlineList(
  definition: Readonly<Record<string, unknown>>,
  kind: HandledKind,
  { manifest: { name: pack }, items, tagsOf, withTags }: Surroundings,
): OutlinedList {
  const list = definition[keyOf(kind)];
  const own = new Set<string>(Array.isArray(list) ? [] : items[kind]);
  const foreign = new Set<string>();
  const inline: string[] = [];
  for (const one of Array.isArray(list) ? list : []) {
    if (isMap(one) && typeof one['tag'] === 'string') {
      for (const name of tagsOf(kind).get(one['tag']) ?? []) own.add(name);
      continue;
    }
    if (isMap(one) && Array.isArray(one['tags'])) inline.push(...one['tags'].map(String));
    const reference: unknown = isMap(one) ? (one['name'] ?? one['item']) : one;
    if (typeof reference !== 'string') continue;
    const name = reference.startsWith(`${pack}/`) ? reference.slice(pack.length + 1) : reference;
    if (name.includes('/')) foreign.add(name);
    else if (!name.includes('*')) own.add(name);
    else for (const match of items[kind].filter(makePattern(name))) own.add(match);
  }
  const served = withTags ? [...tagsOf(kind)].filter(([, names]) => names.some(name => own.has(name))) : [];
  return {
    outline: { own: own.size, foreign: [...foreign] },
    tags: [...served.map(([tag]) => tag), ...inline],
  };
}

/** The first error, and how many more there are. */
function reasonOf(diagnostics: readonly Diagnostic[]): string | undefined {
  const errors = sortDiagnostics(diagnostics.filter(({ severity }) => severity === 'error'));
  const [first] = errors;
  if (first === undefined) return undefined;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `${first.file}:${first.line}:${first.column} ${first.message}${more}`;
}

/** X12: the items of a kind by tag. Definitions are read only where a server picks by a tag, or somebody asks for one. */
type TagsOf = (kind: HandledKind) => ReadonlyMap<string, readonly string[]>;

function makeTagsOf({ root, declarations }: Manifest, reader: Reader): TagsOf {
  const made = new Map<HandledKind, ReadonlyMap<string, readonly string[]>>();
  return kind => {
    const known = made.get(kind);
    if (known !== undefined) return known;
    const isThere = root !== undefined && reader.folder.status(root) === 'folder';
    const refs = isThere ? discover(reader.folder, root).value.filter(ref => ref.kind === kind) : [];
    const declared = declarations[kind];
    const { value } = resolve({
      root: root ?? '',
      refs,
      reader,
      declarations: declared === undefined ? {} : { [kind]: declared },
    });
    const groups = groupByTag(value[kind].flatMap(({ winner }) => winner ?? []));
    made.set(kind, groups);
    return groups;
  };
}

/** In characters, so that a list shows it in a line or two. */
const longestBrief = 200;

/**
 * The first paragraph of a description in one line.
 *
 * @example briefDescription('Gets an issue.\n\nBy its key.') // 'Gets an issue.'
 */
export function briefDescription(description: string): string {
  const [first = ''] = description.trim().split(/\n\s*\n/);
  const line = first.replaceAll(/\s+/g, ' ');
  return line.length > longestBrief ? `${line.slice(0, longestBrief - 3).trimEnd()}...` : line;
}
