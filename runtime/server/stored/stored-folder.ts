// The folders of a built server. In: files kept in a module or beside it. Out: a Folder, so that everything that reads files of a
// pack reads them here as well.
import { join } from 'node:path';
import { packageOfPack } from '../../../schema/names.js';
import { type Entry, type Folder, nodeFolder } from '../../load/folder.js';
import { manifestFile } from '../../load/manifest.js';
import { definitionsRoot, type PackParts } from './parts.js';

export function filesFolder({ files }: Pick<PackParts, 'files'>): Folder {
  return typeof files === 'string' ? nodeFolder(files) : memoryFolder(files);
}

/** A pack without files: what its definitions named was read when it was built. */
export const noFiles: Folder = {
  path: '',
  status: () => 'missing',
  list: () => undefined,
  read: () => {
    throw new Error('there are no files');
  },
};

/** Bytes in base64, by path. */
function memoryFolder(files: Readonly<Record<string, string>>): Folder {
  const paths = Object.keys(files);
  const isFolder = (path: string): boolean => path === '' || paths.some(one => one.startsWith(`${path}/`));
  return {
    path: '',
    status: path => (Object.hasOwn(files, path) ? 'file' : isFolder(path) ? 'folder' : 'missing'),
    list(path) {
      if (!isFolder(path)) return undefined;
      const start = path === '' ? '' : `${path}/`;
      const names = paths.filter(one => one.startsWith(start)).map(one => one.slice(start.length));
      const entries = new Map(
        names.map((name): [string, Entry] => {
          const [first = ''] = name.split('/');
          return [first, { name: first, type: first === name ? 'file' : 'folder' }];
        }),
      );
      return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    read(path, limit) {
      const bytes = Buffer.from(files[path] ?? '', 'base64');
      return bytes.length > limit ? bytes.length : bytes;
    },
  };
}

/**
 * X1: how the loader finds packs whose schemas external definitions use: where it looks for an installed package, it finds what was
 * stored of it. `own`: the pack itself, which others may refer to.
 */
export function openStoredPacks(own: Folder, text = '{}'): (path: string) => Folder {
  const packs = JSON.parse(text) as Readonly<Record<string, { readonly manifest: object; readonly schemas: object }>>;
  const inBase64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');
  const folders = new Map(
    Object.entries(packs).map(([name, { manifest, schemas }]) => [
      join(own.path, 'node_modules', packageOfPack(name)),
      { [manifestFile]: inBase64(manifest), [`${definitionsRoot}/schemas.json`]: inBase64(schemas) },
    ]),
  );
  return path => {
    const files = folders.get(path);
    return path === own.path ? own : files === undefined ? noFiles : { ...memoryFolder(files), path };
  };
}

/** The pack as its loader sees it: the manifest of the build, definitions from `folder`, and files that lie in neither from the build. */
export function externalFolder(folder: string, manifest: string, files: Folder): Folder {
  const outside = nodeFolder(folder);
  const text = Buffer.from(manifest);
  const isDefinition = (path: string): boolean => path === definitionsRoot || path.startsWith(`${definitionsRoot}/`);
  const of = (path: string): Folder => (isDefinition(path) && outside.status(path) !== 'missing' ? outside : files);
  return {
    path: outside.path,
    status: path => (path === manifestFile ? 'file' : path === '' ? 'folder' : of(path).status(path)),
    // Only what lies outside defines anything.
    list: path => (isDefinition(path) ? outside : files).list(path),
    read: (path, limit) => (path === manifestFile ? text : of(path).read(path, limit)),
  };
}
