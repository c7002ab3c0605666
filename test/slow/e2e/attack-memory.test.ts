// Clients that take without end: real servers with a small heap must outlive them, and still answer others (A4).
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../../harness/files.js';
import { call, envelope, type Message, request } from '../../runtime/serve/serve-pipes.js';
import { openSession, post, postModern } from '../../runtime/serve/serve-web.js';

const command = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright-memory-'));
const children = new Set<ChildProcess>();
const sockets = new Set<Socket>();

/** Tools whose results are large or whose logs never end; each has `limits` that let it. */
const handlers: Readonly<Record<string, string>> = {
  quick: `export default () => 'quick';`,
  big: `export default async () => { await new Promise(go => setTimeout(go, 20)); return 'x'.repeat(200_000); };`,
  later: `export default async () => { await new Promise(go => setTimeout(go, 300)); return 'later'; };`,
  huge: `export default () => 'x'.repeat(4_000_000);`,
  waits: `export default (_, { signal }) => new Promise(go => signal.addEventListener('abort', () => go('over')));`,
  chats: `export default async (_, { log, signal }) => {
    const line = 'x'.repeat(10_000);
    for (let turn = 0; turn < 5000 && !signal.aborted; turn += 1) {
      for (let time = 0; time < 20; time += 1) log.info(line);
      await new Promise(go => setImmediate(go));
    }
    return 'over';
  };`,
  shouts: `export default async (_, { log }) => {
    const line = 'x'.repeat(10_000);
    for (let time = 0; time < 60_000; time += 1) log.info(line);
    return 'over';
  };`,
};

beforeAll(() => {
  const files: Record<string, string> = {
    'toolwright.yaml': '',
    'package.json': '{"name": "demo", "version": "1.0.0", "type": "module"}',
    'mcp/servers/main.yaml': 'description: Main\n',
  };
  const limits = 'limits: { resultChars: 5000000, timeoutMs: 120000 }\n';
  for (const [name, code] of Object.entries(handlers)) {
    files[`mcp/tools/${name}.yaml`] = `description: ${name}\ninputSchema: { type: object }\n${limits}`;
    files[`src/tools/${name}.js`] = code;
  }
  writeFiles(folder, files);
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const child of children) child.kill('SIGKILL');
  sockets.clear();
  children.clear();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly child: ChildProcess;
  readonly seen: { stderr: string };
  /** Its signal or code, once it has ended. */
  end: NodeJS.Signals | number | undefined;
}

function start(...args: readonly string[]): Started {
  const child = spawn(process.execPath, ['--max-old-space-size=256', command, 'start', ...args], {
    cwd: folder,
    stdio: 'pipe',
    env: { ...process.env, TOOLWRIGHT_CACHE: join(folder, 'cache') },
  });
  children.add(child);
  const started: Started = { child, seen: { stderr: '' }, end: undefined };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    started.seen.stderr += text;
  });
  child.stdin.on('error', () => undefined);
  child.once('exit', (code, signal) => {
    started.end = signal ?? code ?? 0;
  });
  return started;
}

async function until(what: () => boolean, started: Started): Promise<void> {
  while (!what()) {
    if (started.end !== undefined) throw new Error(`it ended (${started.end}): ${started.seen.stderr.slice(-2000)}`);
    await sleep(20);
  }
}

async function startHttp(): Promise<Started & { readonly url: string; readonly port: number }> {
  const started = start('--http', '0');
  await until(() => /listens on \S+/.test(started.seen.stderr), started);
  const [url = ''] = /http:\S+/.exec(started.seen.stderr) ?? [];
  return Object.assign(started, { url, port: Number(new URL(url).port) });
}

/** Both eras are still served, and the process is the same. */
async function expectAlive(started: Started & { readonly url: string }): Promise<void> {
  expect(started.end).toBeUndefined();
  const answer = (await (await postModern(started.url, 1, 'tools/call', { name: 'quick' })).json()) as Message;
  expect(answer.result?.['content']).toEqual([{ type: 'text', text: 'quick' }]);
  const session = await openSession(started.url);
  expect(await session.call(2, 'quick')).toMatchObject({ result: { content: [{ text: 'quick' }] } });
}

/** Calls until the answer has this status. */
async function untilStatus(url: string, status: number): Promise<Response> {
  for (;;) {
    // A server that is full may close a connection before it reads from it.
    const response = await postModern(url, 1, 'tools/call', { name: 'quick' }).catch(() => undefined);
    if (response?.status === status) return response;
    await response?.text();
    await sleep(20);
  }
}

/** A client that sends one request and never reads its answer. */
function deaf(port: number, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Socket> {
  const text = JSON.stringify(body);
  const all = {
    host: 'localhost',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.pause();
      socket.write(`POST /mcp HTTP/1.1\r\n${head.join('')}\r\n${text}`, () => resolve(socket));
    });
    socket.on('error', () => resolve(socket));
    sockets.add(socket);
  });
}

const modernHeaders = (name: string): Record<string, string> => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
});
const modernCall = (name: string, meta: object = {}): object =>
  request(1, 'tools/call', { name, arguments: {}, _meta: { ...envelope, ...meta } });
const wantsLogs = { 'io.modelcontextprotocol/logLevel': 'debug' };

describe('greedy clients over HTTP', () => {
  it('fix-A4 sessions over HTTP do not keep what a handshake contains', async () => {
    const started = await startHttp();
    const experimental = { x: { y: 'z'.repeat(3_900_000) } };
    const statuses = new Set<number>();
    for (let turn = 0; turn < 64; turn += 1) {
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: { experimental },
        clientInfo: { name: 'a', version: '1' },
      };
      const response = await post(started.url, request(turn, 'initialize', params));
      statuses.add(response.status);
      const { error } = (await response.json()) as Message;
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('16384') });
      expect(response.headers.get('mcp-session-id')).toBeNull();
    }
    expect([...statuses]).toEqual([200]);
    await expectAlive(started);
  });

  it.each(['chats', 'shouts'])(
    'fix-A4 an HTTP server of 2026-07-28 survives a tool that %s to a client that does not read',
    async name => {
      const started = await startHttp();
      await Promise.all(
        Array.from({ length: 3 }, () => deaf(started.port, modernCall(name, wantsLogs), modernHeaders(name))),
      );
      await until(() => /does not read/.test(started.seen.stderr), started);
      await expectAlive(started);
    },
  );

  it('fix-A4 an HTTP server of 2025 survives a tool that chats to a client that does not read', async () => {
    const started = await startHttp();
    const session = await openSession(started.url);
    await Promise.all(
      Array.from({ length: 3 }, (_, id) => deaf(started.port, call(`c${id}`, 'chats'), session.headers)),
    );
    await until(() => /does not read/.test(started.seen.stderr), started);
    await expectAlive(started);
  });

  it('fix-A4 an HTTP server survives answers of 4 MB that nobody reads', async () => {
    const started = await startHttp();
    for (let turn = 0; turn < 100; turn += 1) await deaf(started.port, modernCall('huge'), modernHeaders('huge'));
    await until(() => /do(es)? not read/.test(started.seen.stderr), started);
    // The first of them is gone then, not yet all.
    await untilStatus(started.url, 200);
    await expectAlive(started);
  });

  it('fix-A4 an HTTP server survives arguments that are small as text and large as values', async () => {
    const started = await startHttp();
    const lists = `[${'[],'.repeat(1_200_000)}1]`;
    const body = (meta: object): string =>
      JSON.stringify(modernCall('waits', meta)).replace('"arguments":{}', `"arguments":{"v":${lists}}`);
    const statuses = new Map<unknown, number>();
    const cut = new AbortController();
    const calls = Array.from({ length: 14 }, async (_, turn) => {
      const answer = await post(
        started.url,
        body(turn % 2 === 0 ? {} : wantsLogs),
        modernHeaders('waits'),
        cut.signal,
      ).catch(() => undefined);
      statuses.set(answer?.status, (statuses.get(answer?.status) ?? 0) + 1);
    });
    await until(() => (statuses.get(429) ?? 0) >= 10, started);
    cut.abort();
    await Promise.all(calls);
    await untilStatus(started.url, 200);
    await expectAlive(started);
  });

  it('fix-A4 a caller with endless calls gets 429 and a time to come back', async () => {
    const started = await startHttp();
    const before = await openSession(started.url);
    for (let turn = 0; turn < 300; turn += 1) await deaf(started.port, modernCall('waits'), modernHeaders('waits'));
    const refused = await untilStatus(started.url, 429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(((await refused.json()) as Message).error?.message).toContain('256');
    expect((await before.send(request(3, 'tools/call', { name: 'quick' }))).status).toBe(429);
    expect((await before.send(request(4, 'tools/list'))).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await untilStatus(started.url, 200);
    await expectAlive(started);
  });
});

describe('greedy clients over stdio', () => {
  const hello = request('init', 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'deaf', version: '1' },
  });

  const write = (child: ChildProcess, ...messages: readonly object[]): Promise<void> =>
    new Promise(resolve => {
      child.stdin?.write(messages.map(message => `${JSON.stringify(message)}\n`).join(''), () => resolve());
    });

  /** Ids of answers, in order, once the client reads at last. */
  async function read(started: Started, count: number): Promise<(string | number)[]> {
    const ids: (string | number)[] = [];
    let rest = '';
    // Not parsed: results are large, and only who is answered matters.
    started.child.stdout?.setEncoding('latin1').on('data', (text: string) => {
      const all = rest + text;
      let end = 0;
      for (const found of all.matchAll(/"2\.0","id":(\d+|"\w+")(?:,"(?:result|error)"|\}\n)/g)) {
        ids.push(JSON.parse(found[1] ?? '') as string | number);
        end = found.index + found[0].length;
      }
      rest = all.slice(Math.max(end, all.length - 60));
    });
    await until(() => ids.length >= count, started);
    return ids;
  }

  it.each(['chats', 'shouts'])(
    'fix-A4 a server over stdio drops logs, but no results, when a tool %s to a client that does not read',
    async name => {
      const started = start();
      await write(started.child, hello, call(1, name), call(2, 'quick'));
      await until(() => /is not reading/.test(started.seen.stderr), started);
      await sleep(500);
      expect(started.seen.stderr.match(/is not reading/g)).toHaveLength(1);
      expect(new Set(await read(started, 3))).toEqual(new Set(['init', 1, 2]));
    },
  );

  it('fix-A4 3,000 calls at once whose results nobody reads wait their turn, and each is answered', async () => {
    const started = start();
    const calls = Array.from({ length: 3000 }, (_, id) => call(id, 'big'));
    const written = write(started.child, hello, ...calls);
    await sleep(4000);
    expect(started.end).toBeUndefined();
    const ids = await read(started, 3001);
    await written;
    expect(new Set(ids).size).toBe(3001);
  });

  it.each(['own', 'sdk'])(
    'fix-A4 a server over stdio survives arguments that are small as text and large as values: %s',
    async protocol => {
      const started = start('--protocol', protocol);
      const lists = `[${'[],'.repeat(600_000)}1]`;
      const slow = Array.from({ length: 16 }, (_, id) => call(id, 'later'));
      await write(started.child, hello);
      for (const one of slow) {
        const text = JSON.stringify(one).replace('"arguments":{}', `"arguments":{"v":${lists}}`);
        started.child.stdin?.write(`${text}\n`);
      }
      expect(new Set(await read(started, 17)).size).toBe(17);
    },
  );

  it('fix-A4 a cancellation passes calls that wait and ends one that has not begun', async () => {
    const started = start();
    const waiting = Array.from({ length: 150 }, (_, id) => call(id, 'waits'));
    const cancel = (requestId: number): object => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    });
    await write(started.child, hello, ...waiting, call('last', 'quick'));
    // Those that wait first, so that they never begin; then those that run.
    for (let id = 149; id >= 0; id -= 1) await write(started.child, cancel(id));
    expect(await read(started, 2)).toEqual(['init', 'last']);
  });
});
