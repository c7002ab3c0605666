// In: nothing. Out: the folder of the pack that comes with the package itself.
import { fileURLToPath } from 'node:url';

/** Sources and what is bundled from them lie equally deep: two folders below the package. */
export function builtinPack(): string {
  return fileURLToPath(new URL('../../builtin', import.meta.url));
}
