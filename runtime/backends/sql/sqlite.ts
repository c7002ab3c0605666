// B2. SQLite. In: statements. Out: their answers. Drivers of SQLite block the thread that they run in, and nothing interrupts them: reads that
// are surely short run here, all else in a process of its own, which a time limit or a cancelled call ends.
import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import type { Environment } from '../../call/context/config.js';
import { Gate } from '../../call/turns.js';
import { type Answer, type Database, DatabaseError, type Run } from './database.js';
import type { FoundDriver, SqliteDriverName } from './drivers.js';
import { openBetterSqlite } from './sqlite-better.js';
import { SqliteHelper } from './sqlite-helper.js';
import { openHere } from './sqlite-here.js';
import { openNodeSqlite } from './sqlite-node.js';
import { toSend } from './sqlite-sent.js';
import type { OpenSqlite, SentStatement, SessionAnswer, SqliteConnection } from './sqlite-session.js';
import { isReadOf } from './sqlite-settings.js';
import { openWasmSqlite } from './sqlite-wasm.js';
import { wasmReads } from './wasm-reads.js';

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
  // A database in memory is where it is.
  const connect = (): SqliteConnection => open(driver.load(), { file, isReadOnly: true });
  const here = isMemory ? undefined : openHere(connect, isWasm ? wasmReads(file) : undefined);
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
