// What holds for every database and driver: the same statements, the same answers, the same failures.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

interface Case {
  readonly name: string;
  readonly isPostgres: boolean;
  open(limits?: object, more?: object): Opened;
}

const folder = makeFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
});

const cases: readonly Case[] = [
  ...sqliteDrivers.map((driver): Case => {
    const name = `${driver.replace(/\W/g, '-')}.db`;
    makeFile(folder, name);
    return {
      name: driver,
      isPostgres: false,
      open: (limits = {}, more = {}) =>
        opened({ type: 'sqlite', url: `sqlite:${name}`, limits, ...more }, scopeOf(folder), [driver]),
    };
  }),
  {
    name: 'PostgreSQL',
    isPostgres: true,
    open: (limits = {}, more = {}) =>
      opened({ type: 'sql', url: '{config.URL}', limits, ...more }, scopeOf(folder, { URL: postgres?.url ?? '' })),
  },
];

const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) AS n FROM c';

describe.each(cases)('sql on $name', ({ isPostgres, open }) => {
  describe.skipIf(isPostgres && postgres === undefined)('with a table', () => {
    let main: Opened;
    beforeAll(async () => {
      main = open();
      await main.query(
        `CREATE TABLE books (id INTEGER PRIMARY KEY, isbn TEXT NOT NULL UNIQUE, title TEXT NOT NULL, year INTEGER CHECK (year > 0))`,
      );
      await main.query(
        `INSERT INTO books VALUES (1, 'a', 'Emma', 1815), (2, 'b', 'Ulysses', 1922), (3, 'c', 'Dune', 1965)`,
      );
    });

    it('B2 rows, a row, a value and a count are what the statement answers with', async () => {
      const read = { isRead: true } as const;
      expect(
        await main.query('SELECT id, title FROM books WHERE year > :year ORDER BY id', { year: 1900 }, read),
      ).toEqual([
        { id: 2, title: 'Ulysses' },
        { id: 3, title: 'Dune' },
      ]);
      expect(await main.query('SELECT title FROM books WHERE id = :id', { id: 1 }, { ...read, result: 'row' })).toEqual(
        {
          title: 'Emma',
        },
      );
      expect(await main.query('SELECT count(*) FROM books', {}, { ...read, result: 'value' })).toBe(3);
      expect(await main.query('SELECT id FROM books WHERE id = 9', {}, { ...read, result: 'value' })).toBe(null);
      expect(await main.query('UPDATE books SET year = year WHERE id < 3', {}, { result: 'count' })).toBe(2);
      expect(await main.query('DELETE FROM books WHERE id = 99', {}, { result: 'count' })).toBe(0);
    });

    it('B2 a row that is not there is NO_ROW', async () => {
      const failure = await failureOf(
        main.query('SELECT id FROM books WHERE id = 9', {}, { result: 'row', isRead: true }),
      );
      expect(failure).toMatchObject({ code: 'NO_ROW', upstream: 'NO_ROW', message: 'main has no such row' });
    });

    it('B2 a write answers with its rows where it has RETURNING', async () => {
      const values = { id: 50, isbn: 'r', title: 'Returned', year: null };
      const insert = 'INSERT INTO books (id, isbn, title, year) VALUES (:id, :isbn, :title, :year) RETURNING id, year';
      expect(await main.query(insert, values, { result: 'row' })).toEqual({ id: 50, year: null });
      expect(await main.query('DELETE FROM books WHERE id = :id', { id: 50 }, { result: 'count' })).toBe(1);
    });

    it('B2 values never become a part of the statement', async () => {
      const evil = `x'; DROP TABLE books; --`;
      expect(await main.query('SELECT id FROM books WHERE title = :t', { t: evil }, { isRead: true })).toEqual([]);
      expect(await main.query('SELECT count(*) FROM books', {}, { result: 'value', isRead: true })).toBe(3);
    });

    it('B2 an identifier is quoted, whatever it is', async () => {
      const text = 'SELECT id FROM books ORDER BY {column}';
      expect(await main.query(text, { column: 'title' }, { isRead: true })).toEqual([{ id: 3 }, { id: 1 }, { id: 2 }]);
      const evil = 'id"; DROP TABLE books; --';
      const made = main.backend.preview(text, { column: evil });
      expect(made).toContain('ORDER BY "id""; DROP TABLE books; --"');
      expect(await main.query('SELECT count(*) FROM books', {}, { result: 'value', isRead: true })).toBe(3);
      expect(await failureOf(main.query(text, { column: 'a\0b' }))).toMatchObject({ code: 'BAD_VALUE' });
      expect(await failureOf(main.query(text, { column: 7 }))).toMatchObject({ code: 'BAD_VALUE' });
    });

    it('B2 a list stands for its elements after IN, an empty one for nothing', async () => {
      const ids = async (text: string, list: readonly unknown[]): Promise<unknown> =>
        (
          (await main.query(`SELECT id FROM books WHERE ${text} ORDER BY id`, { list }, { isRead: true })) as {
            id: number;
          }[]
        ).map(({ id }) => id);
      expect(await ids('id IN (:list)', [1, 3, 7])).toEqual([1, 3]);
      expect(await ids('id NOT IN (:list)', [1, 3, 7])).toEqual([2]);
      expect(await ids('title IN :list', ['Dune', "it's"])).toEqual([3]);
      expect(await ids('id IN (:list)', [])).toEqual([]);
      expect(await ids('id NOT IN (:list)', [])).toEqual([1, 2, 3]);
    });

    it('B2 an argument that is absent is NULL, and one name may stand several times', async () => {
      const text = 'SELECT count(*) FROM books WHERE (:title IS NULL OR title = :title)';
      expect(await main.query(text, {}, { result: 'value', isRead: true })).toBe(3);
      expect(await main.query(text, { title: 'Emma' }, { result: 'value', isRead: true })).toBe(1);
    });

    it.each(['', 'ü 😀', '5', "it's", 'a\nb\\c"d', '{x} :y', '9007199254740993'])(
      'B2 the text %j comes back as it went',
      async text => {
        expect(await main.query('SELECT CAST(:text AS TEXT) AS t', { text }, { result: 'value', isRead: true })).toBe(
          text,
        );
      },
    );

    it('B2 text that no database keeps is refused before it is sent', async () => {
      expect(await failureOf(main.query('SELECT :t', { t: 'a\0b' }))).toMatchObject({
        code: 'BAD_VALUE',
        message: 'The value of :t has a NUL character, which databases do not store in text',
      });
      expect(await failureOf(main.query('SELECT :t', { t: 'a\ud800' }))).toMatchObject({ code: 'BAD_VALUE' });
      expect(await failureOf(main.query('SELECT :t', { t: Number.NaN }))).toMatchObject({ code: 'BAD_VALUE' });
    });

    it('B2 integers keep all their digits', async () => {
      const value = async (x: unknown): Promise<unknown> =>
        await main.query(
          `SELECT CAST(:x AS ${isPostgres ? 'BIGINT' : 'INTEGER'}) AS x`,
          { x },
          { result: 'value', isRead: true },
        );
      expect(await value(9007199254740991)).toBe(9007199254740991);
      expect(await value(9007199254740993n)).toBe('9007199254740993');
      expect(await value(-5)).toBe(-5);
    });

    it('B6 a statement that failed works with other values, and fails with an error of its own', async () => {
      const insert = 'INSERT INTO books VALUES (:id, :isbn, :title, 1) RETURNING id';
      const values = { id: 80, isbn: 'a', title: 'x' };
      const unique = await failureOf(main.query(insert, values));
      expect(unique['upstream']).toBe(isPostgres ? '23505' : 'SQLITE_CONSTRAINT_UNIQUE');
      const empty = await failureOf(main.query(insert, { ...values, isbn: 'z', title: null }));
      expect(empty['upstream']).toBe(isPostgres ? '23502' : 'SQLITE_CONSTRAINT_NOTNULL');
      expect(await main.query(insert, { ...values, isbn: 'z' })).toEqual([{ id: 80 }]);
      await main.query('DELETE FROM books WHERE id = 80');
    });

    it('B2 a number in a column of text has no decimals that it did not have', async () => {
      await main.query(`INSERT INTO books VALUES (60, :isbn, 'x', 1)`, { isbn: isPostgres ? '5' : 5 });
      expect(await main.query('SELECT isbn FROM books WHERE id = 60', {}, { result: 'value' })).toBe('5');
      await main.query('DELETE FROM books WHERE id = 60');
    });

    it.each([
      ['a unique column', `INSERT INTO books VALUES (70, 'a', 'x', 1)`, '23505', 'SQLITE_CONSTRAINT_UNIQUE'],
      ['a primary key', `INSERT INTO books VALUES (1, 'z', 'x', 1)`, '23505', 'SQLITE_CONSTRAINT_PRIMARYKEY'],
      [
        'a column that is not null',
        `INSERT INTO books VALUES (70, 'z', NULL, 1)`,
        '23502',
        'SQLITE_CONSTRAINT_NOTNULL',
      ],
      ['a check', `INSERT INTO books VALUES (70, 'z', 'x', -1)`, '23514', 'SQLITE_CONSTRAINT_CHECK'],
      ['a table that is not there', 'SELECT * FROM nothing', '42P01', 'SQLITE_ERROR'],
    ])('B6 %s fails with the code of the database', async (_, text, sqlstate, name) => {
      const upstream = isPostgres ? sqlstate : name;
      const failure = await failureOf(main.query(text));
      expect(failure).toMatchObject({ code: 'UPSTREAM_ERROR', upstream, meta: { code: upstream } });
      expect(failure['message']).toMatch(/^main answered with an error: /);
      // The connection is as good as before.
      expect(await main.query('SELECT count(*) FROM books', {}, { result: 'value' })).toBe(3);
    });

    it('B2 a read cannot write, whatever the statement says', async () => {
      const failure = await failureOf(main.query('DELETE FROM books', {}, { isRead: true }));
      expect(failure).toMatchObject({ code: 'UPSTREAM_ERROR', upstream: isPostgres ? '25006' : 'SQLITE_READONLY' });
      expect(failure['message']).toMatch(/^main may only be read here: /);
      expect(await main.query('SELECT count(*) FROM books', {}, { result: 'value' })).toBe(3);
    });

    it('B2 a backend that is read only cannot write either', async () => {
      const readOnly = open({}, { readOnly: true });
      expect(await readOnly.query('SELECT count(*) FROM books', {}, { result: 'value' })).toBe(3);
      expect(await failureOf(readOnly.query('DELETE FROM books'))).toMatchObject({
        upstream: isPostgres ? '25006' : 'SQLITE_READONLY',
      });
    });

    it('B2 more rows than the limit are a failure, and undo what was written', async () => {
      const narrow = open({ rows: 2 });
      const failure = await failureOf(narrow.query('SELECT id FROM books', {}, { isRead: true }));
      expect(failure).toMatchObject({ code: 'UPSTREAM_TOO_LARGE', message: 'main answered with more than 2 rows' });
      expect(failure['suggestedFix']).toContain('LIMIT');
      expect(await narrow.query('SELECT id FROM books ORDER BY id LIMIT 2', {}, { isRead: true })).toHaveLength(2);
      expect(await failureOf(narrow.query('UPDATE books SET year = 7 RETURNING id'))).toMatchObject({
        code: 'UPSTREAM_TOO_LARGE',
      });
      expect(await narrow.query('SELECT count(*) FROM books WHERE year = 7', {}, { result: 'value' })).toBe(0);
    });

    it('B2 more bytes than the limit are a failure', async () => {
      const narrow = open({ bytes: 1000 });
      const long = isPostgres ? `repeat('x', 2000)` : `replace(hex(zeroblob(1000)), '0', 'x')`;
      expect(await failureOf(narrow.query(`SELECT ${long} AS x`, {}, { isRead: true }))).toMatchObject({
        code: 'UPSTREAM_TOO_LARGE',
        message: 'main answered with more than 1000 bytes',
      });
      expect(await narrow.query('SELECT 1 AS x', {}, { result: 'value' })).toBe(1);
    });

    it('B2 two columns of one name are said, not lost', async () => {
      const done = main.query('SELECT 1 AS a, 2 AS a', {}, { isRead: true });
      // One driver does not tell the names of columns.
      const answer = await done.catch((thrown: { readonly code: string }) => thrown.code);
      expect(['UPSTREAM_INVALID', ...(isPostgres ? [] : [[{ a: 2 }]])]).toContainEqual(answer);
    });

    it('B2 a statement that takes too long is ended, and the next one works', async () => {
      const hasty = open({ timeoutMs: 1000 });
      await hasty.query('SELECT 1');
      const failure = await failureOf(hasty.query(endless, {}, { isRead: true }));
      expect(failure).toMatchObject({
        code: 'UPSTREAM_TIMEOUT',
        message: 'main did not answer within 1000 ms',
        retryable: true,
      });
      const patient = open();
      expect(await patient.query('SELECT count(*) FROM books', {}, { result: 'value' })).toBe(3);
    });

    it('B2 a call that is cancelled ends its statement, and the next one works', async () => {
      const stopping = new AbortController();
      const running = main.query(endless, {}, { isRead: true }, stopping.signal);
      setTimeout(() => stopping.abort(new Error('nobody waits')), 200);
      await expect(running).rejects.toThrow('nobody waits');
      expect(await main.query('SELECT count(*) FROM books', {}, { result: 'value' })).toBe(3);
    });

    it('B2 a write that is cancelled leaves nothing behind', async () => {
      const stopping = new AbortController();
      const text = `INSERT INTO books SELECT 1000 + x, 'n' || x, 't', 1 FROM (${endless.replace('count(*) AS n', 'x')}) AS n`;
      const running = main.query(text, {}, {}, stopping.signal);
      setTimeout(() => stopping.abort(new Error('nobody waits')), 300);
      await expect(running).rejects.toThrow('nobody waits');
      expect(await main.query('SELECT count(*) FROM books', {}, { result: 'value' })).toBe(3);
    });

    it('B2 calls above the limits of the backend wait, and then are too many', async () => {
      const narrow = open({ concurrency: 1, queue: 1 });
      const stopping = new AbortController();
      const first = narrow.query(endless, {}, { isRead: true }, stopping.signal);
      const second = narrow.query('SELECT 2', {}, { result: 'value' });
      expect(await failureOf(narrow.query('SELECT 3'))).toMatchObject({ code: 'BUSY' });
      stopping.abort(new Error('enough'));
      await expect(first).rejects.toThrow('enough');
      expect(await second).toBe(2);
    });

    it('B2 the preview has the statement and its values, and no address', () => {
      const shown = main.backend.preview('SELECT * FROM books WHERE id IN (:ids) AND title = :t', {
        ids: [1, 2],
        t: 'x',
      });
      const [head, text] = shown.split('\n');
      expect(head).toBe(`main: ${isPostgres ? 'postgres' : 'sqlite'}, may write, result: rows`);
      expect(text).toBe(
        `SELECT * FROM books WHERE ${isPostgres ? 'id = ANY($1) AND title = $2' : 'id IN (?, ?) AND title = ?'}`,
      );
      expect(shown).not.toMatch(/postgres:\/\/|\.db/);
    });

    it('B2 several statements and binds of other kinds are not sent', async () => {
      expect(await failureOf(main.query('SELECT 1; DROP TABLE books'))).toMatchObject({
        message: 'A statement for main cannot be sent: ; is followed by another statement: a tool has one',
      });
      expect(await failureOf(main.query('SELECT $1'))).toMatchObject({ code: 'BAD_VALUE' });
    });

    it('B2 a backend that is closed ends what is under way and what waits, and leaves no process behind', async () => {
      const other = open({ concurrency: 1 });
      await other.query('SELECT 1');
      const failing = [other.query(endless), other.query('SELECT 1')].map(failureOf);
      await new Promise(resolve => setTimeout(resolve, 100));
      const begun = performance.now();
      await other.backend.close();
      for (const failure of await Promise.all(failing))
        expect(failure).toMatchObject({
          code: 'UPSTREAM_UNREACHABLE',
          message: 'main is closed: the server is ending',
        });
      // Long before its time limit of 30 s.
      expect(performance.now() - begun).toBeLessThan(15_000);
    });

    it('B2 a closed backend answers no more', async () => {
      const other = open();
      await other.query('SELECT 1');
      await other.backend.close();
      expect(await failureOf(other.query('SELECT 1'))).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
    });
  });
});
