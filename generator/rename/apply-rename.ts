// In: the plan of a rename. Out: the disk as planned or, where the system refuses a part of it, as it was.
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { codeOf, existsAt } from '../../runtime/load/folder.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { maxCodeBytes, readUtf8 } from '../../runtime/load/read-file.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';
import type { RenamePlan } from './plan-rename.js';
import { applyEdits, type Move } from './text-edits.js';

/** One file: its new text lies beside it, ready to take its place. */
interface Staged {
  readonly path: string;
  readonly real: string;
  readonly temporary: string;
  readonly backup: string;
}

/**
 * Writes the plan: new texts are first written beside the files, then put in their place one by one. Whatever fails, each file
 * is old or new, and those that were new already are put back. `keepsBackups`: until `sweepRename`, so that the finder knows
 * that a rename was cut off before everything was done.
 *
 * @example applyRename(await planRename(loaded, folder, request), folder.path)
 */
export function applyRename(
  { edits, moves, diagnostics }: RenamePlan,
  pack: string,
  { keepsBackups = false }: { readonly keepsBackups?: boolean } = {},
): readonly Diagnostic[] {
  if (diagnostics.some(({ severity }) => severity === 'error')) return [];
  const staged: Staged[] = [];
  const undo: (() => void)[] = [];
  let at = '';
  try {
    for (const file of edits) {
      at = file.path;
      const real = realFile(pack, file.path);
      if (readUtf8(real, maxCodeBytes) !== file.before) return clean([changed(file.path)]);
      const twin = staged.find(one => one.real === real);
      // Links to the same file, which is written once; they say the same unless they lie in different folders.
      if (twin !== undefined && readUtf8(twin.temporary, maxCodeBytes) === applyEdits(file)) continue;
      if (twin !== undefined) throw new Error(`it is the same file as ${twin.path}`);
      const one = { path: file.path, real, temporary: besideFile(real, 'new'), backup: besideFile(real, 'old') };
      staged.push(one);
      writeFileSync(one.temporary, applyEdits(file));
      chmodSync(one.temporary, statSync(real).mode);
      writeFileSync(one.backup, file.before);
      chmodSync(one.backup, statSync(real).mode);
    }
    for (const { from, to } of moves) {
      at = to;
      if (isTaken(pack, { from, to })) return clean([changed(to)]);
    }
    writeJournal(pack, staged, moves);
    // The declaration comes last: as long as the old name stands there, the command can be run again.
    const [declared, others] = [staged.filter(isManifest), staged.filter(one => !isManifest(one))];
    others.forEach(commit);
    for (const { from, to } of moves) {
      at = from;
      renameSync(join(pack, from), join(pack, to));
      undo.push(() => renameSync(join(pack, to), join(pack, from)));
    }
    declared.forEach(commit);
    rmSync(join(pack, journalFile), { force: true });
    return keepsBackups ? [] : clean([]);
  } catch (error) {
    for (const step of undo.reverse()) step();
    return clean([diagnose('rename/failed', { path: at, reason: codeOf(error) ?? String(error) }, startOf(at))]);
  }

  function commit({ path, real, temporary, backup }: Staged): void {
    at = path;
    renameSync(temporary, real);
    undo.push(() => renameSync(backup, real));
  }

  function clean(found: readonly Diagnostic[]): readonly Diagnostic[] {
    rmSync(join(pack, journalFile), { force: true });
    for (const { temporary, backup } of staged) {
      rmSync(temporary, { force: true });
      rmSync(backup, { force: true });
    }
    return found;
  }
}

/** Where the new text of a file waits, and where its old one is kept. */
function besideFile(real: string, suffix: 'new' | 'old'): string {
  return join(dirname(real), `.${basename(real)}.rename-${suffix}`);
}

/** There while files take their new texts and places: what a rename that is cut off in between has begun. */
const journalFile = '.toolwright.rename-old';

interface Journal {
  readonly moves: readonly Move[];
  /** Files inside the pack, with the hashes of their new texts. */
  readonly written: Readonly<Record<string, string>>;
}

function writeJournal(pack: string, staged: readonly Staged[], moves: readonly Move[]): void {
  const written = Object.fromEntries(staged.map(({ path, temporary }) => [path, hashOf(temporary)]));
  const journal: Journal = { moves: moves.map(({ from, to }) => ({ from, to })), written };
  const beside = join(pack, '.toolwright.rename-new');
  writeFileSync(beside, JSON.stringify(journal));
  renameSync(beside, join(pack, journalFile));
}

/**
 * Takes back a rename that was cut off while files took their new texts, so that it can be run again. What somebody has edited
 * since stays as it is, and so does everything outside of the pack, whatever the journal says. For the holder of the pack's lock.
 *
 * @example takeBackRename('/packs/jira')
 */
export function takeBackRename(pack: string): void {
  const path = join(pack, journalFile);
  const journal: unknown = existsAt(path) ? parseJson(readUtf8(path, maxCodeBytes)) : undefined;
  if (!isMap(journal) || !Array.isArray(journal['moves']) || !isMap(journal['written'])) return;
  const { moves, written } = journal as unknown as Journal;
  try {
    for (const { from, to } of [...moves].reverse()) {
      const [old, now] = [placeInside(pack, from), placeInside(pack, to)];
      if (existsAt(now) && !existsAt(old)) renameSync(now, old);
    }
    for (const [file, hash] of Object.entries(written)) {
      const real = realFile(pack, file);
      const backup = besideFile(real, 'old');
      if (existsAt(backup) && hashOf(real) === hash) renameSync(backup, real);
    }
  } catch {
    // Not as a rename of ours leaves things: nothing more is taken back.
  }
}

/** A path whose folder is inside the pack; the file itself may be missing. */
function placeInside(pack: string, path: string): string {
  return join(realFile(pack, dirname(path)), basename(path));
}

function hashOf(path: string): string {
  return createHash('sha256').update(readUtf8(path, maxCodeBytes)).digest('hex');
}

/**
 * Removes what renames left beside files, and tells how many there were. For the holder of the pack's lock: a rename under way
 * needs them.
 *
 * @example const isCutOff = sweepRename('/packs/jira') > 0
 */
export function sweepRename(pack: string): number {
  const left = leftovers(pack);
  for (const path of left) rmSync(path, { force: true });
  return left.length;
}

/** Paths of what a rename that is not done has left. */
export function leftovers(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === '.git' ? [] : leftovers(path);
    return entry.isFile() && /^\..+\.rename-(?:new|old)$/.test(entry.name) ? [path] : [];
  });
}

function isManifest({ path }: Staged): boolean {
  return path === manifestFile;
}

function changed(path: string): Diagnostic {
  return diagnose('rename/changed-meanwhile', { path }, startOf(path));
}

/** Where upper and lower case are the same, a file stands at both spellings of its path: its folder tells which is its own. */
function isTaken(pack: string, { from, to }: Move): boolean {
  const target = join(pack, to);
  if (from.toLowerCase() !== to.toLowerCase()) return existsAt(target);
  return readdirSync(dirname(target)).includes(basename(target));
}

/** A link is followed, but never out of the pack. */
function realFile(pack: string, path: string): string {
  const real = realpathSync.native(join(pack, path));
  const way = relative(realpathSync.native(pack), real);
  if (way.split(sep)[0] === '..' || isAbsolute(way)) throw new Error('it is outside the pack');
  return real;
}
