// The pack that comes with the package itself: its folder, and which names it has, read when somebody first asks.
import { fileURLToPath } from 'node:url';
import type { Kind } from '../../schema/definitions.js';
import type { Folder } from './folder.js';
import { readManifest } from './manifest.js';
import { packageFile } from './own-package.js';
import { createReader } from './read.js';
import { resolveRoot } from './resolve.js';

export function builtinPack(): string {
  return fileURLToPath(packageFile('builtin'));
}

/** Whether a name without a slash that a pack does not have is one of the built-in pack's (W32). */
export type IsBuiltIn = (kind: Kind, name: string) => boolean;

/** A pack whose names are all its own costs nothing: the built-in one is looked at for a name that nothing else has. */
export function makeIsBuiltIn(open: (path: string) => Folder): IsBuiltIn {
  let names: ReadonlySet<string> | undefined;
  return (kind, name) => {
    names ??= readNames(open(builtinPack()));
    return names.has(`${kind}:${name}`);
  };
}

function readNames(folder: Folder): ReadonlySet<string> {
  const reader = createReader(folder);
  const { value: manifest } = readManifest(reader);
  if (manifest === undefined) return new Set();
  const catalog = resolveRoot(manifest, reader, []);
  return new Set(Object.values(catalog).flatMap(entries => entries.map(({ kind, name }) => `${kind}:${name}`)));
}
