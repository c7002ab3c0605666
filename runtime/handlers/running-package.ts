// Where the running copy of this package is. Its modules lie two folders below its root, as sources and when built.
import { readFileSync } from 'node:fs';
import { isMap } from '../../schema/document.js';
import { packageUrl } from '../load/builtin-pack.js';
import type { OwnModules } from './module-hooks.js';

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
