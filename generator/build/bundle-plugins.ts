// An esbuild plugin: packages that stay outside, because somebody said so or because they have parts that no bundle can hold (native
// addons, WebAssembly). Every one that is left out is named, and must be found from the build as it is from the pack.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Loader, Message, OnResolveArgs, Plugin } from 'esbuild';
import { isFile } from '../../runtime/call/handlers/tsconfig.js';
import { ownModules, packageFile } from '../../runtime/load/own-package.js';
import { maxCodeBytes, oddAbove, readBytes, readUtf8 } from '../../runtime/load/read-file.js';
import { asMap, isMap } from '../../schema/document.js';
import * as support from '../../schema/support.js';

/** More files than this are not looked at: what loads an addon lies near the top. */
const mostEntries = 5000;
/** One of these for each platform holds what a package cannot do itself. */
const platformPackage = /[-/](?:linux|darwin|win32|android|freebsd)[-.\w]*$/;
const helpers = ['bindings', 'node-gyp-build', 'node-addon-api', 'prebuild-install', '@mapbox/node-pre-gyp', 'nan'];

interface InstalledPackage {
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
  if (isAddon(folder)) return true;
  const files = filesBelow(folder);
  return files.some(file => file.endsWith('.wasm')) && files.some(namesWasm);
}

/** Whether a package is machine code, which is made or chosen where it is installed. */
export function isAddon(folder: string): boolean {
  const manifest = readManifest(join(folder, 'package.json'));
  if (manifest['gypfile'] === true || existsSync(join(folder, 'binding.gyp'))) return true;
  const scripts = isMap(manifest['scripts']) ? manifest['scripts'] : {};
  if (/node-gyp|prebuild|node-pre-gyp|cmake-js/.test(String(scripts['install'] ?? ''))) return true;
  const dependencies = { ...asMap(manifest['dependencies']), ...asMap(manifest['optionalDependencies']) };
  if (helpers.some(name => Object.hasOwn(dependencies, name))) return true;
  if (Object.keys(asMap(manifest['optionalDependencies'])).some(name => platformPackage.test(name))) return true;
  return filesBelow(folder).some(file => file.endsWith('.node'));
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

// An esbuild plugin: files that a module reads beside itself, as `new URL('./model.wasm', import.meta.url)`. They are copied and the
// module reads the copy; addons and WebAssembly among them are named.

const reference = /new\s+URL\(\s*(['"])(\.{1,2}\/[^'"\\\n]+)\1\s*,\s*import\.meta\.url\s*\)/g;
const loaders: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.jsx': 'jsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
};

interface Assets {
  /** Contents by name in the folder of assets. */
  readonly copies: Map<string, Uint8Array>;
  readonly plugin: Plugin;
}

/** `folder`: where assets will lie, as seen from the bundled modules. `left` collects the names of binary ones. */
export function assetsPlugin(folder: string, left: Set<string>): Assets {
  const copies = new Map<string, Uint8Array>();
  const copy = (file: string): string => {
    const bytes = readBytes(file, maxCodeBytes);
    const extension = extname(file);
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    const name = `${basename(file, extension)}-${hash}${extension}`;
    copies.set(name, bytes);
    if (/\.(node|wasm)$/.test(file)) left.add(basename(file));
    return `${folder}${name}`;
  };
  const plugin: Plugin = {
    name: 'toolwright-assets',
    setup(build) {
      build.onResolve({ filter: /^\.{1,2}\/.*\.(node|wasm)$/ }, ({ path, resolveDir }) => {
        const file = join(resolveDir, path);
        return isFile(file) ? { path: copy(file), external: true } : undefined;
      });
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: 'file' }, ({ path }) => {
        const loader = loaderOf(path);
        const text = readUtf8(path, maxCodeBytes);
        if (loader === undefined || !text.includes('import.meta.url')) return undefined;
        const contents = text.replace(reference, (whole, _quote, way: string) => {
          const file = copiedFile(path, way);
          return file === undefined ? whole : `new URL(${JSON.stringify(copy(file))}, import.meta.url)`;
        });
        return contents === text ? undefined : { contents, loader };
      });
    },
  };
  return { copies, plugin };
}

/** Undefined: it is not a module. */
export function loaderOf(path: string): Loader | undefined {
  return loaders[extname(path)];
}

/** The file that a module names relative to itself; undefined where there is none, or where it is a module that must be bundled. */
export function copiedFile(module: string, way: string): string | undefined {
  const file = join(dirname(module), way);
  return /^\.{1,2}\//.test(way) && isFile(file) && loaderOf(file) === undefined ? file : undefined;
}

// An esbuild plugin: what `toolwright` means in handlers and validators: the running copy, wherever it is installed. Its files get
// names of their own, so that no path of this machine reaches the output.

const namespace = 'toolwright';

/** The package as handlers see it: what they use while they run comes without the rest. */
const handlerModule = 'toolwright';
/** As it is seen by who takes all of it, or asks for it while running: nobody can tell what of it will be used. */
const wholeModule = 'toolwright-whole';
const handlerValues =
  "export { audio, exec, image, link, path, request, resource, text, ToolError } from './dist/runtime/handler-values.js';\n";
const wholeText = `${handlerValues}export * from './dist/runtime/index.js';\n`;

/** Whether a message of esbuild says that somebody wants more of the package than handlers mostly do. */
export function wantsWhole({ text }: Message): boolean {
  return text.includes(`"${namespace}:${handlerModule}"`);
}

interface OwnModules {
  /** With everything that the package exports. */
  readonly isWhole: boolean;
  /** What it loads late by its path is given this prefix in place of `../`, for who bundles the modules once more. */
  readonly latePrefix: string | undefined;
  /** The text of `toolwright/support`: the engine that the runtime has, not one more; undefined: it stays an import. */
  readonly support: string | undefined;
}

const supportModule = 'toolwright/support';

/** What it exports, as a list in code. */
export const supportNames = `{ ${Object.keys(support).join(', ')} }`;

export function ownModulesPlugin({ isWhole, latePrefix, support: supportText }: OwnModules): Plugin {
  const handlerText = isWhole ? wholeText : handlerValues;
  const root = fileURLToPath(packageFile());
  const own = new Map(Object.entries(ownModules()).map(([name, url]) => [name, fileURLToPath(url)]));
  // Nothing of it does anything when it is only imported, so that handlers get what they use.
  const leadTo = (file: string) => ({
    path: file.slice(root.length).replaceAll('\\', '/'),
    namespace,
    sideEffects: false,
  });
  return {
    name: 'toolwright-own-modules',
    setup(build) {
      build.onResolve({ filter: /^toolwright(\/|$)/ }, async ({ path, kind, importer }) => {
        if (path === 'toolwright') {
          const isOpen = kind !== 'import-statement' || takesAll(importer);
          return { path: isOpen ? wholeModule : handlerModule, namespace, sideEffects: false };
        }
        // A `require` that stays in a module is not followed by who bundles it once more.
        if (path === supportModule && kind !== 'require-call') {
          return supportText === undefined ? { path, external: true } : { path, namespace, sideEffects: false };
        }
        const file = own.get(path);
        return file === undefined ? undefined : leadTo(file);
      });
      build.onResolve({ filter: /^\./, namespace }, ({ path, importer }) =>
        leadTo(join(root, dirname(importer), path)),
      );
      build.onLoad({ filter: new RegExp(`^(?:${handlerModule}|${wholeModule})$`), namespace }, ({ path }) => ({
        contents: path === wholeModule ? wholeText : handlerText,
        resolveDir: root,
      }));
      build.onLoad({ filter: new RegExp(`^${supportModule}$`), namespace }, () => ({ contents: supportText ?? '' }));
      build.onLoad({ filter: /./, namespace }, async ({ path }) => ({
        contents: withLate(readUtf8(join(root, path), maxCodeBytes), latePrefix),
        loader: 'js',
        resolveDir: dirname(join(root, path)),
      }));
    },
  };
}

const allOfIt = /\*(?:\s*as\s+[\w$]+)?\s*from\s*(['"])toolwright\1/;

/** Whether a module imports or passes on the package as a whole. What is not a file on disk does not. */
function takesAll(importer: string): boolean {
  try {
    return allOfIt.test(readUtf8(importer, maxCodeBytes));
  } catch {
    return false;
  }
}

function withLate(text: string, prefix: string | undefined): string {
  return prefix === undefined ? text : text.replaceAll(/\("\.\.\/(yaml\.cjs)"\)/g, `("${prefix}$1")`);
}

// esbuild reads every tsconfig.json above a module by itself, and would wait for a pipe without end. In: the modules of a build.
// Out: an error in place of the wait.

export function oddFilesPlugin(): Plugin {
  const known = new Map<string, string | undefined>();
  const oddIn = (folder: string): string | undefined => {
    if (!known.has(folder)) known.set(folder, oddAbove(folder, 'tsconfig.json'));
    return known.get(folder);
  };
  return {
    name: 'toolwright-odd-files',
    setup(build) {
      build.onResolve({ filter: /^(?:\.{1,2}\/|\/|[A-Za-z]:)/ }, ({ path, resolveDir }) => {
        const odd = oddIn(dirname(isAbsolute(path) ? path : resolve(resolveDir, path)));
        return odd === undefined ? undefined : { errors: [{ text: `${odd} is not a regular file: remove it` }] };
      });
    },
  };
}
