// In: folders. Out: the variables of their `.env` files; a later folder counts more.
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readUtf8 } from '../../runtime/load/read-file.js';

/** A folder without the file, or with one that cannot be read, has no variables. */
export function readEnvFiles(folders: readonly string[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...folders.map(readEnvFile));
}

function readEnvFile(folder: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readUtf8(join(folder, '.env')).replace(/^\ufeff/, ''));
  } catch {
    return {};
  }
}
