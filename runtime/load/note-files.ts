// In: a folder. Out: the same folder, which remembers which files were asked for.
import type { Folder } from './folder.js';

export interface NotedFolder {
  readonly folder: Folder;
  /** Files that were read, or looked for and found. */
  files(): readonly string[];
  isNoted(path: string): boolean;
}

export function noteFiles(folder: Folder): NotedFolder {
  const noted = new Set<string>();
  const { hashOf } = folder;
  return {
    folder: {
      path: folder.path,
      status(path) {
        noted.add(path);
        return folder.status(path);
      },
      list: path => folder.list(path),
      read(path, limit) {
        noted.add(path);
        return folder.read(path, limit);
      },
      ...(hashOf === undefined
        ? {}
        : {
            hashOf(path: string) {
              noted.add(path);
              return hashOf.call(folder, path);
            },
          }),
    },
    files: () => [...noted].filter(path => folder.status(path) === 'file').sort(),
    isNoted: path => noted.has(path),
  };
}
