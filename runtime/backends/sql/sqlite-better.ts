// SQLite through `better-sqlite3`. The text of the function also runs in the process of sqlite-helper.ts: it uses nothing from outside.
import type { OpenOptions, SqliteConnection } from './sqlite-session.js';

/** What is used of it. */
type BetterSqlite = new (file: string, options: object) => BetterDatabase;
interface BetterDatabase {
  exec(text: string): unknown;
  prepare(text: string): BetterStatement;
  close(): unknown;
}
interface BetterStatement {
  /** Whether it answers with rows. */
  readonly reader: boolean;
  safeIntegers(isOn: boolean): unknown;
  columns(): readonly { readonly name: string }[];
  run(...binds: readonly unknown[]): { readonly changes: number };
  iterate(...binds: readonly unknown[]): Iterable<Readonly<Record<string, unknown>>>;
  get(...binds: readonly unknown[]): Readonly<Record<string, unknown>> | undefined;
}

export function openBetterSqlite(driver: unknown, { file, isReadOnly }: OpenOptions): SqliteConnection {
  const Database = driver as BetterSqlite;
  const database = new Database(file, { readonly: isReadOnly });
  return {
    keepsStatements: true,
    exec: text => {
      database.exec(text);
    },
    prepare(text) {
      const statement = database.prepare(text);
      if (statement.reader) statement.safeIntegers(true);
      return {
        columns: statement.reader ? statement.columns().map(({ name }) => name) : [],
        run: binds => statement.run(...binds).changes,
        iterate: binds => statement.iterate(...binds),
        get: binds => statement.get(...binds),
      };
    },
    codeOf(error) {
      const code = (error as { readonly code?: unknown } | null)?.code;
      if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return undefined;
      // The other drivers know no finer ones than that.
      return code.startsWith('SQLITE_CONSTRAINT') ? code : code.split('_').slice(0, 2).join('_');
    },
    close: () => {
      database.close();
    },
  };
}
