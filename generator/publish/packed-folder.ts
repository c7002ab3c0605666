// In: a folder and the files of it that a package would have. Out: the folder as those see it who install the package.
import { type Entry, type Folder, nameOf, parentOf } from '../../runtime/load/folder.js';

export function packedFolder(folder: Folder, paths: Iterable<string>): Folder {
  const lists = new Map<string, Map<string, Entry>>([['', new Map()]]);
  const add = (path: string, type: Entry['type']): void => {
    const parent = parentOf(path);
    if (path !== '' && parent !== path) {
      const list = lists.get(parent) ?? new Map<string, Entry>();
      if (!lists.has(parent)) {
        lists.set(parent, list);
        add(parent, 'folder');
      }
      list.set(nameOf(path), { name: nameOf(path), type });
    }
  };
  const files = new Set(paths);
  for (const path of files) add(path, 'file');
  const statusOf = (path: string) => (files.has(path) ? 'file' : lists.has(path) ? 'folder' : 'missing');
  return {
    path: folder.path,
    status: statusOf,
    list: path => {
      const list = lists.get(path);
      return list && [...list.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    read: (path, limit) => folder.read(path, limit),
  };
}
