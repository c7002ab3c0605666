// B2. A database as a backend. In: its definition, then statements with values by name. Out: rows, a row, a value or a count. Values are
// bound, identifiers quoted; there is no other way into a statement.
import { type ParsedSql, parseSql, type SqlDialect, sqlPlaceholdersOf } from '../../../schema/backend/sql-text.js';
import type { SqlBackendDefinition } from '../../../schema/definitions.js';
import type { SqlBackend, SqlOptions } from '../../../schema/support/mcp/backends.js';
import { createRedact } from '../../call/context/secret-forms.js';
import { Gate, Turns } from '../../call/turns.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import { waitAtMost } from '../../call/wait-at-most.js';
import type { BackendScope, CallScope, OpenBackend } from '../ports.js';
import { type Address, readAddress } from './address.js';
import type { Answer, Database, Limits, Run, Statement } from './database.js';
import { findPostgresDriver, findSqliteDriver, type SqliteDriverName } from './drivers.js';
import { openPostgres } from './postgres.js';
import { sqlFailure } from './sql-failure.js';
import { openSqlite } from './sqlite.js';
import { renderStatement } from './statement.js';
import { Stopping } from './stopping.js';

type Values = Readonly<Record<string, unknown>>;

export interface OpenSqlBackend extends OpenBackend<SqlBackend> {
  /** As `query`; gives what is there at once as it is, since a promise costs as much as finding a row. */
  run(call: CallScope, text: string, values?: Values, options?: SqlOptions): unknown;
  /** The statement as it would be sent, and its values; nothing is connected. */
  preview(text: string, values?: Values, options?: SqlOptions): string;
}

interface Asked {
  readonly statement: Statement;
  readonly isRead: boolean;
  readonly options: SqlOptions;
}

const defaults = { timeoutMs: 30_000, rows: 1000, bytes: 10_000_000, pool: 5, queue: 100 };
const mostParsed = 500;

/** A statement as it was written. */
interface Written {
  readonly parsed: ParsedSql;
  /** Values change its text: identifiers and the lengths of lists. */
  readonly isVariable: boolean;
  /** As it was sent before. One string for all calls, so that what is known of it is found by its identity. */
  sent: string | undefined;
}
/** For statements that are ended, should a database not hear of it. */
const closeMs = 3000;

/**
 * Opens nothing before the first statement.
 *
 * @example await openSql('main', { type: 'sql', url: '{config.DATABASE_URL}' }, scope).of(call).query('SELECT 1 AS one')
 */
export function openSql(
  name: string,
  definition: SqlBackendDefinition,
  scope: BackendScope,
  /** For tests: which drivers may be taken. */
  sqliteDrivers?: readonly SqliteDriverName[],
): OpenSqlBackend {
  const { limits = {}, pool = defaults.pool, readOnly = false } = definition;
  const { timeoutMs = defaults.timeoutMs, rows = defaults.rows, bytes = defaults.bytes } = limits;
  const turns = new Turns(name, [new Gate(limits.concurrency ?? pool)], limits.queue ?? defaults.queue);
  const allowed: Limits = { rows, bytes, timeoutMs };
  const known = new Map<string, Written>();
  /** Statements under way. A few at a time: the tables that a map leaves behind hold on to each other (by-id.ts). */
  const running: { readonly stopping: Stopping; readonly done: Promise<unknown> }[] = [];
  let address: Address | undefined;
  let hidePassword = (text: string): string => text;
  let database: Database | undefined;
  let isClosed = false;

  /** Settings are read once they are needed; a failure is tried again with the next call. */
  function open(): { readonly database: Database; readonly address: Address } {
    if (isClosed) throw closedFailure(name);
    if (address === undefined) {
      address = readAddress(name, definition, scope);
      // It is secret, whether or not the configuration says so.
      if (address.dialect === 'postgres') hidePassword = createRedact([['password', address.password]]);
    }
    database ??=
      address.dialect === 'postgres'
        ? openPostgres(findPostgresDriver(scope.folder, name).load(), { url: address.url, pool, timeoutMs })
        : openSqlite(findSqliteDriver(scope.folder, name, sqliteDrivers), {
            ...address,
            isReadOnly: readOnly,
            env: scope.env,
          });
    return { database, address };
  }

  function render(text: string, values: Values, dialect: SqlDialect): Statement {
    let written = known.get(text);
    if (written === undefined) {
      const parsed = parseSql(text, dialect);
      const isVariable = sqlPlaceholdersOf(parsed.parts).some(
        ({ as, list }) => as === 'identifier' || list !== undefined,
      );
      written = { parsed, isVariable, sent: undefined };
      if (known.size >= mostParsed) known.clear();
      known.set(text, written);
    }
    const { parts, problems, head } = written.parsed;
    const problem = problems.find(({ kind }) => kind !== 'in-literal');
    if (problem !== undefined)
      throw new UpstreamFailure(
        'BAD_VALUE',
        `A statement for ${name} cannot be sent: ${problem.tag} ${problem.reason}`,
        {
          status: 500,
        },
      );
    const rendered = renderStatement(parts, values, dialect);
    if (written.isVariable) return { ...rendered, head };
    written.sent ??= rendered.text;
    return { text: written.sent, binds: rendered.binds, head };
  }

  function run(call: CallScope, text: string, values: Values = {}, options: SqlOptions = {}): unknown {
    const isRead = options.isRead === true || readOnly;
    let statement: Statement | undefined;
    try {
      const opened = open();
      statement = render(text, values, opened.address.dialect);
      // Neither a turn nor a signal is needed for what has ended when it returns.
      const now = isRead ? opened.database.readNow?.(statement, allowed) : undefined;
      return now === undefined
        ? query(call, opened.database, { statement, isRead, options })
        : shape(name, now, options);
    } catch (thrown) {
      throw sqlFailure(thrown, { name, redact, limits: allowed, signal: undefined }, statement);
    }
  }

  /** Ends with its call, or with the backend. */
  async function query(call: CallScope, database: Database, asked: Asked): Promise<unknown> {
    const { statement, isRead, options } = asked;
    const stopping = new Stopping(call.cancellation ?? call.signal);
    const done = takeTurn(database, statement, { ...allowed, isRead, signal: stopping });
    const one = { stopping, done };
    running.push(one);
    try {
      return shape(name, await done, options);
    } catch (thrown) {
      throw sqlFailure(thrown, { name, redact, limits: allowed, signal: stopping }, statement);
    } finally {
      running.splice(running.indexOf(one), 1);
      stopping.end();
    }
  }

  async function takeTurn(database: Database, statement: Statement, run: Run): Promise<Answer> {
    if (run.signal.aborted) throw run.signal.reason;
    const turn = await turns.take([], run.signal);
    try {
      return await database.query(statement, run);
    } finally {
      turn.leave();
    }
  }

  function redact(text: string): string {
    return hidePassword(scope.settings.redact(text));
  }

  return {
    run,
    of: call => ({
      query: async <Result>(text: string, values?: Values, options?: SqlOptions) =>
        (await run(call, text, values, options)) as Result,
    }),
    preview(text, values = {}, options = {}) {
      const { dialect } = readAddress(name, definition, scope);
      const statement = render(text, values, dialect);
      const lines = statement.binds.map((bind, index) => `  ${index + 1}: ${print(bind)}`);
      const mode = options.isRead === true || readOnly ? 'read only' : 'may write';
      const head = `${name}: ${dialect}, ${mode}, result: ${options.result ?? 'rows'}`;
      return scope.settings.redact([head, statement.text.trim(), ...lines].join('\n'));
    },
    async close() {
      isClosed = true;
      for (const { stopping } of running) stopping.stop(closedFailure(name));
      await waitAtMost(closeMs, Promise.allSettled(running.map(({ done }) => done)));
      await database?.close();
    },
  };
}

function closedFailure(name: string): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_UNREACHABLE', `${name} is closed: the server is ending`);
}

function print(bind: unknown): string {
  if (bind instanceof Uint8Array) return `${bind.length} bytes`;
  return JSON.stringify(bind, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

function shape(name: string, { rows, columns, count }: Answer, { result = 'rows' }: SqlOptions): unknown {
  const double = columns?.find((column, index) => columns.indexOf(column) !== index);
  if (double !== undefined && result !== 'value' && result !== 'count')
    throw new UpstreamFailure('UPSTREAM_INVALID', `${name} answered with two columns that are called ${double}`, {
      suggestedFix: 'Give each column a name of its own with AS.',
    });
  const [first] = rows;
  switch (result) {
    case 'rows':
      return rows;
    case 'row':
      if (first === undefined) throw new UpstreamFailure('NO_ROW', `${name} has no such row`, { upstream: 'NO_ROW' });
      return first;
    case 'value':
      if (first === undefined) return null;
      return (columns?.[0] === undefined ? Object.values(first)[0] : first[columns[0]]) ?? null;
    default:
      return count;
  }
}
