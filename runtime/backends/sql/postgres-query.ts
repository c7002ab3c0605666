// B2. One statement on a connection of `pg`: in one message, with the statements around it. In: its text and binds. Out: its result, within the
// limits of rows and bytes.
import type { Socket } from 'node:net';
import { DatabaseError, type Row, type Run, type Statement } from './database.js';

/** What is used of `pg`, 8. */
export interface Pg {
  readonly Pool: new (options: object) => Pool;
  readonly Query: new (options: object, done: (error: unknown, result: Result) => void) => Query;
}
export interface Pool {
  connect(): Promise<Client>;
  end(): Promise<void>;
  on(event: 'error', listen: (error: unknown) => void): unknown;
}
export interface Client {
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
  readonly stream: Socket;
  execute(message: { readonly rows: number }): void;
}
interface Query {
  requiresPreparation(): boolean;
  /** Sends the statement up to where its rows are asked for, and asks for them. */
  prepare(connection: Connection): void;
  _getRows(connection: Connection): void;
  handlePortalSuspended(connection: Connection): void;
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void;
  handleCommandComplete(message: object, connection: Connection): void;
}
export interface Result {
  readonly rows: readonly Row[];
  readonly rowCount: number | null;
  readonly fields: readonly { readonly name: string }[];
}

/** Statements that go in the same message, ready to be sent. After one that fails none is run. */
export interface Around {
  readonly before: Uint8Array;
  /** How many there are before. */
  readonly count: number;
  readonly after: Uint8Array;
}

/** They answer with no rows. One piece, since `pg` writes each of its own by itself. */
export function makeAround(before: readonly string[], after: readonly string[]): Around {
  const join = (texts: readonly string[], end: readonly Uint8Array[]): Uint8Array =>
    Buffer.concat([...texts.flatMap(text => [message('P', `\0${text}\0\0\0`), bind, execute]), ...end]);
  return { before: join(before, []), count: before.length, after: join(after, [message('S', '')]) };
}

/** Of the protocol: a letter, how long it is, and what it says. */
function message(kind: string, body: string): Uint8Array {
  const bytes = Buffer.from(`${kind}\0\0\0\0${body}`);
  bytes.writeUInt32BE(bytes.length - 1, 1);
  return bytes;
}

/** No name, no values, all rows. */
const bind = message('B', '\0'.repeat(8));
const execute = message('E', '\0'.repeat(5));

interface Sending {
  readonly run: Run;
  /** To be called where the limit of bytes is reached: the answer goes on until the database has heard of it. */
  readonly stop: (reason: unknown) => void;
  readonly around: Around;
}

/** What a message may have beside the values of a row: descriptions of columns, and what came with it. */
const mostBeside = 1024 * 1024;

/** The connection was gone before anything was run. */
export class NotBegun extends Error {}

const goneCodes = /^(?:08\w{3}|57P0[1-3]|ECONNRESET|EPIPE)$/;

export function isGone(thrown: unknown): boolean {
  const { code, message } = thrown as { readonly code?: unknown; readonly message?: unknown };
  return goneCodes.test(String(code)) || /Connection terminated|not queryable/.test(String(message));
}

export function send(pg: Pg, client: Client, { text, binds }: Statement, sending: Sending): Promise<Result> {
  const { run, stop, around } = sending;
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
    let completed = 0;
    const query = new pg.Query({ text, values: [...binds] }, (error, result) => {
      stream.off('data', countUnread);
      if (!error) resolve(result);
      else if (completed > 0 || around.count === 0 || !isGone(error)) reject(error);
      else reject(new NotBegun('there is no connection', { cause: error }));
    });
    query.requiresPreparation = () => true;
    const prepare = query.prepare.bind(query);
    query.prepare = connection => {
      if (around.count > 0) connection.stream.write(around.before);
      prepare(connection);
    };
    query._getRows = connection => {
      connection.execute({ rows: run.rows + 1 });
      connection.stream.write(around.after);
    };
    const complete = query.handleCommandComplete.bind(query);
    query.handleCommandComplete = (message, connection) => {
      if (completed === around.count) complete(message, connection);
      completed += 1;
    };
    // More rows than were asked for wait in the database: they are left there.
    query.handlePortalSuspended = () => {
      completed += 1;
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
