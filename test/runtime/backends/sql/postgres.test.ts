// What only PostgreSQL has: types, arrays, connections that fail, and a server that goes away.

import { EventEmitter, once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArray } from '../../../../runtime/backends/sql/postgres-types.js';
import { failureOf, makeFolder, type Opened, opened, scopeOf, startPostgres } from './world.js';

const folder = makeFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
});

const connectTo = (url: string, more: object = {}): Opened =>
  opened({ type: 'postgres', url: '{config.URL}', ...more }, scopeOf(folder, { URL: url }));

/** A way to the database that holds back its answers from what a client says on, until they are released. */
async function holdAnswers(url: string, from: RegExp) {
  const { port, hostname } = new URL(url);
  const sent: string[] = [];
  const events = new EventEmitter();
  const isHeld = once(events, 'held');
  const isReleased = once(events, 'released');
  const way = createServer(client => {
    const server = connect(Number(port), hostname);
    let before: Promise<unknown> = Promise.resolve();
    client.on('data', bytes => {
      sent.push(bytes.toString('latin1'));
      if (from.test(bytes.toString('latin1'))) {
        before = isReleased;
        events.emit('held');
      }
      server.write(bytes);
    });
    server.on('data', bytes => void before.then(() => client.write(bytes)));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy());
  });
  await new Promise<void>(resolve => way.listen(0, '127.0.0.1', resolve));
  afterAll(() => void way.close());
  const held = url.replace(`:${port}/`, `:${(way.address() as { port: number }).port}/`);
  return { url: held, isHeld, release: () => events.emit('released'), messages: () => sent, sent: () => sent.join('') };
}

describe.skipIf(postgres === undefined)('sql on PostgreSQL', () => {
  let main: Opened;
  const value = async (text: string, values: Record<string, unknown> = {}): Promise<unknown> =>
    await main.query(`SELECT ${text} AS x`, values, { result: 'value', isRead: true });
  beforeAll(() => {
    main = connectTo(postgres?.url ?? '');
  });

  it.each([
    ['42::int8', 42],
    ['9007199254740993::int8', '9007199254740993'],
    ['12.50::numeric', 12.5],
    ['0.1::numeric', 0.1],
    ['-0.0001::numeric', -0.0001],
    ['8007199254740991.3::numeric', '8007199254740991.3'],
    ['12345678901234567890.5::numeric', '12345678901234567890.5'],
    [`'NaN'::numeric`, 'NaN'],
    ['1.5::float8', 1.5],
    [`'Infinity'::float8`, 'Infinity'],
    ['true', true],
    ['null', null],
    [`'2026-01-02'::date`, '2026-01-02'],
    [`'2026-01-02 03:04:05.5'::timestamp`, '2026-01-02T03:04:05.5'],
    [`'2026-01-02 03:04:05+00'::timestamptz at time zone 'UTC'`, '2026-01-02T03:04:05'],
    [`'infinity'::timestamptz`, 'infinity'],
    [`'03:04'::time`, '03:04:00'],
    [`'1 day 02:00'::interval`, '1 day 02:00:00'],
    [`'\\x00ff10'::bytea`, 'AP8Q'],
    [`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
    [`ARRAY[1, NULL, 3]`, [1, null, 3]],
    [`ARRAY['a b', 'c"d', 'NULL', '']`, ['a b', 'c"d', 'NULL', '']],
    [
      `ARRAY[[1, 2], [3, 4]]`,
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [`'[0:1]={7,8}'::int[]`, [7, 8]],
    [`'{}'::text[]`, []],
    [`'7b1c3f0e-0000-4000-8000-000000000001'::uuid`, '7b1c3f0e-0000-4000-8000-000000000001'],
  ])('B2 %s arrives as data', async (text, expected) => {
    expect(await value(text)).toEqual(expected);
  });

  it('B2 a moment with a zone is ISO 8601', async () => {
    const texts = ['2026-01-02 03:04:05+00', '2026-06-02 03:04:05.25+00'];
    for (const text of texts)
      expect(Date.parse(String(await value(`:t::timestamptz`, { t: text })))).toBe(Date.parse(text));
  });

  it('B2 lists are arrays, objects are JSON, and a cast makes JSON of a list', async () => {
    expect(await value('2 = ANY(:ids)', { ids: [1, 2] })).toBe(true);
    expect(await value(':tags::text[]', { tags: ['a,b', 'c"\\d', null, ''] })).toEqual(['a,b', 'c"\\d', null, '']);
    expect(await value(':data::jsonb', { data: { a: 'x' } })).toEqual({ a: 'x' });
    expect(await value(':data::jsonb', { data: [1, 'x'] })).toEqual([1, 'x']);
    expect(await value('CAST(:data AS jsonb)', { data: [1] })).toEqual([1]);
    expect(await value(':bytes::bytea', { bytes: new Uint8Array([0, 255]) })).toBe('AP8=');
  });

  it('B2 operators of jsonb, slices and dollar quotes stay as they are', async () => {
    expect(await value(`'{"a": 1}'::jsonb ? :key`, { key: 'a' })).toBe(true);
    expect(await value(`(ARRAY[1, 2, 3])[1:2]`)).toEqual([1, 2]);
    expect(await value(`$t$ :x {y} $t$`)).toBe(' :x {y} ');
  });

  it('B6 a value that cannot be read is not repeated', async () => {
    const failure = await failureOf(value(':n::int', { n: 'hush-hush' }));
    expect(failure).toMatchObject({ upstream: '22P02' });
    expect(failure['message']).toContain('a value');
    expect(failure['message']).not.toContain('hush-hush');
    const large = await failureOf(value(':n::int', { n: 2 ** 40 }));
    expect(large['message']).toMatch(/: a value is out of range/);
  });

  it('B6 a wrong password is an error of its own, and is never said', async () => {
    const url = new URL(postgres?.url ?? '');
    url.password = 'wrong-word';
    const failure = await failureOf(connectTo(url.href).query('SELECT 1'));
    expect(failure).toMatchObject({ code: 'UPSTREAM_ERROR', upstream: '28P01' });
    expect(JSON.stringify(failure)).not.toContain('wrong-word');
  });

  it('B6 a port where nobody listens cannot be reached', async () => {
    const failure = await failureOf(connectTo('postgres://u:pass-word@127.0.0.1:1/x').query('SELECT 1'));
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', upstream: 'ECONNREFUSED', retryable: true });
    expect(JSON.stringify(failure)).not.toContain('pass-word');
  });

  it('B6 a host that nobody knows is a failure of names', async () => {
    const failure = await failureOf(connectTo('postgres://u:p@nobody.invalid/x').query('SELECT 1'));
    expect(failure).toMatchObject({ code: 'UPSTREAM_DNS', message: 'The host of main is not known' });
  });

  it('B6 TLS that the server does not have is a failure of TLS', async () => {
    const failure = await failureOf(connectTo(`${postgres?.url}?sslmode=require`).query('SELECT 1'));
    expect(failure).toMatchObject({ code: 'UPSTREAM_TLS' });
  });

  it('B6 a server that accepts and says nothing is a timeout', async () => {
    const silent: Server = createServer(() => undefined);
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const mute = connectTo(`postgres://u:p@127.0.0.1:${port}/x`, { limits: { timeoutMs: 200 } });
    expect(await failureOf(mute.query('SELECT 1'))).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    silent.close();
  });

  it('B6 a connection that the server ends is said, and the next statement gets another one', async () => {
    const failure = await failureOf(main.query('SELECT pg_terminate_backend(pg_backend_pid())'));
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
    expect(await value('1')).toBe(1);
  });

  it('B6 connections that ended while nobody used them cost nothing', async () => {
    const other = connectTo(postgres?.url ?? '', { pool: 3 });
    const kept = `pid FROM pg_stat_activity WHERE application_name = 'toolwright'`;
    const pids = await Promise.all(
      [1, 2, 3].map(() => other.query('SELECT pg_backend_pid() FROM pg_sleep(0.2)', {}, { result: 'value' })),
    );
    await main.query(`SELECT pg_terminate_backend(pid) FROM (SELECT ${kept} AND pid = ANY(:pids)) AS kept`, { pids });
    const answers = [1, 2, 3].map(n => other.query('SELECT :n::int', { n }, { result: 'value' }));
    expect(await Promise.all(answers)).toEqual([1, 2, 3]);
  });

  it('B2 a cancelled statement is over in the database, too', async () => {
    const stopping = new AbortController();
    const running = main.query('SELECT pg_sleep(600)', {}, {}, stopping.signal);
    const count = `(SELECT count(*) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)' AND state = 'active')`;
    while ((await value(count)) !== 1) await new Promise(resolve => setTimeout(resolve, 20));
    stopping.abort(new Error('nobody waits'));
    await expect(running).rejects.toThrow('nobody waits');
    expect(await value(count)).toBe(0);
  });

  it('B2 a connection whose statement was cancelled serves no other call, which a late cancel would hit', async () => {
    const single = connectTo(postgres?.url ?? '', { pool: 1 });
    const pid = (): Promise<unknown> => single.query('SELECT pg_backend_pid()', {}, { result: 'value' });
    const first = await pid();
    expect(await pid()).toBe(first);
    const stopping = new AbortController();
    const running = single.query('SELECT pg_sleep(601)', {}, {}, stopping.signal);
    const count = `(SELECT count(*) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(601)' AND state = 'active')`;
    while ((await value(count)) !== 1) await new Promise(resolve => setTimeout(resolve, 20));
    stopping.abort(new Error('nobody waits'));
    await expect(running).rejects.toThrow('nobody waits');
    expect(await pid()).not.toBe(first);
  });

  it('B2 a read that is cancelled while the database says nothing ends soon, and its connection serves no other', async () => {
    const held = await holdAnswers(postgres?.url ?? '', /BEGIN READ ONLY/);
    const stopping = new AbortController();
    const single = connectTo(held.url, { pool: 1 });
    const failing = single.query('SELECT 1', {}, { isRead: true }, stopping.signal);
    await held.isHeld;
    stopping.abort(new Error('nobody waits'));
    await expect(failing).rejects.toThrow('nobody waits');
    held.release();
    expect(await single.query('SELECT 2', {}, { result: 'value', isRead: true })).toBe(2);
    expect(held.sent().split('application_name')).toHaveLength(3);
  });

  it('B2 a read is one message with all of its transaction, and one that fails leaves its connection to the next', async () => {
    const held = await holdAnswers(postgres?.url ?? '', /^never$/);
    const single = connectTo(held.url, { pool: 1 });
    const read = { result: 'value', isRead: true } as const;
    const pid = await single.query('SELECT pg_backend_pid()', {}, read);
    expect(await failureOf(single.query('SELECT 1 / 0', {}, read))).toMatchObject({ upstream: '22012' });
    expect(await single.query('SELECT pg_backend_pid()', {}, read)).toBe(pid);
    expect(held.messages().filter(text => /BEGIN READ ONLY.*pg_backend_pid.*ROLLBACK/s.test(text))).toHaveLength(2);
  });

  it('B6 a write whose end is not answered is unsure, and a read that is not answered is late', async () => {
    const held = await holdAnswers(postgres?.url ?? '', /COMMIT|ROLLBACK/);
    const other = connectTo(held.url, { pool: 1, limits: { timeoutMs: 500 } });
    expect(await failureOf(other.query('CREATE TEMP TABLE unsure (x int)'))).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      message: 'main did not say whether it has written',
      retryable: false,
    });
    held.release();
    const late = await holdAnswers(postgres?.url ?? '', /ROLLBACK/);
    const reader = connectTo(late.url, { pool: 1, limits: { timeoutMs: 500 } });
    expect(await failureOf(reader.query('SELECT 7', {}, { isRead: true }))).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    late.release();
    // The connection that did not answer serves no other call.
    expect(await reader.query('SELECT 8', {}, { result: 'value' })).toBe(8);
  });

  it('B2 a call that is cancelled before its statement is sent sends none', async () => {
    const held = await holdAnswers(postgres?.url ?? '', /BEGIN READ WRITE/);
    const stopping = new AbortController();
    const running = failureOf(connectTo(held.url).query('SELECT 4711', {}, {}, stopping.signal));
    await held.isHeld;
    stopping.abort(new Error('nobody waits'));
    held.release();
    expect(await running).toMatchObject({ message: 'nobody waits' });
    expect(held.sent()).not.toContain('4711');
  });

  it('B2 settings of a role change nothing in what arrives', async () => {
    const options = '-c bytea_output=escape -c datestyle=German -c intervalstyle=sql_standard -c extra_float_digits=-5';
    const other = connectTo(`${postgres?.url}?options=${encodeURIComponent(options)}`);
    const text = `SELECT '\\x00ff'::bytea AS bytes, '2026-01-02 03:04:05'::timestamp AS at, '2026-01-02'::date AS day,
      '1 day 02:03:04'::interval AS time, 0.1::float8 + 0.2::float8 AS sum`;
    const row = await main.query(text, {}, { result: 'row', isRead: true });
    expect(row).toMatchObject({ bytes: 'AP8=', at: '2026-01-02T03:04:05', day: '2026-01-02', sum: 0.1 + 0.2 });
    expect(await other.query(text, {}, { result: 'row', isRead: true })).toEqual(row);
  });

  it('B2 the pool has as many connections as it may, and no more', async () => {
    const small = connectTo(postgres?.url ?? '', { pool: 2, limits: { concurrency: 10 } });
    const pids = (await Promise.all(
      Array.from({ length: 8 }, () =>
        small.query('SELECT pg_backend_pid() FROM pg_sleep(0.02)', {}, { result: 'value' }),
      ),
    )) as number[];
    expect(new Set(pids).size).toBeLessThanOrEqual(2);
  });

  it('B2 pg is found beside this package where the pack has none', async () => {
    mkdirSync(join(folder, 'pack'), { recursive: true });
    const other = opened({ type: 'postgres', url: postgres?.url ?? '' }, scopeOf(join(folder, 'pack')));
    expect(await other.query('SELECT 1', {}, { result: 'value' })).toBe(1);
  });
});

describe('the address of a database', () => {
  it('B2 configuration that is not set is said by name', async () => {
    const none = opened({ type: 'sql', url: '{config.DATABASE_URL}' }, scopeOf(folder));
    expect(await failureOf(none.query('SELECT 1'))).toMatchObject({
      code: 'CONFIG_MISSING',
      message: 'main needs configuration that is not set: DATABASE_URL',
      meta: { missing: ['DATABASE_URL'] },
    });
  });

  it.each(['mysql://x/y', 'just text', 'postgres://[', 'sqlite:', ''])(
    'B2 %j is the address of nothing, and is not repeated',
    async url => {
      const wrong = opened({ type: 'sql', url: `{config.URL}` }, scopeOf(folder, { URL: url || ' ' }));
      const failure = await failureOf(wrong.query('SELECT 1'));
      expect(failure).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', retryable: false });
      expect(failure['message']).toBe('The url of main is not the address of a database of its type');
    },
  );

  it('B2 a type and an address of another are told apart', async () => {
    const wrong = opened({ type: 'postgres', url: 'sqlite:x.db' }, scopeOf(folder));
    expect((await failureOf(wrong.query('SELECT 1')))['suggestedFix']).toContain('postgres://');
  });

  it('B2 arrays of PostgreSQL are read, with quotes and depth', () => {
    expect(readArray('{{"a,b",c},{"\\"",NULL}}', text => text)).toEqual([
      ['a,b', 'c'],
      ['"', null],
    ]);
  });
});
