// I1 I5 `toolwright import` and flags that mean nothing, sources that have moved, and signals: what is started ends, and nothing is half done.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFiles } from '../harness/files.js';
import { startService } from '../runtime/backends/http/service.js';
import { env, folder, run } from './import-folders.js';

const shop = `openapi: 3.1.0
info: { title: Shop API, version: "1" }
servers: [{ url: https://shop.example.com }]
security: [{ key: [] }]
paths:
  /items:
    get: { operationId: listItems, responses: { "200": { description: Fine } } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`;
/** Writes a file as soon as it is started, and stays when its pipes are closed. */
const stubborn = `import { writeFileSync } from 'node:fs';
writeFileSync('started', String(process.pid));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
setInterval(() => undefined, 1000);
`;

describe('flags that mean nothing', () => {
  it.each([
    ['a token for a file', ['shop.yaml', '--bearer', 'API_TOKEN'], '--bearer is for addresses'],
    ['a token for a command', ['--bearer', 'API_TOKEN', '--', 'node', 'server.mjs'], '--bearer is for addresses'],
    [
      'a variable for an address',
      ['https://127.0.0.1:1/mcp', '--env', 'API_TOKEN'],
      '--env is for servers that are started',
    ],
    ['filters for a command', ['--only', 'x', '--', 'node', 'server.mjs'], '--only is for OpenAPI documents'],
    ['a value in place of a name', ['--env', 'KEY=s3cret-value', '--', 'node', 'server.mjs'], 'the name of an'],
    ['a name that is a path', ['shop.yaml', '--name', '../x'], 'cannot be the name of a source'],
    ['an empty name', ['shop.yaml', '--name', ''], 'cannot be the name of a source'],
  ])('I1 `import` refuses %s before it starts or asks anything', async (_, words, message) => {
    writeFiles(folder, { 'shop.yaml': shop, 'server.mjs': stubborn });
    const { status, stdout, stderr } = await run(words);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('s3cret');
    expect(readdirSync(folder).sort()).toEqual(['server.mjs', 'shop.yaml']);
  });
});

describe('later imports', () => {
  it('I1 a pack without generated code gets none, and the command that makes it is shown', async () => {
    writeFiles(folder, { 'shop.yaml': shop, 'toolwright.yaml': '' });
    expect((await run(['shop.yaml'])).stderr).toContain('toolwright generate');
    writeFileSync(join(folder, 'shop.yaml'), shop.replace('operationId', 'summary: Items, operationId'));
    expect((await run([])).stdout).toContain('update 1 tool');
    expect(readdirSync(join(folder, 'generated'))).toEqual([]);
  });

  it('I4 a source that is not where it was is named, with the flag that says where it is now', async () => {
    writeFiles(folder, { 'docs/shop.yaml': shop, 'toolwright.yaml': 'name: p\n' });
    await run(['docs/shop.yaml']);
    renameSync(join(folder, 'docs/shop.yaml'), join(folder, 'docs/api.yaml'));
    const { status, stderr } = await run([], join(folder, 'docs'));
    expect(status).toBe(2);
    expect(stderr).toContain('there is no file shop.yaml, from which shop was imported');
    expect(stderr).toContain('--name shop');
    expect((await run(['docs/api.yaml', '--name', 'shop'])).stdout).toContain('everything is as it was imported');
    expect(readFileSync(join(folder, 'toolwright.import.json'), 'utf8')).toContain('"address": "docs/api.yaml"');
  });

  it('I1 only settings that are new are said to be needed, under the name that the pack has for them', async () => {
    writeFiles(folder, { 'shop.yaml': shop, 'other.yaml': shop.replace('/items', '/users'), 'toolwright.yaml': '' });
    expect((await run(['shop.yaml'])).stderr).toContain('It needs SHOP_API_KEY:');
    writeFileSync(join(folder, 'shop.yaml'), shop.replace('operationId', 'summary: Items, operationId'));
    expect((await run([])).stderr).not.toContain('It needs');
    expect((await run(['other.yaml', '--name', 'other'])).stderr).toMatch(/It needs OTHER_API_KEY:/);
  });

  it('I4 a file with a mistake is not called as it was imported', async () => {
    writeFiles(folder, { 'shop.yaml': shop, 'toolwright.yaml': '' });
    await run(['shop.yaml']);
    writeFileSync(join(folder, 'mcp/tools/list-items.yaml'), 'title: [\n');
    const { status, stdout } = await run([]);
    expect([status, stdout]).toEqual([1, expect.stringContaining('import/in-the-way')]);
    expect(stdout).toContain('Nothing is written.');
    expect(stdout).not.toContain('everything is as it was imported');
  });

  it('I4 `import --check` fails once where an operation is gone', async () => {
    const two = shop.replace('components:', '  /a: { get: { responses: { "200": { description: A } } } }\ncomponents:');
    writeFiles(folder, { 'shop.yaml': two, 'toolwright.yaml': '' });
    await run(['shop.yaml']);
    writeFileSync(join(folder, 'shop.yaml'), shop);
    expect(await run(['--check'])).toMatchObject({ status: 1, stdout: expect.stringContaining('gone there') });
    expect((await run([])).status).toBe(0);
    expect(await run(['--check'])).toMatchObject({ status: 0, stdout: expect.stringContaining('gone there') });
    expect(existsSync(join(folder, 'mcp/tools/get-a.yaml'))).toBe(true);
  });
});

describe('signals', () => {
  it.each(['/nothing', '/half'])('I1 Ctrl+C ends an import that waits for an address (%s)', async path => {
    writeFiles(folder, { 'toolwright.yaml': '' });
    let asked = (): void => undefined;
    const isAsked = new Promise<void>(done => {
      asked = done;
    });
    const service = await startService((request, response) => {
      if (request.url === '/half') response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      asked();
    });
    const words = [resolve('dist/cli/main.js'), 'import', `${service.origin}${path}`];
    const child = spawn(process.execPath, words, { cwd: folder, env });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += String(chunk)));
    const ended = new Promise<number | null>(done => child.on('close', done));
    await isAsked;
    child.kill('SIGINT');
    expect([await ended, printed]).toEqual([130, expect.stringContaining('it was stopped')]);
    expect(readdirSync(folder)).toEqual(['toolwright.yaml']);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'I5 %s ends an import and the server that it has started',
    async (signal, code) => {
      writeFiles(folder, { 'server.mjs': stubborn });
      const main = resolve('dist/cli/main.js');
      const child = spawn(process.execPath, [main, 'import', '--', 'node', 'server.mjs'], { cwd: folder, env });
      const ended = new Promise<number | null>(done => child.on('exit', done));
      const started = join(folder, 'started');
      while (!existsSync(started) || readFileSync(started, 'utf8') === '')
        await new Promise(next => setTimeout(next, 20));
      child.kill(signal);
      expect(await ended).toBe(code);
      expect(() => process.kill(Number(readFileSync(started, 'utf8')), 0)).toThrow('ESRCH');
      expect(readdirSync(folder).sort()).toEqual(['server.mjs', 'started']);
    },
    30_000,
  );
});
