// N16. In: a pack and the file that starts its built server. Out: what is newer than the build, in words; undefined where nothing is.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { relativePath } from '../../runtime/load/folder.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import type { Program } from '../../runtime/load/program.js';
import { maxCodeBytes, readUtf8 } from '../../runtime/load/read-file.js';
import { lockFile } from '../../schema/lock/lock.js';
import { readRuntime } from './server-content.js';

/** @example newerThanBuild(program.pack, '/pack/dist/main.cjs') // 'src/tools/get.ts' */
export function newerThanBuild(pack: Program['pack'], built: string): string | undefined {
  const time = modifiedAt(built);
  if (time === undefined) return undefined;
  const outputs = new Set([pack.generated, pack.dist, 'node_modules'].map(path => join(pack.folder, path)));
  const folders = [pack.root, pack.handlers].map(path => join(pack.folder, path));
  const sources = [
    ...[manifestFile, lockFile].map(name => join(pack.folder, name)),
    ...new Set(folders.flatMap(folder => filesBelow(folder, outputs))),
  ];
  const newest = sources
    .map(path => ({ path, at: modifiedAt(path) ?? 0 }))
    .reduce((last, one) => (one.at > last.at ? one : last), { path: built, at: time });
  if (newest.path !== built) return relativePath(pack.folder, newest.path);
  return hasOtherRuntime(built) ? 'the installed version of toolwright' : undefined;
}

function modifiedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** A build does not include tests. */
function filesBelow(folder: string, outputs: ReadonlySet<string>): readonly string[] {
  if (outputs.has(folder) || !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || /\.(?:test|spec)\.[cm]?[jt]sx?$/.test(entry.name)) return [];
    return entry.isDirectory() ? filesBelow(path, outputs) : entry.isFile() ? [path] : [];
  });
}

/** The runtime is copied into a build, so that one of another version differs. In a single file it cannot be told apart. */
function hasOtherRuntime(built: string): boolean {
  const part = 'runtime/calls.cjs';
  const copy = join(dirname(built), basename(built, extname(built)), part);
  return existsSync(copy) && readUtf8(copy, maxCodeBytes) !== readRuntime(part);
}
