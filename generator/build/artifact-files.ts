// What builds copy: the runtime of built servers, made with this package. In: a name. Out: its bytes.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { packageFile } from '../../runtime/load/own-package.js';
import type { Notice } from './notices.js';

function read(path: string): Buffer {
  return readFileSync(packageFile(`dist/artifact/${path}`));
}

/** `external`: with the loader of definitions. Paths are relative to the folder of the artifact. */
export function runtimeFiles(isExternal: boolean): ReadonlyMap<string, Uint8Array> {
  const parts = ['calls', 'main', 'sdk', ...(isExternal ? ['external'] : [])];
  const paths = ['yaml.cjs', ...parts.map(part => `runtime/${part}.cjs`)];
  return new Map(paths.map(path => [path, read(path)]));
}

/** Of what the runtime of built servers is made of, this package included. */
export function runtimeNotices(): readonly Notice[] {
  return JSON.parse(read('notices.json').toString()) as readonly Notice[];
}

/** The text of the first file of every artifact; data follow it. */
export function entryTemplate(): string {
  return read('entry.cjs').toString();
}

/** A file of the prebuilt runtime as text, by its path in it. */
export function readRuntime(path: string): string {
  return read(path).toString();
}

/** What a relative import in one of its files means. */
export function runtimePath(importer: string, path: string): string {
  return posix.join(posix.dirname(importer), path);
}
