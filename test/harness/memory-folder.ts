// A folder in memory, so that whole packs can be written inside a test. Counts reads; may have links and broken files.
import type { Entry, Folder, PathStatus } from '../../runtime/load/folder.js';

export interface Link {
  /** Where the link leads inside the folder, or `outside`. */
  readonly link: string;
}

export interface Broken {
  /** What the system says on reading, such as EACCES. */
  readonly error: string;
}

export type MemoryFile = string | Uint8Array | Link | Broken;

export interface MemoryFolder extends Folder {
  readonly reads: Map<string, number>;
  write(path: string, file: MemoryFile): void;
}

export function memoryFolder(given: Readonly<Record<string, MemoryFile>>, path = '/pack'): MemoryFolder {
  const files = new Map<string, MemoryFile>(Object.entries(given));
  const reads = new Map<string, number>();
  const isFolder = (inside: string): boolean =>
    inside === '' || [...files.keys()].some(name => name.startsWith(`${inside}/`));
  const fail = (code: string): never => {
    throw Object.assign(new Error(code), { code });
  };
  return {
    path,
    reads,
    write: (inside, file) => files.set(inside, file),
    status(inside): PathStatus {
      const file = files.get(inside);
      if (file === undefined) return isFolder(inside) ? 'folder' : 'missing';
      if (typeof file === 'object' && 'link' in file)
        return file.link === 'outside' ? 'outside' : this.status(file.link);
      return 'file';
    },
    list(inside) {
      if (!isFolder(inside)) return undefined;
      const start = inside === '' ? '' : `${inside}/`;
      const entries = new Map<string, Entry>();
      for (const [name, file] of files) {
        if (!name.startsWith(start)) continue;
        const [first = '', ...rest] = name.slice(start.length).split('/');
        const isLink = typeof file === 'object' && 'link' in file;
        entries.set(first, { name: first, type: rest.length > 0 ? 'folder' : isLink ? 'link' : 'file' });
      }
      return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    read(inside, limit) {
      reads.set(inside, (reads.get(inside) ?? 0) + 1);
      const file = files.get(inside) ?? fail(isFolder(inside) ? 'EISDIR' : 'ENOENT');
      if (typeof file === 'object' && 'link' in file) return this.read(file.link, limit);
      if (typeof file === 'object' && 'error' in file) return fail(file.error);
      const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
      return bytes.length > limit ? bytes.length : bytes;
    },
  };
}
