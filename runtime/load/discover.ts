// In: a folder with a root's layout. Out: where definitions of each kind may be, in order of precedence. Reads names only.
import { type Kind, keyOf, kinds } from '../../schema/definitions.js';
import { type Diagnostic, diagnose, type Outcome, startOf } from '../../schema/diagnostics.js';
import type { Format } from '../../schema/document.js';
import { nearest } from '../../schema/nearest.js';
import { codeOf, type Entry, type Folder, formatOf, joinPath } from './folder.js';

/** A file that defines one item, or (without `item`) a map of items. */
export interface SourceRef {
  readonly kind: Kind;
  readonly item?: string;
  readonly path: string;
  readonly format: Format;
}

/** Compiled format before source format (DESIGN 2.1). */
const extensions = ['json', 'yaml', 'yml'] as const;

export function discover(folder: Folder, root: string): Outcome<readonly SourceRef[]> {
  const refs: SourceRef[] = [];
  const diagnostics: Diagnostic[] = [];
  const top = list(folder, root, diagnostics);
  for (const kind of kinds) {
    const key = keyOf(kind);
    const inner = top.find(entry => entry.name === key);
    const path = joinPath(root, key);
    if (inner !== undefined && inner.type !== 'file' && isInside(folder, path, inner, 'folder', diagnostics)) {
      const entries = list(folder, path, diagnostics);
      for (const extension of extensions) {
        for (const entry of entries) {
          const item = stem(entry.name, extension);
          if (item === undefined && extension === 'yaml') reportEnding(path, entry, entries, diagnostics);
          if (item !== undefined)
            add({ kind, item, path: joinPath(path, entry.name), format: formatOf(entry.name) }, entry);
        }
      }
    }
    for (const extension of extensions) {
      const entry = top.find(one => one.name === `${key}.${extension}`);
      if (entry !== undefined) add({ kind, path: joinPath(root, entry.name), format: formatOf(entry.name) }, entry);
    }
  }
  reportStrays(top, root, diagnostics);
  return { value: refs, diagnostics };

  function add(ref: SourceRef, entry: Entry): void {
    if (isInside(folder, ref.path, entry, 'file', diagnostics)) refs.push(ref);
  }
}

/** `tool/`, `toolz.yaml`: almost a name that is read. Other names are the author's own (texts/, schemas/). */
function reportStrays(top: readonly Entry[], root: string, diagnostics: Diagnostic[]): void {
  const keys = kinds.map(keyOf);
  for (const { name, type } of top) {
    const right = type === 'folder' ? name : rightEnding(name);
    const [, base = '', ending = ''] = /^([^.]+)(\..+)?$/.exec(right ?? '') ?? [];
    // A folder that is called like a file has its own diagnostic.
    if (base === '' || (type === 'folder' && ending !== '')) continue;
    const meant = keys.find(key => key === base) ?? nearest(base, keys);
    const better = `${meant}${type === 'folder' ? '/' : ending}`;
    if (meant === undefined || better === name || better === `${name}/`) continue;
    if (top.some(one => one.name === better) && !/\.(?:json|ya?ml)$/i.test(name)) continue;
    const path = joinPath(root, name);
    diagnostics.push(diagnose('resolve/stray', { path, meant: joinPath(root, better) }, startOf(path)));
  }
}

/** `x.YAML` is another name than `x.yaml` on most disks, and nothing reads `x.ymal`. */
function reportEnding(
  folder: string,
  { name, type }: Entry,
  siblings: readonly Entry[],
  diagnostics: Diagnostic[],
): void {
  const better = type === 'folder' || name.startsWith('.') ? undefined : rightEnding(name);
  if (better === undefined || better === name) return;
  const isTaken = better.toLowerCase() !== name.toLowerCase() && siblings.some(one => one.name === better);
  const path = joinPath(folder, name);
  if (!isTaken) diagnostics.push(diagnose('resolve/stray', { path, meant: joinPath(folder, better) }, startOf(path)));
}

/** What a file would be called if it were read; undefined for files of other kinds, backups of editors among them. */
function rightEnding(name: string): string | undefined {
  const [, base = '', ending = ''] = /^(.+?)\.([a-z]{2,6}5?|ya?ml\.txt|json\.txt)$/i.exec(name) ?? [];
  const typed = ending.toLowerCase().replace(/\.txt$/, '');
  if (base === '' || base.includes('.')) return undefined;
  const meant = extensions.find(one => one === typed) ?? extensions.find(one => isSlipOf(typed, one));
  return meant === undefined ? undefined : `${base}.${meant}`;
}

/** The same letters in another order, one of them twice or one left out. `js`, `xml` and `jsonl` are endings of their own. */
function isSlipOf(typed: string, ending: string): boolean {
  if (ending === 'json' && /^json[5c]$/.test(typed)) return true;
  const letters = new Set(typed);
  const lost = [...ending].filter(letter => !letters.has(letter)).length;
  const isClose = Math.abs(typed.length - ending.length) <= 1;
  return isClose && [...letters].every(letter => ending.includes(letter)) && lost + Number(ending.length === 3) <= 1;
}

/** Hidden files (`.get-issue.yaml.swp`, `._x.yaml`) are nobody's items. */
function stem(name: string, extension: string): string | undefined {
  if (name.startsWith('.') || !name.endsWith(`.${extension}`)) return undefined;
  return name.slice(0, -extension.length - 1);
}

function list(folder: Folder, path: string, diagnostics: Diagnostic[]): readonly Entry[] {
  try {
    return folder.list(path) ?? [];
  } catch (error) {
    diagnostics.push(diagnose('read/failed', { path, reason: codeOf(error) ?? String(error) }, startOf(path)));
    return [];
  }
}

/** Links are followed only as far as the pack; a folder named x.yaml is a mistake, a file named tools is not our business. */
function isInside(
  folder: Folder,
  path: string,
  entry: Entry,
  wanted: 'file' | 'folder',
  diagnostics: Diagnostic[],
): boolean {
  const status = entry.type === 'link' ? folder.status(path) : entry.type;
  if (status === wanted) return true;
  if (status === 'outside') diagnostics.push(diagnose('resolve/path-escape', { path }, startOf(path)));
  else if (status === 'missing') diagnostics.push(diagnose('read/not-found', { path }, startOf(path)));
  else if (wanted === 'file') diagnostics.push(diagnose('read/not-a-file', { path }, startOf(path)));
  else if (status === 'other' && entry.type === 'link')
    diagnostics.push(
      diagnose('read/failed', { path, reason: 'the link leads to no folder' }, startOf(path), {
        hint: 'remove the link, or point it to a folder inside the pack',
      }),
    );
  return false;
}

const keys = kinds.map(keyOf);
/** Nobody nests deeper, and links may lead round in circles. */
const deepest = 8;

/** A folder with a root's layout, and what loading has read of it. */
interface Looked {
  readonly folder: Folder;
  readonly root: string;
  isUsed(path: string): boolean;
  /** For a folder of patches: how its paths are shown, and of which kind an item is. */
  readonly overlay?: { shown(path: string): string; kindOf(item: string): Kind | undefined };
}

/** YAML that nobody reads, where an author may think that it defines something. JSON may be a schema or data of the author's own. */
export function findStrayFiles(looked: Looked): readonly Diagnostic[] {
  return [...strayInRoot(looked), ...keys.flatMap(key => strayBelow(looked, joinPath(looked.root, key)))];
}

function stray({ overlay }: Looked, path: string, better: { meant?: string | undefined; hint?: string }): Diagnostic {
  const shown = (one: string): string => overlay?.shown(one) ?? one;
  const { meant, hint } = better;
  const params = { path: shown(path), ...(meant === undefined ? {} : { meant: shown(meant) }) };
  return diagnose('resolve/stray', params, startOf(params.path), { hint });
}

/** `mcp/y.yaml`. Where the pack itself is the root, such files are for other programs. */
function strayInRoot(looked: Looked): readonly Diagnostic[] {
  const { folder, root, isUsed, overlay } = looked;
  if (root === '' && overlay === undefined) return [];
  return yamlIn(folder, root).flatMap(({ name }) => {
    const path = joinPath(root, name);
    const base = name.replace(/\.ya?ml$/, '');
    // What is almost the name of a kind was reported when names were looked at.
    const isKnown = keys.includes(base as (typeof keys)[number]) || nearest(base, keys) !== undefined;
    if (isKnown || isUsed(path)) return [];
    const kind = overlay?.kindOf(base);
    if (kind !== undefined) return [stray(looked, path, { meant: joinPath(keyOf(kind), name) })];
    const inRoot = (one: string): string => overlay?.shown(one) ?? joinPath(root, one);
    const folders = keys.map(key => `${inRoot(key)}/`).join(', ');
    const hint = `definitions go in ${folders} or in a combined file such as ${inRoot('tools.yaml')}`;
    return [stray(looked, path, { hint })];
  });
}

/** `mcp/tools/jira/get-issue.yaml`: folders of a kind have no folders in them. */
function strayBelow(looked: Looked, kind: string): readonly Diagnostic[] {
  const { folder, isUsed } = looked;
  const found: Diagnostic[] = [];
  visit(kind, 0);
  return found;

  function visit(path: string, depth: number): void {
    if (depth > 0)
      for (const { name } of yamlIn(folder, path)) {
        const file = joinPath(path, name);
        if (!isUsed(file)) found.push(stray(looked, file, { meant: joinPath(kind, name) }));
      }
    if (depth >= deepest) return;
    for (const { name, type } of entriesOf(folder, path))
      if (type === 'folder' && !name.startsWith('.')) visit(joinPath(path, name), depth + 1);
  }
}

function yamlIn(folder: Folder, path: string): readonly Entry[] {
  return entriesOf(folder, path).filter(
    ({ name, type }) => type === 'file' && !name.startsWith('.') && /\.ya?ml$/.test(name),
  );
}

/** What cannot be listed, or leads out of the pack, was said when names were looked at. */
function entriesOf(folder: Folder, path: string): readonly Entry[] {
  try {
    return folder.status(path) === 'folder' ? (folder.list(path) ?? []) : [];
  } catch {
    return [];
  }
}
