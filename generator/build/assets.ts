// An esbuild plugin: files that a module reads beside itself, as `new URL('./model.wasm', import.meta.url)`. They are copied and the
// module reads the copy; addons and WebAssembly among them are named.

import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Loader, Plugin } from 'esbuild';
import { maxCodeBytes, readBytes, readUtf8 } from '../../runtime/load/read-file.js';

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

export interface Assets {
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

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
