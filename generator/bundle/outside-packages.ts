// An esbuild plugin: packages that stay outside, because somebody said so or because they hold what no bundle can. Every one that
// is left out is named, and must be found from the build as it is from the pack.
import type { OnResolveArgs, Plugin } from 'esbuild';
import { isNative, packageOf } from './native-packages.js';

const asked = Symbol('asked');

export interface Outside {
  /** Packages of `--external`. */
  readonly named: readonly string[];
  /** Absolute: the pack. */
  readonly folder: string;
  /** Collects what was really left out. */
  readonly left: Set<string>;
  /** Collects packages outside that only another package finds, and that one: `inner` of `outer/node_modules`. */
  readonly hidden: Map<string, string>;
}

export function outsidePackagesPlugin({ named, folder: pack, left, hidden }: Outside): Plugin {
  const native = new Map<string, boolean>();
  const isLeft = (name: string, folder: string): boolean => {
    const known = native.get(folder) ?? isNative(folder);
    native.set(folder, known);
    return known || named.includes(name);
  };
  return {
    name: 'toolwright-outside-packages',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, kind, ...from }: OnResolveArgs) => {
        if (pluginData === asked || kind === 'entry-point' || path.startsWith('node:')) return undefined;
        const [isNamed] = named.filter(name => path === name || path.startsWith(`${name}/`));
        if (isNamed !== undefined) {
          left.add(isNamed);
          return { path, external: true };
        }
        const { importer, namespace, resolveDir } = from;
        const found = await build.resolve(path, { importer, namespace, resolveDir, kind, pluginData: asked });
        const owner = found.errors.length > 0 || found.external ? undefined : packageOf(found.path);
        if (owner === undefined || !isLeft(owner.name, owner.folder)) return undefined;
        const user = packageOf(importer);
        const seen = await build.resolve(path, { resolveDir: pack, kind, pluginData: asked });
        if (user !== undefined && seen.path !== found.path) hidden.set(owner.name, user.name);
        left.add(owner.name);
        return { path, external: true };
      });
    },
  };
}
