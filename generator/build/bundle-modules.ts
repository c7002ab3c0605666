// In: entry modules, on disk or as texts. Out: ES modules in one flat folder that need no node_modules, sharing what they share;
// or diagnostics. esbuild is loaded here, and nothing is written.

import { isBuiltin } from 'node:module';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { BuildOptions, Message, Metafile, OutputFile, Plugin } from 'esbuild';
import { loadEsbuild } from '../../runtime/call/handlers/load-esbuild.js';
import { readBytes } from '../../runtime/load/read-file.js';
import { addAll, type Diagnostic, diagnose, type Site, startOf } from '../../schema/diagnostics.js';
import {
  assetsPlugin,
  oddFilesPlugin,
  outsidePackagesPlugin,
  ownModulesPlugin,
  packageOf,
  wantsWhole,
} from './bundle-plugins.js';
import { checkModuleLocations } from './module-location-check.js';
import { bundledFiles, findNotices, type Notice } from './notices.js';

/** A module that many may share is given by its file; one that exists only in a build by its text. */
export type EntryModule =
  | { readonly out: string; readonly file: string }
  | { readonly out: string; readonly text: string; readonly name: string };

interface BundleOptions {
  /** Absolute: the pack. */
  readonly folder: string;
  /** Absolute: where the modules will lie, for the paths in source maps. */
  readonly outdir: string;
  readonly external: readonly string[];
  /** `inline`: in the modules, for who bundles them once more. */
  readonly sourcemap: boolean | 'inline';
  readonly minify: boolean;
  /** False: one file for each entry, with everything in it. */
  readonly splitting: boolean;
  /** Default node. Workers have none of its modules, nor its variables. */
  readonly platform?: 'node' | 'worker';
  /** Where assets will lie, as seen from the modules. */
  readonly assets: string;
  /** See bundle-plugins.ts. */
  readonly latePrefix?: string;
  /** See bundle-plugins.ts. */
  readonly support?: string;
  readonly plugins?: readonly Plugin[];
}

interface Bundle {
  /** By file name, in order of names. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly assets: ReadonlyMap<string, Uint8Array>;
  /** Packages and binary files that are not inside, sorted. */
  readonly externals: readonly string[];
  /** Packages outside that cannot be found from the build, and the package that finds them. */
  readonly hidden: ReadonlyMap<string, string>;
  /** Of the packages that are inside. */
  readonly notices: readonly Notice[];
  readonly diagnostics: readonly Diagnostic[];
}

const texts = 'toolwright-text';

export async function bundleModules(entries: readonly EntryModule[], options: BundleOptions): Promise<Bundle> {
  const first = await bundleWith(entries, options, false);
  const bundle = 'wantsWhole' in first ? ((await bundleWith(entries, options, true)) as Bundle) : first;
  // What stays outside must be found: where only one package can find another, both stay outside.
  const users = [...bundle.hidden.values()].filter(name => !options.external.includes(name));
  if (users.length > 0) return await bundleModules(entries, { ...options, external: [...options.external, ...users] });
  return bundle;
}

/** Handlers get a small part of this package, unless one of them asks for more: the rest drags much along even where it is not used. */
async function bundleWith(
  entries: readonly EntryModule[],
  options: BundleOptions,
  isWhole: boolean,
): Promise<Bundle | { readonly wantsWhole: true }> {
  const left = new Set<string>();
  const hidden = new Map<string, string>();
  const assets = assetsPlugin(options.assets, left);
  const { build } = loadEsbuild();
  const result = await build({
    ...settingsOf(options),
    entryPoints: entries.map(one => ({ out: one.out, in: 'file' in one ? one.file : `${texts}:${one.name}` })),
    plugins: [
      oddFilesPlugin(),
      textsPlugin(entries, options.folder),
      ...(options.plugins ?? []),
      ownModulesPlugin({ isWhole, latePrefix: options.latePrefix, support: options.support }),
      outsidePackagesPlugin({ named: options.external, folder: options.folder, left, hidden }),
      assets.plugin,
    ],
  }).catch((error: unknown) => failureOf(error));
  if (!isWhole && [...result.errors, ...result.warnings].some(wantsWhole)) return { wantsWhole: true };
  const diagnostics: Diagnostic[] = [];
  addAll(
    diagnostics,
    result.errors.map(one => toDiagnostic('build/module', one, options.folder)),
  );
  addAll(
    diagnostics,
    result.warnings.filter(isReported).map(one => toDiagnostic('build/module-warning', one, options.folder)),
  );
  const needed = neededOf(
    result.metafile?.outputs ?? {},
    entries.map(({ out }) => `${out}.mjs`),
  );
  const outputs = (result.outputFiles ?? [])
    .filter(({ path }) => needed.has(basename(path).replace(/\.map$/, '')))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const inside = bundledFiles(result.metafile, needed, options.folder);
  const { folder, platform = 'node' } = options;
  addAll(diagnostics, await checkModuleLocations({ files: inside, folder, platform }));
  return {
    files: new Map(outputs.map(file => [basename(file.path), withRequire(file, outputs)])),
    assets: assets.copies,
    externals: [...left].sort(),
    hidden,
    notices: findNotices(inside, options.folder),
    diagnostics,
  };
}

/** Imports of what is only known when they run: nothing of it is inside. */
const late: readonly string[] = ['unsupported-dynamic-import', 'unsupported-require-call', 'indirect-require'];

/** Packages try many things that they can do without; and what plugins give, whose paths have a scheme, is known to work. */
function isReported({ id, location }: Message): boolean {
  if (!late.includes(id)) return true;
  return location !== null && !/^[a-z-]+:/.test(location.file) && packageOf(resolve(location.file)) === undefined;
}

function settingsOf(options: BundleOptions) {
  const { folder, outdir, sourcemap, minify, splitting } = options;
  return {
    absWorkingDir: folder,
    outdir,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    splitting,
    chunkNames: 'chunk-[hash]',
    outExtension: { '.js': '.mjs' },
    sourcemap: sourcemap === true ? 'linked' : sourcemap,
    metafile: true,
    minify,
    // The runtime in a single file comes small, and would be printed large again.
    ...(splitting ? {} : { minifyWhitespace: true, minifySyntax: true }),
    legalComments: 'inline',
    logLevel: 'silent',
    logOverride: {
      'ignored-bare-import': 'silent',
      ...Object.fromEntries(late.map(id => [id, 'warning' as const])),
    },
    // A build is the same wherever it is made.
    preserveSymlinks: false,
    ...(options.platform === 'worker' && forWorkers),
  } satisfies BuildOptions;
}

const forWorkers = {
  platform: 'browser',
  target: 'es2022',
  conditions: ['workerd', 'worker', 'browser'],
} satisfies BuildOptions;

/** Entries that are texts. */
function textsPlugin(entries: readonly EntryModule[], folder: string): Plugin {
  const byName = new Map(entries.flatMap(one => ('text' in one ? [[one.name, one.text] as const] : [])));
  return {
    name: texts,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${texts}:`) }, ({ path }) => ({
        path: path.slice(texts.length + 1),
        namespace: texts,
      }));
      build.onLoad({ filter: /./, namespace: texts }, ({ path }) => ({
        contents: byName.get(path) ?? '',
        loader: 'js',
        resolveDir: folder,
      }));
    },
  };
}

/** esbuild also writes what only dead code would import: of `toolwright` in handlers, nearly everything. */
function neededOf(outputs: Metafile['outputs'], entries: readonly string[]): ReadonlySet<string> {
  const wanted = new Set(entries);
  const found = new Set<string>();
  const pending = Object.keys(outputs).filter(path => wanted.has(basename(path)));
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const { path: next, external } of outputs[path]?.imports ?? []) if (external !== true) pending.push(next);
  }
  return new Set([...found].map(path => basename(path)));
}

interface Failure {
  readonly metafile?: Metafile;
  readonly errors: readonly Message[];
  readonly warnings: readonly Message[];
  readonly outputFiles?: readonly OutputFile[] | undefined;
}

function failureOf(error: unknown): Failure {
  if (error instanceof Error && 'errors' in error && Array.isArray(error.errors)) return error as unknown as Failure;
  throw error;
}

export function toDiagnostic(
  code: 'build/module' | 'build/module-warning',
  { text, location, notes }: Message,
  folder: string,
): Diagnostic {
  const site = location === null ? startOf('toolwright.yaml') : siteOf(location, folder);
  const missing = /^Could not resolve "([^"]+)"/.exec(text)?.[1];
  const hint = missing === undefined ? notes[0]?.text : hintFor(missing, folder, site);
  return diagnose(code, { reason: text }, site, { hint });
}

function hintFor(missing: string, folder: string, { file }: Site): string | undefined {
  const isOwn = missing.startsWith('.');
  // Only workers lack these.
  if (isBuiltin(missing)) return `Node modules exist only if the host provides them: --external ${missing}`;
  if (!isOwn)
    return `install it, or leave it outside with --external ${missing
      .split('/')
      .slice(0, missing.startsWith('@') ? 2 : 1)
      .join('/')}`;
  const wanted = relative(folder, resolve(folder, file, '..', missing)).split(sep)[0] ?? '';
  return isGenerated(join(folder, wanted)) ? undefined : 'if it is generated, run toolwright generate first';
}

function isGenerated(folder: string): boolean {
  try {
    return readBytes(join(folder, '.toolwright.json')).length > 0;
  } catch {
    return false;
  }
}

/** esbuild counts bytes, from 0. */
function siteOf(location: NonNullable<Message['location']>, folder: string): Site {
  const { file, line, column, length, lineText } = location;
  const bytes = Buffer.from(lineText);
  const from = bytes.subarray(0, column).toString().length;
  const to = from + bytes.subarray(column, column + length).toString().length;
  const inside = isAbsolute(file) ? relative(folder, file).split(sep).join('/') : file;
  return { file: inside, line, column: from + 1, endLine: line, endColumn: to + 1 };
}

// In: the text of a bundled module. Out: the same with the line before it that it needs, and its map moved by that line.

/**
 * What modules in CommonJS expect to be there, and an ES module has not. esbuild renames variables of these names only in files that
 * need the real ones, so that only these get them.
 */
function withRequire({ path, contents, text }: OutputFile, all: readonly OutputFile[]): Uint8Array {
  if (path.endsWith('.map')) {
    const code = all.find(one => `${one.path}.map` === path);
    return code === undefined || firstLineFor(code.text) === '' ? contents : Buffer.from(withLine(text));
  }
  const line = firstLineFor(text);
  return line === '' ? contents : Buffer.from(`${line}\n${text}`);
}

/** The first line of what can be started. The map of a file knows nothing of it, and so gets a line more. */
export function withShebang(files: ReadonlyMap<string, Uint8Array>, entry: string): ReadonlyMap<string, Uint8Array> {
  return new Map(
    [...files].map(([name, bytes]) => {
      const text = Buffer.from(bytes).toString();
      if (name === entry) return [name, Buffer.from(`#!/usr/bin/env node\n${text}`)];
      return name === `${entry}.map` ? [name, Buffer.from(withLine(text))] : [name, bytes];
    }),
  );
}

/** A source map for a string that has one more line at its start. */
function withLine(text: string): string {
  const map = JSON.parse(text) as { mappings: string };
  return JSON.stringify({ ...map, mappings: `;${map.mappings}` }, null, 2);
}

const requireLine = "import{createRequire as __tw}from'node:module';const require=__tw(import.meta.url);";
const placeLine =
  "import{fileURLToPath as __twp}from'node:url';const __filename=__twp(import.meta.url),__dirname=__twp(new URL('.',import.meta.url));";

function firstLineFor(text: string): string {
  const needsPlace =
    /\b__(?:dirname|filename)\b/.test(text) && !/(?:var|let|const|,)\s*__(?:dirname|filename)\s*=/.test(text);
  return `${needsRequire(text) ? requireLine : ''}${needsPlace ? placeLine : ''}`;
}

/** The text of a module that is bundled once more, and gets the function then; its lines stay where they were. */
export function withoutRequire(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString();
  const isAdded = text.startsWith(requireLine) || text.startsWith(placeLine);
  return isAdded ? text.slice(text.indexOf('\n')) : text;
}

function needsRequire(text: string): boolean {
  return /typeof require\s*[!<]/.test(text) && /Dynamic require of/.test(text);
}
