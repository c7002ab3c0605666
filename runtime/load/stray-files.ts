// In: a folder with a root's layout, and what loading has read of it. Out: YAML that nobody reads, where an author may think that
// it defines something. JSON may be a schema or data of the author's own.
import { keyOf, kinds } from '../../schema/definitions.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { nearest } from '../../schema/nearest.js';
import { type Entry, type Folder, join } from './folder.js';

const keys = kinds.map(keyOf);
/** Nobody nests deeper, and links may lead round in circles. */
const deepest = 8;

export function findStrayFiles(folder: Folder, root: string, isUsed: (path: string) => boolean): readonly Diagnostic[] {
  return [...strayInRoot(folder, root, isUsed), ...keys.flatMap(key => strayBelow(folder, join(root, key), isUsed))];
}

/** `mcp/y.yaml`. Where the pack itself is the root, such files are for other programs. */
function strayInRoot(folder: Folder, root: string, isUsed: (path: string) => boolean): readonly Diagnostic[] {
  if (root === '') return [];
  return yamlIn(folder, root).flatMap(({ name }) => {
    const path = join(root, name);
    const base = name.replace(/\.ya?ml$/, '');
    // What is almost the name of a kind was reported when names were looked at.
    const isKnown = keys.includes(base as (typeof keys)[number]) || nearest(base, keys) !== undefined;
    if (isKnown || isUsed(path)) return [];
    const folders = keys.map(key => `${join(root, key)}/`).join(', ');
    const hint = `a definition lies in ${folders} or in a combined file such as ${join(root, 'tools.yaml')}`;
    return [diagnose('resolve/stray', { path }, startOf(path), { hint })];
  });
}

/** `mcp/tools/jira/get-issue.yaml`: folders of a kind have no folders in them. */
function strayBelow(folder: Folder, kind: string, isUsed: (path: string) => boolean): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  visit(kind, 0);
  return found;

  function visit(path: string, depth: number): void {
    if (depth > 0)
      for (const { name } of yamlIn(folder, path)) {
        const file = join(path, name);
        if (!isUsed(file))
          found.push(diagnose('resolve/stray', { path: file, meant: join(kind, name) }, startOf(file)));
      }
    if (depth >= deepest) return;
    for (const { name, type } of entriesOf(folder, path))
      if (type === 'folder' && !name.startsWith('.')) visit(join(path, name), depth + 1);
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
