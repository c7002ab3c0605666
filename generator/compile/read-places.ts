// Folders of a pack, links followed. In: a path relative to the pack. Out: whether files can be there without leaving the pack.
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { codeOf, parentOf } from '../../runtime/load/folder.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';

export type Place =
  | { readonly type: 'folder' }
  /** It can be made: the nearest folder above that exists is in the pack. */
  | { readonly type: 'missing' }
  /** The diagnostic names the folder, so that a thousand files in it are one message. */
  | { readonly type: 'problem'; readonly diagnostic: Diagnostic };

export interface Places {
  /** The absolute path of one inside the pack. */
  full(path: string): string;
  /** Answers are remembered: make new places for a new look at the disk. */
  of(folder: string): Place;
  /** Whether a real path is in the pack. */
  isInside(real: string): boolean;
}

export function makePlaces(pack: string): Places {
  const root = realpathSync.native(pack);
  const seen = new Map<string, Place>();
  const full = (path: string): string => join(root, path);
  const isInside = (real: string): boolean => {
    const way = relative(root, real);
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  };
  const of = (folder: string): Place => {
    if (folder === '') return { type: 'folder' };
    const known = seen.get(folder);
    if (known !== undefined) return known;
    const place = look(folder);
    seen.set(folder, place);
    return place;
  };
  const look = (folder: string): Place => {
    try {
      const real = realpathSync.native(full(folder));
      if (!isInside(real)) return problem(leavesPack(folder));
      return statSync(real).isDirectory() ? { type: 'folder' } : notAFolder(folder);
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ELOOP') {
        return problem(diagnose('read/failed', { path: folder, reason: code ?? String(error) }, startOf(folder)));
      }
      const above = of(parentOf(folder));
      if (above.type === 'problem') return above;
      const now = lstatSync(full(folder), { throwIfNoEntry: false });
      // Another run may have made the folder since it was found missing.
      if (now?.isDirectory()) return { type: 'folder' };
      return now === undefined ? { type: 'missing' } : notAFolder(folder);
    }
  };
  return { full, of, isInside };
}

/** Where nobody wrote a path: something on the way is a link. */
export function leavesPack(path: string): Diagnostic {
  const hint = 'it is reached through a link that leads out of the pack: remove the link';
  return diagnose('resolve/path-escape', { path }, startOf(path), { hint });
}

function notAFolder(path: string): Place {
  return problem(diagnose('generate/not-a-folder', { path }, startOf(path)));
}

function problem(diagnostic: Diagnostic): Place {
  return { type: 'problem', diagnostic };
}
