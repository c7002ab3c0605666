// F20: a pack from an empty folder to passing tests, written through the tools of the built-in server alone, by a real client. What a
// person would do beside it is to install the packages.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTree, writeFiles } from '../../harness/files.js';
import { callBuiltin, connectBuiltin } from './builtin-client.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright-builtin-writes-'));
const project = join(folder, 'project');
const shop = join(project, 'packs/shop');
let client: Client;

const call = (name: string, args: object = {}) => callBuiltin(client, name, { pack: 'packs/shop', ...args });

/** What is installed for the project, by whoever looks after it. */
function install(): void {
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
  symlinkSync(root, join(project, 'node_modules/toolwright'), 'dir');
  for (const name of ['typescript', '@types/node'])
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name), 'dir');
}

beforeAll(async () => {
  mkdirSync(project);
  install();
  writeFiles(project, {
    'node_modules/@acme/other/package.json': '{"name": "@acme/other", "version": "1.0.0", "type": "module"}',
    'node_modules/@acme/other/toolwright.yaml': '',
    'node_modules/@acme/other/mcp/servers/o.yaml': 'description: O\n',
    'node_modules/@acme/other/mcp/tools/t.yaml': 'description: T\n',
  });
  writeFiles(join(folder, 'outside'), { 'toolwright.yaml': 'name: outside\n', 'README.md': 'mine\n' });
  client = await connectBuiltin({ project, cache: join(folder, 'cache'), agrees: () => true });
});
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

const price = (key: string): string =>
  [
    'description: Look up the price of an article, in euros.',
    'effect: read',
    'parameters:',
    `  article: { type: string, ${key}: Number of the article such as A-1 }`,
    'output: { price: number }',
    'errors:',
    '  NO_ARTICLE: { message: There is no such article, status: 404, suggestedFix: Ask the user for the number. }',
    'examples:',
    '  - { name: an article, input: { article: A-1 }, output: { price: 3.5 } }',
    '  - { name: none, input: { article: B-9 }, error: NO_ARTICLE }',
  ].join('\n');

const code = (value: string): string =>
  [
    "import { tools } from '../../generated/index.js';",
    '',
    'export default tools.getPrice(async ({ article }, ctx) => {',
    "  if (article !== 'A-1') throw ctx.errors.NO_ARTICLE();",
    `  return { price: ${value} };`,
    '});',
  ].join('\n');

describe('F20 an agent writes a pack through the built-in tools alone', () => {
  it('F20 add_item starts a pack in a folder that does not exist, after it said what it would write', async () => {
    expect(await call('check_pack')).toMatchObject({ code: 'PACK_NOT_FOUND' });
    const start = { kind: 'pack', name: 'shop', description: 'The shop', language: 'ts' };
    const trial = await call('add_item', { ...start, dryRun: true });
    expect(trial).toMatchObject({ ok: true, applied: false });
    expect(trial['operations']).toEqual(expect.arrayContaining([{ op: 'create', path: 'toolwright.yaml' }]));
    expect(existsSync(join(project, 'packs'))).toBe(false);
    expect(await call('add_item', start)).toMatchObject({ ok: true, applied: true, diagnostics: [] });
    expect(existsSync(join(shop, 'toolwright.yaml'))).toBe(true);
  });

  it('F20 add_item refuses a definition with a mistake, names its line, and writes nothing', async () => {
    const before = readTree(shop);
    expect(await call('add_item', { kind: 'tool', name: 'get-price', definition: price('descripton') })).toMatchObject({
      ok: false,
      applied: false,
      operations: [],
      diagnostics: [
        { code: 'validate/unknown-key', file: 'stdin', line: 4, hint: expect.stringContaining('description') },
      ],
    });
    for (const definition of ['- a\n- b', 'description: [', 'just text', 'a: 1\n---\nb: 2'])
      expect([definition, await call('add_item', { kind: 'tool', name: 'x', definition })]).toMatchObject([
        definition,
        { ok: false, applied: false, diagnostics: [{ file: 'stdin' }] },
      ]);
    expect(readTree(shop)).toEqual(before);
  });

  it('F20 add_item writes the definition and the code of the handler, and typecheck_pack holds one to the other', async () => {
    const added = await call('add_item', {
      ...{ kind: 'tool', name: 'get-price', definition: price('description'), code: code("'much'") },
    });
    expect(added).toMatchObject({ ok: true, applied: true });
    expect(added['operations']).toEqual(
      expect.arrayContaining([
        { op: 'create', path: 'mcp/tools/get-price.yaml' },
        { op: 'create', path: 'src/tools/get-price.ts' },
      ]),
    );
    expect(readFileSync(join(shop, 'src/tools/get-price.ts'), 'utf8')).toBe(`${code("'much'")}\n`);
    const { ok, diagnostics } = await call('typecheck_pack');
    expect(ok).toBe(false);
    expect(diagnostics).toMatchObject([
      {
        code: 'typecheck/error',
        file: 'src/tools/get-price.ts',
        line: 3,
        related: [{ file: 'mcp/tools/get-price.yaml' }],
      },
    ]);
    expect(await call('typecheck_pack', { limit: 1 })).toMatchObject({ omitted: 0 });
    expect(
      await call('add_item', { kind: 'tool', name: 'get-price', definition: price('description'), code: code('3.5') }),
    ).toMatchObject({ ok: false, applied: false, diagnostics: [{ code: 'author/exists' }] });
  });

  it('F20 add_item and rename_item lead to a pack whose tests pass', async () => {
    const cost = price('description').replace('the price', 'the cost');
    const right = code('3.5').replace('getPrice', 'getCost');
    expect(await call('add_item', { kind: 'tool', name: 'get-cost', definition: cost, code: right })).toMatchObject({
      applied: true,
    });
    expect(
      await call('add_item', { kind: 'prompt', name: 'ask', definition: 'description: Ask.\ntext: Which article?' }),
    ).toMatchObject({ ok: true, applied: true });
    const rename = { kind: 'tool', from: 'get-cost', to: 'look-up' };
    const trial = await call('rename_item', { ...rename, dryRun: true });
    expect(trial).toMatchObject({
      ok: true,
      applied: false,
      moved: expect.arrayContaining([{ from: 'mcp/tools/get-cost.yaml', to: 'mcp/tools/look-up.yaml' }]),
    });
    expect(existsSync(join(shop, 'mcp/tools/get-cost.yaml'))).toBe(true);
    expect(await call('rename_item', rename)).toMatchObject({ ok: true, applied: true, moved: trial['moved'] });
    expect(await call('rename_item', rename)).toMatchObject({ ok: false, applied: false });
    expect(await call('check_pack')).toMatchObject({ ok: true, items: { prompts: expect.arrayContaining(['ask']) } });
    expect(await call('run_tests', { pattern: 'look-up' })).toMatchObject({ ok: true, failed: 0, skipped: 0 });
    expect(await call('run_tests', { pattern: 'ask' })).toMatchObject({ ok: true, failed: 0 });
    expect(await call('run_tests', { pattern: 'greet' })).toMatchObject({ ok: true, failed: 0 });
  });

  it('F20 inspect_server shows the server as clients see it, also ones of installed packs and its own', async () => {
    const shown = await call('inspect_server');
    expect(shown).toMatchObject({ pack: 'shop', diagnostics: [], missing: [], collisions: [] });
    expect(shown['tools']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'look-up',
          file: 'mcp/tools/look-up.yaml',
          inputSchema: expect.objectContaining({ type: 'object' }),
        }),
      ]),
    );
    expect(JSON.stringify(await call('inspect_server', { schemas: false }))).not.toContain('inputSchema');
    const own = await call('inspect_server', { pack: '.', server: 'pack-development', tag: 'look', schemas: false });
    expect(own['tools']).toMatchObject(
      ['list_servers', 'inspect_server', 'explain_item', 'describe_schema'].map(name => ({ name, tags: ['look'] })),
    );
    expect(await call('inspect_server', { pack: 'acme/other', server: 'o' })).toMatchObject({
      name: 'o',
      tools: [{ name: 't' }],
    });
    expect(await call('inspect_server', { server: 'nope' })).toMatchObject({ code: 'NO_SERVER' });
    expect(await call('inspect_server', { pack: '.' })).toMatchObject({ code: 'PACK_NOT_FOUND' });
  });

  it('F20 write_docs fills the README, says with dryRun that nothing has to change, and writes a page', async () => {
    const readme = (): string => readFileSync(join(shop, 'README.md'), 'utf8');
    const before = readme();
    expect(await call('write_docs', { dryRun: true })).toMatchObject({
      ok: true,
      upToDate: false,
      operations: [{ op: 'replace', path: 'README.md' }],
    });
    expect(readme()).toBe(before);
    expect(await call('write_docs')).toMatchObject({ ok: true, operations: [{ op: 'replace', path: 'README.md' }] });
    expect(readme()).toContain('look-up');
    expect(await call('write_docs', { dryRun: true })).toMatchObject({ upToDate: true, operations: [{ op: 'keep' }] });
    expect(await call('write_docs', { form: 'html' })).toMatchObject({
      operations: [{ op: 'create', path: 'docs/index.html' }],
    });
    writeFiles(shop, { 'docs/index.html': 'mine' });
    expect(await call('write_docs', { form: 'html' })).toMatchObject({ code: 'CANNOT_WRITE' });
    expect(readFileSync(join(shop, 'docs/index.html'), 'utf8')).toBe('mine');
  });
});

describe('F20 refusals of the tools that write', () => {
  it('F20 W61 no tool writes to installed packs, out of the project or through links', async () => {
    symlinkSync(join(folder, 'outside'), join(project, 'linked'), 'dir');
    const item = { kind: 'tool', name: 'x' };
    const names = { kind: 'tool', from: 'a', to: 'b' };
    for (const [pack, code] of [
      ['acme/other', 'INSTALLED_PACK'],
      ['node_modules/@acme/other', 'INSTALLED_PACK'],
      ['../outside', 'OUTSIDE_PROJECT'],
      ['linked', 'OUTSIDE_PROJECT'],
      ['acme/nothing', 'PACK_NOT_FOUND'],
    ] as const) {
      for (const [tool, args] of [
        ['add_item', item],
        ['rename_item', names],
        ['typecheck_pack', {}],
        ['write_docs', {}],
      ] as const)
        expect([tool, pack, (await call(tool, { ...args, pack }))['code']]).toEqual([tool, pack, code]);
    }
    for (const [pack, code] of [
      ['../new', 'OUTSIDE_PROJECT'],
      ['linked/new', 'OUTSIDE_PROJECT'],
      ['/etc/new', 'OUTSIDE_PROJECT'],
      ['node_modules/new', 'INSTALLED_PACK'],
    ] as const)
      expect([pack, (await call('add_item', { kind: 'pack', name: 'new', pack }))['code']]).toEqual([pack, code]);
    expect(readTree(join(folder, 'outside'))).toEqual({ 'toolwright.yaml': 'name: outside\n', 'README.md': 'mine\n' });
  });

  it('F20 W61 write_docs leaves a README alone that is a link out of the pack', async () => {
    rmSync(join(shop, 'README.md'));
    symlinkSync(join(folder, 'outside/README.md'), join(shop, 'README.md'));
    expect(await call('write_docs')).toMatchObject({ code: 'OUTSIDE_PROJECT' });
    rmSync(join(shop, 'docs'), { recursive: true });
    symlinkSync(join(folder, 'nowhere'), join(shop, 'docs'));
    expect(await call('write_docs', { form: 'html' })).toMatchObject({ code: 'OUTSIDE_PROJECT' });
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  it('F20 W61 names cannot be options, and a pack that exists is not started again', async () => {
    for (const name of ['--force', '-x', '../x', ''])
      expect([name, (await call('add_item', { kind: 'tool', name }))['code'] ?? 'none']).not.toEqual([name, 'none']);
    expect(await call('add_item', { kind: 'tool', name: 'a/b' })).toMatchObject({ ok: false, applied: false });
    const description = '--dry-run';
    expect(await call('add_item', { kind: 'tool', name: 'dashes', description })).toMatchObject({ applied: true });
    expect(readFileSync(join(shop, 'mcp/tools/dashes.yaml'), 'utf8')).toContain(description);
    const again = await call('add_item', { kind: 'pack', name: 'other' });
    expect(again['code']).toBe('CANNOT_ADD');
    expect(await call('add_item', { kind: 'pack', name: 'shop', code: 'x' })).toMatchObject({ code: 'CANNOT_ADD' });
  });

  it('F20 add_item says so where no handler belongs to the code', async () => {
    const definition = 'description: Ask again.\ntext: Which?';
    expect(await call('add_item', { kind: 'prompt', name: 'again', definition, code: 'export {}' })).toMatchObject({
      code: 'NO_HANDLER',
    });
  });
});
