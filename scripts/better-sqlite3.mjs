// Installs `better-sqlite3` for tests, into a cache folder. The clone does not depend on it: where its addon can be neither fetched nor
// compiled, nothing else may fail. Tests take it where it loads, and the other drivers of SQLite in any case.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, run } from './run.mjs';

const folder = join(root, 'node_modules/.cache/toolwright-better-sqlite3');

/** Its folder, where it was installed; whether it loads is another question. */
export const betterSqlite = join(folder, 'node_modules/better-sqlite3');

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href && !existsSync(betterSqlite)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  const words = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts=false', 'better-sqlite3@12'];
  if (run('npm', ['install', ...words], { cwd: folder }) !== 0)
    console.error('better-sqlite3 cannot be installed here: tests leave it out.');
}
