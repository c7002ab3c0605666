// SQLite through `node:sqlite`. The text of the function also runs in the process of sqlite-helper.ts: it uses nothing from outside.
import type { OpenOptions, SqliteConnection } from './sqlite-session.js';

/** What is used of it; `columns` is newer than the rest. */
interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options: object) => NodeDatabase;
}
interface NodeDatabase {
  exec(text: string): void;
  prepare(text: string): NodeStatement;
  close(): void;
}
interface NodeStatement {
  setReadBigInts(isOn: boolean): void;
  columns?(): readonly { readonly name: string }[];
  run(...binds: readonly unknown[]): { readonly changes: number | bigint };
  iterate(...binds: readonly unknown[]): Iterable<Readonly<Record<string, unknown>>>;
  get(...binds: readonly unknown[]): Readonly<Record<string, unknown>> | undefined;
}

export function openNodeSqlite(driver: unknown, { file, isReadOnly }: OpenOptions): SqliteConnection {
  const { DatabaseSync } = driver as NodeSqlite;
  const database = new DatabaseSync(file, { readOnly: isReadOnly });
  const names =
    'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'.split(
      ' ',
    );
  const constraints =
    '- CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE'.split(' ');
  return {
    keepsStatements: true,
    exec: text => database.exec(text),
    prepare(text) {
      const statement = database.prepare(text);
      statement.setReadBigInts(true);
      return {
        columns: statement.columns?.().map(({ name }) => name),
        run: binds => Number(statement.run(...binds).changes),
        iterate: binds => statement.iterate(...binds),
        get: binds => statement.get(...binds),
      };
    },
    codeOf(error) {
      const code = (error as { readonly errcode?: unknown } | null)?.errcode;
      if (typeof code !== 'number') return undefined;
      const name = names[code & 0xff] ?? 'ERROR';
      const kind = name === 'CONSTRAINT' && code > 0xff ? constraints[code >> 8] : undefined;
      return `SQLITE_${name}${kind === undefined ? '' : `_${kind}`}`;
    },
    close: () => database.close(),
  };
}
