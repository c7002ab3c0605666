// The disk as reconcile needs it. In: a pack's folder and the files that should exist. Out: what stands at each path that they or the
// ledger name.
// One listing per folder, read synchronously: only files whose text matters are opened.
import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { codeOf, existsAt, nameOf, parentOf } from '../../runtime/load/folder.js';
import { maxCodeBytes, readBytes, readUtf8 } from '../../runtime/load/read-file.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import {
  bookkeepingOf,
  hashText,
  isPackPath,
  type Known,
  parseLedgers,
  temporaryName,
  versionOfLedger,
} from './ledger.js';
import type { GeneratedFile } from './plan.js';

/** What is at a path; paths without anything are not in the snapshot. */
export type DiskEntry = DiskFile | DiskProblem;

export interface DiskFile {
  readonly type: 'file';
  /** Of the text with LF; undefined for handlers that are surely not as generate wrote them: links, and what cannot be read. */
  readonly hash?: string;
  /** Nobody's work: empty (as a power failure leaves it) or full of git's conflict markers. */
  readonly isWreck?: true;
  /** The path as the disk spells it, where upper and lower case are the same to it. */
  readonly spelled?: string;
}

/** Something that can be neither kept nor replaced. */
interface DiskProblem {
  readonly type: 'problem';
  readonly diagnostic: Diagnostic;
}

export interface Snapshot {
  /** The generated folder, relative to the pack. */
  readonly generated: string;
  readonly known: Known;
  /** The ledger's text with LF. */
  readonly ledger: string | undefined;
  /** There is one only after a killed run. */
  readonly journal: string | undefined;
  readonly files: ReadonlyMap<string, DiskEntry>;
  /** Temporary files that a killed run left behind. */
  readonly strays: readonly string[];
}

/**
 * Looks at the disk.
 *
 * @example const snapshot = takeSnapshot('/packs/jira', 'generated', files);
 */
export function takeSnapshot(folder: string, generated: string, planned: readonly GeneratedFile[]): Snapshot {
  const places = makePlaces(folder);
  const files = new Map<string, DiskEntry>();
  const strays: string[] = [];
  const { ledger, journal } = readLedgers(places, generated);
  const known = parseLedgers([ledger, journal], generated);
  const { ledger: ledgerPath } = bookkeepingOf(generated);
  for (const [parent, wanted] of groupByFolder(planned, known, ledgerPath)) {
    const place = places.of(parent);
    if (place.type === 'missing') continue;
    if (place.type === 'problem') {
      // A handler that exists is the author's, wherever it is; nothing else is written there.
      for (const { path, isStub } of wanted)
        files.set(path, isStub && existsAt(places.full(path)) ? { type: 'file' } : place);
      continue;
    }
    const listing = tryToList(places.full(parent), parent);
    if (listing === undefined) continue;
    if ('type' in listing) {
      for (const { path } of wanted) files.set(path, listing);
      continue;
    }
    for (const name of listing.strays) strays.push(pathIn(parent, name));
    for (const { path, isStub } of wanted) {
      const found = listing.find(nameOf(path));
      if (found === undefined) continue;
      const entry = isStub ? lookAtStub(path, found, places) : lookAtFile(path, found, places);
      const spelled = found.name === nameOf(path) ? {} : { spelled: pathIn(parent, found.name) };
      files.set(path, entry.type === 'file' ? { ...entry, ...spelled } : entry);
    }
  }
  return { generated, known, ledger, journal, files, strays: strays.sort() };
}

/** The texts of the ledger and the journal, with LF; neither where the generated folder is not a folder of the pack. */
export function readLedgers(places: Places, generated: string): Pick<Snapshot, 'ledger' | 'journal'> {
  if (places.of(generated).type !== 'folder') return { ledger: undefined, journal: undefined };
  const { ledger, journal } = bookkeepingOf(generated);
  const read = (path: string): string | undefined => {
    try {
      return readUtf8(places.full(path), maxCodeBytes).replaceAll('\r\n', '\n');
    } catch {
      // Missing, or unreadable, which the listing below reports where it matters.
      return undefined;
    }
  };
  return { ledger: read(ledger), journal: read(journal) };
}

/** The version that generated last in a pack; undefined where nothing was generated. */
export function madeBy(pack: string, generated = 'generated'): string | undefined {
  const { ledger } = readLedgers(makePlaces(pack), generated);
  return ledger === undefined ? undefined : versionOfLedger(ledger);
}

interface Wanted {
  readonly path: string;
  readonly isStub: boolean;
}

function groupByFolder(planned: readonly GeneratedFile[], known: Known, ledgerPath: string): Map<string, Wanted[]> {
  const wanted = new Map<string, boolean>();
  for (const [path, entries] of known)
    wanted.set(
      path,
      entries.every(({ role }) => role === 'stub'),
    );
  // reconcile reports paths that leave the pack; they are not even looked at.
  for (const { path, role } of planned) if (isPackPath(path)) wanted.set(path, role === 'stub');
  wanted.set(ledgerPath, false);
  const groups = new Map<string, Wanted[]>();
  for (const [path, isStub] of wanted) {
    const parent = parentOf(path);
    const group = groups.get(parent);
    if (group === undefined) groups.set(parent, [{ path, isStub }]);
    else group.push({ path, isStub });
  }
  return groups;
}

interface Listing {
  readonly strays: readonly string[];
  find(name: string): Dirent | undefined;
}

/** Undefined where the folder is gone since it was found. */
function tryToList(full: string, path: string): Listing | DiskProblem | undefined {
  try {
    return listFolder(full);
  } catch (error) {
    const reason = codeOf(error);
    if (reason === undefined) throw error;
    return reason === 'ENOENT' ? undefined : problem(diagnose('read/failed', { path, reason }, startOf(path)));
  }
}

function listFolder(full: string): Listing {
  const entries = new Map(readdirSync(full, { withFileTypes: true }).map(entry => [entry.name, entry]));
  let folded: Map<string, Dirent> | undefined;
  return {
    strays: [...entries.values()].filter(one => one.isFile() && temporaryName.test(one.name)).map(({ name }) => name),
    find(name) {
      const exact = entries.get(name);
      if (exact !== undefined) return exact;
      folded ??= new Map([...entries.values()].map(entry => [fold(entry.name), entry]));
      const similar = folded.get(fold(name));
      // Only the disk knows whether two spellings are one file.
      return similar !== undefined && existsAt(join(full, name)) ? similar : undefined;
    },
  };
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** What is there is the author's, whatever it is; only a plain file may still be as it was written. */
function lookAtStub(path: string, found: Dirent, places: Places): DiskEntry {
  if (found.isDirectory()) return notAFile(path);
  const entry = found.isFile() ? lookAtFile(path, found, places) : undefined;
  return entry?.type === 'file' ? entry : { type: 'file' };
}

function lookAtFile(path: string, found: Dirent, places: Places): DiskEntry {
  try {
    if (found.isSymbolicLink()) {
      const real = realpathSync.native(places.full(path));
      if (!places.isInside(real)) return problem(leavesPack(path));
      if (!statSync(real).isFile()) return notAFile(path);
    } else if (!found.isFile()) return notAFile(path);
    return toFile(readBytes(places.full(path), maxCodeBytes));
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ELOOP') return notAFile(path);
    const reason = error instanceof Error ? error.message : String(error);
    return problem(diagnose('read/failed', { path, reason: codeOf(error) ?? reason }, startOf(path)));
  }
}

const conflictMarkers = /^<{7} .*\n[\s\S]*^={7}$[\s\S]*^>{7} /m;

function toFile(bytes: Buffer): DiskFile {
  const isWreck = bytes.length === 0 || (bytes.includes('<<<<<<< ') && conflictMarkers.test(withoutCr(bytes)));
  return { type: 'file', hash: hashText(bytes), ...(isWreck ? { isWreck } : {}) };
}

function withoutCr(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll('\r\n', '\n');
}

function notAFile(path: string): DiskProblem {
  return problem(diagnose('read/not-a-file', { path }, startOf(path)));
}

function problem(diagnostic: Diagnostic): DiskProblem {
  return { type: 'problem', diagnostic };
}

function pathIn(parent: string, name: string): string {
  return parent === '' ? name : `${parent}/${name}`;
}

// Folders of a pack, links followed. In: a path relative to the pack. Out: whether files can be there without leaving the pack.

type Place =
  | { readonly type: 'folder' }
  /** It can be made: the nearest folder above that exists is in the pack. */
  | { readonly type: 'missing' }
  /** The diagnostic names the folder, so that a thousand files in it are one message. */
  | { readonly type: 'problem'; readonly diagnostic: Diagnostic };

interface Places {
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
      if (!isInside(real)) return problemPlace(leavesPack(folder));
      return statSync(real).isDirectory() ? { type: 'folder' } : notAFolder(folder);
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ELOOP') {
        return problemPlace(diagnose('read/failed', { path: folder, reason: code ?? String(error) }, startOf(folder)));
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
function leavesPack(path: string): Diagnostic {
  const hint = 'it is reached through a link to a place outside the pack: remove the link';
  return diagnose('resolve/path-escape', { path }, startOf(path), { hint });
}

function notAFolder(path: string): Place {
  return problemPlace(diagnose('generate/not-a-folder', { path }, startOf(path)));
}

function problemPlace(diagnostic: Diagnostic): Place {
  return { type: 'problem', diagnostic };
}
