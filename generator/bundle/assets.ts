// An esbuild plugin: files that a module reads beside itself, as `new URL('./model.wasm', import.meta.url)`. They are copied and the
// module reads the copy; addons and WebAssembly among them are named.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Loader, Plugin } from 'esbuild';

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
    const bytes = readFileSync(file);
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
        const loader = loaders[extname(path)];
        const text = readFileSync(path, 'utf8');
        if (loader === undefined || !text.includes('import.meta.url')) return undefined;
        const contents = text.replace(reference, (whole, _quote, way: string) => {
          const file = join(dirname(path), way);
          const isModule = loaders[extname(file)] !== undefined;
          return isFile(file) && !isModule ? `new URL(${JSON.stringify(copy(file))}, import.meta.url)` : whole;
        });
        return contents === text ? undefined : { contents, loader };
      });
    },
  };
  return { copies, plugin };
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
