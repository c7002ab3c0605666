// In: a loaded pack and an item that it should have. Out: the files that make it exist, or why it cannot. Nothing is written.
import { discover } from '../../runtime/load/discover.js';
import { type Folder, formatOf, joinPath } from '../../runtime/load/folder.js';
import { inlineItems } from '../../runtime/load/link-server.js';
import { type LoadedPack, load } from '../../runtime/load/load.js';
import { type Manifest, manifestFile } from '../../runtime/load/manifest.js';
import { type HandledKind, isHandled, type Kind, keyOf } from '../../schema/definitions.js';
import {
  type Diagnostic,
  diagnose,
  hasErrors,
  keyOfDiagnostic,
  type Site,
  sortDiagnostics,
  startOf,
} from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';
import { camelCase, isItemName, longestWireName, makePattern, toItemName } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import { parse } from '../../schema/parse/parse.js';
import { yaml } from '../../schema/parse/yaml-value.js';
import { aroundMark } from '../edit/byte-order-mark.js';
import { appendInJson, setInJson } from '../edit/edit-json.js';
import { addYamlEntry, appendToYamlList } from '../edit/edit-yaml.js';
import { Code } from '../render/code.js';
import { type ChangeBook, type FileChange, notEditable, openBook, plannedFolder } from './change-book.js';
import { printModeline, printStarter } from './print-starter.js';

export interface AddRequest {
  readonly kind: Kind;
  readonly item: string;
  readonly description?: string | undefined;
  /** Written in place of a starter. */
  readonly definition?: WrittenDefinition | undefined;
  /** The server whose list it is added to, where it has one. */
  readonly server?: string | undefined;
}

/** A definition that an author has written elsewhere, as YAML. */
export interface WrittenDefinition {
  /** What diagnostics call it. */
  readonly file: string;
  readonly text: string;
}

export interface AddPlan {
  /** Empty where an error is among the diagnostics. */
  readonly changes: readonly FileChange[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `loaded` must have a manifest. */
export function planAdd(loaded: LoadedPack, folder: Folder, request: AddRequest): AddPlan {
  const { manifest } = loaded;
  if (manifest === undefined) return { changes: [], diagnostics: loaded.diagnostics };
  const wrong = [...checkManifest(loaded), ...checkName(loaded, request)];
  if (wrong.length > 0) return refuse(wrong);
  const book = openBook(folder);
  const found = [
    ...defineItem(request, manifest, book),
    ...declare(request, loaded, manifest, book),
    ...(request.server === undefined ? [] : listInServer(request, request.server, loaded, book)),
  ];
  if (hasErrors(found)) return refuse(found);
  const changes = book.changes();
  const after = load(plannedFolder(folder, changes));
  // What was wrong before is not the business of this command; what it would make wrong is not written.
  const known = new Set(loaded.diagnostics.map(keyOfDiagnostic));
  const fresh = after.diagnostics.filter(one => one.severity === 'error' && !known.has(keyOfDiagnostic(one)));
  if (fresh.length > 0) return refuse(fresh.map(one => placeInDefinition(one, request, changes)));
  return { changes, diagnostics: sortDiagnostics([...found, ...checkListed(after, request)]) };
}

function refuse(diagnostics: readonly Diagnostic[]): AddPlan {
  return { changes: [], diagnostics: sortDiagnostics(diagnostics) };
}

/** A manifest that is only half understood would be read otherwise once it is fixed. */
function checkManifest({ diagnostics }: LoadedPack): readonly Diagnostic[] {
  return diagnostics.filter(({ file, severity, code }) => {
    const isMissing = code === 'resolve/missing-definition' || code === 'resolve/missing-root';
    return file === manifestFile && severity === 'error' && !isMissing;
  });
}

/** The same mistakes that `check` would find afterwards. */
function checkName({ catalog }: LoadedPack, { kind, item }: AddRequest): readonly Diagnostic[] {
  if (!isItemName(item)) {
    const better = toItemName(item);
    const hint = better === undefined ? undefined : `write ${better}`;
    return [diagnose('resolve/item-name', { name: item }, startOf(manifestFile), { hint })];
  }
  if (item.length > longestWireName) {
    const reason = `it is longer than ${longestWireName} characters`;
    return [diagnose('rename/invalid-name', { name: item, reason }, startOf(manifestFile))];
  }
  const inline = catalog.server.flatMap(({ winner }) => (winner === undefined ? [] : inlineItems(winner)));
  const items = [
    ...catalog[kind].map(({ name, winner, declaration, file }) => ({
      name,
      // Declared and not defined yet is what this command is for; a broken file is there all the same.
      isDefined: winner !== undefined || (file !== undefined && declaration === undefined),
      site: (): Site => winner?.site() ?? declaration?.site() ?? startOf(file ?? manifestFile),
    })),
    ...inline.filter(one => one.kind === kind).map(one => ({ name: one.name, isDefined: true, site: one.site })),
  ];
  const same = items.find(({ name }) => name === item);
  if (same?.isDefined) {
    const site = same.site();
    const hint = 'choose another name, or change this definition';
    return [diagnose('author/exists', { kind, item, file: site.file }, site, { hint })];
  }
  const key = camelCase(item).toLowerCase();
  const other = items.find(({ name }) => name !== item && camelCase(name).toLowerCase() === key);
  return other === undefined ? [] : [diagnose('resolve/name-clash', { kind, item, other: other.name }, other.site())];
}

/** Where the kind is a closed list that does not name it yet; and for a second server, so that the first stays the default (N18). */
function declare(
  { kind, item }: AddRequest,
  { catalog }: LoadedPack,
  { declarations }: Manifest,
  book: ChangeBook,
): readonly Diagnostic[] {
  const declared = declarations[kind];
  if (declared?.some(({ name }) => name === item)) return [];
  const [first, ...others] = catalog.server;
  if (declared !== undefined) return edit(book, manifestFile, body => appendToYamlList(body, [keyOf(kind)], item));
  if (kind !== 'server' || first === undefined || others.length > 0) return [];
  // A manifest in which nothing can be added stays as it is: commands then ask for the name of a server.
  return edit(book, manifestFile, body => listServers(body, [first.name, item]) ?? body);
}

/** A manifest with a list of servers that nobody but `add` writes: by its comment `remove` knows it again. */
export function listServers(manifest: string, names: readonly string[]): string | undefined {
  const comment = '# The first is the default.\n';
  return addYamlEntry(manifest, keyOf('server'), comment + yaml().stringify(names));
}

function edit(book: ChangeBook, path: string, change: (body: string) => string | undefined): readonly Diagnostic[] {
  const edited = aroundMark(book.text(path) ?? '', change);
  if (edited === undefined) return [notEditable(path, 'its list cannot be added to safely')];
  book.put(path, edited);
  return [];
}

function listInServer(
  { kind, item }: AddRequest,
  name: string,
  { catalog }: LoadedPack,
  book: ChangeBook,
): readonly Diagnostic[] {
  const server = catalog.server.find(one => one.name === name);
  if (server === undefined) {
    const names = catalog.server.map(one => one.name);
    const list = names.length === 0 ? 'toolwright add server main adds one' : `there is ${names.join(', ')}`;
    const hint = didYouMean(name, names) ?? list;
    return [diagnose('link/unknown-reference', { kind: 'server', name }, startOf(manifestFile), { hint })];
  }
  const { winner } = server;
  if (winner === undefined) return [notEditable(server.file ?? manifestFile, `the server ${name} is broken`)];
  const list = isMap(winner.definition) ? winner.definition[keyOf(kind)] : undefined;
  // Without a list it serves everything.
  if (list === undefined || (Array.isArray(list) && matches(list, item))) return [];
  const path = [...(winner.form === 'combined' ? [name] : []), keyOf(kind)];
  const isJson = formatOf(winner.file) === 'json';
  return edit(book, winner.file, body =>
    isJson ? appendInJson(body, path, item) : appendToYamlList(body, path, item),
  );
}

function matches(list: readonly unknown[], item: string): boolean {
  return list.some(one => typeof one === 'string' && makePattern(one)(item));
}

function checkListed({ catalog }: LoadedPack, { kind, item }: AddRequest): readonly Diagnostic[] {
  if (!isHandled(kind) || catalog.server.length === 0) return [];
  const listed: HandledKind = kind;
  const isServed = catalog.server.some(({ winner }) => {
    const list = isMap(winner?.definition) ? winner.definition[keyOf(listed)] : [];
    return list === undefined || (Array.isArray(list) && matches(list, item));
  });
  if (isServed) return [];
  const [first] = catalog.server;
  const list = `"${keyOf(listed)}" in ${first?.file ?? 'its file'}`;
  const hint = `write ${item} into ${list}; --server ${first?.name} would have done so`;
  return [diagnose('author/not-listed', { kind, item }, startOf(first?.file ?? manifestFile), { hint })];
}

/** A mistake of a definition that is not written stays where its author sees it: the file that it would be in does not exist. */
function placeInDefinition(one: Diagnostic, { definition }: AddRequest, changes: readonly FileChange[]): Diagnostic {
  const own = changes.find(({ path, before }) => path === one.file && before === undefined);
  if (definition === undefined || own?.after === undefined) return one;
  const added = own.after.split('\n').length - ended(definition.text).split('\n').length;
  return { ...one, file: definition.file, line: Math.max(1, one.line - added) };
}

function checkDefinition({ file, text }: WrittenDefinition): readonly Diagnostic[] {
  const { documents, diagnostics } = parse({ path: file, format: 'yaml', text, hash: '' });
  if (hasErrors(diagnostics)) return diagnostics;
  return documents.length === 1 && isMap(documents[0]?.value)
    ? []
    : [notEditable(file, 'a definition is a single map')];
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function defineItem(
  request: AddRequest,
  { root, generated, name: pack }: Manifest,
  book: ChangeBook,
): readonly Diagnostic[] {
  const { kind, item, definition } = request;
  if (root === undefined) return [];
  const wrong = definition === undefined ? [] : checkDefinition(definition);
  if (wrong.length > 0) return wrong;
  const refs = discover(book.folder, root).value.filter(ref => ref.kind === kind);
  // A file that no declaration names is there all the same.
  const own = refs.find(ref => ref.item?.toLowerCase() === item.toLowerCase());
  if (own !== undefined) {
    const hint = 'declare it in toolwright.yaml, or choose another name';
    return [diagnose('author/exists', { kind, item, file: own.path }, startOf(own.path), { hint })];
  }
  const combined = refs.find(ref => ref.item === undefined);
  const starter = { ...request, pack };
  if (combined === undefined || refs.some(ref => ref.item !== undefined)) {
    const path = joinPath(root, keyOf(kind), `${item}.yaml`);
    const modeline = printModeline(path, generated, kind);
    const lines = modeline.text === '' ? '' : `${modeline.text}\n`;
    book.put(path, definition === undefined ? printStarter(starter, modeline) : `${lines}${ended(definition.text)}`);
    return [];
  }
  const body = definition === undefined ? printStarter(starter, new Code('')) : ended(definition.text);
  const { path, format } = combined;
  const edited = aroundMark(book.text(path) ?? '', text => {
    if (format === 'yaml') return addYamlEntry(text, item, body);
    return isMap(parseJson(text)) ? setInJson(text, [item], yaml().parse(body)) : undefined;
  });
  if (edited === undefined) return [notEditable(path, 'nothing can be added to it safely')];
  book.put(path, edited);
  return [];
}
