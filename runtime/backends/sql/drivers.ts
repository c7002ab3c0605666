// In: which database. Out: its driver, loaded on first use: the one that the pack has installed, else the one beside this package. They are
// optional, and never part of a bundle.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { messageOf } from '../../call/print-cause.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';

export type SqliteDriverName = 'node:sqlite' | 'better-sqlite3' | 'node-sqlite3-wasm';

export interface FoundDriver<Name extends string> {
  readonly name: Name;
  /** What `require` takes, from anywhere. */
  readonly path: string;
  load(): unknown;
}

const sqliteDrivers: readonly SqliteDriverName[] = ['node:sqlite', 'better-sqlite3', 'node-sqlite3-wasm'];

export function findPostgresDriver(folder: string, backend: string): FoundDriver<'pg'> {
  const found = find('pg', folder);
  if (found !== undefined) return found;
  throw missing(backend, 'the package pg', 'npm install pg');
}

/** `wanted`: for tests. */
export function findSqliteDriver(
  folder: string,
  backend: string,
  wanted: readonly SqliteDriverName[] = sqliteDrivers,
): FoundDriver<SqliteDriverName> {
  for (const name of wanted) {
    const found = name === 'node:sqlite' ? findBuiltin() : find(name, folder);
    if (found !== undefined) return found;
  }
  throw missing(backend, 'Node 22.13 or later, or the package better-sqlite3', 'npm install better-sqlite3@12');
}

function missing(backend: string, what: string, command: string): UpstreamFailure {
  return new UpstreamFailure('DRIVER_MISSING', `${backend} needs ${what}, which is not installed`, {
    suggestedFix: command,
    meta: { command },
  });
}

function find<Name extends string>(name: Name, folder: string): FoundDriver<Name> | undefined {
  // Without the address of a module, as in some bundles, the pack's folder is all there is.
  const own: string | undefined = import.meta.url;
  for (const from of [join(folder, 'package.json'), ...(own === undefined ? [] : [own])]) {
    const require = createRequire(from);
    let path: string;
    try {
      path = require.resolve(name);
    } catch {
      continue;
    }
    return { name, path, load: () => loadInstalled(require, path, name) };
  }
  return undefined;
}

/** An addon may be there and not fit: built for another version of Node, or not built at all. */
function loadInstalled(require: NodeJS.Require, path: string, name: string): unknown {
  try {
    return require(path);
  } catch (cause) {
    const [line = ''] = messageOf(cause).split('\n');
    throw new UpstreamFailure('DRIVER_MISSING', `The package ${name} is installed and cannot be loaded: ${line}`, {
      suggestedFix: `npm rebuild ${name}`,
      cause,
    });
  }
}

/** Only where Node has it without a flag. Its warning that it is new helps nobody who calls a tool. */
function findBuiltin(): FoundDriver<'node:sqlite'> | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    const module: unknown = process.getBuiltinModule('node:sqlite');
    return module === undefined ? undefined : { name: 'node:sqlite', path: 'node:sqlite', load: () => module };
  } finally {
    process.emitWarning = emitWarning;
  }
}
