// What a statement must not do: write where it may only read, stay open on a connection, take the memory of the server.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import {
  failureOf,
  makeFile,
  makeFolder,
  type Opened,
  opened,
  scopeOf,
  sqliteDrivers,
  startPostgres,
} from './world.js';

const read = { isRead: true } as const;
const value = { isRead: true, result: 'value' } as const;
const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
});

/** Attempts of a statement that reads; SQLite would do all of them with `query_only`, or end with it. */
const attempts = [
  'PRAGMA query_only = OFF',
  'PRAGMA main.query_only(0)',
  '/* a comment */ pragma user_version = 7',
  'PRAGMA journal_mode = WAL',
  'PRAGMA optimize',
  'VACUUM',
  "VACUUM INTO 'copy.db'",
  'DELETE FROM t',
  'INSERT INTO t VALUES (2) RETURNING x',
  'WITH c AS (SELECT 1) INSERT INTO t SELECT * FROM c',
  'CREATE TEMP TABLE other (x)',
  'REINDEX',
];

describe.each(sqliteDrivers)('a statement of SQLite with %s', driver => {
  const folder = makeFolder();
  const file = makeFile(folder);
  const open = (more = {}): Opened =>
    opened({ type: 'sqlite', url: 'sqlite:test.db', ...more }, scopeOf(folder), [driver]);

  it('B2 reads leave the database and its folder as they are, whatever they say', async () => {
    const main = open();
    await main.query('CREATE TABLE t (x UNIQUE)');
    await main.query('INSERT INTO t VALUES (1)');
    const stateOf = () => [createHash('sha256').update(readFileSync(file)).digest('hex'), ...readdirSync(folder)];
    const before = stateOf();
    for (const text of attempts) {
      const failure = await failureOf(main.query(text, {}, read)).catch(() => ({ upstream: 'done' }));
      expect([text, failure['upstream']]).toEqual([text, 'SQLITE_READONLY']);
    }
    expect(stateOf()).toEqual(before);
    expect(await failureOf(main.query('DELETE FROM t', {}, read))).toMatchObject({ upstream: 'SQLITE_READONLY' });
    expect(await failureOf(open({ readOnly: true }).query("VACUUM INTO 'copy.db'"))).toMatchObject({
      upstream: 'SQLITE_READONLY',
    });
    expect(await main.query('SELECT count(*) FROM t', {}, value)).toBe(1);
  });

  it('B2 reads may ask how the database is made', async () => {
    const main = open();
    await main.query('CREATE TABLE IF NOT EXISTS made (a INTEGER, b TEXT)');
    const columns = await main.query('PRAGMA table_info(made)', {}, read);
    expect(columns).toMatchObject([{ name: 'a' }, { name: 'b' }]);
    expect(await main.query('PRAGMA user_version', {}, value)).toBe(0);
    expect(await main.query('PRAGMA quick_check(1)', {}, value)).toBe('ok');
  });

  it('B2 a setting that a write changes ends with its statement, and the database keeps what is its own', async () => {
    const main = open();
    await main.query('PRAGMA query_only = ON');
    await main.query('PRAGMA foreign_keys = OFF');
    expect(await main.query('PRAGMA user_version = 7')).toEqual([]);
    await main.query('CREATE TABLE IF NOT EXISTS after (x)');
    expect(await main.query('INSERT INTO after VALUES (1)', {}, { result: 'count' })).toBe(1);
    expect(await main.query('PRAGMA foreign_keys', {}, value)).toBe(1);
    expect(await main.query('PRAGMA user_version', {}, value)).toBe(7);
    expect(await main.query('VACUUM')).toEqual([]);
    await main.query('PRAGMA user_version = 0');
  });

  it('B2 a database that is replaced, as by a backup, is the one that is read and written from then on', async () => {
    const main = open();
    await main.query('CREATE TABLE IF NOT EXISTS made (x)');
    await main.query('SELECT count(*) FROM made', {}, value);
    renameSync(makeFile(folder, 'other.db'), file);
    expect(await main.query("SELECT count(*) FROM sqlite_schema WHERE type = 'table'", {}, value)).toBe(0);
    await main.query('CREATE TABLE made (x)');
    expect(await main.query('INSERT INTO made VALUES (1)', {}, { result: 'count' })).toBe(1);
    expect(await main.query('SELECT count(*) FROM made', {}, value)).toBe(1);
  });

  it('B2 a value that is larger than the limit is not even written as text', async () => {
    const main = open({ limits: { bytes: 100_000 } });
    expect(await failureOf(main.query('SELECT zeroblob(450000000) AS x', {}, read))).toMatchObject({
      code: 'UPSTREAM_TOO_LARGE',
    });
    expect(await main.query('SELECT 1', {}, value)).toBe(1);
  });
});

it('B2 settings of a database in memory end with their statement, and its tables stay', async () => {
  const main = opened({ type: 'sqlite', url: 'sqlite::memory:' }, scopeOf(makeFolder()));
  await main.query('CREATE TABLE t (x)');
  await main.query('PRAGMA query_only = ON');
  expect(await main.query('INSERT INTO t VALUES (1)', {}, { result: 'count' })).toBe(1);
  expect(await failureOf(main.query('DELETE FROM t', {}, read))).toMatchObject({ upstream: 'SQLITE_READONLY' });
});

describe.skipIf(postgres === undefined)('a statement of PostgreSQL', () => {
  const open = (more = {}): Opened =>
    opened({ type: 'postgres', url: '{config.URL}', pool: 1, ...more }, scopeOf(makeFolder(), { URL: postgres?.url }));

  it('B2 reads leave nothing behind, in the database or on their connection', async () => {
    const main = open();
    await main.query('CREATE TABLE t (x int)');
    await main.query('CREATE SEQUENCE s');
    await main.query('CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ INSERT INTO t VALUES (3) RETURNING 1 $$');
    const refused = [
      'WITH x AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM x',
      "SELECT nextval('s')",
      'SELECT f()',
      'DO $$ BEGIN INSERT INTO t VALUES (2); END $$',
      'COPY t FROM STDIN',
      'EXPLAIN ANALYZE DELETE FROM t',
    ];
    for (const text of refused)
      expect(await failureOf(main.query(text, {}, read))).toMatchObject({ upstream: '25006' });
    expect(
      await failureOf(main.query("SELECT set_config('transaction_read_only', 'off', false)", {}, read)),
    ).toMatchObject({ upstream: '25001' });
    const objects = 'SELECT count(*) FROM pg_largeobject_metadata';
    // PostgreSQL 15 lets a transaction that only reads make a large object.
    await main.query('SELECT lo_create(0)', {}, read).catch(() => undefined);
    expect(await main.query(objects, {}, value)).toBe(0);
    await main.query("SELECT set_config('search_path', 'nowhere', false)", {}, read);
    expect(await main.query('SELECT count(*) FROM t', {}, value)).toBe(0);
    await main.query("SELECT set_config('search_path', 'nowhere', false)");
    expect(await main.query('SELECT count(*) FROM t', {}, value)).toBe(0);
    const held = await main.query('SELECT pg_backend_pid() + length(pg_advisory_lock(7)::text)', {}, value);
    // A lock ends with its connection, which serves nobody else.
    expect(await main.query('SELECT pg_backend_pid()', {}, value)).not.toBe(held);
  });

  it.each([
    ['above the limit', 100_000_000],
    ['longer than any string may be', 600_000_000],
  ])('B2 a value %s ends its statement before it is in memory', async (_, length) => {
    const main = open({ limits: { bytes: 1_000_000 } });
    const before = process.memoryUsage().rss;
    const failure = await failureOf(main.query(`SELECT repeat('x', ${length}) AS x`, {}, read));
    expect(failure).toMatchObject({
      code: 'UPSTREAM_TOO_LARGE',
      message: 'main answered with more than 1000000 bytes',
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
    expect(await main.query('SELECT 1', {}, value)).toBe(1);
  });

  it('B6 an error and notices that are longer than the limit are no more trouble than others', async () => {
    const main = open({ limits: { bytes: 1_000_000 } });
    const raise = (level: string) => `DO $$ BEGIN RAISE ${level} '%', repeat('x', 50000000); END $$`;
    expect(await main.query(raise('NOTICE'))).toEqual([]);
    expect(await failureOf(main.query(raise('EXCEPTION')))).toMatchObject({ code: 'UPSTREAM_TOO_LARGE' });
    expect(await main.query('SELECT 1', {}, value)).toBe(1);
  });
});
