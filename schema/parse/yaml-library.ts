// The YAML library, loaded when the first YAML text is parsed: JSON packs and packs in a warm cache never pay for it.
import { createRequire } from 'node:module';

/** Set by scripts/build.mjs: the library as one file, which is loaded three times as fast as its seventy. */
declare const __TOOLWRIGHT_YAML__: string | undefined;

type YamlLibrary = typeof import('yaml');

const require = createRequire(import.meta.url);
let library: YamlLibrary | undefined;

export function yaml(): YamlLibrary {
  library ??= require(typeof __TOOLWRIGHT_YAML__ === 'undefined' ? 'yaml' : __TOOLWRIGHT_YAML__) as YamlLibrary;
  return library;
}
