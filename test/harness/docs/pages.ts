// The pages that a reader follows; the reference is made from the sources, and decisions are for maintainers.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

/** `docs/start/install.md`, ...: without those that a page may be as long as it likes in. */
export function listGuides(): readonly string[] {
  return ['docs/start', 'docs/guides', 'docs/explanation'].flatMap(folder =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder))
          .filter(name => name.endsWith('.md'))
          .sort()
          .map(name => `${folder}/${name}`)
      : [],
  );
}

/** Everything whose commands are run. */
export function listPages(): readonly string[] {
  return ['README.md', ...listGuides(), 'docs/tutorial.md', 'docs/performance.md'].filter(path =>
    existsSync(join(root, path)),
  );
}
