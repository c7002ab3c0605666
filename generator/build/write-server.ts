// In: the files of built servers. Out: they are on disk as a whole or not at all: written to a folder of their own, looked at there, then
// moved to where they belong. Only folders that a build wrote are replaced.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, isBelow } from '../../runtime/load/folder.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { marker } from './output-names.js';
import { buildDirPrefix, removeStaleBuildDirs } from './stale-build-dirs.js';

/** Paths are relative to the folder of the build, with forward slashes. */
export interface ServerFiles {
  /** The file that is started; undefined: these are only files. */
  readonly entry: string | undefined;
  /** The folder beside it; undefined: all is in the entry. */
  readonly folder: string | undefined;
  readonly files: ReadonlyMap<string, string | Uint8Array>;
}

export interface Stage {
  /** Absolute. */
  readonly path: string;
  /** Puts everything where it belongs. */
  commit(): readonly Diagnostic[];
  remove(): void;
}

/** Writes everything into a new folder inside `out`, so that packages are found there as they will be found later. */
export function stageServers(
  out: string,
  servers: readonly ServerFiles[],
): Stage | { readonly diagnostic: Diagnostic } {
  let path: string | undefined;
  try {
    mkdirSync(out, { recursive: true });
    removeStaleBuildDirs(out);
    path = mkdtempSync(join(out, buildDirPrefix()));
    for (const server of servers) writeFiles(path, server);
  } catch (error) {
    if (path !== undefined) rmSync(path, { recursive: true, force: true });
    return { diagnostic: notWritten(out, error) };
  }
  const staged = path;
  const remove = (): void => rmSync(staged, { recursive: true, force: true });
  // Ending the process meanwhile ends the build, too.
  process.once('exit', remove);
  return {
    path: staged,
    remove() {
      process.off('exit', remove);
      remove();
    },
    commit() {
      const undo: (() => void)[] = [];
      try {
        for (const server of servers) moveAll(staged, out, server, undo);
        return [];
      } catch (error) {
        const reason = notWritten(out, error);
        return [reason, ...undo.reverse().flatMap(step => attempt(step, out))];
      }
    },
  };
}

function writeFiles(folder: string, { files, entry, folder: own }: ServerFiles): void {
  const all = own === undefined ? files : new Map([...files, [`${own}/${marker}`, '']]);
  for (const [path, contents] of all) {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, contents);
  }
  if (entry !== undefined) chmodSync(join(folder, entry), 0o755);
}

/** The folder first: an entry never finds a folder that is older than itself. What was there before waits in `from`. */
function moveAll(from: string, to: string, { files, folder, entry }: ServerFiles, undo: (() => void)[]): void {
  if (folder !== undefined) move(join(from, folder), join(to, folder), undo);
  const others = [...files.keys()].filter(path => path !== entry && !(folder !== undefined && isBelow(path, folder)));
  for (const path of entry === undefined ? others : [...others, entry]) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    move(join(from, path), join(to, path), undo);
  }
}

function move(from: string, to: string, undo: (() => void)[]): void {
  const old = `${from}.old`;
  const isTaken = existsSync(to);
  // Somebody's folder of that name is not ours to take away.
  if (isTaken && statSync(to).isDirectory() && !statSync(from).isDirectory()) {
    throw Object.assign(new Error(`${to} is a folder`), { code: 'EISDIR' });
  }
  // A file is replaced in one step, so that there is always one of the two; a folder cannot be.
  if (isTaken && statSync(to).isFile()) copyFileSync(to, old);
  else if (isTaken) renameSync(to, old);
  if (isTaken) undo.push(() => renameSync(old, to));
  renameSync(from, to);
  if (isTaken) undo.push(() => renameSync(to, from));
  else undo.push(() => rmSync(to, { recursive: true, force: true }));
}

/** What cannot be put back is reported as well. */
function attempt(step: () => void, out: string): readonly Diagnostic[] {
  try {
    step();
    return [];
  } catch (error) {
    return [notWritten(out, error)];
  }
}

function notWritten(path: string, error: unknown): Diagnostic {
  const reason = codeOf(error) ?? String(error);
  return diagnose('build/not-written', { path, reason }, startOf(path));
}
