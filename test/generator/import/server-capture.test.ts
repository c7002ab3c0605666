// I5, I6: servers are asked for what they list, whatever they do; what was started has ended afterwards.
import { spawnSync } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { type Captured, type CaptureOptions, captureServer } from '../../../generator/import/server/capture.js';
import { importServer } from '../../../generator/import/server/import-server.js';
import { codesOf, listsOf } from './server-kit.js';

const bad = fileURLToPath(new URL('bad-server.mjs', import.meta.url));
const good = (file: string): string => fileURLToPath(new URL(`../../runtime/backends/mcp/${file}`, import.meta.url));
const options = { folder: import.meta.dirname, environment: process.env, timeoutMs: 2500 };

const run = (way: string, more: Partial<CaptureOptions> = {}, env: Readonly<Record<string, string>> = {}) =>
  captureServer({ command: [process.execPath, bad, way], env }, { ...options, ...more });

const tools = ({ capture }: Captured): readonly unknown[] =>
  (capture?.offer.tools ?? []).map(one => (one as { name?: string } | null)?.name);

describe('a server that is a process', () => {
  it.each([
    ['of 2025', 'server-2025.mjs'],
    ['of 2026', 'server-2026.mjs'],
  ])('I5: one %s is asked in its era', async (_, file) => {
    const captured = await captureServer({ command: [process.execPath, good(file)] }, options);
    expect(captured.diagnostics).toEqual([]);
    expect(tools(captured).length).toBeGreaterThan(2);
  });

  it('I5: a capture says what it does on the way', async () => {
    const steps: string[] = [];
    await run('', { onProgress: step => steps.push(step) });
    expect(steps).toEqual([
      'connecting',
      'connected, version 2025-11-25 of the protocol',
      'tools/list: 2',
      'prompts/list: 0',
      'resources/list: 0',
    ]);
  });

  it.each([
    ['prints no protocol', 'garbage', 'was not ready within 2500 ms', 'Welcome to the server!'],
    ['dies in the handshake', 'dies', 'ended with exit code 3: cannot find the settings', 'cannot find the settings'],
    ['never answers', 'silent', 'was not ready within 2500 ms', 'it must answer to an MCP client'],
    ['lies about lengths', 'framed', 'was not ready within 2500 ms', 'Content-Length'],
    ['speaks an unknown version', 'version', '1999-01-01', ''],
    ['answers without a result', 'noResult', 'without a result', ''],
  ])('I5: one that %s is one error with what it said', { timeout: 20_000 }, async (_, way, reason, hint) => {
    const { capture, diagnostics } = await run(way);
    expect(capture).toBeUndefined();
    expect(codesOf(diagnostics)).toEqual([expect.stringContaining('import/server-failed: nothing can be imported')]);
    expect(diagnostics[0]).toMatchObject({ severity: 'error', file: 'bad-server.mjs', line: 1 });
    expect(diagnostics[0]?.message).toContain(reason);
    expect(diagnostics[0]?.hint).toContain(hint);
  });

  it.each([
    ['does not exist', ['no-such-program-at-all'], 'no-such-program-at-all'],
    ['is a folder', ['/'], ''],
    ['has no name', [''], ''],
    ['has a NUL', ['node', 'a\0b'], 'NUL'],
  ])('I5: a command that %s is an error', async (_, command, reason) => {
    const { diagnostics } = await captureServer({ command }, options);
    expect(codesOf(diagnostics)).toEqual([expect.stringContaining('import/server-failed')]);
    expect(diagnostics[0]?.message).toContain(reason);
  });

  it.each(['banner', 'slow', 'asks', ''])('I5: one that is only odd (%s) is captured', async way => {
    const captured = await run(way);
    expect(captured.diagnostics).toEqual([]);
    expect(tools(captured)[0]).toBe('a');
    expect(captured.capture?.isPartial).toBeUndefined();
  });

  it.each([
    ['never end, with new pages', 'endless', 1000, 'tools/list', 'more than 1000 pages'],
    ['begin again', 'again', 2, 'tools/list', 'same cursor twice'],
    ['have 27,000 tools', 'tooMany', 18_000, 'tools/list', 'more than 20000 entries'],
    ['are larger than the limit', 'large', 0, 'tools/list', 'more than 33554432 bytes'],
  ])('I5: lists that %s are cut with a diagnostic', { timeout: 30_000 }, async (_, way, count, method, reason) => {
    const captured = await run(way, { timeoutMs: 20_000 });
    expect(tools(captured).length).toBe(count);
    expect(captured.capture?.isPartial).toBe(true);
    expect(codesOf(captured.diagnostics)).toEqual([
      expect.stringContaining(`import/list-broken: ${method} broke off after ${count} entries`),
    ]);
    expect(captured.diagnostics[0]?.message).toContain(reason);
  });

  it.each([
    ['fails', 'failing', 'oops'],
    ['is never answered', 'mute', 'within 2500 ms'],
    ['has no list in it', 'noList', 'no list of prompts'],
    ['is not known after all', 'unknown', 'no list of prompts'],
    ['ends the server', 'exits', 'exit code 4'],
  ])('I5: the tools are there, though another list %s', { timeout: 20_000 }, async (_, way, reason) => {
    const captured = await run(way);
    expect(tools(captured)[0]).toBe('a');
    expect(codesOf(captured.diagnostics)).toEqual([
      expect.stringContaining('import/list-broken: prompts/list broke off after 0 entries'),
    ]);
    expect(captured.diagnostics[0]?.message).toContain(reason);
    if (captured.capture === undefined) throw new Error('nothing was captured');
    expect(importServer([captured.capture], { place: { command: ['x'] } }).isPartial).toBe(true);
  });

  it('I5: 5,000 tools are captured', async () => {
    expect(tools(await run('many')).length).toBe(5000);
  });

  it('I5: what is fine among broken entries is imported, and each of the others has a diagnostic', async () => {
    const { capture } = await run('mixed');
    if (capture === undefined) throw new Error('nothing was captured');
    const imported = importServer([capture], { place: { command: ['x'] }, proxy: true });
    expect(imported.items.map(({ name }) => name)).toEqual(['a', 'c-d', 'e']);
    expect(imported.leftOut.map(({ from }) => from.place)).toEqual([
      ...['tool 1 of the list', 'tool 2 of the list', 'tool a', 'tool b'],
    ]);
    expect((await listsOf(imported)).tools.map(({ name }) => name)).toEqual(['a', 'c-d', 'e']);
  });

  it('I5: further words are flags and variables of the server', async () => {
    const captured = await run('shows', { words: ['PLACE_OF_WORK=x', '--flag', 'on'] });
    expect(captured.capture?.words).toEqual(['PLACE_OF_WORK=x', '--flag', 'on']);
    expect(JSON.stringify(captured.capture?.offer.tools)).toContain('to x');
    expect(tools(await run('', { words: ['--vision'] }))).toEqual(['a', 'vision']);
  });

  it('I5: values of variables do not get out of what it lists', async () => {
    const env = { BAD_TOKEN: 'abcd', PLACE_OF_WORK: '/home/somebody/work' };
    const captured = await run('shows', {}, env);
    expect(captured.capture?.offer.tools).toEqual([
      expect.objectContaining({ description: 'Connected with [secret BAD_TOKEN] to [secret PLACE_OF_WORK]' }),
    ]);
    expect(codesOf(captured.diagnostics)).toEqual([
      'import/secret-text: the value of BAD_TOKEN stood in "tool a" and was taken out',
      'import/secret-text: the value of PLACE_OF_WORK stood in "tool a" and was taken out',
    ]);
  });

  it('I5: nothing is started where a word is a secret', async () => {
    const { capture, diagnostics } = await run('', { words: ['--api-key=abcdef'] });
    expect(capture).toBeUndefined();
    expect(codesOf(diagnostics)).toEqual(['import/secret-word: word 1 looks like the value of api-key']);
  });

  const isRunning = (mark: string): boolean =>
    spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout.includes(mark);

  it('I5: a process that does not want to end has ended, with what it started', { timeout: 20_000 }, async () => {
    const mark = `mark-${process.pid}-a`;
    const captured = await captureServer({ command: [process.execPath, bad, 'stubborn', mark] }, options);
    expect(tools(captured).length).toBe(2);
    await expect.poll(() => isRunning(mark), { timeout: 5000 }).toBe(false);
  });

  it('I5: it ends when it is stopped from outside, at any time', { timeout: 20_000 }, async () => {
    for (const [index, ms] of [0, 20, 300].entries()) {
      const mark = `mark-${process.pid}-b${index}`;
      const controller = new AbortController();
      setTimeout(() => controller.abort(), ms);
      const command = [process.execPath, bad, 'silent', mark];
      const { capture, diagnostics } = await captureServer({ command }, { ...options, signal: controller.signal });
      expect(capture).toBeUndefined();
      expect(codesOf(diagnostics)).toEqual([expect.stringContaining('it was stopped')]);
      await expect.poll(() => isRunning(mark), { timeout: 5000 }).toBe(false);
    }
  });
});

describe('a server at an address', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const one of servers.splice(0)) {
      one.closeAllConnections();
      one.close();
    }
  });
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }
  const json = { 'content-type': 'application/json' };

  it.each<[string, RequestListener, string]>([
    ['is a page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hi'), 'text/html'],
    ['wants credentials', (_, response) => response.writeHead(401).end('no'), '401'],
    ['is broken', (_, response) => response.writeHead(500).end('no'), '500'],
    ['has nothing there', (_, response) => response.writeHead(404).end('no'), '404'],
    ['answers with half of JSON', (_, response) => response.writeHead(200, json).end('{"jsonrpc":'), ''],
    [
      'promises more than it sends',
      (_, response) => {
        response.writeHead(200, { ...json, 'content-length': '5000' });
        response.write('{"jsonrpc": "2.0"');
        setTimeout(() => response.destroy(), 50);
      },
      '',
    ],
    ['never answers', () => undefined, '1500 ms'],
    ['never ends its answer', (_, response) => void response.writeHead(200, json).write('{'), '1500 ms'],
    ['leads somewhere else', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), ''],
    ['ends the connection', request => request.destroy(), ''],
  ])('I5: one that %s is an error', { timeout: 20_000 }, async (_, listener, reason) => {
    const url = await serve(listener);
    const { capture, diagnostics } = await captureServer({ url }, { ...options, timeoutMs: 1500 });
    expect(capture).toBeUndefined();
    expect(codesOf(diagnostics)).toEqual([expect.stringContaining('import/server-failed')]);
    expect(diagnostics[0]?.message).toContain(reason);
  });

  it('I5: a token is sent, and gets out of nothing', async () => {
    const seen: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization);
      // There are no news.
      if (request.method !== 'POST') return response.writeHead(405).end();
      let text = '';
      request.on('data', chunk => {
        text += chunk;
      });
      request.on('end', () => {
        const { id, method } = JSON.parse(text) as { id?: number; method: string };
        if (method === 'server/discover') return response.writeHead(400).end();
        if (id === undefined) return response.writeHead(202).end();
        const tools = [{ name: 'a', description: request.headers.authorization, inputSchema: { type: 'object' } }];
        const hello = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x' } };
        const result = method === 'initialize' ? hello : { tools };
        return response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    });
    const captured = await captureServer({ url, bearer: 'tok-12345678' }, options);
    expect(new Set(seen)).toEqual(new Set(['Bearer tok-12345678']));
    expect(JSON.stringify(captured)).not.toContain('tok-12345678');
    expect(tools(captured)).toEqual(['a']);
  });

  it('I5: an address with a password, or a token in its query, is not asked', async () => {
    let count = 0;
    const url = await serve((_, response) => {
      count += 1;
      response.end();
    });
    for (const one of [url.replace('//', '//u:p@'), `${url}?api_key=abcdef`]) {
      const { diagnostics } = await captureServer({ url: one }, options);
      expect(codesOf(diagnostics)).toEqual([expect.stringContaining('import/secret-word')]);
      expect(JSON.stringify(diagnostics)).not.toMatch(/abcdef|u:p@/);
    }
    expect(count).toBe(0);
  });

  it('I5: an address takes no flags', async () => {
    const { diagnostics } = await captureServer({ url: 'http://127.0.0.1:1/' }, { ...options, words: ['--x'] });
    expect(codesOf(diagnostics)).toEqual(['import/flag-word: "--x" cannot be merged: an address takes no flags']);
  });
});
