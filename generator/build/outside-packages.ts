// An esbuild plugin: packages that stay outside, because somebody said so or because they have parts that no bundle can hold (native
// addons, WebAssembly). Every one that is left out is named, and must be found from the build as it is from the pack.
import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { OnResolveArgs, Plugin } from 'esbuild';
import { maxCodeBytes, readUtf8 } from '../../runtime/load/read-file.js';
import { asMap, isMap } from '../../schema/document.js';

/** More files than this are not looked at: what loads an addon lies near the top. */
const mostEntries = 5000;
/** One of these for each platform holds what a package cannot do itself. */
const platformPackage = /[-/](?:linux|darwin|win32|android|freebsd)[-.\w]*$/;
const helpers = ['bindings', 'node-gyp-build', 'node-addon-api', 'prebuild-install', '@mapbox/node-pre-gyp', 'nan'];

export interface InstalledPackage {
  readonly name: string;
  readonly folder: string;
}

/** The package that a file of node_modules belongs to. */
export function packageOf(file: string): InstalledPackage | undefined {
  const marker = `${sep}node_modules${sep}`;
  const start = file.lastIndexOf(marker);
  if (start < 0) return undefined;
  const [first = '', second = ''] = file.slice(start + marker.length).split(sep);
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  return { name, folder: join(file.slice(0, start), 'node_modules', ...name.split('/')) };
}

/**
 * Addons are found by what builds or loads them; WebAssembly only where code of the package names a file of it, since many
 * carry one that they have inlined as well.
 *
 * @example isNative('/app/node_modules/better-sqlite3') // true
 */
function isNative(folder: string): boolean {
  const manifest = readManifest(join(folder, 'package.json'));
  if (manifest['gypfile'] === true || existsSync(join(folder, 'binding.gyp'))) return true;
  const scripts = isMap(manifest['scripts']) ? manifest['scripts'] : {};
  if (/node-gyp|prebuild|node-pre-gyp|cmake-js/.test(String(scripts['install'] ?? ''))) return true;
  const dependencies = { ...asMap(manifest['dependencies']), ...asMap(manifest['optionalDependencies']) };
  if (helpers.some(name => Object.hasOwn(dependencies, name))) return true;
  if (Object.keys(asMap(manifest['optionalDependencies'])).some(name => platformPackage.test(name))) return true;
  const files = filesBelow(folder);
  if (files.some(file => file.endsWith('.node'))) return true;
  return files.some(file => file.endsWith('.wasm')) && files.some(namesWasm);
}

function namesWasm(file: string): boolean {
  return /\.[cm]?js$/.test(file) && /\.wasm["'`]/.test(readUtf8(file, maxCodeBytes));
}

function filesBelow(folder: string): readonly string[] {
  const files: string[] = [];
  const pending = [folder];
  let count = 0;
  for (let here = pending.shift(); here !== undefined && count < mostEntries; here = pending.shift()) {
    for (const entry of readdirSync(here, { withFileTypes: true })) {
      count += 1;
      if (entry.name === 'node_modules') continue;
      const path = join(here, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else if (entry.isFile()) files.push(path);
    }
  }
  return files;
}

function readManifest(path: string): Readonly<Record<string, unknown>> {
  try {
    return asMap(JSON.parse(readUtf8(path)));
  } catch {
    return {};
  }
}

const asked = Symbol('asked');

interface Outside {
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
