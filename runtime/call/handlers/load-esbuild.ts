// In: nothing. Out: esbuild, loaded for the first module that needs it. The published package carries esbuild's JavaScript itself, and
// has its programs as optional dependencies: the package `esbuild` has an install script, for which pnpm ends with an error.
import { createRequire } from 'node:module';

/** Where the build has put it; undefined in the sources. */
declare const __TOOLWRIGHT_ESBUILD__: string | undefined;

export function loadEsbuild(): typeof import('esbuild') {
  const path = typeof __TOOLWRIGHT_ESBUILD__ === 'undefined' ? 'esbuild' : __TOOLWRIGHT_ESBUILD__;
  return createRequire(import.meta.url)(path) as typeof import('esbuild');
}
