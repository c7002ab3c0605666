// In: a folder. Out: the folder itself and all above it, the nearest first.
import { dirname, resolve } from 'node:path';

/** @example upwards('/a/b') // ['/a/b', '/a', '/'] */
export function upwards(start: string): readonly string[] {
  const folders = [resolve(start)];
  for (let folder = folders[0] ?? ''; dirname(folder) !== folder; folder = dirname(folder))
    folders.push(dirname(folder));
  return folders;
}
