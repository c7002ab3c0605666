// In: the files of modules that go into one folder. Out: a name for each, as readable as can be, and no two the same.
import { hash } from 'node:crypto';

/**
 * `src/tools/get-issue.ts` -> `src.tools.get-issue`: one folder for all, so that assets are found from everywhere. Names of files are
 * authors': not every one can stand in a URL, and `a.b.ts`, `a/b.ts`, `A/b.js` would be one name, on some disks at least. Such get
 * a hash of their path.
 *
 * @example nameModules(['src/a.ts'], []).get('src/a.ts') // 'src.a'
 */
export function nameModules(files: Iterable<string>, taken: Iterable<string>): ReadonlyMap<string, string> {
  const plain = new Map([...new Set(files)].map(file => [file, flatName(file)]));
  const uses = new Map<string, number>();
  for (const name of [...plain.values(), ...taken]) uses.set(fold(name), (uses.get(fold(name)) ?? 0) + 1);
  return new Map(
    [...plain].map(([file, name]) => {
      const safe = name.replaceAll(/[^\w.-]/g, '_');
      const isUnique = uses.get(fold(name)) === 1;
      return [file, safe === name && isUnique ? name : `${safe}-${hash('sha256', file, 'hex').slice(0, 8)}`];
    }),
  );
}

function flatName(file: string): string {
  return file.replace(/\.[cm]?[jt]sx?$/, '').replaceAll('/', '.');
}

/** What disks that ignore case take for the same. */
function fold(name: string): string {
  return name.toLowerCase();
}
