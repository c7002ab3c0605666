// B4: a server of 2025 that is a process.
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../../../runtime/call/protocol-error.js';
import type { UpstreamFailure } from '../../../../runtime/call/upstream-failure.js';
import type { CallToolResult } from '../../../../schema/support/mcp/content.js';
import { failureOf } from '../exec/exec-kit.js';
import { makeCall, open, program, until } from './mcp-kit.js';

const server = (...args: string[]) => program('server-2025.mjs', ...args);
const textOf = ({ content }: CallToolResult): string => (content[0]?.type === 'text' ? content[0].text : '');

describe('calls', () => {
  it('B4 a result arrives with all its members, known or not', async () => {
    const result = await open(server())
      .of(makeCall())
      .callTool('echo', { a: [1, 'ü\n'] });
    expect(result).toEqual({
      content: [{ type: 'text', text: '{"a":[1,"ü\\n"]}' }],
      structuredContent: { a: [1, 'ü\n'] },
      _meta: { 'acme/x': 1 },
      extra: true,
    });
  });

  it('B4 a tool that failed has its own result', async () => {
    expect(await open(server()).of(makeCall()).callTool('failed')).toEqual({
      content: [{ type: 'text', text: 'went wrong' }],
      isError: true,
    });
  });

  it('B4 prompts and resources pass through', async () => {
    const client = open(server()).of(makeCall());
    expect(await client.getPrompt('p', { x: 'y' })).toEqual({
      description: 'p',
      messages: [{ role: 'user', content: { type: 'text', text: '{"x":"y"}' } }],
    });
    expect(await client.readResource('a://b')).toEqual({ contents: [{ uri: 'a://b', text: 'hello' }] });
  });

  it('B4 a protocol error is the same error for our client, without secrets', async () => {
    const backend = open(server(), { secrets: { TOKEN: 'sesame-sesame' } });
    const client = backend.of(makeCall());
    const unknown = await client.callTool('nothing').catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(ProtocolError);
    expect(unknown).toMatchObject({ code: -32602, message: 'Unknown tool: nothing' });
    const other = (await client.callTool('error-data').catch((error: unknown) => error)) as ProtocolError;
    expect(other).toMatchObject({ code: -32042, data: { elicitations: [{ url: 'https://x' }] } });
    expect(JSON.stringify([other.message, other.data])).not.toContain('sesame');
  });

  it('B4 many calls at once share one process, and each gets its own answer', async () => {
    const backend = open(server());
    const calls = Array.from({ length: 500 }, (_, n) => backend.of(makeCall()).callTool('echo', { n }));
    const results = await Promise.all(calls);
    expect(results.map(({ structuredContent }) => (structuredContent as { n: number }).n)).toEqual(
      Array.from({ length: 500 }, (_, n) => n),
    );
    const pids = await Promise.all([1, 2].map(async () => textOf(await backend.of(makeCall()).callTool('pid'))));
    expect(new Set(pids).size).toBe(1);
  });

  it('B4 `_meta` of our client goes along, but not what is about its own connection', async () => {
    const meta = {
      traceparent: '00-1',
      progressToken: 'theirs',
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    };
    const result = await open(server())
      .of(makeCall({ request: { meta } }))
      .callTool('meta');
    expect(JSON.parse(textOf(result))).toEqual({ traceparent: '00-1', progressToken: expect.any(Number) });
  });

  it('B4 everything that a server offers is listed, all pages of it', async () => {
    const offer = await open(server()).listAll(makeCall());
    expect(offer.tools.map(tool => (tool as { name: string }).name)).toEqual(['tool-0', 'tool-1', 'tool-2']);
    expect(offer).toMatchObject({
      prompts: [{ name: 'p' }],
      resources: [{ uri: 'a://b' }],
      resourceTemplates: [],
      instructions: 'Be nice.',
      serverInfo: { name: 'fake' },
      capabilities: { logging: {} },
    });
  });

  it('B4 an older version of the handshake is as good', async () => {
    expect(textOf(await open(server('old')).of(makeCall()).callTool('echo', {}))).toBe('{}');
  });
});

describe('while a call runs', () => {
  it('B4 progress reaches the call that it belongs to', async () => {
    const call = makeCall();
    await open(server()).of(call).callTool('progress');
    expect(call.steps).toEqual([
      [1, 2, 'step 1'],
      [2, 2, 'step 2'],
    ]);
  });

  it('B4 logs reach the call, from the level that was asked for', async () => {
    const call = makeCall();
    const client = open(server()).of(call);
    await client.callTool('log');
    expect(call.logged).toEqual([
      { level: 'warning', message: 'careful', data: undefined },
      { level: 'info', message: 'with', data: { a: 1 } },
    ]);
    expect(textOf(await client.callTool('level'))).toBe('info');
  });

  it('B4 logs that may be about another caller go to the operator alone', async () => {
    const backend = open(server());
    const other = makeCall({ request: { principal: 'somebody' } });
    const holding = backend.of(other).callTool('hold');
    const mine = makeCall({ request: { principal: 'me' } });
    await backend.of(mine).callTool('log');
    await backend.of(mine).callTool('release');
    await holding;
    expect([...mine.logged, ...other.logged]).toEqual([]);
    expect(backend.reports).toEqual(['other: careful', 'other: with {"a":1}']);
  });

  it('B4 a call that is cancelled is cancelled there, too, and fails with the reason', async () => {
    const backend = open(server());
    const controller = new AbortController();
    const hanging = backend.of(makeCall({ signal: controller.signal })).callTool('hang');
    await backend.of(makeCall()).callTool('echo', {});
    controller.abort(new Error('enough'));
    await expect(hanging).rejects.toThrow('enough');
    expect(JSON.parse(textOf(await backend.of(makeCall()).callTool('cancelled')))).toHaveLength(1);
  });

  it('B4 a call that is cancelled before it begins starts nothing there', async () => {
    const client = open(server()).of(makeCall({ signal: AbortSignal.abort(new Error('early')) }));
    await expect(client.callTool('echo')).rejects.toThrow('early');
  });

  it('B4 an answer that takes longer than the limit is UPSTREAM_TIMEOUT, and cancelled', async () => {
    const backend = open({ ...server(), limits: { timeoutMs: 1000 } });
    const failure = await failureOf(backend.of(makeCall()).callTool('hang'));
    expect(failure).toMatchObject({ code: 'UPSTREAM_TIMEOUT', retryable: true });
    expect(JSON.parse(textOf(await backend.of(makeCall()).callTool('cancelled')))).toHaveLength(1);
  });

  it('B4 an answer above the limit is UPSTREAM_TOO_LARGE, and the next one arrives', async () => {
    const backend = open({ ...server(), limits: { bytes: 100_000 } });
    const failure = await failureOf(backend.of(makeCall()).callTool('large', { size: 300_000 }));
    expect(failure.code).toBe('UPSTREAM_TOO_LARGE');
    expect(textOf(await backend.of(makeCall()).callTool('large', { size: 90_000 }))).toHaveLength(90_000);
  });

  it('B4 an answer without a result is UPSTREAM_INVALID', async () => {
    expect((await failureOf(open(server()).of(makeCall()).callTool('empty'))).code).toBe('UPSTREAM_INVALID');
  });

  it('B4 a ping is answered, and a request that nobody knows refused', async () => {
    const client = open(server()).of(makeCall());
    expect(textOf(await client.callTool('ping'))).toBe('{}');
    expect(JSON.parse(textOf(await client.callTool('odd')))).toMatchObject({ code: -32601 });
  });

  it('B4 changes of lists and of a resource are passed on to our clients', async () => {
    const backend = open(server());
    await backend.of(makeCall()).callTool('changes');
    await until(() => backend.changes.length === 4);
    expect(backend.changes).toEqual(['tools', 'prompts', 'resources', 'a://b']);
  });

  it('B4 what is not a message is reported to the operator once, and answers that nobody waits for are ignored', async () => {
    const backend = open(server(), { secrets: { TOKEN: 'sesame-sesame' } });
    const client = backend.of(makeCall());
    expect(textOf(await client.callTool('noise'))).toBe('noisy');
    await client.callTool('noise');
    await until(() => backend.reports.length >= 3);
    const banners = backend.reports.filter(line => line.includes('banner'));
    expect(banners).toHaveLength(1);
    expect(backend.reports.filter(line => line.startsWith('other: a line for the operator'))).toHaveLength(2);
    expect(backend.reports.join()).not.toContain('sesame');
  });

  it('B4 calls above the limit wait for their turn, and too many of them are BUSY', async () => {
    const backend = open({ ...server(), limits: { concurrency: 1, queue: 1 } });
    const controller = new AbortController();
    const first = backend.of(makeCall({ signal: controller.signal })).callTool('hang');
    const second = backend.of(makeCall()).callTool('echo', {});
    const third = (await failureOf(backend.of(makeCall()).callTool('echo', {}))) as UpstreamFailure;
    expect(third.code).toBe('BUSY');
    controller.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    expect(textOf(await second)).toBe('{}');
  });
});

describe('the process', () => {
  it('B4 only what it needs of the environment is handed on, and values of the configuration are filled in', async () => {
    const backend = open(
      {
        command: [...server().command, '{config.FLAG}'],
        env: { KEY: '{config.KEY}', GONE: '{config.NOT_SET}' },
        cwd: '..',
      },
      { config: { KEY: 'k' }, env: { PATH: process.env['PATH'], SECRET_OF_THE_SERVER: 's' } },
    );
    const client = backend.of(makeCall());
    expect(textOf(await client.callTool('env', { name: 'KEY' }))).toBe('k');
    expect(textOf(await client.callTool('env', { name: 'GONE' }))).toBe('undefined');
    expect(textOf(await client.callTool('env', { name: 'SECRET_OF_THE_SERVER' }))).toBe('undefined');
    expect(textOf(await client.callTool('cwd'))).toMatch(/backends$/);
  });

  it('B4 a program that does not exist is named', async () => {
    const failure = await failureOf(
      open({ command: ['no-such-program-anywhere'] })
        .of(makeCall())
        .callTool('x'),
    );
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', retryable: false });
    expect(failure.message).toContain('no-such-program-anywhere');
  });

  it('B4 a program that ends before it is ready is reported with its last words, without secrets', async () => {
    const backend = open(server('fail'), { secrets: { TOKEN: 'sesame-sesame' } });
    const failure = await failureOf(backend.of(makeCall()).callTool('x'));
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', upstream: '2' });
    expect(failure.message).toMatch(/^other ended with exit code 2: no API key: /);
    expect(failure.message).not.toContain('sesame');
  });

  it('B4 the last words of a program that throws are its error, not the trace behind it', async () => {
    const failure = await failureOf(
      open({ command: ['node', 'no-such-module.mjs'] })
        .of(makeCall())
        .callTool('x'),
    );
    expect(failure.message).toMatch(/^other ended with exit code 1: Error: Cannot find module .*no-such-module\.mjs/);
  });

  it('B4 a server that refuses the handshake, or wants a version that nobody knows, is reported', async () => {
    const refused = await failureOf(open(server('refuse')).of(makeCall()).callTool('x'));
    expect(refused).toMatchObject({ code: 'UPSTREAM_ERROR', message: 'other refused the connection: not today' });
    const future = await failureOf(open(server('future')).of(makeCall()).callTool('x'));
    expect(future.code).toBe('UPSTREAM_INVALID');
    expect(future.message).toContain('2099-01-01');
  });

  it('B4 a preview says what would be sent and where, without secrets, and starts nothing', () => {
    const { preview } = open({ command: ['npx', '-y', 'sesame-sesame'] }, { secrets: { TOKEN: 'sesame-sesame' } });
    const text = preview({ method: 'tools/call', params: { name: 'x' } });
    expect(text).toMatch(/^stdin of npx -y [^s]/);
    expect(text).toContain('"method": "tools/call"');
    expect(text).not.toContain('sesame');
  });
});
