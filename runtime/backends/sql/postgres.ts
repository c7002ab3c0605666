// B2. PostgreSQL through `pg`. In: statements. Out: their answers. Each one runs in a transaction of its own, which can only read where it
// must not write, and which is undone where anything goes wrong. A statement that nobody waits for any more is cancelled in the database.
import { connect, type Socket } from 'node:net';
import { waitAtMost } from '../../call/wait-at-most.js';
import { type Answer, type Database, DatabaseError, type Row, type Run, type Statement } from './database.js';
import { postgresTypes } from './postgres-types.js';

/** What is used of `pg`, 8. */
interface Pg {
  readonly Pool: new (options: object) => Pool;
  readonly Query: new (options: object, done: (error: unknown, result: Result) => void) => Query;
}
interface Pool {
  connect(): Promise<Client>;
  end(): Promise<void>;
  on(event: 'error', listen: (error: unknown) => void): unknown;
}
interface Client {
  query(text: string): Promise<unknown>;
  query(query: Query): unknown;
  release(isBroken?: boolean): void;
  on(event: 'error', listen: () => void): unknown;
  off(event: 'error', listen: () => void): unknown;
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly connection: { readonly stream: Socket };
}
interface Connection {
  sync(): void;
}
interface Query {
  handleError(error: unknown, connection: Connection): void;
  handlePortalSuspended(connection: Connection): void;
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void;
}
interface Result {
  readonly rows: readonly Row[];
  readonly rowCount: number | null;
  readonly fields: readonly { readonly name: string }[];
}

export interface PostgresOptions {
  readonly url: string;
  readonly pool: number;
  readonly timeoutMs: number;
}

/** A cancelled statement ends at once, or its connection is given up. */
const cancelMs = 2000;
/** What a message may have beside the values of a row: descriptions of columns, and what came with it. */
const mostBeside = 1024 * 1024;
/** Outlives a transaction, and would be there for the next call on the connection. */
const staysBehind = /\b(?:set_config|pg_(?:try_)?advisory_lock(?:_shared)?)\b/i;

export function openPostgres(driver: unknown, { url, pool: max, timeoutMs }: PostgresOptions): Database {
  const pg = driver as Pg;
  let isClosed = false;
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: postgresTypes,
    connectionTimeoutMillis: timeoutMs,
    application_name: 'toolwright',
    keepAlive: true,
    // A command that is done ends, though connections are open.
    allowExitOnIdle: true,
  });
  // A connection that breaks while nobody uses it; the next statement gets another one.
  pool.on('error', () => undefined);
  return {
    async query(statement, run) {
      if (isClosed) throw new DatabaseError('closed', 'it is closed');
      for (let lost = 0; ; lost += 1) {
        const client = await connectWithin(pool, run);
        try {
          return await useClient(pg, client, statement, run);
        } catch (thrown) {
          if (!(thrown instanceof NotBegun)) throw thrown;
          // At worst all that were kept are gone, as after a restart of the database.
          if (lost === max) throw thrown.cause;
        }
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await waitAtMost(cancelMs, pool.end());
    },
  };
}

/** The connection was gone before anything was sent of the statement. */
class NotBegun extends Error {}

const goneCodes = /^(?:08\w{3}|57P0[1-3]|ECONNRESET|EPIPE)$/;

function isGone(thrown: unknown): boolean {
  const { code, message } = thrown as { readonly code?: unknown; readonly message?: unknown };
  return goneCodes.test(String(code)) || /Connection terminated|not queryable/.test(String(message));
}

/** A connection that comes after nobody waits for it goes back into the pool. */
async function connectWithin(pool: Pool, { signal }: Run): Promise<Client> {
  signal.throwIfAborted();
  const connecting = pool.connect();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
  });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([connecting, aborted]);
  } catch (thrown) {
    connecting.then(
      client => client.release(),
      () => undefined,
    );
    throw thrown;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function useClient(pg: Pg, client: Client, statement: Statement, run: Run): Promise<Answer> {
  // Without a listener, a connection that breaks now would end the process; the statement fails by itself.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  let isBroken = true;
  try {
    await start(client, run);
    const { answer, failure, isGivenUp, isCancelled } = await runStatement(pg, client, statement, run);
    if (!isGivenUp) {
      // What only reads has nothing to keep; there are things that a transaction of that kind may do nevertheless.
      const isKept = answer !== undefined && !run.isRead;
      const ending = within(run.timeoutMs, client.query(isKept ? 'COMMIT' : 'ROLLBACK'));
      const problem = await ending.then(
        () => undefined,
        (thrown: unknown) => ({ thrown }),
      );
      const isLost = problem !== undefined && (isGone(problem.thrown) || problem.thrown instanceof DatabaseError);
      // A cancel may come late, and must not hit the statement of another call.
      isBroken = isCancelled || isLost || staysBehind.test(statement.text);
      // What went wrong before says more, and what was read is as good as it is.
      if (problem !== undefined && isKept)
        throw isLost ? new DatabaseError('unsure', 'the end of a transaction was not answered') : problem.thrown;
    }
    if (answer === undefined) throw failure;
    return answer;
  } finally {
    client.off('error', ignore);
    client.release(isBroken);
  }
}

async function start(client: Client, run: Run): Promise<void> {
  const { signal, timeoutMs } = run;
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
  });
  signal.addEventListener('abort', stop, { once: true });
  try {
    await within(timeoutMs, Promise.race([client.query(begin(run)), stopped]));
  } catch (thrown) {
    throw signal.aborted || !isGone(thrown) ? thrown : new NotBegun('there is no connection', { cause: thrown });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** In one message: neither what a statement may do nor how values are written is up to the settings of a server or of a role. */
function begin({ isRead, timeoutMs }: Run): string {
  const settings = {
    statement_timeout: Math.max(1, Math.round(timeoutMs)),
    // Nobody reads notices.
    client_min_messages: 'error',
    datestyle: 'ISO',
    intervalstyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: 1,
  };
  const parts = Object.entries(settings).map(([key, value]) => `SET LOCAL ${key} = ${value}`);
  return [`BEGIN READ ${isRead ? 'ONLY' : 'WRITE'}`, ...parts].join('; ');
}

interface Ran {
  readonly answer?: Answer;
  readonly failure?: unknown;
  /** The database was asked to stop, and may not have heard of it yet. */
  readonly isCancelled: boolean;
  /** The connection did not say that the statement is over. */
  readonly isGivenUp: boolean;
}

async function runStatement(pg: Pg, client: Client, statement: Statement, run: Run): Promise<Ran> {
  const { signal, timeoutMs } = run;
  if (signal.aborted) return { failure: signal.reason, isGivenUp: false, isCancelled: false };
  let stopped: { readonly reason: unknown } | undefined;
  let giveUp: (value: undefined) => void = () => undefined;
  const givenUp = new Promise<undefined>(resolve => {
    giveUp = resolve;
  });
  let late: NodeJS.Timeout | undefined;
  const stop = (reason: unknown): void => {
    if (stopped !== undefined) return;
    stopped = { reason };
    cancel(client);
    late = setTimeout(() => giveUp(undefined), cancelMs);
  };
  const onAbort = (): void => stop(signal.reason);
  const timer = setTimeout(() => stop(new DatabaseError('timeout', 'it took too long')), timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const result = await Promise.race([send(pg, client, statement, run, stop), givenUp]);
    const isGivenUp = result === undefined;
    if (isGivenUp || stopped !== undefined) return { failure: stopped?.reason, isGivenUp, isCancelled: true };
    const { rows, rowCount, fields } = result;
    if (rows.length > run.rows)
      return { failure: new DatabaseError('rows', 'there are too many rows'), isGivenUp: false, isCancelled: false };
    const answer = { columns: fields.map(({ name }) => name), rows, count: rowCount ?? rows.length };
    return { answer, isGivenUp: false, isCancelled: false };
  } catch (thrown) {
    // Only what the database itself says has a SQLSTATE; anything else is the end of the connection.
    const { code, message } = thrown as { readonly code?: unknown; readonly message?: unknown };
    const isAnswer = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P)/.test(code);
    const isLate = code === '57014' && /statement timeout/.test(String(message));
    const failure = isLate ? new DatabaseError('timeout', 'it took too long') : thrown;
    const isCancelled = stopped !== undefined;
    return { failure: stopped === undefined ? failure : stopped.reason, isGivenUp: !isAnswer, isCancelled };
  } finally {
    clearTimeout(timer);
    clearTimeout(late);
    signal.removeEventListener('abort', onAbort);
  }
}

function send(
  pg: Pg,
  client: Client,
  { text, binds }: Statement,
  run: Run,
  stop: (reason: unknown) => void,
): Promise<Result> {
  const { stream } = client.connection;
  let bytes = 0;
  let unread = 0;
  // A message is in memory as a whole before anybody sees it, and its text may be longer than a string can be: then nothing is left to
  // be asked, and the end of the connection ends the statement.
  const countUnread = (chunk: Buffer): void => {
    unread += chunk.length;
    if (unread <= run.bytes + mostBeside) return;
    stop(new DatabaseError('bytes', 'the answer is too large'));
    stream.destroy();
  };
  stream.on('data', countUnread);
  return new Promise((resolve, reject) => {
    const query = new pg.Query({ text, values: [...binds], rows: run.rows + 1 }, (error, result) => {
      stream.off('data', countUnread);
      if (error) reject(error);
      else resolve(result);
    });
    // More rows than were asked for wait in the database: they are left there.
    query.handlePortalSuspended = connection => connection.sync();
    // With a limit of rows, `pg` leaves the end of the exchange to its user, also where the database answers with an error.
    const fail = query.handleError.bind(query);
    query.handleError = (error, connection) => {
      if (typeof (error as { readonly severity?: unknown } | null)?.severity === 'string') connection.sync();
      fail(error, connection);
    };
    const addRow = query.handleDataRow.bind(query);
    query.handleDataRow = message => {
      unread = 0;
      for (const field of message.fields) bytes += field === null ? 0 : field.length;
      if (bytes <= run.bytes) addRow(message);
      else stop(new DatabaseError('bytes', 'the answer is too large'));
    };
    client.query(query);
  });
}

/** A CancelRequest goes over a connection of its own, and is never answered. */
function cancel({ host, port, processID, secretKey }: Client): void {
  if (processID === null || secretKey === null) return;
  const message = Buffer.alloc(16);
  message.writeInt32BE(16, 0);
  message.writeInt32BE(80_877_102, 4);
  message.writeInt32BE(processID, 8);
  message.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(cancelMs, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.end(message);
}

/** For what takes no time, unless the connection is dead. */
async function within<Value>(ms: number, done: Promise<Value>): Promise<Value> {
  const dead = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new DatabaseError('timeout', 'it took too long')), ms);
    const clear = (): void => clearTimeout(timer);
    done.then(clear, clear);
  });
  return await Promise.race([done, dead]);
}
