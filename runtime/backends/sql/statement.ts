// B2. In: the parts of a statement, and values by name. Out: the statement as a database takes it, with its binds by position. Values never
// become text of it; identifiers do, quoted.
import type { SqlDialect, SqlPart, SqlPlaceholder } from '../../../schema/backend/sql-text.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { Bind, Statement } from './database.js';

type Values = Readonly<Record<string, unknown>>;

/** SQLite's own limit is 32766. */
const mostElements = 32_000;
const halfCharacter = /\p{Surrogate}/u;

/**
 * Fills a statement in.
 *
 * @example renderStatement(parts, { id: 7 }, 'postgres') // { text: 'SELECT * FROM books WHERE id = $1', binds: [7] }
 */
export function renderStatement(
  parts: readonly SqlPart[],
  values: Values,
  dialect: SqlDialect,
): Pick<Statement, 'text' | 'binds'> {
  const binds: Bind[] = [];
  const places = new Map<string, string>();
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else if (part.as === 'identifier') text += quoteIdentifier(part, givenOf(part, values));
    else if (dialect === 'postgres') text = appendPostgres(text, part, givenOf(part, values), binds, places);
    else text += bindSqlite(part, givenOf(part, values), binds);
  }
  return { text, binds };
}

/** An argument that is absent is NULL. */
function givenOf({ name }: SqlPlaceholder, values: Values): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function quoteIdentifier({ tag }: SqlPlaceholder, value: unknown): string {
  if (typeof value !== 'string' || value === '')
    throw badValue(tag, 'is not the name of anything: it must be a string');
  if (value.includes('\0') || halfCharacter.test(value)) throw badValue(tag, 'has a character that names cannot have');
  return `"${value.replaceAll('"', '""')}"`;
}

/** One `$n` for each name, so that PostgreSQL finds its type from whichever place tells it. A list in `IN` becomes an array. */
function appendPostgres(
  before: string,
  part: SqlPlaceholder,
  value: unknown,
  binds: Bind[],
  places: Map<string, string>,
): string {
  if (part.isNullTest === true) {
    // Otherwise PostgreSQL would not know the type of the bind, though another place tells it.
    binds.push(bindOf(part, value) === null ? null : '');
    return `${before}$${binds.length}::text`;
  }
  const isList = Array.isArray(value);
  const isJson = part.isJson === true;
  const key = `${isJson ? 'json' : 'plain'} ${part.name}`;
  const place = places.get(key) ?? `$${binds.length + 1}`;
  if (!places.has(key)) {
    binds.push(isList && !isJson ? value.map(element => arrayElement(part, element)) : bindOf(part, value));
    places.set(key, place);
  }
  if (!isList || part.list === undefined) return before + place;
  const opened = before.replace(/\b(NOT\s+)?IN\s*\(?\s*$/i, (_, not?: string) =>
    not === undefined ? '= ANY(' : '<> ALL(',
  );
  return opened + place + (part.list === 'bare' ? ')' : '');
}

/** Lists of lists are arrays of more dimensions. */
function arrayElement(part: SqlPlaceholder, element: unknown): unknown {
  return Array.isArray(element) ? element.map(inner => arrayElement(part, inner)) : bindOf(part, element);
}

/** Every occurrence is a `?` of its own. A list stands for its elements after IN, and is JSON elsewhere (`json_each(:ids)`). */
function bindSqlite(part: SqlPlaceholder, value: unknown, binds: Bind[]): string {
  if (!Array.isArray(value) || part.list === undefined) {
    const bind = bindOf(part, value);
    binds.push(typeof bind === 'boolean' ? Number(bind) : bind);
    return '?';
  }
  if (value.length > mostElements) throw badValue(part.tag, `has more than ${mostElements} elements`);
  for (const element of value) bindSqlite({ ...part, list: undefined }, element, binds);
  // Nothing is in an empty list, and everything is not in it.
  const list = value.length === 0 ? 'SELECT NULL WHERE 0' : value.map(() => '?').join(', ');
  return part.list === 'bare' ? `(${list})` : list;
}

function bindOf(part: SqlPlaceholder, value: unknown): Exclude<Bind, readonly unknown[]> {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean' || value instanceof Uint8Array) return value;
  if (typeof value === 'string') return checkText(part, value);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw badValue(part.tag, 'is not a finite number');
  }
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) === value) return value;
    throw badValue(part.tag, 'is too large for an integer of 64 bits');
  }
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (typeof value === 'object') return checkText(part, JSON.stringify(value) ?? 'null');
  throw badValue(part.tag, `is a ${typeof value}, which cannot be bound`);
}

function checkText({ tag }: SqlPlaceholder, text: string): string {
  if (text.includes('\0')) throw badValue(tag, 'has a NUL character, which databases do not store in text');
  if (halfCharacter.test(text)) throw badValue(tag, 'has half of a character (a lone surrogate)');
  return text;
}

function badValue(tag: string, reason: string): UpstreamFailure {
  return new UpstreamFailure('BAD_VALUE', `The value of ${tag} ${reason}`, { meta: { placeholder: tag } });
}
