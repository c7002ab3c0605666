// B2: values of statements against real databases, which say themselves in hexadecimal digits what they got. Seeded, so that a failure can be
// repeated.
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createRegistry } from '../../../runtime/index.js';
import { amount, seedOr } from '../../harness/amount.js';
import { makeFile, openPg, openWasm, startPostgres } from '../../runtime/backends/sql/world.js';
import { writeFolder } from '../../runtime/packs/code-packs.js';
import { least } from './injection/least.js';
import { brokeOthers } from './injection/pieces.js';
import { isBroken, makeValues, shown } from './injection/values.js';

const seed = seedOr(17);
const calls = amount(least.sql / 10);

interface World {
  readonly url: string;
  /** By a connection of its own, without any of our code. */
  ask(text: string): Promise<readonly Record<string, unknown>[]>;
  close(): unknown;
  readonly statements: Readonly<Record<string, object>>;
}

/** Names that a column can have: each has its own number in the only row. */
const columns = [
  'id',
  'title',
  'a"b',
  '""',
  "a'b",
  'x; DROP TABLE kept',
  '--',
  'select',
  ' ',
  'é😀',
  '$1',
  ':v',
  '{x}',
  '?',
  '`',
  ']',
  '\\',
];
const quoted = columns.map(name => `"${name.replaceAll('"', '""')}"`);
const setup = [
  'CREATE TABLE kept (name TEXT)',
  "INSERT INTO kept VALUES ('one'), ('two')",
  `CREATE TABLE wide (${quoted.map(name => `${name} INTEGER`).join(', ')})`,
  `INSERT INTO wide VALUES (${columns.map((_, index) => index).join(', ')})`,
  'CREATE TABLE got (nr INTEGER, v TEXT)',
];

const anything = (...names: readonly string[]): object => ({
  type: 'object',
  properties: Object.fromEntries(names.map(name => [name, {}])),
  required: names,
  additionalProperties: false,
});
const read = (text: string, result: string, ...names: readonly string[]): object => ({
  effect: 'read',
  limits: { resultChars: 10_000_000 },
  inputSchema: anything(...names),
  sql: { text, result },
});

const shared = {
  same: read('SELECT count(*) AS n FROM kept WHERE name = :v', 'row', 'v'),
  among: read('SELECT count(*) AS n FROM kept WHERE name IN (:v)', 'row', 'v'),
  outside: read("SELECT count(*) AS n, ':v {x}' AS text FROM kept WHERE name NOT IN (:v) /* :v */ -- {v}", 'row', 'v'),
  column: {
    effect: 'read',
    inputSchema: {
      type: 'object',
      properties: { column: { type: 'string', enum: columns } },
      required: ['column'],
      additionalProperties: false,
    },
    sql: { text: 'SELECT {column} AS n FROM wide ORDER BY {column}', result: 'row' },
  },
  write: {
    inputSchema: anything('nr', 'v'),
    sql: { text: 'INSERT INTO got (nr, v) VALUES (:nr, :v)', result: 'count' },
  },
};

const hexOf = (text: string): string => Buffer.from(text, 'utf8').toString('hex');

async function sqliteWorld(): Promise<World> {
  const folder = writeFolder({});
  const database = openWasm(makeFile(folder));
  database.exec(setup.join(';'));
  const h = (name: string): string => `lower(hex(CAST(:${name} AS BLOB))) AS ${name}, typeof(:${name}) AS t${name}`;
  return {
    url: `sqlite:${join(folder, 'test.db')}`,
    ask: async text => database.all(text),
    close: () => database.close(),
    statements: {
      ...shared,
      texts: read(`SELECT ${h('a')}, ${h('b')}, ${h('c')}, ${h('d')}`, 'row', 'a', 'b', 'c', 'd'),
      data: read('SELECT lower(hex(CAST(:v AS BLOB))) AS v', 'row', 'v'),
      numbers: read('SELECT :v AS v, typeof(:v) AS t', 'row', 'v'),
    },
  };
}

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

async function postgresWorld(): Promise<World> {
  const url = postgres?.url ?? '';
  const client = await openPg(url);
  for (const text of setup) await client.query(text);
  const h = (name: string): string =>
    `encode(convert_to(:${name}::text, 'UTF8'), 'hex') AS ${name}, 'text' AS t${name}`;
  return {
    url,
    ask: async text => (await client.query(text)).rows,
    close: () => client.end(),
    statements: {
      ...shared,
      texts: read(`SELECT ${h('a')}, ${h('b')}, ${h('c')}, ${h('d')}`, 'row', 'a', 'b', 'c', 'd'),
      data: read("SELECT encode(convert_to(:v::json::text, 'UTF8'), 'hex') AS v", 'row', 'v'),
      numbers: read("SELECT :v::float8 AS v, 'real' AS t", 'row', 'v'),
    },
  };
}

/** Databases have no NUL in text, and UTF-8 no half characters. */
const mayRefuse = (value: unknown): boolean => typeof value === 'string' && (value.includes('\0') || isBroken(value));

let tried = 0;
describe.each([
  ['SQLite', sqliteWorld, true],
  ['PostgreSQL', postgresWorld, postgres !== undefined],
] as const)('B2 values of statements for %s', (name, makeWorld, isThere) => {
  it.skipIf(!isThere)(
    'B2 every value arrives as it was given and changes nothing else, or the call is refused',
    async () => {
      const { url, ask, close, statements } = await makeWorld();
      const files = Object.entries(statements).map(([tool, one]) => [
        `mcp/tools/${tool}.json`,
        JSON.stringify({ description: 'The tool', ...one }),
      ]);
      const registry = await createRegistry(
        writeFolder({
          'toolwright.yaml': JSON.stringify({
            name: 'acme/demo',
            config: { DATABASE: { type: 'string', secret: true } },
            backends: { main: { type: 'sql', url: '{config.DATABASE}' } },
          }),
          ...Object.fromEntries(files),
        }),
        { env: { DATABASE: url, PATH: process.env['PATH'] }, report: () => undefined },
      );
      const values = makeValues(seed);
      const before = tried;
      let refused = 0;
      /** Undefined: it was refused, for a reason. */
      const call = async (tool: string, args: Record<string, unknown>, canRefuse: boolean) => {
        const where = `FUZZ_SEED=${seed}, ${name}, ${tool}: ${shown(args)}`;
        tried += Object.keys(args).length;
        const result = await registry.invoke(tool, args);
        if (result.ok) return { row: Object(result.result.structuredContent) as Record<string, unknown>, where };
        assert(canRefuse, `refused without need: ${JSON.stringify(result.error)}\n${where}`);
        assert.match(result.error.code, /^(?:BAD_VALUE|BAD_ARGUMENTS|UPSTREAM_ERROR)$/, where);
        assert.match(result.error.message, /\w{3}/);
        refused += 1;
        return undefined;
      };

      for (let nth = 0; nth < calls; nth += 1) {
        const texts = { a: values.text(), b: values.text(), c: values.text(), d: values.text() };
        const found = await call('texts', texts, Object.values(texts).some(mayRefuse));
        for (const [key, text] of Object.entries(found === undefined ? {} : texts))
          assert.deepEqual([found?.row[key], found?.row[`t${key}`]], [hexOf(text), 'text'], found?.where);

        const number = values.number();
        const asNumber = await call('numbers', { v: number }, false);
        assert.equal(Number(asNumber?.row['v']), number === 0 ? 0 : number, asNumber?.where);
        assert.match(String(asNumber?.row['t']), /^(?:integer|real)$/, asNumber?.where);

        // A list or an object becomes JSON, in which every character has an escape.
        const data = values.random.chance(0.5) ? values.list(values.any) : values.map(values.any);
        const asData = await call('data', { v: data }, false);
        if (asData !== undefined) assert.equal(asData.row['v'], hexOf(JSON.stringify(data)), asData.where);

        const text = values.random.chance(0.2) ? 'one' : values.text();
        const same = await call('same', { v: text }, mayRefuse(text));
        if (same !== undefined) assert.equal(same.row['n'], text === 'one' || text === 'two' ? 1 : 0, same.where);

        const list = [...values.list(values.text), ...(values.random.chance(0.5) ? ['two'] : [])];
        const wanted = ['one', 'two'].filter(one => list.includes(one)).length;
        const among = await call('among', { v: list }, list.some(mayRefuse));
        if (among !== undefined) assert.equal(among.row['n'], wanted, among.where);
        const outside = await call('outside', { v: list }, list.some(mayRefuse));
        if (outside !== undefined) assert.deepEqual(outside.row, { n: 2 - wanted, text: ':v {x}' }, outside.where);

        const column = values.random.chance(0.4) ? String(values.random.pick(columns)) : values.text();
        const isColumn = columns.includes(column);
        const selected = await call('column', { column }, !isColumn);
        assert.equal(selected?.row['n'], isColumn ? columns.indexOf(column) : undefined, selected?.where);
      }

      const written = brokeOthers.concat(Array.from({ length: 25 }, values.text));
      for (const [nr, v] of written.entries()) await call('write', { nr, v }, mayRefuse(v));
      const kept = written.flatMap((v, nr) => (mayRefuse(v) ? [] : [{ nr, v }]));
      expect(await ask('SELECT nr, v FROM got ORDER BY nr')).toEqual(kept);
      expect(await ask('SELECT name FROM kept ORDER BY name')).toEqual([{ name: 'one' }, { name: 'two' }]);
      expect(await ask('SELECT * FROM wide')).toEqual([Object.fromEntries(columns.map((one, index) => [one, index]))]);
      expect(tried - before).toBe(calls * 10 + written.length * 2);
      expect(refused).toBeLessThan(calls * 4);
      await registry.close();
      await close();
    },
    600_000,
  );
});
