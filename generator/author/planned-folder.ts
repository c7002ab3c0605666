// In: a folder and changes that nobody has written yet. Out: the folder as it would be, so that a plan can be loaded and proved.
import { type Entry, type Folder, parentOf } from '../../runtime/load/folder.js';
import type { FileChange } from './change-book.js';

export function plannedFolder(folder: Folder, changes: readonly FileChange[]): Folder {
  const texts = new Map(changes.map(({ path, after }) => [path, after]));
  const isParent = (path: string): boolean => [...texts.keys()].some(one => one.startsWith(`${path}/`));
  const isOutside = (path: string): boolean =>
    path !== '' && (folder.status(path) === 'outside' || isOutside(parentOf(path)));
  return {
    path: folder.path,
    status(path) {
      // A planned file in a folder that is a link stays where the link leads: what is out of the pack is not read.
      if (texts.has(path)) return isOutside(parentOf(path)) ? 'outside' : 'file';
      const real = folder.status(path);
      return real === 'missing' && (path === '' || isParent(path)) ? 'folder' : real;
    },
    list(path) {
      const start = path === '' ? '' : `${path}/`;
      const found = new Map((folder.list(path) ?? []).map(entry => [entry.name, entry]));
      for (const file of texts.keys()) {
        if (!file.startsWith(start)) continue;
        const [name = '', ...deeper] = file.slice(start.length).split('/');
        const entry: Entry = { name, type: deeper.length > 0 ? 'folder' : 'file' };
        if (!found.has(name)) found.set(name, entry);
      }
      if (found.size === 0 && folder.list(path) === undefined) return undefined;
      return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    read(path, limit) {
      const text = texts.get(path);
      if (text === undefined) return folder.read(path, limit);
      const bytes = new TextEncoder().encode(text);
      return bytes.length > limit ? bytes.length : bytes;
    },
  };
}
