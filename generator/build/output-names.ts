// In: a server and the form of its build. Out: the names of what is written for it; and which of these are somebody else's already.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { maxCodeBytes, readBytes } from '../../runtime/load/read-file.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';

export interface OutputForm {
  readonly singleFile: boolean;
  readonly target: 'node' | 'worker';
}

/** Relative to the folder of the build. */
export interface OutputNames {
  /** The file that is started. */
  readonly entry: string;
  /** What lies beside it, if anything does. */
  readonly folder: string;
}

export function outputNames(server: string, { singleFile, target }: OutputForm): OutputNames {
  if (target === 'worker') return { entry: `${server}.worker.mjs`, folder: `${server}.worker` };
  return singleFile
    ? { entry: `${server}.mjs`, folder: `${server}.assets` }
    : { entry: `${server}.cjs`, folder: server };
}

/** In each folder of ours: only such a folder may be replaced. */
export const marker = '.toolwright-build';
/** In each entry of ours, whatever its form: a variable that all of them read. */
const trace = 'TOOLWRIGHT_STATE_KEY';

/** Servers such as `main` and `main.cjs`, of which one has the file and one the folder. */
export function findClashes(out: string, planned: readonly OutputNames[]): readonly Diagnostic[] {
  const names = planned.flatMap(({ entry, folder }) => [entry, folder]);
  const twice = new Set(names.filter((name, index) => names.indexOf(name) < index));
  return [...twice].map(name => diagnose('build/name-clash', { path: name }, startOf(join(out, name))));
}

/** What is in the way and not ours to take away, before anything is made. */
export function findForeign(out: string, planned: readonly OutputNames[]): readonly Diagnostic[] {
  return planned
    .flatMap(({ entry, folder }) => [
      isForeignFile(join(out, entry)) ? entry : [],
      isForeignFolder(join(out, folder)) ? folder : [],
    ])
    .flat()
    .map(name => diagnose('build/foreign', { path: name }, startOf(join(out, name))));
}

function isForeignFile(path: string): boolean {
  if (!existsSync(path)) return false;
  return !statSync(path).isFile() || !readBytes(path, maxCodeBytes).includes(trace);
}

function isForeignFolder(path: string): boolean {
  if (!existsSync(path) || existsSync(join(path, marker))) return false;
  return !statSync(path).isDirectory() || readdirSync(path).length > 0;
}
