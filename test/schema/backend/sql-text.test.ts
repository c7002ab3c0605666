// Statements with binds and identifiers, read for both databases.
import { describe, expect, it } from 'vitest';
import { parseSql, type SqlDialect, sqlPlaceholdersOf } from '../../../schema/backend/sql-text.js';

const tags = (text: string, dialect?: SqlDialect): readonly string[] =>
  sqlPlaceholdersOf(parseSql(text, dialect).parts).map(({ tag }) => tag);
const problems = (text: string, dialect?: SqlDialect): readonly string[] =>
  parseSql(text, dialect).problems.map(({ tag, reason }) => `${tag} ${reason}`);
const kinds = (text: string, dialect?: SqlDialect): readonly string[] =>
  parseSql(text, dialect).problems.map(({ kind }) => kind);

describe('parseSql', () => {
  it('B2 binds and identifiers are found where they stand, each with its number', () => {
    const { parts, problems: found } = parseSql('SELECT {column} FROM t WHERE a = :id AND b = :id');
    expect(found).toEqual([]);
    expect(parts).toEqual([
      'SELECT ',
      { as: 'identifier', name: 'column', tag: '{column}', nth: 0 },
      ' FROM t WHERE a = ',
      { as: 'bind', name: 'id', tag: ':id', nth: 0 },
      ' AND b = ',
      { as: 'bind', name: 'id', tag: ':id', nth: 1 },
    ]);
  });

  it('B2 the number of a bind counts its characters, also in longer names and in literals', () => {
    const [ids, id] = sqlPlaceholdersOf(parseSql("SELECT ':id', :ids, :id").parts);
    expect([ids?.nth, id?.nth]).toEqual([0, 2]);
  });

  it.each([
    ['a string', "SELECT 'it''s :x'"],
    ['a string with backslashes', String.raw`SELECT E'it\'s :x'`],
    ['a quoted name', 'SELECT "a"":x"'],
    ['a name in backticks', 'SELECT `:x`'],
    ['a dollar quote', 'SELECT $$ :x $$'],
    ['a dollar quote with a tag', 'SELECT $tag$ $$ :x $tag$'],
    ['a comment up to the end of the line', 'SELECT 1 -- :x\n'],
    ['a comment', 'SELECT /* :x */ 1'],
    ['a comment inside a comment', 'SELECT /* /* */ :x */ 1'],
  ])('B2 a bind inside %s is not one, which is said', (_, text) => {
    expect(tags(text)).toEqual([]);
    expect(kinds(text)).toEqual(['in-literal']);
  });

  it('B2 a placeholder inside a string literal is reported, since it has to stand outside', () => {
    const [first] = problems("SELECT * FROM t WHERE a LIKE '%{x}%'");
    expect(first).toBe(
      '{x} is inside a string literal and is not a placeholder there: bind it as :x outside the quotes',
    );
  });

  it('B2 a backslash ends no string of the standard, in neither database', () => {
    expect(tags(String.raw`SELECT 'a\', :x`)).toEqual([':x']);
    expect(tags(String.raw`SELECT type'a\', :x`)).toEqual([':x']);
  });

  it('B2 a comment in SQLite ends at its first end', () => {
    expect(tags('SELECT /* /* */ :x', 'sqlite')).toEqual([':x']);
    expect(tags('SELECT /* /* */ :x */', 'postgres')).toEqual([]);
  });

  it('B2 brackets quote a name in SQLite and are slices in PostgreSQL', () => {
    expect(tags('SELECT [:x]', 'sqlite')).toEqual([]);
    expect(tags('SELECT a[1:2], a[low:high], a[:n]', 'postgres')).toEqual([':n']);
  });

  it.each([
    ['SELECT a::text, :b::int', [':b']],
    ['SELECT f(x := 1, y := :y)', [':y']],
    ['SELECT d @> :d::jsonb, d ? :key, d #>> :path', [':d', ':key', ':path']],
    ["SELECT '12:30'::time, ts - interval '1 day'", []],
    ['SELECT 1::{type}', ['{type}']],
  ])('B2 casts, assignments and operators are text: %s', (text, expected) => {
    expect(tags(text, 'postgres')).toEqual(expected);
    expect(problems(text, 'postgres')).toEqual([]);
  });

  it('B2 doubled braces are literal outside of quotes, and braces in quotes stay', () => {
    expect(parseSql(`SELECT {{x}}, '{"a": 1}', '{{1,2},{3,4}}'`)).toEqual({
      parts: [`SELECT {x}, '{"a": 1}', '{{1,2},{3,4}}'`],
      problems: [],
      head: ['SELECT', '{{', 'X', '}}', ','],
    });
  });

  it.each(['BEGIN', 'commit;', '-- a comment\nROLLBACK', 'SAVEPOINT a', 'SET search_path = x', "ATTACH 'x.db' AS x"])(
    'B2 %j is about the connection and not about data, which is a problem',
    text => {
      expect(kinds(text)).toEqual(['session']);
    },
  );

  it('B2 words of that kind may stand inside a statement', () => {
    expect(kinds('UPDATE t SET x = 1')).toEqual([]);
    expect(kinds('WITH begin AS (SELECT 1) SELECT * FROM begin')).toEqual([]);
    expect(kinds('"begin" + 1')).toEqual([]);
  });

  it('B2 a lone brace, a placeholder without a name and configuration are problems', () => {
    expect(problems('SELECT { , {}, {config.X}')).toEqual([
      '{ a literal { is written {{',
      '{} a placeholder needs a name; a literal { is written {{',
      '{config.X} is configuration, which does not stand in statements: it is for the backend',
    ]);
  });

  it('B2 a second statement is a problem, a last semicolon is not', () => {
    expect(kinds('SELECT 1; DROP TABLE t')).toEqual(['several-statements']);
    expect(kinds("SELECT 1; 'x'; SELECT 2")).toEqual(['several-statements']);
    expect(kinds("SELECT ';' ; -- the end; really\n ;")).toEqual([]);
  });

  it('B2 a statement that is not there, and quotes that do not end, are problems', () => {
    expect(kinds(' -- nothing\n')).toEqual(['empty']);
    expect(kinds("SELECT 'a")).toEqual(['unclosed']);
    expect(kinds('SELECT /* a')).toEqual(['unclosed']);
    expect(kinds('SELECT $a$ b')).toEqual(['unclosed']);
  });

  it('B2 binds of other kinds are problems', () => {
    expect(problems('SELECT $1', 'postgres')).toEqual(['$1 is a bind of another kind: a value is bound as :name here']);
    expect(kinds('SELECT ?, ?2, @a, $b', 'sqlite')).toEqual([
      'placeholder',
      'placeholder',
      'placeholder',
      'placeholder',
    ]);
  });

  it('B2 the place of a bind tells a list of elements, JSON and a test for NULL', () => {
    const [inside, bare, any, cast, json] = sqlPlaceholdersOf(
      parseSql('a IN ( :a ) AND b not in :b AND c = ANY(:c) AND :d::jsonb = CAST(:e AS json)').parts,
    );
    expect([inside?.list, bare?.list, any?.list]).toEqual(['inside', 'bare', undefined]);
    const [test, other] = sqlPlaceholdersOf(parseSql(':x IS NOT NULL AND a = :x').parts);
    expect([test?.isNullTest, other?.isNullTest]).toEqual([true, undefined]);
    expect([cast?.isJson, json?.isJson, any?.isJson]).toEqual([true, true, undefined]);
  });
});
