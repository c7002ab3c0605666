// SQLite through `node-sqlite3-wasm`. The text of the function also runs in the process of sqlite-helper.ts: it uses nothing from outside.
import type { OpenOptions, SqliteConnection } from './sqlite-session.js';

/** What is used of it. */
interface WasmSqlite {
  readonly Database: new (file: string, options: object) => WasmDatabase;
}
interface WasmDatabase {
  exec(text: string): void;
  prepare(text: string): WasmStatement;
  all(text: string, values?: unknown): readonly Readonly<Record<string, unknown>>[];
  close(): void;
}
interface WasmStatement {
  run(values: readonly unknown[]): { readonly changes: number };
  iterate(values: readonly unknown[]): Iterable<Readonly<Record<string, unknown>>>;
  all(values: readonly unknown[]): readonly Readonly<Record<string, unknown>>[];
  finalize(): void;
}

export function openWasmSqlite(driver: unknown, { file, isReadOnly }: OpenOptions): SqliteConnection {
  const { Database } = driver as WasmSqlite;
  const database = new Database(file, { readOnly: isReadOnly });

  /** The driver tells only what SQLite says in words. */
  const byMessage: readonly (readonly [RegExp, string])[] = [
    [/^UNIQUE constraint failed: /, 'SQLITE_CONSTRAINT_UNIQUE'],
    [/^NOT NULL constraint failed/, 'SQLITE_CONSTRAINT_NOTNULL'],
    [/^FOREIGN KEY constraint failed/, 'SQLITE_CONSTRAINT_FOREIGNKEY'],
    [/^CHECK constraint failed/, 'SQLITE_CONSTRAINT_CHECK'],
    [/^cannot store .* value in .* column/, 'SQLITE_CONSTRAINT_DATATYPE'],
    [/^database is locked/, 'SQLITE_BUSY'],
    [/^database table is locked/, 'SQLITE_LOCKED'],
    [/^attempt to write a readonly database/, 'SQLITE_READONLY'],
    [/^(Could not open the database|unable to open database)/, 'SQLITE_CANTOPEN'],
    [/^file is not a database/, 'SQLITE_NOTADB'],
    [/malformed$/, 'SQLITE_CORRUPT'],
    [/^database or disk is full/, 'SQLITE_FULL'],
    [/^disk I\/O error/, 'SQLITE_IOERR'],
    [/^datatype mismatch/, 'SQLITE_MISMATCH'],
    [/^string or blob too big/, 'SQLITE_TOOBIG'],
  ];

  /** A primary key breaks with the words of UNIQUE. */
  function isPrimaryKey(message: string): boolean {
    const columns = message.replace(/^[^:]*: /, '').split(', ');
    const table = columns[0]?.slice(0, columns[0].lastIndexOf('.')) ?? '';
    const names = columns.map(column => column.slice(table.length + 1)).sort();
    try {
      const keys = database.all('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY name', [table]);
      return keys.length > 0 && JSON.stringify(keys.map(({ name }) => name).sort()) === JSON.stringify(names);
    } catch {
      return false;
    }
  }

  return {
    keepsStatements: false,
    exec: text => database.exec(text),
    prepare(text) {
      const statement = database.prepare(text);
      return {
        columns: undefined,
        run: binds => statement.run(binds).changes,
        iterate: binds => statement.iterate(binds),
        // Its own `get` stops at the row, and keeps the lock until the statement is used again.
        get: binds => statement.all(binds)[0],
        finalize() {
          try {
            statement.finalize();
          } catch {
            // It repeats the error of the last step.
          }
        },
      };
    },
    codeOf(error) {
      if (!(error instanceof Error) || error.name !== 'SQLite3Error') return undefined;
      const { message } = error;
      const code = byMessage.find(([words]) => words.test(message))?.[1] ?? 'SQLITE_ERROR';
      return code === 'SQLITE_CONSTRAINT_UNIQUE' && isPrimaryKey(message) ? 'SQLITE_CONSTRAINT_PRIMARYKEY' : code;
    },
    close: () => database.close(),
  };
}
