// In: the folder of external definitions. Out: a hash of all that could define anything, so that stored answers are used only for what
// they were made of. Used by builds and by the first file of a built server: it imports nothing but Node's own.
import { readdirSync, readFileSync, statSync } from 'node:fs';

/** Loaded only where there is something to hash: most built servers have their definitions inside. */
function startHash() {
  return process.getBuiltinModule('node:crypto').createHash('sha256');
}

/** No pipe that nobody writes to, nothing without an end. */
function isUsual(path: string): boolean {
  const stats = statSync(path);
  return stats.isFile() && stats.size <= 32 * 1024 * 1024;
}

/** Undefined where something cannot be read: then nothing is known. */
export function hashDefinitions(folder: string): string | undefined {
  const hash = startHash();
  const add = (path: string): void => {
    const entries = readdirSync(`${folder}${path}`, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const inner = `${path}/${entry.name}`;
      if (entry.isDirectory()) add(inner);
      else if (!isUsual(`${folder}${inner}`)) throw new Error(`${inner} is not a file that is read`);
      else
        hash
          .update(inner)
          .update('\0')
          .update(readFileSync(`${folder}${inner}`))
          .update('\0');
    }
  };
  try {
    add('');
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}

/** The same for files that are not written yet: contents by path below the folder. */
export function hashDefinitionFiles(files: ReadonlyMap<string, string>): string {
  const hash = startHash();
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`/${path}`).update('\0').update(text).update('\0');
  }
  return hash.digest('hex');
}
