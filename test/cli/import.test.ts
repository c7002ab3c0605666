// I1 I4 I5 `toolwright import`: what can be named, where it goes, what is printed, and what is refused before anything is written.
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFiles } from '../harness/files.js';
import { startService } from '../runtime/backends/http/service.js';
import { commands, folder, run, token } from './import-folders.js';

const operation = (operationId: string, more = ''): string =>
  `    get: { operationId: ${operationId}, ${more} responses: { "200": { description: Fine } } }\n`;
const api = (paths: string): string =>
  `openapi: 3.1.0\ninfo: { title: Shop API, version: "1" }\nservers: [{ url: https://shop.example.com }]\npaths:\n${paths}`;
const shop = api(
  `  /items:\n${operation('listItems', 'summary: List items, tags: [items],')}  /orders:\n${operation('listOrders')}`,
);

/** Every file below a folder with its text. */
function textsOf(path: string): Readonly<Record<string, string>> {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter(one => one.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name).slice(path.length + 1),
      readFileSync(join(parentPath, name), 'utf8'),
    ]),
  );
}

describe('what is named', () => {
  it.each([
    ['nothing', [], 'name what to import'],
    ['a file that does not exist', ['nowhere.yaml'], 'there is no file nowhere.yaml'],
    ['a folder', ['.'], 'is a folder'],
    ['a command without --', ['npx'], 'write its command after --: toolwright import -- npx'],
    ['an address that is not of the web', ['ftp://example.com/x'], 'only http:// and https://'],
    ['an address with a password', ['https://me:pass@example.com/x'], '--bearer'],
    ['a file and a command', ['shop.yaml', '--', 'node'], 'not both'],
    ['no command', ['--'], 'write the command of the server after --'],
    ['both sides of all conflicts', ['shop.yaml', '--ours', '--theirs'], 'name a field'],
    [
      'a variable that is not set',
      ['https://127.0.0.1:1/x', '--bearer', 'NOT_SET'],
      'there is no environment variable NOT_SET',
    ],
    ['flags of servers for a document', ['shop.yaml', '--proxy'], '--proxy is for MCP servers'],
    ['a source that was never imported', ['--name', 'other', '--into', 'pack'], 'name what to import'],
  ])('I1 `import` says how to name a source when it gets %s', async (_, words, message) => {
    writeFiles(folder, { 'shop.yaml': shop });
    const { status, stdout, stderr } = await run(words);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
    expect(Object.keys(textsOf(folder))).toEqual(['shop.yaml']);
  });

  it.each([
    ['a page', '<!doctype html><title>Docs</title>', 'it seems to be an HTML page'],
    ['other data', 'hello: 1\n', 'it seems to be other data'],
    ['nothing', '', 'import/not-openapi'],
    ['a file that is not text', '\u0000\u0001\u0002PNG', 'shop.yaml'],
    ['a document without operations', api(''), 'the document has no operation that can be read'],
    ['a mistake of YAML', 'openapi: 3.1.0\n  x: [\n', 'shop.yaml:'],
  ])('I1 `import` refuses %s with its place and writes nothing', async (_, text, message) => {
    writeFiles(folder, { 'shop.yaml': text });
    const { status, stdout, stderr } = await run(['shop.yaml']);
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toContain(message);
    expect(stdout).toMatch(/^shop\.yaml:\d+:\d+ error/m);
    expect(stdout).toContain('Nothing is written.');
    expect(Object.keys(textsOf(folder))).toEqual(['shop.yaml']);
  });
});

describe('where it goes', () => {
  it('I1 `import` makes a pack in a new folder with the name of the API, which passes `check`', async () => {
    writeFiles(folder, { 'shop.yaml': shop });
    const { status, stdout, stderr } = await run(['shop.yaml']);
    expect([status, stdout]).toEqual([0, expect.stringContaining('create 1 backend, 2 tools')]);
    expect(stderr).toContain('cd shop');
    const files = Object.keys(textsOf(join(folder, 'shop')));
    expect(files).toEqual(
      expect.arrayContaining([
        'package.json',
        'toolwright.yaml',
        'toolwright.import.json',
        'mcp/tools/list-items.yaml',
      ]),
    );
    const checked = await commands.run(['check', '--strict'], {
      cwd: join(folder, 'shop'),
      env: { TOOLWRIGHT_CACHE: 'off' },
    });
    expect(checked).toMatchObject({ status: 0, stdout: expect.stringContaining('2 tools') });
  });

  it('I1 `import` does not write into a folder that exists unless it is named', async () => {
    writeFiles(folder, { 'shop.yaml': shop, 'shop/notes.txt': 'mine\n' });
    const refused = await run(['shop.yaml']);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('write --into <dir>') });
    expect(await run(['shop.yaml', '--into', 'shop'])).toMatchObject({ status: 0 });
    expect(textsOf(join(folder, 'shop'))).toMatchObject({ 'notes.txt': 'mine\n' });
  });

  it('I1 `import` adds to the pack around the folder and leaves what is there', async () => {
    const own = { 'toolwright.yaml': '# mine\nname: p\ntools: [own]\n', 'mcp/tools/own.yaml': 'description: Mine\n' };
    writeFiles(folder, { ...own, 'below/shop.yaml': shop });
    expect(await run(['shop.yaml'], join(folder, 'below'))).toMatchObject({ status: 0 });
    const texts = textsOf(folder);
    expect(texts['mcp/tools/own.yaml']).toBe(own['mcp/tools/own.yaml']);
    expect(texts['toolwright.yaml']).toMatch(/^# mine\nname: p\ntools: \[own, list-items, list-orders\]\n/);
    expect(texts['toolwright.import.json']).toContain('"address": "below/shop.yaml"');
  });

  it('I1 `import` brings generated code up to date where the pack has some', async () => {
    writeFiles(folder, {
      'toolwright.yaml': 'name: p\n',
      'package.json': '{ "name": "p", "type": "module" }',
      'mcp/tools/own.yaml': 'description: Mine\n',
      'shop.yaml': shop,
    });
    const env = { TOOLWRIGHT_CACHE: 'off' };
    await commands.run(['generate'], { cwd: folder, env });
    expect(await run(['shop.yaml'])).toMatchObject({ status: 0 });
    expect(await commands.run(['generate', '--check'], { cwd: folder, env })).toMatchObject({ status: 0 });
    expect(textsOf(folder)['generated/tools.d.ts']).toContain('list-items');
  });
});

describe('what is printed', () => {
  it('I1 `import --dry-run` prints a table and writes nothing', async () => {
    writeFiles(folder, { 'shop.yaml': shop });
    const { status, stdout } = await run(['shop.yaml', '--tag', 'items', '--dry-run']);
    expect(status).toBe(0);
    expect(stdout).toContain('Shop API (OpenAPI 3.1): 1 of 2 operations\n');
    expect(stdout).toMatch(/create {2}tool list-items {2}GET \/items\n/);
    expect(stdout).toContain('Nothing is written');
    expect(Object.keys(textsOf(folder))).toEqual(['shop.yaml']);
  });

  it('I4 `import --check` tells by its exit code whether the document has moved on', async () => {
    writeFiles(folder, { 'toolwright.yaml': 'name: p\n', 'shop.yaml': shop });
    expect(await run(['shop.yaml', '--check'])).toMatchObject({ status: 1 });
    expect(existsSync(join(folder, 'mcp'))).toBe(false);
    await run(['shop.yaml']);
    expect(await run(['--check'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('everything is as it was imported'),
    });
    writeFileSync(join(folder, 'shop.yaml'), shop.replace('List items', 'List all items'));
    const before = textsOf(folder);
    expect(await run(['--check'])).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/update {2}tool list-items/),
    });
    expect(textsOf(folder)).toEqual(before);
    expect(await run([])).toMatchObject({ status: 0 });
    expect(textsOf(folder)['mcp/tools/list-items.yaml']).toContain('List all items');
  });

  it('I1 `import --format json` has every item, what became of its fields, and every file', async () => {
    writeFiles(folder, { 'toolwright.yaml': 'name: p\n', 'shop.yaml': shop });
    const { stdout } = await run(['shop.yaml', '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      applied: true,
      sources: [
        {
          name: 'shop',
          address: 'shop.yaml',
          of: 'document',
          total: 2,
          leftOut: [],
          items: expect.arrayContaining([
            {
              kind: 'tool',
              name: 'list-items',
              state: 'created',
              from: { id: 'listItems', place: 'GET /items' },
              file: 'mcp/tools/list-items.yaml',
              updated: [],
              kept: [],
              conflicts: [],
            },
          ]),
        },
      ],
      operations: expect.arrayContaining([{ op: 'create', path: 'mcp/tools/list-items.yaml' }]),
      diagnostics: [],
    });
  });

  it.each([
    ['git could not merge', '<<<<<<< ours\n{}\n', 'conflict markers of git'],
    ['is not JSON', '{"version":1,"sources":{"shop":{"address" "shop.yaml"}}}', 'import/record'],
  ])('I4 `import` fails with a record that %s', async (_, record, said) => {
    writeFiles(folder, { 'toolwright.yaml': 'name: p\n', 'toolwright.import.json': record });
    for (const words of [['--check'], [], ['--name', 'shop']]) {
      const { status, stdout } = await run(words);
      expect([words, status, stdout]).toEqual([words, 1, expect.stringContaining(said)]);
    }
  });

  it('I4 a record without sources is like none', async () => {
    writeFiles(folder, { 'toolwright.yaml': 'name: p\n', 'toolwright.import.json': '{"version":1,"sources":{}}' });
    const { status, stderr } = await run(['--check']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('name what to import')]);
  });

  it('I4 flags are remembered, and one that is given again replaces what was remembered', async () => {
    writeFiles(folder, { 'toolwright.yaml': 'name: p\n', 'shop.yaml': shop });
    await run(['shop.yaml', '--only', 'listItems', '--no-outputs']);
    expect(await run([])).toMatchObject({ stdout: expect.stringContaining('1 of 2 operations') });
    await run(['--only', '*']);
    expect(Object.keys(textsOf(join(folder, 'mcp/tools')))).toEqual(['list-items.yaml', 'list-orders.yaml']);
    expect(textsOf(folder)['toolwright.import.json']).toContain('{"only":["*"],"outputs":false}');
  });
});

describe('several sources', () => {
  it('I4 a conflict in one source stops the others, and --ours is not reported by those that lack the item', async () => {
    const other = api(`  /users:\n${operation('listUsers', 'summary: List users,')}`).replace('Shop', 'People');
    writeFiles(folder, { 'toolwright.yaml': 'name: p\n', 'shop.yaml': shop, 'people.yaml': other });
    await run(['shop.yaml']);
    await run(['people.yaml']);
    const edit = (file: string, from: string, to: string): void =>
      writeFileSync(join(folder, file), readFileSync(join(folder, file), 'utf8').replaceAll(from, to));
    edit('mcp/tools/list-items.yaml', 'List items', 'List what we sell');
    edit('shop.yaml', 'List items', 'List all items');
    edit('people.yaml', 'List users', 'List people');
    const before = textsOf(folder);
    expect(await run([])).toMatchObject({ status: 1, stdout: expect.stringContaining('import/conflict') });
    expect(textsOf(folder)).toEqual(before);
    const settled = await run(['--ours', 'list-items']);
    expect(settled.status).toBe(0);
    expect(settled.stdout).not.toContain('import/unknown-choice');
    const { 'mcp/tools/list-items.yaml': items, 'mcp/tools/list-users.yaml': users } = textsOf(folder);
    expect([items, users]).toEqual([expect.stringContaining('what we sell'), expect.stringContaining('List people')]);
    const vain = await run(['--ours', 'list-nothing']);
    expect(vain.stdout.match(/import\/unknown-choice/g)).toHaveLength(1);
  });
});

describe('addresses', () => {
  const yaml = { 'content-type': 'application/yaml' };

  it('I1 `import` reads a document from an address, and its relative server is below it', async () => {
    const service = await startService(
      (_, response) => void response.writeHead(200, yaml).end(shop.replace('https://shop.example.com', '/v2')),
    );
    writeFiles(folder, { 'toolwright.yaml': 'name: p\n' });
    expect(await run([`${service.origin}/docs/openapi.yaml`])).toMatchObject({ status: 0 });
    expect(textsOf(folder)['toolwright.yaml']).toContain(`url: ${service.origin}/v2`);
    expect(await run(['--check'])).toMatchObject({ status: 0 });
  });

  it('I1 the token of --bearer goes to the address and into no file and no message', async () => {
    const service = await startService(({ headers, url }, response) => {
      if (url === '/echo') return void response.writeHead(403).end(String(headers.authorization));
      response.writeHead(headers.authorization === `Bearer ${token}` ? 200 : 401, yaml).end(shop);
    });
    writeFiles(folder, { 'toolwright.yaml': 'name: p\n' });
    expect(await run([`${service.origin}/api.yaml`])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('401'),
    });
    const done = await run([`${service.origin}/api.yaml`, '--bearer', 'API_TOKEN']);
    expect(done.status).toBe(0);
    const echoed = await run([`${service.origin}/echo`, '--bearer', 'API_TOKEN', '--name', 'echo']);
    expect(echoed.status).toBe(1);
    const everything = JSON.stringify([textsOf(folder), done, echoed]);
    expect(everything).not.toContain(token);
    expect(everything).toContain('API_TOKEN');
  });

  it('I1 an address with a secret in it is refused, and not shown', async () => {
    const { status, stdout, stderr } = await run([`https://api.example.com/openapi.json?api_key=${token}`]);
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toContain('import/secret-word');
    expect(stdout).not.toContain(token);
    expect(Object.keys(textsOf(folder))).toEqual([]);
  });

  it.each([
    ['is not there', 404, '', 'answers 404'],
    ['is a page for people', 200, '<html><body>Docs</body></html>', 'an HTML page'],
    ['has moved to another origin', 302, '', 'is another origin'],
  ])('I1 `import` says what is wrong with an address that %s', async (_, status, text, message) => {
    const service = await startService(
      (_request, response) => void response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(text),
    );
    const { status: code, stdout, stderr } = await run([`${service.origin}/x`]);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain(message);
    expect(stdout.split('\n')[0]).toContain(`${service.origin}/x:1:1 error`);
  });

  it('I1 other documents are read beside a file, and fetched only with --external-refs', async () => {
    const service = await startService(
      (_, response) =>
        void response.writeHead(200, yaml).end('Item: { type: object, properties: { far: { type: string } } }\n'),
    );
    const ref = (address: string): string => `parameters: [{ name: q, in: query, schema: { $ref: "${address}" } }],`;
    const document = api(
      `  /d:\n${operation('linked', ref('parts/link.yaml#/Item'))}  /a:\n${operation('near', ref('parts/near.yaml#/Item'))}  /b:\n${operation('far', ref(`${service.origin}/far.yaml#/Item`))}  /c:\n${operation('outside', ref('../secret.yaml#/Item'))}`,
    );
    writeFiles(folder, {
      'toolwright.yaml': 'name: p\n',
      'docs/shop.yaml': document,
      'docs/parts/near.yaml': 'Item: { type: string, maxLength: 7 }\n',
      'secret.yaml': 'Item: { const: hidden }\n',
    });
    symlinkSync(join(folder, 'secret.yaml'), join(folder, 'docs/parts/link.yaml'));
    const plain = await run(['docs/shop.yaml', '--dry-run']);
    expect(service.received).toEqual([]);
    expect(plain.stdout).toContain('1 of 4 operations');
    expect(plain.stdout).toMatch(/docs\/shop\.yaml:\d+:\d+ .*--external-refs|import\/unread-file/);
    const whole = await run(['docs/shop.yaml', '--external-refs']);
    expect(whole.stdout).toContain('2 of 4 operations');
    expect(JSON.stringify(textsOf(join(folder, 'mcp')))).toContain('far:');
    expect(JSON.stringify(textsOf(join(folder, 'mcp')))).toContain('maxLength: 7');
    expect(JSON.stringify(textsOf(join(folder, 'mcp')))).not.toContain('hidden');
  });
});
