// Integers beyond 2^53, which every reader of JSON changes: told of wherever they are written, also on later runs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkRemembered } from '../../../cli/check/check.js';
import { generateRemembered } from '../../../cli/generate/generate.js';
import type { Diagnostic } from '../../../schema/diagnostics.js';
import { check, checkPlaces, tool } from '../../harness/pack.js';

async function only(definition: string): Promise<Diagnostic> {
  const found = await check(tool(`description: D.\n${definition}`));
  expect(found).toHaveLength(1);
  return found[0] as Diagnostic;
}

describe('integers that lose digits', () => {
  it('P3 an integer that loses digits is a warning at the number, with what it becomes and what to write', async () => {
    const found = await only('parameters:\n  big: { type: integer, default: 9007199254740993 }\n');
    expect(found).toMatchObject({
      code: 'parse/lost-digits',
      severity: 'warning',
      message: '9007199254740993 becomes 9007199254740992: numbers keep about sixteen digits',
      hint: 'write it as a string: "9007199254740993"',
      ...{ file: 'mcp/tools/t.yaml', line: 3, column: 34, endLine: 3, endColumn: 50 },
    });
  });

  it.each([
    ['const: 123456789012345678901234567890', '1.2345678901234568e+29'],
    ['const: -9007199254740993', '-9007199254740992'],
    ['const: +9007199254740993', '9007199254740992'],
    ['const: 0xFFFFFFFFFFFFFFFF', '18446744073709552000'],
    ['const: 0o777777777777777777777', '9223372036854776000'],
    ['default: 9223372036854775807', '9223372036854776000'],
    ['enum: [9223372036854775807]', '9223372036854776000'],
  ])('P3 a number that loses digits is reported: %s', async (keyword, kept) => {
    const found = await only(`inputSchema: {type: object, properties: {a: {${keyword}}}}\n`);
    expect(found.code).toBe('parse/lost-digits');
    expect(found.message).toContain(` becomes ${kept}:`);
  });

  it.each([
    'const: 9007199254740991',
    'maximum: 9223372036854775807',
    'exclusiveMinimum: -9223372036854775809',
    'maxLength: 123456789012345678901234567890',
    'const: 9007199254740992',
    'const: 100000000000000000000000',
    'const: 1e21',
    'const: 1.2345678901234567890123',
    'const: 12345678901234567890.5',
    'const: "9007199254740993"',
    'description: call 12345678901234567890',
    'const: 00000000000000000001',
  ])('P3 a number that keeps its digits, or is a limit, is accepted: %s', async keyword => {
    const found = await checkPlaces(
      tool(`description: D.\ninputSchema: {type: object, properties: {a: {${keyword}}}}\n`),
    );
    expect(found).toEqual([]);
  });

  it('P3 lost digits are reported once each in JSON, combined files, toolwright.yaml, schema files and behind aliases', async () => {
    const found = await checkPlaces({
      'toolwright.yaml': 'config:\n  N: { type: integer, default: 9007199254740993 }\n',
      'package.json': '{"name": "demo", "stamp": 9007199254740993}',
      'mcp/tools/a.json':
        '{"description": "A", "inputSchema": {"file": "a.json"},\n "_meta": {"x/y": 9007199254740993}}',
      'a.json': '{"type": "object",\n "properties": {"a": {"const": 9007199254740993}}}',
      'mcp/tools/b.yaml': 'description: B\noutputSchema: {file: b.yaml}\n',
      'b.yaml': 'type: object\nproperties: {a: {const: 9007199254740993}}\n',
      'mcp/tools.yaml':
        'c:\n  description: C\n  _meta: {x/one: &n 9007199254740993, x/two: *n}\n---\nd: {description: D}\n',
    });
    expect(found).toEqual([
      'parse/lost-digits a.json:2:32',
      'parse/lost-digits b.yaml:2:25',
      'parse/lost-digits mcp/tools.yaml:3:21',
      'parse/lost-digits mcp/tools/a.json:2:19',
      'parse/lost-digits toolwright.yaml:2:32',
    ]);
  });
});

describe('many and long numbers', () => {
  it('P3 at most a hundred lost digits of one file are reported', async () => {
    const list = Array(100_000).fill('9007199254740993').join(', ');
    const found = await check(tool(`description: D.\n_meta: {x/list: [${list}]}\n`));
    expect(found).toHaveLength(100);
  });

  it('P3 a number of three hundred digits is cut in the message', async () => {
    const found = await only(`_meta: {x/y: ${'1234567890'.repeat(30)}}\n`);
    expect(found.message).toMatch(/^\d{57}\.\.\. becomes 1\.2345678901234568e\+299:/);
    expect(found.hint).toBe('write it as a string, in quotes');
  });
});

describe('lost digits on later runs', () => {
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'toolwright-digits-'));
    vi.stubEnv('TOOLWRIGHT_CACHE', join(home, 'cache'));
    put('toolwright.yaml', 'name: demo/pack\n');
    put('package.json', '{"name": "@demo/pack", "type": "module"}\n');
    put('tsconfig.json', '{}\n');
    put('mcp/tools/big.yaml', 'description: D.\nparameters:\n  big: { type: integer, default: 9007199254740993 }\n');
    put('mcp/tools/other.yaml', 'description: D.\nparameters: {a: {type: string}}\n');
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  });

  function put(path: string, text: string): void {
    const full = join(home, 'pack', path);
    mkdirSync(join(full, '..'), { recursive: true });
    writeFileSync(full, text);
  }

  const codes = (found: readonly Diagnostic[]): readonly string[] => found.map(({ code }) => code);

  it('W21 `check` reports lost digits again, unchanged or after a change elsewhere', async () => {
    const run = async (): Promise<readonly string[]> =>
      codes((await checkRemembered(join(home, 'pack'), [])).diagnostics);
    expect(await run()).toEqual(['parse/lost-digits']);
    await sleep(150);
    expect(await run()).toEqual(['parse/lost-digits']);
    expect(await run()).toEqual(['parse/lost-digits']);
    put('mcp/tools/other.yaml', 'description: E.\n');
    expect(await run()).toEqual(['parse/lost-digits']);
  });

  it('W21 `generate` reports lost digits again, although it remembers tools without findings', async () => {
    const run = async (): Promise<readonly string[]> =>
      codes((await generateRemembered(join(home, 'pack'))).diagnostics).filter(code => code !== 'generate/unwritten');
    expect(await run()).toEqual(['parse/lost-digits']);
    await sleep(150);
    expect(await run()).toEqual(['parse/lost-digits']);
    expect(await run()).toEqual(['parse/lost-digits']);
    put('mcp/tools/other.yaml', 'description: E.\n');
    expect(await run()).toEqual(['parse/lost-digits']);
  });
});
