// What only SQLite has: where statements run, files, drivers, and locks that a killed process leaves behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it, vi } from 'vitest';
import { findSqliteDriver } from '../../../../runtime/backends/sql/drivers.js';
import { givesOneRow, isShortRead } from '../../../../runtime/backends/sql/short-reads.js';
import { openBetterSqlite } from '../../../../runtime/backends/sql/sqlite-better.js';
import { SqliteHelper } from '../../../../runtime/backends/sql/sqlite-helper.js';
import { openNodeSqlite } from '../../../../runtime/backends/sql/sqlite-node.js';
import { makeSession } from '../../../../runtime/backends/sql/sqlite-session.js';
import { failureOf, makeFile, makeFolder, type Opened, opened, openWasm, scopeOf, sqliteDrivers } from './world.js';

const require = createRequire(import.meta.url);
const folder = makeFolder();
const native = sqliteDrivers.filter(driver => driver !== 'node-sqlite3-wasm');

function openFile(name: string, driver = sqliteDrivers[0], more: object = {}): Opened {
  if (!existsSync(join(folder, name))) makeFile(folder, name);
  return opened({ type: 'sqlite', url: `sqlite:${name}`, ...more }, scopeOf(folder), driver && [driver]);
}

describe.each(native)('what %s runs in this process', name => {
  const driver = findSqliteDriver(folder, 'main', [name]).load();
  const open = name === 'node:sqlite' ? openNodeSqlite : openBetterSqlite;
  const session = makeSession(open(driver, { file: ':memory:', isReadOnly: false }), 0);
  const run = (text: string): unknown =>
    session.run({ text, binds: [], isRead: false, isSetting: false, rows: 1, bytes: 1000 });
  run('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INTEGER)');
  run('CREATE INDEX ta ON t (a)');

  it.each([
    'SELECT * FROM t WHERE id = ?',
    'SELECT * FROM t WHERE a = ? LIMIT 20',
    'SELECT a, b FROM t WHERE b > ? ORDER BY b LIMIT ?',
    'SELECT count(*) FROM t',
    'SELECT one.a FROM t AS one JOIN t AS two ON two.id = one.b WHERE one.id = ?',
  ])('B2 %s is short', text => {
    expect(
      isShortRead(
        session.program(
          text,
          [...text].filter(one => one === '?').map(() => 1),
        ),
      ),
    ).toBe(true);
  });

  it.each([
    'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c',
    'SELECT * FROM t AS one, t AS two',
    'SELECT * FROM t WHERE a LIKE ?',
    'SELECT hex(randomblob(?))',
    'SELECT value FROM json_each(?)',
    'SELECT * FROM t WHERE a IN (SELECT a FROM t WHERE b = 1) OR b IN (SELECT b FROM t)',
    'INSERT INTO t VALUES (?, ?, ?)',
    'UPDATE t SET b = 1',
    'DELETE FROM t WHERE id = ?',
  ])('B2 %s is not known to be short', text => {
    expect(
      isShortRead(
        session.program(
          text,
          [...text].filter(one => one === '?').map(() => 1),
        ),
      ),
    ).toBe(false);
  });
});

describe.each(native)('how many rows %s gives', name => {
  const driver = findSqliteDriver(folder, 'main', [name]).load();
  const open = name === 'node:sqlite' ? openNodeSqlite : openBetterSqlite;
  const session = makeSession(open(driver, { file: ':memory:', isReadOnly: false }), 0);
  const run = (text: string): unknown =>
    session.run({ text, binds: [], isRead: false, isSetting: false, rows: 1, bytes: 1000 });
  run('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b INTEGER)');
  run('CREATE INDEX tb ON t (b)');

  it.each([
    ['SELECT * FROM t WHERE id = ?', true],
    ['SELECT * FROM t WHERE a = ?', true],
    ['SELECT b FROM t WHERE a = ? OR 1', false],
    ['SELECT one.a FROM t AS one JOIN t AS two ON two.id = one.b WHERE one.id = ?', true],
    ['SELECT 1', true],
    ['SELECT * FROM t WHERE b = ?', false],
    ['SELECT * FROM t WHERE id > ?', false],
    ['SELECT * FROM t WHERE id IN (?, ?)', false],
    ['SELECT 1 UNION ALL SELECT 2', false],
    ['VALUES (1), (2)', false],
    ['SELECT * FROM t ORDER BY b DESC', false],
  ])('B2 %s gives one row at most: %s', (text, expected) => {
    const binds = [...text].filter(one => one === '?').map(() => 1);
    const program = session.program(text, binds);
    expect(isShortRead(program) && givesOneRow(program)).toBe(expected);
  });
});

describe.each(sqliteDrivers)('sql on a file, with %s', driver => {
  const name = `file-${driver.replace(/\W/g, '-')}.db`;

  it('B2 what one statement writes, the next one reads, wherever each runs', async () => {
    const main = openFile(name, driver);
    await main.query('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
    for (let id = 1; id <= 5; id += 1) {
      await main.query('INSERT INTO t VALUES (:id, :v)', { id, v: `v${id}` });
      expect(await main.query('SELECT v FROM t WHERE id = :id', { id }, { result: 'value', isRead: true })).toBe(
        `v${id}`,
      );
    }
  });

  it('B2 bytes, booleans, objects and lists have a form in SQLite', async () => {
    const main = openFile(name, driver);
    const value = async (v: unknown): Promise<unknown> =>
      await main.query('SELECT :v AS v', { v }, { result: 'value', isRead: true });
    expect(await value(new Uint8Array([0, 255]))).toBe('AP8=');
    expect(await value(true)).toBe(1);
    expect(await value({ a: [1] })).toBe('{"a":[1]}');
    expect(await value([1, 'x'])).toBe('[1,"x"]');
    expect(await value(0.5)).toBe(0.5);
    const list = 'SELECT count(*) FROM json_each(:v)';
    expect(await main.query(list, { v: [1, 2, 3] }, { result: 'value', isRead: true })).toBe(3);
  });

  it('B2 foreign keys hold', async () => {
    const main = openFile(name, driver);
    await main.query('CREATE TABLE child (t INTEGER REFERENCES t (id))');
    expect(await failureOf(main.query('INSERT INTO child VALUES (99)'))).toMatchObject({
      upstream: 'SQLITE_CONSTRAINT_FOREIGNKEY',
    });
  });

  it('B2 a database in memory keeps what it has between statements', async () => {
    const main = opened({ type: 'sqlite', url: 'sqlite::memory:' }, scopeOf(folder), [driver]);
    await main.query('CREATE TABLE t (v)');
    await main.query('INSERT INTO t VALUES (7)');
    expect(await main.query('SELECT v FROM t', {}, { result: 'value', isRead: true })).toBe(7);
  });

  it('B6 a file that is not there is said, and is not made', async () => {
    const main = opened({ type: 'sqlite', url: 'sqlite:data/none.db' }, scopeOf(folder), [driver]);
    expect(await failureOf(main.query('SELECT 1'))).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      message: 'main has no database: there is no file data/none.db',
      upstream: 'SQLITE_CANTOPEN',
    });
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('B6 a database with a write-ahead log is read, or its driver is named that cannot', async () => {
    const path = makeFile(folder, `log-${name}`);
    // Its head says that there is a log, which is empty.
    const bytes = readFileSync(path);
    bytes.fill(2, 18, 20);
    writeFileSync(path, bytes);
    const done = openFile(`log-${name}`, driver).query('SELECT count(*) FROM sqlite_schema', {}, { result: 'value' });
    if (driver !== 'node-sqlite3-wasm') expect(await done).toBe(0);
    else
      expect(await failureOf(done)).toMatchObject({
        code: 'UPSTREAM_UNREACHABLE',
        retryable: false,
        message: 'main has a write-ahead log (WAL), which node-sqlite3-wasm cannot read',
        suggestedFix: 'npm install better-sqlite3@12',
      });
  });

  it('B6 a file that is not a database is said', async () => {
    const main = opened({ type: 'sqlite', url: `sqlite:${import.meta.filename}` }, scopeOf(folder), [driver]);
    expect(await failureOf(main.query('SELECT * FROM t', {}, { isRead: true }))).toMatchObject({
      code: 'UPSTREAM_ERROR',
      upstream: 'SQLITE_NOTADB',
    });
  });
});

/** Ends inside a transaction that has written to the file already. */
const killed = `
const { Database } = require(${JSON.stringify(require.resolve('node-sqlite3-wasm'))});
const fs = require('node:fs');
const [file, isOurs] = process.argv.slice(1);
const stat = fs.readFileSync('/proc/self/stat', 'utf8');
if (isOurs) fs.writeFileSync(file + '.user-' + process.pid, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
const db = new Database(file);
db.exec('PRAGMA cache_size = 5');
db.exec('BEGIN');
db.exec("UPDATE t SET v = 'dirty', pad = hex(randomblob(500))");
process.kill(process.pid, 'SIGKILL');
`;

async function dieInside(file: string, isOurs: boolean): Promise<void> {
  const child = spawn(process.execPath, ['-e', killed, file, ...(isOurs ? ['yes'] : [])], { stdio: 'ignore' });
  await new Promise(resolve => child.once('exit', resolve));
}

describe.skipIf(process.platform !== 'linux')('the lock of node-sqlite3-wasm', () => {
  const driver = 'node-sqlite3-wasm';
  const fill = `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 2000)
    INSERT INTO t SELECT x, 'clean', hex(randomblob(500)) FROM c`;

  it('B2 what a killed process left is removed, and its half-written data undone', async () => {
    const main = openFile('killed.db', driver);
    await main.query('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, pad TEXT)');
    await main.query(fill);
    await dieInside(join(folder, 'killed.db'), true);
    expect(existsSync(join(folder, 'killed.db.lock'))).toBe(true);
    const clean = `SELECT count(*) FROM t WHERE v = 'clean'`;
    expect(await main.query(clean, {}, { result: 'value', isRead: true })).toBe(2000);
    expect(readdirSync(folder).filter(name => name.startsWith('killed.db'))).toEqual(['killed.db']);
  });

  it('B2 what a killed process left half written is undone, though its lock is gone', async () => {
    const main = openFile('journal.db', driver);
    await main.query('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, pad TEXT)');
    await main.query(fill);
    const read = async (id: number): Promise<unknown> =>
      await main.query('SELECT v FROM t WHERE id = :id', { id }, { result: 'value', isRead: true });
    expect(await read(1)).toBe('clean');
    await dieInside(join(folder, 'journal.db'), true);
    rmSync(join(folder, 'journal.db.lock'), { recursive: true });
    for (const name of readdirSync(folder)) if (name.startsWith('journal.db.user-')) rmSync(join(folder, name));
    expect(existsSync(join(folder, 'journal.db-journal'))).toBe(true);
    for (const id of [1, 2, 1999]) expect(await read(id)).toBe('clean');
    expect(readdirSync(folder).filter(name => name.startsWith('journal.db'))).toEqual(['journal.db']);
  });

  it('B2 a short read runs in this process, and leaves neither a lock nor a record', async () => {
    const main = openFile('here.db', driver);
    await main.query('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)');
    await main.query("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
    const asked = vi.spyOn(SqliteHelper.prototype, 'run');
    const read = { isRead: true } as const;
    for (let count = 0; count < 3; count += 1) {
      expect(await main.query('SELECT v FROM t WHERE id = :id', { id: 1 }, read)).toEqual([{ v: 'one' }]);
      expect(await main.query('SELECT v FROM t WHERE id = :id', { id: 9 }, read)).toEqual([]);
      expect(await main.query('SELECT id FROM t ORDER BY id', {}, read)).toEqual([{ id: 1 }, { id: 2 }]);
      expect(readdirSync(folder).filter(name => name.startsWith('here.db'))).toEqual(['here.db']);
    }
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    const limited = openFile('here.db', driver, { limits: { rows: 1 } });
    expect(await failureOf(limited.query('SELECT id FROM t', {}, read))).toMatchObject({ code: 'UPSTREAM_TOO_LARGE' });
    const other = openWasm(join(folder, 'here.db'));
    other.exec("UPDATE t SET v = 'other' WHERE id = 1");
    expect(await main.query('SELECT v FROM t WHERE id = :id', { id: 1 }, read)).toEqual([{ v: 'other' }]);
    other.exec('BEGIN EXCLUSIVE');
    const waiting = main.query('SELECT v FROM t WHERE id = :id', { id: 1 }, read);
    setTimeout(() => other.exec('COMMIT'), 200);
    expect(await waiting).toEqual([{ v: 'other' }]);
    other.close();
  });

  it('B2 a lock that may be in use by another program stays', async () => {
    const main = openFile('foreign.db', driver);
    await main.query('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, pad TEXT)');
    await main.query(fill);
    await dieInside(join(folder, 'foreign.db'), false);
    expect(await failureOf(main.query('SELECT count(*) FROM t', {}, { isRead: true }))).toMatchObject({
      upstream: 'SQLITE_BUSY',
      retryable: true,
    });
    expect(existsSync(join(folder, 'foreign.db.lock'))).toBe(true);
  });
});

/** A server that ends while its statement runs. */
const ending = `
import { openSql } from './runtime/backends/sql/open-sql.ts';
const [folder, driver] = process.argv.slice(2);
const scope = { folder, settings: { values: {}, redact: text => text }, env: process.env, report() {} };
const backend = openSql('main', { type: 'sqlite', url: 'sqlite:ending.db' }, scope, [driver]);
const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
await backend.of({ signal: new AbortController().signal }).query('SELECT 1');
void backend.of({ signal: new AbortController().signal }).query(endless);
process.stdin.once('data', () => process.exit());
console.log('ready');
`;

describe.skipIf(process.platform !== 'linux')('a server that ends', () => {
  it('B2 it takes the process of its statement with it', async () => {
    const root = fileURLToPath(new URL('../../../..', import.meta.url));
    makeFile(folder, 'ending.db');
    // Below the package, so that its drivers are found.
    const outfile = join(root, `node_modules/.cache/toolwright/sql-ending-${process.pid}.mjs`);
    await build({
      stdin: { contents: ending, resolveDir: root, loader: 'ts' },
      ...{ outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'warning' },
    });
    const server = spawn(process.execPath, [outfile, folder, 'node-sqlite3-wasm'], { stdio: 'pipe' });
    await once(server.stdout, 'data');
    const [helper = 0] = childrenOf(server.pid ?? 0);
    expect(isAlive(helper)).toBe(true);
    server.stdin.write('end');
    await once(server, 'exit');
    rmSync(outfile);
    for (let count = 0; isAlive(helper) && count < 300; count += 1) await sleep(10);
    const isLeft = isAlive(helper);
    if (isLeft) process.kill(helper, 'SIGKILL');
    expect(isLeft).toBe(false);
  });
});

function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0 && statOf(pid)[1] === String(parent));
}

/** What /proc says after the name: the state, the parent and so on. */
function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  const [state = 'X'] = statOf(pid);
  return state !== 'X' && state !== 'Z';
}

describe('drivers of SQLite', () => {
  it('B2 without any, the failure says what to install', async () => {
    const none = opened({ type: 'sqlite', url: 'sqlite:x.db' }, scopeOf(folder), []);
    expect(await failureOf(none.query('SELECT 1'))).toMatchObject({
      code: 'DRIVER_MISSING',
      message: 'main needs Node 22.13 or later, or the package better-sqlite3, which is not installed',
      suggestedFix: 'npm install better-sqlite3@12',
    });
  });
});
