// B2. SQLite. In: statements. Out: their answers. Drivers of SQLite block the thread that they run in, and nothing interrupts them: reads that
// are surely short run here, all else in a process of its own, which a time limit or a cancelled call ends.
import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import type { Environment } from '../../call/context/config.js';
import { Gate } from '../../call/turns.js';
import {
  type Answer,
  type Bind,
  type Database,
  DatabaseError,
  type Limits,
  type Run,
  type Statement,
} from './database.js';
import type { FoundDriver, SqliteDriverName } from './drivers.js';
import { givesOneRow, isShortRead } from './short-reads.js';
import { openBetterSqlite } from './sqlite-better.js';
import { SqliteHelper } from './sqlite-helper.js';
import { openNodeSqlite } from './sqlite-node.js';
import {
  makeSession,
  type OpenSqlite,
  type SentBind,
  type SentStatement,
  type Session,
  type SessionAnswer,
  type SqliteConnection,
} from './sqlite-session.js';
import { isReadOf, isSetting } from './sqlite-settings.js';
import { openWasmSqlite } from './sqlite-wasm.js';

export interface SqliteOptions {
  /** Absolute, or `:memory:`. */
  readonly file: string;
  /** As the author wrote it, for messages. */
  readonly shownFile: string;
  readonly isReadOnly: boolean;
  readonly env: Environment;
}

const openers: Readonly<Record<SqliteDriverName, OpenSqlite>> = {
  'node:sqlite': openNodeSqlite,
  'better-sqlite3': openBetterSqlite,
  'node-sqlite3-wasm': openWasmSqlite,
};

/** How long a statement waits for another process that writes. */
const busyMs = 5000;
/** Of a file: one pass over it takes some 100 ms then. */
const mostBytesHere = 64 * 1024 * 1024;
/** What takes longer here, so many times in a row, runs in the helper from then on: tables grow. Once may be a busy machine. */
const mostMsHere = 20;
const mostSlow = 3;
const mostKnown = 500;

export function openSqlite(driver: FoundDriver<SqliteDriverName>, options: SqliteOptions): Database {
  const { file, shownFile, isReadOnly, env } = options;
  const isMemory = file === ':memory:';
  const isWasm = driver.name === 'node-sqlite3-wasm';
  const open = openers[driver.name];
  const helper = new SqliteHelper({
    driver: driver.path,
    open,
    file,
    isReadOnly: isReadOnly && !isMemory,
    hasLockFolder: isWasm && !isMemory,
    busyMs,
    env,
  });
  // A database in memory is where it is; the lock of the other is a folder, and it is slow anyway.
  const here = isMemory || isWasm ? undefined : openHere(() => open(driver.load(), { file, isReadOnly: true }));
  const turn = new Gate(1);
  let isClosed = false;
  let known: number | undefined;
  let isHelperStale = false;

  return {
    readNow(statement, limits) {
      if (here === undefined || isClosed || !isReadOf(statement.head) || lookAtFile() > mostBytesHere) return undefined;
      const answer = here.tryRun(statement, limits);
      return answer && checked(answer);
    },
    async query(statement, run) {
      if (isClosed) throw new DatabaseError('closed', 'it is closed');
      if (run.signal.aborted) throw run.signal.reason;
      if (!isMemory) lookAtFile();
      const { isRead } = run;
      const { head } = statement;
      if (isRead && !isReadOf(head)) throw new DatabaseError('answered', `${head[0]} may write`, 'SQLITE_READONLY');
      return checked(await runInHelper(toSend(statement, run, isRead), run));
    },
    async close() {
      isClosed = true;
      here?.close();
      helper.end();
    },
  };

  /** Its size. A file may be replaced, as by a backup: connections would go on with the one that has no name any more. */
  function lookAtFile(): number {
    const { size, ino } = fileOf(file, shownFile);
    if (known !== undefined && known !== ino) {
      here?.reopen();
      isHelperStale = true;
    }
    known = ino;
    return size;
  }

  async function runInHelper(statement: SentStatement, { signal, timeoutMs }: Run): Promise<SessionAnswer> {
    let stop: (reason: unknown) => void = () => undefined;
    const ended = new Promise<never>((_, reject) => {
      stop = reject;
    });
    ended.catch(() => undefined);
    const onAbort = { handleEvent: () => stop(signal.reason) };
    await turn.enter(signal);
    // Nobody waits any more: no process is started for that.
    if (signal.aborted) {
      turn.leave();
      throw signal.reason;
    }
    if (isHelperStale) helper.end();
    isHelperStale = false;
    let timer: NodeJS.Timeout | undefined;
    const begin = (): void => {
      timer = setTimeout(() => stop(new DatabaseError('timeout', 'it took too long')), timeoutMs);
    };
    signal.addEventListener('abort', onAbort);
    try {
      return await helper.run(statement, { begin, ended });
    } catch (thrown) {
      const isUnopened = thrown instanceof DatabaseError && thrown.code === 'SQLITE_CANTOPEN';
      throw isWasm && isUnopened && hasLog(file) ? new DatabaseError('wal', shownFile, thrown.code) : thrown;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      turn.leave();
    }
  }
}

/** What is known of a read: that it may not run here, that it is short, or short with one row at most. */
type Reach = 'long' | 'short' | 'one row';

/** Reads in this process. */
function openHere(connect: () => SqliteConnection): {
  tryRun(statement: Statement, limits: Limits): SessionAnswer | undefined;
  reopen(): void;
  close(): void;
} {
  const known = new Map<string, Reach>();
  const slow = new Map<string, number>();
  let connection: SqliteConnection | undefined;
  let session: Session | undefined;
  let isGone = false;

  function lookAt({ text, binds }: Statement, open: Session): Reach {
    const program = open.program(text, binds.map(sentBind));
    const reach = !isShortRead(program) ? 'long' : givesOneRow(program) ? 'one row' : 'short';
    if (known.size >= mostKnown) {
      known.clear();
      slow.clear();
    }
    known.set(text, reach);
    return reach;
  }

  function noteSlow(text: string): void {
    const times = (slow.get(text) ?? 0) + 1;
    slow.set(text, times);
    if (times === mostSlow) known.set(text, 'long');
  }

  return {
    /** Undefined: it is for the helper, which also has the better words for what is wrong with it. */
    tryRun(statement, limits) {
      const { text } = statement;
      let reach = known.get(text);
      if (isGone || reach === 'long') return undefined;
      try {
        connection ??= connect();
        session ??= makeSession(connection, 0);
        reach ??= lookAt(statement, session);
        if (reach === 'long') return undefined;
        const begin = performance.now();
        const answer = session.run(toSend(statement, limits, true, reach === 'one row'));
        if (performance.now() - begin > mostMsHere) noteSlow(text);
        else if (slow.size > 0) slow.delete(text);
        return answer;
      } catch {
        return undefined;
      }
    },
    reopen: disconnect,
    close() {
      isGone = true;
      disconnect();
    },
  };

  function disconnect(): void {
    session?.close();
    session = undefined;
    connection = undefined;
  }
}

function toSend(
  { text, head, binds }: Statement,
  { rows, bytes }: Limits,
  isRead: boolean,
  isOneRow = false,
): SentStatement {
  return { text, binds: binds.map(sentBind), isRead, isSetting: isSetting(head), isOneRow, rows, bytes };
}

function checked({ columns, rows, count, over }: SessionAnswer): Answer {
  if (over !== undefined) throw new DatabaseError(over, 'the answer is too large');
  return { columns, rows, count };
}

/** A database that is not there is never made by a typing mistake. */
function fileOf(file: string, shownFile: string): Stats {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new DatabaseError('no-file', `there is no file ${shownFile}`);
  if (!found.isFile()) throw new DatabaseError('no-file', `${shownFile} is not a file`);
  return found;
}

/** Two bytes of its head say whether it has a write-ahead log. */
function hasLog(file: string): boolean {
  const head = Buffer.alloc(20);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head);
    return head[18] === 2;
  } finally {
    closeSync(descriptor);
  }
}

function sentBind(bind: Bind): SentBind {
  if (typeof bind === 'bigint') return { i: String(bind) };
  if (bind instanceof Uint8Array) return { b: Buffer.from(bind).toString('base64') };
  if (typeof bind === 'string' || typeof bind === 'number' || bind === null) return bind;
  return typeof bind === 'boolean' ? Number(bind) : JSON.stringify(bind);
}
