// The YAML library, loaded when the first YAML text is parsed: JSON packs and packs in a warm cache never pay for it.
import { createRequire } from 'node:module';

type YamlLibrary = typeof import('yaml');

const require = createRequire(import.meta.url);
let library: YamlLibrary | undefined;

export function yaml(): YamlLibrary {
  library ??= require('yaml') as YamlLibrary;
  return library;
}
