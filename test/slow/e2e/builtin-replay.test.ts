// What an agent does with the built-in server, replayed through a real client in a project of its own: list, read the
// language, write YAML, check, correct, generate, write the handler, test.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../../harness/files.js';
import { callBuiltin, connectBuiltin } from './builtin-client.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright replay ünï-'));
const project = join(folder, 'project');
const asked: string[] = [];
let agrees = true;
let client: Client;

function write(files: Readonly<Record<string, string>>): void {
  writeFiles(project, files);
}

const call = (name: string, args: object = {}) => callBuiltin(client, name, args);

beforeAll(async () => {
  write({
    'package.json':
      '{"name": "@acme/shop", "version": "1.0.0", "type": "module", "dependencies": {"@acme/other": "*"}}',
    'toolwright.yaml': '',
    'mcp/servers/shop.yaml': 'description: The shop\n',
    'node_modules/@acme/other/package.json': '{"name": "@acme/other", "version": "1.0.0", "type": "module"}',
    'node_modules/@acme/other/toolwright.yaml': '',
    'node_modules/@acme/other/mcp/servers/o.yaml': 'description: O\n',
    'node_modules/@acme/other/mcp/tools/t.yaml': 'description: T\n',
  });
  symlinkSync(root, join(project, 'node_modules/toolwright'), 'dir');
  client = await connectBuiltin({
    project,
    cache: join(folder, 'cache'),
    agrees(message) {
      asked.push(message);
      return agrees;
    },
  });
});
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

const definition = (field: string): string =>
  [
    'description: Look up the price of an article.',
    'effect: read',
    'parameters:',
    `  article: { type: string, ${field}: Number of the article such as A-1 }`,
    'output: { price: number }',
    'errors:',
    '  NO_ARTICLE: { message: There is no such article, status: 404, suggestedFix: Ask the user for the number. }',
    'examples:',
    '  - { name: an article, input: { article: A-1 }, output: { price: 3.5 } }',
    '  - { name: none, input: { article: B-9 }, error: NO_ARTICLE }',
    '',
  ].join('\n');

describe('W96 an agent writes a tool', () => {
  it('W96 an agent reads the prompt, lists the servers and reads the language', async () => {
    const { messages } = await client.getPrompt({ name: 'new_tool', arguments: { purpose: 'Look up a price' } });
    expect(JSON.stringify(messages)).toContain('Its purpose: Look up a price');
    expect(JSON.stringify(messages)).not.toContain('{{');
    const review = await client.getPrompt({ name: 'review_descriptions', arguments: { items: 'get-price' } });
    expect(JSON.stringify(review.messages)).toContain('only of get-price');
    expect(await call('list_servers')).toMatchObject({
      servers: expect.arrayContaining([
        expect.objectContaining({ name: 'acme/shop/shop', source: 'project', tools: 0 }),
      ]),
    });
    const { keys } = await call('describe_schema', { kind: 'tool' });
    expect(keys).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'examples' })]));
  });

  it('W96 an agent writes YAML with a mistake, learns where it is and corrects it', async () => {
    write({ 'mcp/tools/get-price.yaml': definition('descripton') });
    expect(await call('check_pack')).toMatchObject({
      ok: false,
      diagnostics: [
        {
          code: 'validate/unknown-key',
          file: 'mcp/tools/get-price.yaml',
          line: 4,
          hint: expect.stringContaining('description'),
        },
      ],
    });
    expect(await call('generate_pack')).toMatchObject({ ok: false, operations: [], diagnostics: [{ line: 4 }] });
    expect(existsSync(join(project, 'generated'))).toBe(false);
    write({ 'mcp/tools/get-price.yaml': definition('description') });
    expect(await call('check_pack')).toMatchObject({ ok: true, items: { tools: ['get-price'] } });
  });

  it('W96 an agent generates: first what would happen, then the files, then nothing more', async () => {
    const stub = { op: 'create', path: 'src/tools/get-price.js' };
    const trial = await call('generate_pack', { dryRun: true });
    expect(trial).toMatchObject({ ok: true, operations: expect.arrayContaining([stub]) });
    expect(existsSync(join(project, 'src'))).toBe(false);
    expect(await call('generate_pack')).toEqual(trial);
    expect(existsSync(join(project, 'src/tools/get-price.js'))).toBe(true);
    expect(await call('generate_pack')).toMatchObject({ ok: true, operations: [] });
  });

  it('W96 an agent runs the tests once the user agrees, and writes the handler until they pass', async () => {
    agrees = false;
    expect(JSON.stringify(await call('run_tests'))).toContain('the user declined');
    agrees = true;
    const early = await call('run_tests', { pattern: 'get-price' });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain('run_tests');
    expect(early).toMatchObject({ ok: false, passed: 0, failed: 3, diagnostics: [] });
    expect(early['tests']).toMatchObject([
      { name: 'get-price > contract', file: 'src/tools/get-price.js', line: 8 },
      { name: 'get-price > an article', status: 'failed', file: 'mcp/tools/get-price.yaml', line: 9 },
      { name: 'get-price > none', message: expect.stringContaining('NOT_IMPLEMENTED') },
    ]);
    const stub = readFileSync(join(project, 'src/tools/get-price.js'), 'utf8');
    const write1 = (price: string): void =>
      write({
        'src/tools/get-price.js': stub
          .replace(/\(async \([^)]*\) =>/, '(async ({ article }, ctx) =>')
          .replace(
            /throw ctx\.notImplemented\(\);/,
            `if (article !== 'A-1') throw ctx.errors.NO_ARTICLE();\n  return { price: ${price} };`,
          ),
      });
    write1('4');
    expect(await call('run_tests', { server: 'shop' })).toMatchObject({
      ...{ ok: false, passed: 2, failed: 1 },
      tests: [{ name: 'get-price > an article', expected: '{"price":3.5}', actual: '{"price":4}', line: 9 }],
    });
    write1('3.5');
    expect(await call('run_tests')).toEqual({
      ...{ ok: true, passed: 3, failed: 0, skipped: 0, tests: [], omitted: 0, withoutExamples: [], diagnostics: [] },
    });
  });
});

describe('W96 refusals of the writing tools', () => {
  it('W96 generate_pack leaves generated files alone that somebody has edited', async () => {
    write({ 'generated/index.js': '// mine\n' });
    const { ok, operations, diagnostics } = await call('generate_pack');
    expect([ok, operations]).toEqual([false, [{ op: 'refuse', path: 'generated/index.js' }]]);
    expect(diagnostics).toMatchObject([{ file: 'generated/index.js', severity: 'error' }]);
    expect(readFileSync(join(project, 'generated/index.js'), 'utf8')).toBe('// mine\n');
  });

  it('W96 the writing tools refuse installed packs, paths and links that lead out, and options in place of names', async () => {
    mkdirSync(join(folder, 'outside'));
    writeFileSync(join(folder, 'outside/toolwright.yaml'), '');
    symlinkSync(join(folder, 'outside'), join(project, 'linked'), 'dir');
    for (const [args, code] of [
      [{ pack: 'acme/other' }, 'INSTALLED_PACK'],
      [{ pack: 'node_modules/@acme/other' }, 'INSTALLED_PACK'],
      [{ pack: '../outside' }, 'OUTSIDE_PROJECT'],
      [{ pack: 'linked' }, 'OUTSIDE_PROJECT'],
      [{ pack: 'acme/nothing' }, 'PACK_NOT_FOUND'],
    ] as const) {
      for (const tool of ['generate_pack', 'run_tests'])
        expect([tool, args, (await call(tool, args))['code']]).toEqual([tool, args, code]);
    }
    expect(existsSync(join(folder, 'outside/generated'))).toBe(false);
    expect(existsSync(join(project, 'node_modules/@acme/other/generated'))).toBe(false);
    expect(await call('run_tests', { server: '--http' })).toMatchObject({ code: 'BAD_ARGUMENTS' });
    expect(await call('run_tests', { pattern: '--output=x' })).toMatchObject({ code: 'CANNOT_TEST' });
    expect(await call('run_tests', { server: 'nope' })).toMatchObject({
      code: 'CANNOT_TEST',
      message: expect.stringContaining('nope'),
    });
  });
});
