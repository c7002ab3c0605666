// In: folders. Out: the variables of their `.env` files; a later folder counts more.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** A folder without the file, or with one that cannot be read, has no variables. */
export function readEnvFiles(folders: readonly string[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...folders.map(readEnvFile));
}

function readEnvFile(folder: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(join(folder, '.env'), 'utf8').replace(/^\ufeff/, ''));
  } catch {
    return {};
  }
}
