// B9: an item and the handler that `eject` makes of it are called the same way: the whole results are equal, and so is what arrived elsewhere.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { echo, type Received, startService } from '../../runtime/backends/http/service.js';
import { startPostgres } from '../../runtime/backends/sql/world.js';
import { call, proveSame } from './eject-world.js';

const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
});

/** The codes of errors, in order; undefined for a success. */
function codesOf(replies: readonly unknown[]): readonly unknown[] {
  return replies.map(reply => {
    const { result } = reply as { result?: { isError?: boolean; structuredContent?: { error?: { code?: string } } } };
    return result?.isError === true
      ? (/"?code"?: ?"?([A-Z_]+)/.exec(JSON.stringify(result).replaceAll('\\', ''))?.[1] ?? 'ERROR')
      : undefined;
  });
}

const values = ['a b', 'a/../b?c#d', "x' OR '1'='1", '"; DROP', '`id`', '$(id) ${x}', '\\n\n', 'ä€😀', '%2f', '*'];

describe('an ejected item', () => {
  it('B9 a request is the same: success, declared error, retry, timeout, oversized answer and refused address', async () => {
    const tries = new Map<string, number>();
    const service = await startService((request, response, nth) => {
      const { pathname } = new URL(request.url, 'http://x');
      const count = (tries.get(pathname) ?? 0) + 1;
      tries.set(pathname, count);
      const json = (status: number, value: unknown, headers = {}): void =>
        void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
      if (pathname.includes('/status/')) return json(Number(pathname.split('/').at(-1)), { detail: 'no' });
      if (pathname.includes('/flaky') && count === 1) return json(503, {}, { 'retry-after': '0' });
      if (pathname.includes('/slow')) return undefined;
      if (pathname.includes('/big')) return json(200, 'x'.repeat(5000));
      if (pathname.includes('/pages')) {
        const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
        return json(200, { items: page > 2 ? [] : [{ id: page, deep: { name: `n${page}` } }] });
      }
      return echo(request, response, nth);
    });
    let from = 0;
    const text = { type: 'string' };
    const optional = { type: 'string', required: false };
    const all = {
      key: text,
      path: text,
      'odd-name': { ...optional },
      toString: { ...optional },
      class: { ...optional },
      tags: { type: 'array', items: 'string', required: false },
      filter: { type: 'object', properties: { a: { type: 'integer', required: false } }, required: false },
      count: { type: 'integer', required: false },
      either: { type: ['string', 'null'], required: false },
      flag: { type: 'boolean', default: false },
    };
    const whole = {
      description: 'All places',
      effect: 'read',
      parameters: all,
      http: {
        backend: 'my-api',
        method: 'POST',
        path: '/all/{key}-{{x}}/{path}',
        query: { tags: '{tags}', filter: '{filter}', fixed: [1, '{count}', true], odd: '{odd-name}' },
        style: { filter: 'deepObject', tags: 'pipe' },
        headers: {
          'X-Lone': '{config.MODE}',
          'X-Both': '{config.MODE}-{key}',
          'If-Match': '{odd-name}',
          'X-List': ['{count}', 'b'],
        },
        cookies: { session: '{odd-name}' },
        body: {
          fields: {
            key: '{key}',
            text: 'Due {odd-name} {{}}',
            tags: '{tags}',
            list: ['{odd-name}', '{filter}', { deep: '{class}' }, null],
          },
          'to-string': '{toString}',
          "quote's `${x}`": "it's `${{y}}` \\ \n",
          flag: '{flag}',
          either: '{either}',
        },
      },
    };
    const simple = (path: string, more: object = {}): object => ({
      description: path,
      parameters: { key: { ...optional } },
      http: { path, query: { key: '{key}' } },
      ...more,
    });
    const onMain = (one: object, backend = 'my-api'): object => {
      const { http, ...rest } = one as { http: object };
      return { ...rest, http: { backend, ...http } };
    };
    const items = {
      'tools/all': whole,
      'tools/rest': {
        description: 'The rest',
        parameters: {
          key: text,
          'odd-name': { ...optional },
          summary: text,
          deep: { type: 'object', required: false },
        },
        http: {
          backend: 'my-api',
          method: 'PUT',
          path: '/rest/{key}',
          headers: { 'X-Odd': '{odd-name}' },
          body: 'rest',
        },
      },
      'tools/form': {
        description: 'A form',
        parameters: {
          amount: 'integer',
          note: { ...optional },
          tags: { type: 'array', items: 'string', required: false },
        },
        http: {
          backend: 'my-api',
          method: 'POST',
          path: '/form',
          form: { amount: '{amount}', note: 'Note {note}', tags: '{tags}', deep: { a: '{note}' } },
        },
      },
      'tools/missing': onMain(
        simple('/status/404', {
          errors: { NOT_FOUND: { match: [404], message: 'There is no {{key}}', suggestedFix: 'Look' } },
        }),
      ),
      'tools/conflict': onMain(simple('/status/409', { errors: { DOWN: { match: ['5xx'], message: 'Down' } } })),
      'tools/flaky': onMain(simple('/flaky')),
      'tools/flaky-post': onMain(
        simple('/flaky-post', { http: { method: 'POST', path: '/flaky-post' }, parameters: {} }),
      ),
      'tools/flaky-read': onMain(
        simple('/flaky-read', { effect: 'read', http: { method: 'POST', path: '/flaky-read' }, parameters: {} }),
      ),
      'tools/slow': onMain(
        simple('/slow', { errors: { LATE: { match: ['UPSTREAM_TIMEOUT'], message: 'Late' } } }),
        'late',
      ),
      'tools/slow-tool': onMain(simple('/slow', { limits: { timeoutMs: 3000 } })),
      'tools/big': onMain(simple('/big'), 'limited'),
      'tools/refused': onMain(simple('/x'), 'closed'),
      'tools/any-address': { description: 'Any', parameters: { url: text }, http: { url: '{url}' } },
      'tools/pages': onMain(
        simple('/pages', {
          http: {
            path: '/pages',
            paginate: { page: 'page', maxItems: 5 },
            result: { at: '/items', pick: { id: '/id', name: '/deep/name' } },
          },
          parameters: {},
          output: {
            items: { type: 'array', items: { type: 'object', properties: { id: 'integer', name: 'string' } } },
          },
          resultText: 'Found some',
        }),
      ),
      'tools/wrong-output': onMain(simple('/wrong', { output: { n: 'integer' } })),
      'tools/open': {
        description: 'Other forms',
        inputSchema: {
          type: 'object',
          anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }],
          additionalProperties: true,
        },
        http: {
          backend: 'my-api',
          method: 'POST',
          path: '/open',
          query: { a: '{a}' },
          body: { a: '{a}', text: 'x {b}', toString: '{toString}' },
        },
      },
      'tools/unset': {
        description: 'Unset',
        http: { backend: 'my-api', path: '/x', headers: { 'X-U': '{config.UNSET}' } },
      },
      'resources/page': {
        uriTemplate: 'page://{id}{?q}',
        http: { backend: 'my-api', path: '/page/{id}', query: { q: '{q}' }, headers: { 'X-Mode': '{config.MODE}' } },
      },
    };
    const replies = await proveSame({
      name: 'http',
      isBuilt: true,
      manifest: {
        name: 'demo',
        config: {
          API: 'string',
          TOKEN: { type: 'string', secret: true },
          MODE: { type: 'string', default: 'fast' },
          UNSET: 'string',
        },
        backends: {
          'my-api': { type: 'http', url: '{config.API}/v1', auth: { bearer: 'TOKEN' }, allowAddresses: ['loopback'] },
          late: {
            type: 'http',
            url: '{config.API}',
            retries: 0,
            limits: { timeoutMs: 2000 },
            allowAddresses: ['loopback'],
          },
          limited: {
            type: 'http',
            url: '{config.API}',
            retries: 0,
            limits: { bytes: 1000 },
            allowAddresses: ['loopback'],
          },
          closed: { type: 'http', url: '{config.API}' },
        },
      },
      items,
      env: { API: service.origin, TOKEN: 'canary-4711' },
      prepare: () => {
        tries.clear();
        from = service.received.length;
      },
      seen: () => service.received.slice(from).map(shown).sort(),
      requests: [
        ...values.map(value =>
          call('all', { key: value, path: value, 'odd-name': 'odd', toString: value, class: value, tags: [value] }),
        ),
        call('all', { key: 'k', path: 'p', filter: { a: 1 }, count: 0, either: null, flag: true }),
        call('all', { key: 'k', path: '..' }),
        call('all', { key: 'k', path: 'p', 'odd-name': 'a\nb' }),
        call('rest', { key: 'k', summary: 's', deep: { a: [1] } }),
        call('rest', { key: 'k', summary: 's', 'odd-name': 'o' }),
        call('form', { amount: 1, note: 'a&b', tags: ['x', 'y'] }),
        call('form', { amount: 1 }),
        ...['missing', 'conflict', 'flaky', 'slow', 'slow-tool', 'big', 'refused'].map(name =>
          call(name, { key: 'K-1' }),
        ),
        ...['flaky-post', 'flaky-read', 'pages', 'wrong-output', 'unset'].map(name => call(name)),
        call('any-address', { url: service.origin }),
        call('any-address', { url: 'not an address' }),
        call('open', { a: ['x', 1], b: 'y' }),
        call('open', { b: { no: 'text' } }),
        ['resources/read', { uri: 'page://a%2Fb?q=x' }],
        ['resources/read', { uri: 'page://1' }],
      ],
    });
    const codes = codesOf(replies).slice(values.length);
    expect(codes).toEqual([
      ...[undefined, 'BAD_VALUE', 'BAD_VALUE', undefined, undefined, undefined, undefined],
      ...['NOT_FOUND', 'UPSTREAM_ERROR', undefined, 'LATE', 'TIMEOUT', 'UPSTREAM_TOO_LARGE', 'ADDRESS_REFUSED'],
      ...['UPSTREAM_ERROR', undefined, undefined, 'BAD_OUTPUT', 'CONFIG_MISSING'],
      ...['ADDRESS_REFUSED', 'BAD_VALUE', undefined, 'BAD_VALUE', undefined, undefined],
    ]);
    expect(JSON.stringify(replies)).not.toContain('canary-4711');
  }, 300_000);

  const statements = (backend: string, write: string): Readonly<Record<string, object>> => {
    const author = { author: 'string' };
    const read = (text: string, more: object = {}): object => ({
      description: 'Reads',
      effect: 'read',
      sql: { backend, text },
      ...more,
    });
    return {
      'tools/rows': read(
        "SELECT title, 'it''s `x` ${y}' AS note\n  FROM books -- a {{comment}} \\n\nWHERE author = :author ORDER BY {sort}\n",
        {
          parameters: { ...author, sort: { type: 'string', enum: ['title', 'id'], default: 'id' } },
          output: {
            books: { type: 'array', items: { type: 'object', properties: { title: 'string', note: 'string' } } },
          },
        },
      ),
      'tools/row': {
        ...read(''),
        parameters: { id: 'integer' },
        sql: { backend, text: 'SELECT title FROM books WHERE id = :id', result: 'row' },
        errors: { NO_BOOK: { match: ['NO_ROW'], message: 'There is no book {{id}}', status: 404 } },
      },
      'tools/no-row': { ...read(''), sql: { backend, text: 'SELECT title FROM books WHERE id = -1', result: 'row' } },
      'tools/value': {
        ...read(''),
        parameters: { ids: { type: 'array', items: 'integer' }, who: { type: 'string', required: false } },
        sql: {
          backend,
          text: 'SELECT count(*) FROM books WHERE id IN (:ids) AND (:who IS NULL OR author = :who)',
          result: 'value',
        },
      },
      'tools/write': {
        description: 'Writes',
        parameters: { id: 'integer', title: { type: 'string', required: false } },
        sql: { backend, text: 'INSERT INTO books (id, title, author) VALUES (:id, :title, :title)', result: 'count' },
        errors: {
          TAKEN: { match: ['23505', 'SQLITE_CONSTRAINT', 'SQLITE_CONSTRAINT_PRIMARYKEY'], message: '{{id}} is taken' },
        },
      },
      'tools/refused': read(write),
      'tools/many': read('SELECT a.id FROM books a, books b, books c'),
      'tools/wrong': read('SELECT nothing FROM books'),
      'resources/book': {
        uriTemplate: 'book://{id}',
        mimeType: 'application/json',
        sql: { backend, text: 'SELECT title FROM books WHERE author = :id' },
      },
    };
  };
  const sqlCalls = [
    ...values.map(author => call('rows', { author })),
    call('rows', { author: 'Jane', sort: 'title' }),
    call('rows', { author: 'Jane', sort: 'x; DROP' }),
    call('row', { id: 1 }),
    call('row', { id: 9 }),
    call('no-row'),
    call('value', { ids: [1, 3] }),
    call('value', { ids: [], who: 'Frank' }),
    call('write', { id: 1, title: 'x' }),
    call('write', { id: 100 }),
    ...['refused', 'many', 'wrong', 'slow'].map(name => call(name)),
    ['resources/read', { uri: 'book://Frank' }] as const,
  ];
  const sqlCodes = [
    ...values.map(() => undefined),
    ...[undefined, 'BAD_ARGUMENTS', undefined, 'NO_BOOK', 'NO_ROW', undefined, undefined, 'TAKEN', undefined],
    ...['UPSTREAM_ERROR', 'UPSTREAM_TOO_LARGE', 'UPSTREAM_ERROR', 'UPSTREAM_TIMEOUT', undefined],
  ];
  const books =
    "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author TEXT); INSERT INTO books VALUES (1, 'Emma', 'Jane'), (2, 'Persuasion', 'Jane'), (3, 'Dune', 'Frank')";
  const slowly = { timeoutMs: 1500 };
  const limits = { rows: 20 };

  it('B9 a statement is the same on SQLite: rows, no row, codes of the driver, timeout, too many rows, reading only', async () => {
    const { Database } = createRequire(import.meta.url)('node-sqlite3-wasm') as {
      Database: new (path: string) => { exec(text: string): void; all(text: string): unknown; close(): void };
    };
    const path = join(tmpdir(), `toolwright-eject-${process.pid}.db`);
    afterAll(() => rmSync(path, { force: true }));
    const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n';
    const replies = await proveSame({
      name: 'sqlite',
      isBuilt: true,
      manifest: {
        name: 'demo',
        backends: {
          main: { type: 'sqlite', url: '{config.DB}', limits },
          late: { type: 'sqlite', url: '{config.DB}', limits: slowly },
        },
        config: { DB: 'string' },
      },
      items: {
        ...statements('main', 'DELETE FROM books'),
        'tools/slow': { description: 'Slow', effect: 'read', sql: { backend: 'late', text: endless } },
      },
      env: { DB: `sqlite:${path}` },
      prepare() {
        rmSync(path, { force: true });
        const database = new Database(path);
        database.exec(books);
        database.close();
      },
      seen() {
        const database = new Database(path);
        const rows = database.all('SELECT * FROM books ORDER BY id');
        database.close();
        return rows;
      },
      requests: sqlCalls,
    });
    expect(codesOf(replies)).toEqual(sqlCodes);
  }, 300_000);

  it.skipIf(postgres === undefined)(
    'B9 a statement is the same on PostgreSQL: SQLSTATE, timeout, too many rows, reading only',
    async () => {
      const { Client } = createRequire(import.meta.url)('pg') as {
        Client: new (
          options: object,
        ) => {
          connect(): Promise<void>;
          query(text: string): Promise<unknown>;
          end(): Promise<void>;
        };
      };
      const client = new Client({ connectionString: postgres?.url });
      await client.connect();
      await client.query(books);
      await client.end();
      const replies = await proveSame({
        name: 'postgres',
        manifest: {
          name: 'demo',
          config: { DB: { type: 'string', secret: true } },
          backends: {
            'my-db': { type: 'postgres', url: '{config.DB}', limits },
            late: { type: 'postgres', url: '{config.DB}', limits: slowly },
          },
        },
        items: {
          ...statements('my-db', 'DELETE FROM books'),
          'tools/slow': { description: 'Slow', effect: 'read', sql: { backend: 'late', text: 'SELECT pg_sleep(20)' } },
        },
        env: { DB: postgres?.url ?? '' },
        // The row of `write` stays: its second run would meet it.
        requests: sqlCalls.filter(
          ([, params]) => JSON.stringify(params) !== JSON.stringify(call('write', { id: 100 })[1]),
        ),
      });
      expect(codesOf(replies)).toEqual(sqlCodes.filter((_, index) => index !== values.length + 8));
    },
    300_000,
  );

  it('B9 a program is the same: arguments, declared exit code, timeout, oversized output, missing program', async () => {
    const print =
      'console.log(JSON.stringify({{ args: process.argv.slice(1), token: process.env.TOKEN, extra: process.env.EXTRA, cwd: process.cwd() }}))';
    const node = (code: string, more: object = {}): object => ({
      description: 'Runs',
      exec: { command: 'node', args: ['-e', code], ...more },
    });
    const replies = await proveSame({
      name: 'exec',
      isBuilt: true,
      manifest: {
        name: 'demo',
        config: { FOLDER: 'string', TOKEN: { type: 'string', secret: true }, UNSET: 'string' },
      },
      items: {
        'tools/argv': {
          description: 'Every form',
          parameters: {
            text: 'string',
            exec: { type: 'string', required: false },
            'max-count': { type: 'integer', minimum: 0, required: false },
            list: { type: 'array', items: 'string', required: false },
            numbers: { type: 'array', items: 'integer', required: false },
            nested: { type: 'array', items: { type: 'array' }, required: false },
            either: { type: ['integer', 'null'], required: false },
            verbose: { type: 'boolean', default: false },
            mode: { type: 'string', enum: ['fast', 'slow'], required: false },
          },
          exec: {
            command: 'node',
            args: [
              ...[
                '-e',
                print,
                '--',
                '--text={text}',
                '{text}',
                "it's `${{x}}` \\ \n {{}}",
                '--max-count={max-count}',
                '{max-count}',
              ],
              { if: 'verbose', args: ['--verbose', '{verbose}'] },
              { if: 'mode', args: ['--mode', '{mode}', '--for={exec}'] },
              { if: 'either', args: ['--either={either}'] },
              { if: 'list', args: ['--list', '{list}'] },
              ...['{exec}', '{list}', '{numbers}', '{nested}', '{either}', '--both={text}-{exec}'],
            ],
            cwd: '{config.FOLDER}',
            env: { TOKEN: '{config.TOKEN}', EXTRA: 'a {exec}' },
            result: 'json',
          },
          output: {
            args: { type: 'array', items: 'string' },
            cwd: 'string',
            extra: { type: 'string', required: false },
          },
        },
        'tools/stdin': {
          description: 'Reads',
          parameters: { text: { type: 'string', required: false } },
          exec: { command: 'cat', stdin: '{text}', result: 'lines' },
        },
        'tools/code': {
          description: 'Ends',
          parameters: { code: { type: 'integer', minimum: 0 } },
          exec: {
            command: 'node',
            args: ['-e', 'console.error("why"); process.exit(Number(process.argv[1]))', '{code}'],
            ok: [0, 1],
          },
          errors: { GONE: { match: [3], message: 'Code {{code}}: {{error.message}}' } },
        },
        'tools/slow': { ...node('setInterval(() => 0, 1000)'), limits: { timeoutMs: 3000 } },
        'tools/big': node('process.stdout.write("x".repeat(11e6))'),
        'tools/missing': {
          description: 'Missing',
          exec: { command: 'no-such-program' },
          errors: { NOT_INSTALLED: { match: ['ENOENT'], message: 'Install it first' } },
        },
        'tools/unset': node('1', { cwd: '{config.UNSET}' }),
        'tools/bytes': node('process.stdout.write("abc")', { result: 'bytes' }),
      },
      env: { FOLDER: '/', TOKEN: 'canary-4711' },
      requests: [
        ...values.map(text => call('argv', { text, exec: text, list: [text, '-x'], mode: 'fast' })),
        call('argv', { text: '-n', 'max-count': 0, numbers: [1, 2], either: 0, verbose: true, list: [] }),
        call('argv', { text: 'a', either: null }),
        call('argv', { text: 'a', nested: [['x']] }),
        call('argv', { text: 'a\0b' }),
        call('stdin', { text: 'a\nb' }),
        call('stdin'),
        ...[0, 1, 3, 4].map(code => call('code', { code })),
        ...['slow', 'big', 'missing', 'unset', 'bytes'].map(name => call(name)),
      ],
    });
    expect(codesOf(replies).slice(values.length)).toEqual([
      ...[undefined, undefined, 'BAD_VALUE', 'BAD_VALUE', undefined, undefined],
      ...[undefined, undefined, 'GONE', 'UPSTREAM_ERROR'],
      ...['TIMEOUT', 'UPSTREAM_TOO_LARGE', 'NOT_INSTALLED', 'CONFIG_MISSING', undefined],
    ]);
    expect(JSON.stringify(replies)).not.toContain('canary-4711');
  }, 300_000);

  it('B9 another server is reached the same: success, tool error, unknown tool, dead server, prompts and resources', async () => {
    const forward = (name: string, more: object = {}): object => ({
      description: 'Forwards',
      parameters: { a: { type: 'string', required: false } },
      mcp: { backend: 'up', name },
      ...more,
    });
    const seen = (pack: string): readonly string[] => {
      const path = join(pack, 'seen.jsonl');
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n').sort() : [];
    };
    const server = (words: readonly string[]): object => ({
      type: 'mcp',
      command: ['node', ...words],
      env: { OWN: '{config.OWN}' },
    });
    const replies = await proveSame({
      name: 'mcp',
      isBuilt: true,
      manifest: {
        name: 'demo',
        config: { OWN: 'string', PACK: 'string' },
        backends: {
          up: server(['{config.PACK}/up.mjs']),
          dying: server(['{config.PACK}/up.mjs']),
          gone: server(['-e', 'console.error("no key"); process.exit(3)']),
        },
      },
      files: { 'up.mjs': upstream },
      items: {
        'tools/same': { description: 'Forwards', parameters: { a: 'string' }, mcp: { backend: 'up' } },
        'tools/renamed': forward("their's `${name}`"),
        'tools/typed': forward('typed', { output: { n: 'integer' } }),
        'tools/fails': forward('fails'),
        'tools/unknown': forward('unknown'),
        'tools/die': forward('die', { mcp: { backend: 'dying', name: 'die' } }),
        'tools/gone': forward('x', { mcp: { backend: 'gone' } }),
        'prompts/ask': { description: 'Asks', arguments: { topic: {} }, mcp: { backend: 'up', name: 'theirs' } },
        'resources/ours': {
          uriTemplate: 'ours://{id}/{+rest}',
          mcp: { backend: 'up', name: 'theirs://{id}/{+rest}{other}' },
        },
        'resources/same-one': { uri: 'theirs://same', mcp: { backend: 'up' } },
      },
      env: { OWN: 'x' },
      prepare: pack => rmSync(join(pack, 'seen.jsonl'), { force: true }),
      seen,
      requests: [
        ...values.map(a => call('same', { a })),
        ...['renamed', 'typed', 'fails', 'unknown', 'die', 'gone'].map(name => call(name, { a: 'x' })),
        ['prompts/get', { name: 'ask', arguments: { topic: 't' } }],
        ['resources/read', { uri: 'ours://a%2Fb/c/d' }],
        ['resources/read', { uri: 'theirs://same' }],
      ],
    });
    expect(codesOf(replies).slice(values.length)).toMatchObject([
      ...[undefined, undefined, 'ERROR', undefined, 'UPSTREAM_UNREACHABLE', 'UPSTREAM_UNREACHABLE'],
      ...[undefined, undefined, undefined],
    ]);
  }, 300_000);
});

/** Without what says which connection it came over. */
function shown({ method, url, headers, body }: Received): string {
  const text = body.toString('utf8');
  const [boundary = ''] = /toolwright-[0-9a-f]{32}/.exec(text) ?? [];
  const whole = JSON.stringify({ method, url, headers, text });
  return boundary === '' ? whole : whole.replaceAll(boundary, 'boundary');
}

/** Writes down what it is asked, without tokens, which are counted. */
const upstream = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const send = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (params?._meta) delete params._meta.progressToken;
  if (/call|get|read/.test(method)) appendFileSync(new URL('seen.jsonl', import.meta.url), JSON.stringify({ method, params }) + '\\n');
  const text = (value, more = {}) => send({ id, result: { content: [{ type: 'text', text: JSON.stringify(value) }], ...more } });
  if (method === 'initialize') {
    const capabilities = { tools: {}, prompts: {}, resources: {} };
    send({ id, result: { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'up', version: '1' } } });
  } else if (method === 'tools/call' && params.name === 'die') process.exit(1);
  else if (method === 'tools/call' && params.name === 'unknown') send({ id, error: { code: -32602, message: 'no such tool' } });
  else if (method === 'tools/call' && params.name === 'fails') text('it failed', { isError: true, _meta: { 'x/y': 1 } });
  else if (method === 'tools/call' && params.name === 'typed') text('typed', { structuredContent: { n: 1 } });
  else if (method === 'tools/call') text([params, process.env.OWN]);
  else if (method === 'prompts/get') send({ id, result: { description: 'Theirs', messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(params) } }] } });
  else if (method === 'resources/read') send({ id, result: { contents: [{ uri: params.uri, mimeType: 'text/plain', text: 'at ' + params.uri }] } });
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'no such method' } });
});
`;
