// B2. One connection to SQLite, whichever driver made it. In: a statement with its binds. Out: rows that JSON can have. The text of these
// functions also runs in the process of sqlite-helper.ts, so that they use nothing from outside.

/** What a driver's file makes. */
export interface SqliteConnection {
  exec(text: string): void;
  prepare(text: string): SqliteStatement;
  /** SQLITE_BUSY, SQLITE_CONSTRAINT_UNIQUE and so on; undefined: not an error of SQLite. */
  codeOf(error: unknown): string | undefined;
  close(): void;
  /** Whether prepared statements may be kept; those that give one row at most are in any case. */
  readonly keepsStatements: boolean;
}

export interface SqliteStatement {
  /** Undefined where the driver does not tell; none: it answers with no rows. */
  readonly columns: readonly string[] | undefined;
  /** Gives how many rows were changed. */
  run(binds: readonly unknown[]): number;
  iterate(binds: readonly unknown[]): Iterable<Readonly<Record<string, unknown>>>;
  /** The first row, of a statement that gives one at most. */
  get(binds: readonly unknown[]): Readonly<Record<string, unknown>> | null | undefined;
  finalize?(): void;
}

export interface OpenOptions {
  readonly file: string;
  readonly isReadOnly: boolean;
}

export type OpenSqlite = (driver: unknown, options: OpenOptions) => SqliteConnection;

/** Values as JSON has them: integers of 64 bits as `{ i }`, bytes as `{ b }` in base64. */
export type SentBind = string | number | null | { readonly i: string } | { readonly b: string };

export interface SentStatement {
  readonly text: string;
  readonly binds: readonly SentBind[];
  readonly isRead: boolean;
  /** It is about the database or the connection. */
  readonly isSetting: boolean;
  /** It gives one row at most: going through an iterator costs as much as finding the row. */
  readonly isOneRow?: boolean;
  readonly rows: number;
  readonly bytes: number;
}

export interface SessionAnswer {
  readonly columns?: readonly string[] | undefined;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly count: number;
  /** Over a limit: nothing was changed. */
  readonly over?: 'rows' | 'bytes' | undefined;
}

export interface Session {
  run(statement: SentStatement): SessionAnswer;
  /** Of EXPLAIN; drivers want the binds there, too. */
  program(text: string, binds: readonly SentBind[]): readonly Readonly<Record<string, unknown>>[];
  close(): void;
}

/** @example makeSession(openBetterSqlite(driver, { file, isReadOnly: true }), 5000).run({ text: 'SELECT 1', binds: [], ... }) */
export function makeSession(connection: SqliteConnection, busyMs: number): Session {
  const mostKept = 100;
  const kept = new Map<string, SqliteStatement>();
  let isQueryOnly: boolean | undefined;
  configure();

  function configure(): void {
    connection.exec(`PRAGMA busy_timeout = ${busyMs}`);
    connection.exec('PRAGMA foreign_keys = ON');
    isQueryOnly = undefined;
  }

  function prepare(text: string, isKept: boolean): SqliteStatement {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const made = connection.prepare(text);
    if (!isKept) return made;
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) drop(oldest);
    kept.set(text, made);
    return made;
  }

  function drop(text: string): void {
    kept.get(text)?.finalize?.();
    kept.delete(text);
  }

  function number(text: string): number {
    const made = prepare(text, connection.keepsStatements);
    const [row = {}] = [...made.iterate([])];
    if (!connection.keepsStatements) made.finalize?.();
    return Number(Object.values(row)[0]);
  }

  function toBind(bind: SentBind): unknown {
    // An integer that is bound as a double would become 5.0 in a column of text.
    if (typeof bind === 'number') return Number.isSafeInteger(bind) ? BigInt(bind) : bind;
    if (typeof bind !== 'object' || bind === null) return bind;
    return 'i' in bind ? BigInt(bind.i) : Buffer.from(bind.b, 'base64');
  }

  /** Gives about how many bytes it is in JSON. A value that is too long stays as it is: as text it might be more than a string can be. */
  function toJson(row: Record<string, unknown>, most: number): number {
    let bytes = 0;
    for (const key of Object.keys(row)) {
      let value = row[key];
      if (typeof value === 'bigint') {
        const integer = Number(value);
        value = Number.isSafeInteger(integer) ? integer : String(value);
        row[key] = value;
      } else if (typeof value === 'number') {
        if (!Number.isFinite(value)) row[key] = String(value);
      } else if (value instanceof Uint8Array) {
        if (value.byteLength > most) return Number.POSITIVE_INFINITY;
        value = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
        row[key] = value;
      }
      bytes += typeof value === 'string' ? value.length : 8;
    }
    return bytes;
  }

  function read(made: SqliteStatement, binds: readonly unknown[], statement: SentStatement) {
    const { rows: most, bytes: mostBytes } = statement;
    const rows: Record<string, unknown>[] = [];
    let bytes = 0;
    for (const row of statement.isOneRow === true ? firstOf(made, binds) : made.iterate(binds)) {
      if (rows.length === most) return { rows: [], over: 'rows' as const };
      // Some drivers make rows without a prototype, which are objects like any other elsewhere.
      const plain: Record<string, unknown> = Object.getPrototypeOf(row) === null ? { ...row } : row;
      bytes += toJson(plain, mostBytes);
      if (bytes > mostBytes) return { rows: [], over: 'bytes' as const };
      rows.push(plain);
    }
    return { rows };
  }

  function firstOf(made: SqliteStatement, binds: readonly unknown[]): readonly Readonly<Record<string, unknown>>[] {
    const row = made.get(binds);
    return row === undefined || row === null ? [] : [row];
  }

  function run(statement: SentStatement): SessionAnswer {
    if (statement.isRead !== isQueryOnly) {
      connection.exec(`PRAGMA query_only = ${statement.isRead ? 'ON' : 'OFF'}`);
      isQueryOnly = statement.isRead;
    }
    const isKept = connection.keepsStatements || statement.isOneRow === true;
    const made = prepare(statement.text, isKept);
    const { columns } = made;
    const binds = statement.binds.map(toBind);
    let isUndone = true;
    let isInside = false;
    try {
      if (columns?.length === 0) return { columns, rows: [], count: made.run(binds) };
      // What answers with too much must not have changed anything.
      if (!statement.isRead && !statement.isSetting) {
        connection.exec('BEGIN');
        isInside = true;
      }
      const before = columns === undefined && !statement.isRead ? number('SELECT total_changes()') : 0;
      const { rows, over } = read(made, binds, statement);
      const isChange = columns === undefined && !statement.isRead && number('SELECT total_changes()') !== before;
      const count = rows.length === 0 && isChange ? number('SELECT changes()') : rows.length;
      if (isInside && over === undefined) connection.exec('COMMIT');
      isUndone = over !== undefined;
      return { columns, rows, count, over };
    } catch (error) {
      // `node:sqlite` reports the error of a statement once more when the statement is used again.
      drop(statement.text);
      throw error;
    } finally {
      if (!isKept) made.finalize?.();
      if (statement.isSetting && !statement.isRead) configure();
      if (isInside && isUndone) {
        try {
          connection.exec('ROLLBACK');
        } catch {
          // Some errors have rolled back already.
        }
      }
    }
  }

  return {
    run,
    program(text, binds) {
      const made = connection.prepare(`EXPLAIN ${text}`);
      try {
        return [...made.iterate(binds.map(toBind))].map(row => ({ ...row }));
      } finally {
        made.finalize?.();
      }
    },
    close() {
      for (const text of [...kept.keys()]) drop(text);
      connection.close();
    },
  };
}
