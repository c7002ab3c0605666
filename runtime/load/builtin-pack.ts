// The running copy of this package: its modules, and the pack that comes with it (its folder, and which names it has, read when
// somebody first asks).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Kind } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import type { Folder } from './folder.js';
import { readManifest } from './manifest.js';
import { createReader } from './read.js';
import { resolveRoot } from './resolve.js';

/** Sources and what is bundled from them lie equally deep: two folders below the package. */
export function builtinPack(): string {
  return fileURLToPath(new URL('../../builtin', import.meta.url));
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

/** The folder of the package, with a slash at the end. */
export function packageUrl(): string {
  return new URL('../../', import.meta.url).href;
}

/** The modules of the running package, by specifier: `toolwright`, `toolwright/support`. */
export type OwnModules = Readonly<Record<string, string>>;

/**
 * What `toolwright` and its subpaths mean in handlers (DESIGN 8).
 *
 * @example ownModules()['toolwright/support'] // 'file:///.../toolwright/dist/schema/support.js'
 */
export function ownModules(): OwnModules {
  const root = packageUrl();
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  if (!isMap(manifest) || typeof manifest['name'] !== 'string' || !isMap(manifest['exports'])) return {};
  const { name, exports } = manifest;
  return Object.fromEntries(
    Object.entries(exports).flatMap(([subpath, target]) => {
      const file = isMap(target) ? target['default'] : target;
      if (typeof file !== 'string' || subpath.includes('*')) return [];
      return [[name + subpath.slice(1), new URL(file, root).href]];
    }),
  );
}
