// B2. One statement on a connection of `pg`, with the statements around it. In: its text and binds. Out: its answer, within the limits of rows
// and bytes.
import type { Socket } from 'node:net';
import { type Answer, DatabaseError, type Row, type Run, type Statement } from './database.js';
import { type Around, wholeMessage } from './postgres-messages.js';
import { postgresTypes } from './postgres-types.js';

/** What is used of `pg`, 8. */
export interface Pg {
  readonly Pool: new (options: object) => Pool;
}
export interface Pool {
  connect(done: (error: unknown, client: Client | undefined) => void): void;
  end(): Promise<void>;
  on(event: 'error', listen: (error: unknown) => void): unknown;
}
export interface Client {
  query(text: string): Promise<unknown>;
  /** Whatever has `submit` is a query, as in pg-cursor. */
  query(query: PostgresQuery): unknown;
  release(isBroken?: boolean): void;
  on(event: 'error', listen: () => void): unknown;
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly connection: Connection;
}
interface Connection {
  readonly stream: Socket;
  sendCopyFail(message: string): void;
}

/** The connection was gone before anything was run. */
export class NotBegun extends Error {}

const goneCodes = /^(?:08\w{3}|57P0[1-3]|ECONNRESET|EPIPE)$/;

export function isGone(thrown: unknown): boolean {
  const { code, message } = thrown as { readonly code?: unknown; readonly message?: unknown };
  return goneCodes.test(String(code)) || /Connection terminated|not queryable/.test(String(message));
}

/** What runs on a connection. */
interface Line {
  current: PostgresQuery | undefined;
}

const lines = new WeakMap<Client, Line>();

/** Listens to a connection. Once, since listeners of each statement would cost as much as its row. */
export function listenTo(client: Client): Line {
  const known = lines.get(client);
  if (known !== undefined) return known;
  const line: Line = { current: undefined };
  lines.set(client, line);
  // Without a listener, a connection that breaks while it is used would end the process; the statement fails by itself.
  client.on('error', () => undefined);
  client.connection.stream.on('data', (chunk: Uint8Array) => line.current?.countUnread(chunk));
  return line;
}

export function send(client: Client, statement: Statement, sending: Sending): void {
  const line = listenTo(client);
  const end: Sending['end'] = ended => {
    // Rows are not kept until the next statement.
    line.current = undefined;
    sending.end(ended);
  };
  line.current = new PostgresQuery(statement, { ...sending, end });
  client.query(line.current);
}

/** What a message may have beside the values of a row: descriptions of columns, and what came with it. */
const mostBeside = 1024 * 1024;

interface Sending {
  readonly run: Run;
  readonly around: Around;
  /** Called where the limit of bytes is reached: the answer goes on until the database has heard of it. */
  stop(reason: unknown): void;
  end(ended: { readonly answer: Answer } | { readonly thrown: unknown }): void;
}

/** What `pg` calls a query. Its own one would collect more than is asked for, and costs three times as much. */
class PostgresQuery {
  readonly #statement: Statement;
  readonly #sending: Sending;
  readonly #rows: Row[] = [];
  #columns: readonly string[] = [];
  #readers: readonly ((text: string) => unknown)[] = [];
  #count: number | undefined;
  /** Statements of the message that are over. */
  #completed = 0;
  #bytes = 0;
  #unread = 0;
  #stream: Socket | undefined;
  #unreadable: { readonly thrown: unknown } | undefined;

  constructor(statement: Statement, sending: Sending) {
    this.#statement = statement;
    this.#sending = sending;
  }

  /** From here on `pg` calls. */
  submit({ stream }: Connection): null {
    const { around, run } = this.#sending;
    this.#stream = stream;
    // One row more than there may be tells that there are more. More than that wait in the database, and are left there.
    stream.write(wholeMessage(this.#statement, around, run.rows + 1));
    return null;
  }

  handleRowDescription({
    fields,
  }: {
    readonly fields: readonly { readonly name: string; dataTypeID: number }[];
  }): void {
    this.#columns = fields.map(({ name }) => name);
    this.#readers = fields.map(({ dataTypeID }) => postgresTypes.getTypeParser(dataTypeID));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { run, stop } = this.#sending;
    this.#unread = 0;
    for (const field of fields) this.#bytes += field === null ? 0 : field.length;
    if (this.#bytes > run.bytes) stop(new DatabaseError('bytes', 'the answer is too large'));
    else if (this.#unreadable === undefined) this.#addRow(fields);
  }

  #addRow(fields: readonly (string | null)[]): void {
    const row: Record<string, unknown> = {};
    try {
      for (const [index, name] of this.#columns.entries()) {
        const field = fields[index] ?? null;
        row[name] = field === null ? null : this.#readers[index]?.(field);
      }
      this.#rows.push(row);
    } catch (thrown) {
      this.#unreadable = { thrown };
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    if (this.#completed === this.#sending.around.count) {
      const count = /\d+$/.exec(text)?.[0];
      this.#count = count === undefined ? undefined : Number(count);
    }
    this.#completed += 1;
  }

  handlePortalSuspended(): void {
    this.#completed += 1;
  }

  handleEmptyQuery(): void {
    this.#completed += 1;
  }

  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFail('there is nothing to copy');
  }

  handleCopyData(): void {}

  handleReadyForQuery(): void {
    const { end } = this.#sending;
    if (this.#unreadable !== undefined) end(this.#unreadable);
    else end({ answer: { columns: this.#columns, rows: this.#rows, count: this.#count ?? this.#rows.length } });
  }

  handleError(thrown: unknown): void {
    const { around, end } = this.#sending;
    const isBegun = this.#completed > 0 || around.count === 0;
    end({ thrown: isBegun || !isGone(thrown) ? thrown : new NotBegun('there is no connection', { cause: thrown }) });
  }

  /**
   * A message is in memory as a whole before anybody sees it, and its text may be longer than a string can be: then nothing is left to be
   * asked, and the end of the connection ends the statement.
   */
  countUnread(chunk: Uint8Array): void {
    this.#unread += chunk.length;
    if (this.#unread <= this.#sending.run.bytes + mostBeside) return;
    this.#sending.stop(new DatabaseError('bytes', 'the answer is too large'));
    this.#stream?.destroy();
  }
}
