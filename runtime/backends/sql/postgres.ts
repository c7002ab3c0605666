// B2. PostgreSQL through `pg`. In: statements. Out: their answers. Each one runs in a transaction of its own, which can only read where it
// must not write, and which is undone where anything goes wrong. A statement that nobody waits for any more is cancelled in the database.
import { connect } from 'node:net';
import { waitAtMost } from '../../call/wait-at-most.js';
import { type Answer, type Database, DatabaseError, type Run, type Statement } from './database.js';
import { type Around, makeAround } from './postgres-messages.js';
import { type Client, isGone, listenTo, NotBegun, type Pg, type Pool, send } from './postgres-query.js';
import { postgresTypes } from './postgres-types.js';

export interface PostgresOptions {
  readonly url: string;
  readonly pool: number;
  readonly timeoutMs: number;
}

/** A cancelled statement ends at once, or its connection is given up. */
const cancelMs = 2000;
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
          return await useClient(client, statement, run);
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

/** A connection that comes after nobody waits for it goes back into the pool. */
function connectWithin(pool: Pool, { signal }: Run): Promise<Client> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) throw signal.reason;
    let isLeft = false;
    const onAbort = {
      handleEvent: () => {
        isLeft = true;
        reject(signal.reason);
      },
    };
    signal.addEventListener('abort', onAbort);
    pool.connect((problem, client) => {
      signal.removeEventListener('abort', onAbort);
      if (client === undefined) reject(problem);
      else if (isLeft) client.release();
      else {
        listenTo(client);
        resolve(client);
      }
    });
  });
}

async function useClient(client: Client, statement: Statement, run: Run): Promise<Answer> {
  let isBroken = true;
  try {
    const around = run.isRead ? readOnly(run.timeoutMs) : alone;
    if (!run.isRead) await start(client, run);
    const { answer, failure, isGivenUp, isCancelled } = await runStatement(client, statement, run, around);
    if (!isGivenUp) {
      const isKept = answer !== undefined && !run.isRead;
      // What was read has ended its transaction itself.
      const isEnded = answer !== undefined && run.isRead;
      const problem = isEnded ? undefined : await endTransaction(client, run, isKept);
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
    client.release(isBroken);
  }
}

async function endTransaction(
  client: Client,
  run: Run,
  isKept: boolean,
): Promise<{ readonly thrown: unknown } | undefined> {
  try {
    await within(run.timeoutMs, client.query(isKept ? 'COMMIT' : 'ROLLBACK'));
    return undefined;
  } catch (thrown) {
    return { thrown };
  }
}

async function start(client: Client, run: Run): Promise<void> {
  const { signal, timeoutMs } = run;
  if (signal.aborted) throw signal.reason;
  const stop = { handleEvent: (): void => undefined };
  const stopped = new Promise<never>((_, reject) => {
    stop.handleEvent = () => reject(signal.reason);
  });
  signal.addEventListener('abort', stop);
  try {
    await within(timeoutMs, Promise.race([client.query(begin(timeoutMs)), stopped]));
  } catch (thrown) {
    throw signal.aborted || !isGone(thrown) ? thrown : new NotBegun('there is no connection', { cause: thrown });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const alone = makeAround([], []);

/** Neither what a statement may do nor how values are written is up to the settings of a server or of a role. */
function settingsFor(timeoutMs: number): readonly (readonly [string, string | number])[] {
  return [
    ['statement_timeout', Math.max(1, Math.round(timeoutMs))],
    // Nobody reads notices.
    ['client_min_messages', 'error'],
    ['datestyle', 'ISO'],
    ['intervalstyle', 'postgres'],
    ['bytea_output', 'hex'],
    ['extra_float_digits', 1],
  ];
}

/** In one message. */
function begin(timeoutMs: number): string {
  const parts = settingsFor(timeoutMs).map(([key, value]) => `SET LOCAL ${key} = ${value}`);
  return ['BEGIN READ WRITE', ...parts].join('; ');
}

const madeReadOnly = new Map<number, Around>();

/**
 * A statement that only reads has nothing to keep, so that all of its transaction can go in one message. It is undone: there are things that
 * a transaction of that kind may do nevertheless.
 */
function readOnly(timeoutMs: number): Around {
  const known = madeReadOnly.get(timeoutMs);
  if (known !== undefined) return known;
  const parts = settingsFor(timeoutMs).map(([key, value]) => `pg_catalog.set_config('${key}', '${value}', true)`);
  // One statement instead of six, which answers with no row.
  const settings = `SELECT WHERE pg_catalog.concat(${parts.join(', ')}) IS NULL`;
  const made = makeAround(['BEGIN READ ONLY', settings], ['ROLLBACK']);
  madeReadOnly.set(timeoutMs, made);
  return made;
}

interface Ran {
  readonly answer?: Answer;
  readonly failure?: unknown;
  /** The database was asked to stop, and may not have heard of it yet. */
  readonly isCancelled: boolean;
  /** The connection did not say that the statement is over. */
  readonly isGivenUp: boolean;
}

/** One promise and no race: they cost more than all that is done for a row. */
function runStatement(client: Client, statement: Statement, run: Run, around: Around): Promise<Ran> {
  const { signal, timeoutMs } = run;
  return new Promise(resolve => {
    if (signal.aborted) {
      resolve({ failure: signal.reason, isGivenUp: false, isCancelled: false });
      return;
    }
    let stopped: { readonly reason: unknown } | undefined;
    let late: NodeJS.Timeout | undefined;
    const settle = (ran: Ran): void => {
      clearTimeout(timer);
      clearTimeout(late);
      signal.removeEventListener('abort', onAbort);
      resolve(ran);
    };
    const stop = (reason: unknown): void => {
      if (stopped !== undefined) return;
      stopped = { reason };
      cancel(client);
      late = setTimeout(() => settle({ failure: reason, isGivenUp: true, isCancelled: true }), cancelMs);
    };
    const onAbort = { handleEvent: () => stop(signal.reason) };
    const timer = setTimeout(() => stop(new DatabaseError('timeout', 'it took too long')), timeoutMs);
    signal.addEventListener('abort', onAbort);
    send(client, statement, {
      run,
      around,
      stop,
      end(ended) {
        if (stopped !== undefined)
          settle({
            failure: stopped.reason,
            isGivenUp: 'thrown' in ended && !isAnswer(ended.thrown),
            isCancelled: true,
          });
        else if ('thrown' in ended)
          settle({
            failure: isLate(ended.thrown) ? new DatabaseError('timeout', 'it took too long') : ended.thrown,
            isGivenUp: !isAnswer(ended.thrown),
            isCancelled: false,
          });
        else if (ended.answer.rows.length > run.rows)
          settle({
            failure: new DatabaseError('rows', 'there are too many rows'),
            isGivenUp: false,
            isCancelled: false,
          });
        else settle({ answer: ended.answer, isGivenUp: false, isCancelled: false });
      },
    });
  });
}

/** Only what the database itself says has a SQLSTATE; anything else is the end of the connection. */
function isAnswer(thrown: unknown): boolean {
  const { code } = thrown as { readonly code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P)/.test(code);
}

/** It was ended by \`statement_timeout\`. */
function isLate(thrown: unknown): boolean {
  const { code, message } = thrown as { readonly code?: unknown; readonly message?: unknown };
  return code === '57014' && /statement timeout/.test(String(message));
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
