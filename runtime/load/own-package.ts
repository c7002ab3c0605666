// The running copy of this package: where it lies, its modules and its built-in pack. The one module that depends on how deep it stands.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMap } from '../../schema/document.js';

/**
 * A file or folder of the package; sources and what is bundled from them lie equally deep, two folders below it.
 *
 * @example packageFile('templates/stub.hbs')
 */
export function packageFile(path = ''): URL {
  return new URL(`../../${path}`, import.meta.url);
}

/** The folder of the pack that comes with the package. */
export function builtinPack(): string {
  return fileURLToPath(packageFile('builtin'));
}

/** The version of the package. A built server is on its own: no manifest of ours lies near it. */
export function ownVersion(): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
    const { name, version } = isMap(manifest) ? manifest : {};
    return name === 'toolwright' && typeof version === 'string' ? version : '0.0.0';
  } catch {
    return '0.0.0';
  }
}

/** The modules of the running package, by specifier: `toolwright`, `toolwright/support`. */
export type OwnModules = Readonly<Record<string, string>>;

/**
 * What `toolwright` and its subpaths mean in handlers (DESIGN 8).
 *
 * @example ownModules()['toolwright/support'] // 'file:///.../toolwright/dist/schema/support.js'
 */
export function ownModules(): OwnModules {
  const root = packageFile().href;
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
