// examples/library: its own tests pass on SQLite and on PostgreSQL, and every call gives the same on both.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRegistry } from '../../../../runtime/index.js';
import { createTestClient } from '../../../../runtime/server/testing/index.js';
import { startPostgres } from './world.js';

const root = join(import.meta.dirname, '../../../..');
const example = join(root, 'examples/library');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-library-'));
const postgres = await startPostgres();
const databases = [
  { name: 'SQLite', url: `sqlite:${join(folder, 'data/test.db')}` },
  { name: 'PostgreSQL', url: postgres === undefined ? undefined : await makeDatabase(postgres.url, 'library_test') },
];
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await postgres?.stop();
});

/** Tests may empty a database only if its name says that it is for tests. */
async function makeDatabase(url: string, name: string): Promise<string> {
  const { Client } = createRequire(import.meta.url)('pg') as { Client: new (options: object) => PostgresClient };
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: name }).href;
}

interface PostgresClient {
  connect(): Promise<void>;
  query(text: string): Promise<unknown>;
  end(): Promise<void>;
}

function run(url: string, ...words: readonly string[]) {
  const env = { ...process.env, DATABASE_URL: url, NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: example, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const calls: readonly (readonly [tool: string, args: object])[] = [
  ['search-books', {}],
  ['search-books', { order: 'year', limit: 3, title: 'the', genres: ['travel', 'science'], status: 'available' }],
  ['search-books', { genres: [] }],
  ['search-books', { author: "O'Brien%_\\" }],
  ['search-books', { title: 'half \ud800' }],
  ['search-books', { title: 'nul \0' }],
  ['get-book', { bookId: 5 }],
  ['get-book', { bookId: 4711 }],
  ['get-book', { bookId: 2 ** 40 }],
  ['count-books', { by: 'year' }],
  ['count-books', { by: 'status' }],
  ['list-loans', { reader: 'Ada' }],
  ['list-loans', { dueBefore: '2026-02-30' }],
  ['borrow-book', { bookId: 3, reader: 'Grace "G" Hopper; --', until: '2999-12-31' }],
  ['borrow-book', { bookId: 3, reader: 'Ada', until: '2999-12-31' }],
  ['borrow-book', { bookId: 4, reader: 'Ada', until: '1999-12-31' }],
  ['borrow-book', { bookId: 4711, reader: 'Ada', until: '2999-12-31' }],
  ['return-books', { bookIds: [3, 5, 9], reader: 'Grace' }],
  ['remove-book', { bookId: 3, confirmed: true }],
  ['remove-book', { bookId: 7, confirmed: true }],
  ['remove-book', { bookId: 7, confirmed: true }],
  ['search-books', { order: 'author' }],
];

async function answersOf(url: string): Promise<readonly unknown[]> {
  await using registry = await createRegistry(example, { env: { DATABASE_URL: url } });
  const answers: unknown[] = [];
  for (const [tool, args] of calls) {
    const answer = await registry.invoke(tool, args);
    // The code of the database stays in `meta`.
    answers.push([tool, args, answer.ok ? answer : { ...answer.error, meta: undefined }]);
  }
  return answers;
}

describe.each(databases)('examples/library on $name', ({ name, url }) => {
  it.skipIf(url === undefined)(`B2 its examples pass on ${name}`, { timeout: 60_000 }, () => {
    if (url === undefined) return;
    expect(run(url, 'setup.mjs', '--reset')).toMatchObject({ status: 0, stdout: 'The library has ten books.\n' });
    const again = run(url, 'setup.mjs');
    expect(again).toMatchObject({ status: 0, stdout: 'The tables exist already: nothing was changed.\n' });
    const tested = run(url, join(root, 'dist/cli/main.js'), 'test', '--reporter', 'json');
    expect(tested).toMatchObject({ status: 0 });
    const { tests } = JSON.parse(tested.stdout) as { tests: readonly { status: string }[] };
    expect(tests.length).toBeGreaterThan(25);
    expect(tests.filter(({ status }) => status !== 'passed')).toEqual([]);
  });
});

describe('examples/library', () => {
  const sqlite = databases[0]?.url ?? '';
  beforeAll(() => {
    for (const { url } of databases) if (url !== undefined) run(url, 'setup.mjs', '--reset');
  });

  it.skipIf(postgres === undefined)('B2 every call gives the same on both databases', async () => {
    const answers = await answersOf(sqlite);
    expect(answers.filter(one => JSON.stringify(one).includes('"ok":true')).length).toBeGreaterThan(9);
    expect(await answersOf(databases[1]?.url ?? '')).toEqual(answers);
  });

  it('a database that people use is never emptied, and one that cannot be reached is said in a sentence', () => {
    const refused = 'the database for tests must have "test" in its name, and not be library.db';
    expect(run('sqlite:data/library.db', 'setup.mjs', '--reset')).toEqual({
      status: 1,
      stdout: `The library cannot be made: ${refused}\n`,
      stderr: '',
    });
    const { stdout } = run('postgres://ada@127.0.0.1:1/library', 'setup.mjs');
    expect(stdout).toBe('The library cannot be made: connect ECONNREFUSED 127.0.0.1:1\n');
  });

  it('B2 its resources are statements, and a book that does not exist is not found', async () => {
    await using client = await createTestClient(example, { env: { DATABASE_URL: sqlite } });
    const read = async (uri: string): Promise<unknown> => JSON.parse((await client.readResource(uri)).text ?? '');
    expect(await read('library://books/2')).toMatchObject({ title: 'Emma', due_on: null });
    expect(await read('library://genres')).toContainEqual({ genre: 'novel', books: 2 });
    for (const id of ['4711', 'x', '2%20OR%201=1'])
      await expect(client.readResource(`library://books/${id}`)).rejects.toThrow('Resource not found');
  });
});
