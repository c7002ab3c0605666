// Databases for the tests of the sql backend: a file of SQLite for each driver that loads, and a real PostgreSQL.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { BackendScope, CallScope } from '../../../../runtime/backends/ports.js';
import type { SqliteDriverName } from '../../../../runtime/backends/sql/drivers.js';
import { type OpenSqlBackend, openSql } from '../../../../runtime/backends/sql/open-sql.js';
import type { SqlBackendDefinition } from '../../../../schema/definitions.js';
import type { SqlOptions } from '../../../../schema/support/mcp/backends.js';
// @ts-expect-error a script without types
import { betterSqlite } from '../../../../scripts/better-sqlite3.mjs';
// @ts-expect-error a script without types
import { startPostgres as start } from '../../../../scripts/postgres.mjs';

export const startPostgres = start as () => Promise<{ readonly url: string; stop(): Promise<void> } | undefined>;

const require = createRequire(import.meta.url);
const hasBuiltin = process.getBuiltinModule('node:sqlite') !== undefined;

const addon = String(betterSqlite);

/** An addon is built for one version of Node, and the newest have none. */
function canLoad(path: string): boolean {
  const source = `new (require(${JSON.stringify(path)}))(':memory:')`;
  return existsSync(path) && spawnSync(process.execPath, ['-e', source], { stdio: 'ignore' }).status === 0;
}

const hasAddon = canLoad(addon);

export const sqliteDrivers: readonly SqliteDriverName[] = [
  ...(hasBuiltin ? (['node:sqlite'] as const) : []),
  ...(hasAddon ? (['better-sqlite3'] as const) : []),
  'node-sqlite3-wasm',
];

/** A pack's folder, with the addon installed in it; removed at the end. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-sql-'));
  if (hasAddon) {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(addon, join(folder, 'node_modules/better-sqlite3'), 'junction');
  }
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function scopeOf(
  folder: string,
  values: Record<string, unknown> = {},
  secrets: readonly string[] = [],
): BackendScope {
  return {
    folder,
    settings: { values, redact: text => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text) },
    env: { PATH: process.env['PATH'] },
    report: () => undefined,
  };
}

function callOf(signal: AbortSignal = new AbortController().signal): CallScope {
  return { signal } as CallScope;
}

export interface Opened {
  readonly backend: OpenSqlBackend;
  query(text: string, values?: Record<string, unknown>, options?: SqlOptions, signal?: AbortSignal): Promise<unknown>;
}

export function opened(
  definition: SqlBackendDefinition,
  scope: BackendScope,
  drivers?: readonly SqliteDriverName[],
): Opened {
  const backend = openSql('main', definition, scope, drivers);
  afterAll(() => backend.close());
  return { backend, query: (text, values, options, signal) => backend.of(callOf(signal)).query(text, values, options) };
}

interface WasmDatabase {
  exec(text: string): void;
  all(text: string): readonly Record<string, unknown>[];
  close(): void;
}

interface PgClient {
  connect(): Promise<void>;
  query(text: string): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
  end(): Promise<void>;
}

/** A connection without any of our code. */
export async function openPg(url: string): Promise<PgClient> {
  const { Client } = require('pg') as { Client: new (url: string) => PgClient };
  const client = new Client(url);
  await client.connect();
  return client;
}

/** The same for SQLite. */
export function openWasm(path: string): WasmDatabase {
  const { Database } = require('node-sqlite3-wasm') as { Database: new (file: string) => WasmDatabase };
  return new Database(path);
}

/** Makes a file of SQLite, empty as it is. */
export function makeFile(folder: string, name = 'test.db'): string {
  const path = join(folder, name);
  const database = openWasm(path);
  database.exec('CREATE TABLE made (x); DROP TABLE made');
  database.close();
  return path;
}

/** What a failure says, for comparing. */
export async function failureOf(done: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await done;
  } catch (thrown) {
    const { code, message, upstream, retryable, suggestedFix, meta } = thrown as Record<string, unknown>;
    return { code, message, upstream, retryable, suggestedFix, meta };
  }
  throw new Error('it did not fail');
}
