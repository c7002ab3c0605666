// Thousands of broken messages at the real command, over pipes and sockets: each is answered rightly or not at all, and
// the next good request works.
import { type ChildProcess, spawn } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { amount, seedOr } from '../../harness/amount.js';
import { httpAddressOf } from '../../harness/http-address.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { bend } from './traffic.js';

const command = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const pack = fileURLToPath(new URL('../soak', import.meta.url));
const count = amount(6000);
const seed = seedOr(1);
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [command, 'start', 'soak', ...args], { cwd: pack, stdio: 'pipe' });
  children.push(child);
  return child;
}

interface Answer {
  readonly jsonrpc: unknown;
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: unknown; readonly message: unknown };
}

/** Undefined where a message is well formed: a result or an error, a code and a text, no trace of our code. */
function whyWrong(answer: Answer): string | undefined {
  if (answer.jsonrpc !== '2.0') return 'jsonrpc is not 2.0';
  const { id, error } = answer;
  if (id !== null && id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    return 'the id has a wrong type';
  if ('result' in answer === 'error' in answer) return 'neither or both of result and error';
  if (error !== undefined && (!Number.isInteger(error.code) || typeof error.message !== 'string')) return 'bad error';
  if (/\bat .+:\d+:\d+|node_modules|no client may see/.test(JSON.stringify(answer))) return 'a stack or cause leaks';
  return undefined;
}

describe('broken lines over stdio', () => {
  it(`W80 W81 W82 ${count} broken lines get errors where they belong, and every good request between them works`, async () => {
    const child = start([]);
    child.stderr?.resume();
    const seen = new Map<unknown, number>();
    const problems: string[] = [];
    let anonymous = 0;
    const waiting = new Map<unknown, (answer: Answer) => void>();
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', text => {
      const answer = JSON.parse(text) as Answer & { method?: unknown };
      if (answer.method !== undefined) return;
      const wrong = whyWrong(answer);
      if (wrong !== undefined) problems.push(`${wrong}: ${text.slice(0, 300)}`);
      if (answer.id === null || answer.id === undefined) anonymous += 1;
      else seen.set(answer.id, (seen.get(answer.id) ?? 0) + 1);
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    });
    const send = (bytes: Buffer): void => {
      child.stdin?.write(Buffer.concat([bytes, Buffer.from('\n')]));
    };
    const ask = (id: string, method: string, params: object): Promise<Answer> => {
      const answer = new Promise<Answer>(resolve => waiting.set(id, resolve));
      send(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params })));
      return answer;
    };
    const clientInfo = { name: 'fuzz', version: '1' };
    await ask('open', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    send(Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}'));
    const random = makeRandom(seed);
    const mustAnswer: number[] = [];
    let mustError = 0;
    let mayError = 0;
    for (let id = 1; id <= count; id++) {
      const bent = bend(random, id);
      send(bent.bytes);
      if (bent.expected === 'answer') mustAnswer.push(id);
      if (bent.expected === 'error') mustError += 1;
      if (bent.expected === 'any') mayError += 1;
      if (id % 100 === 0) {
        const good = await ask(`good-${id}`, 'tools/call', { name: 'echo', arguments: { text: 'still here' } });
        expect(good.result).toMatchObject({ structuredContent: { text: 'still here', count: 1 } });
      }
    }
    expect(problems).toEqual([]);
    expect(mustAnswer.filter(id => seen.get(id) !== 1).slice(0, 5)).toEqual([]);
    expect(anonymous).toBeGreaterThanOrEqual(mustError);
    expect(anonymous).toBeLessThanOrEqual(mustError + mayError);
    const exit = new Promise(resolve => child.once('exit', resolve));
    child.stdin?.end();
    expect(await exit).toBe(0);
  }, 300_000);
});

describe('broken requests over HTTP', () => {
  it(`W80 W81 ${count} broken requests never make the server fail, and every good request between them works`, async () => {
    const child = start(['--http', '0']);
    const url = await httpAddressOf(child);
    const random = makeRandom(seed);
    const problems: string[] = [];
    let next = 0;
    async function work(): Promise<void> {
      while (next < count) {
        const id = ++next;
        if (id % 50 === 0) await expectGood(url);
        else if (id % 50 === 25) await rawSocket(url, random);
        else {
          const problem = await bentRequest(url, random, id);
          if (problem !== undefined) problems.push(problem);
        }
      }
    }
    await Promise.all(Array.from({ length: 16 }, work));
    expect(problems.slice(0, 5)).toEqual([]);
    expect(child.exitCode).toBe(null);
    const exit = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  }, 600_000);
});

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

function send(url: URL, method: string, headers: Record<string, string>, body?: Buffer): Promise<Reply> {
  return new Promise((resolve, reject) => {
    // A socket of its own: one that is kept may be closed by the server while the next request is on its way.
    const request = httpRequest(url, { method, headers, agent: false }, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        // A stream that stays open is a right answer to a GET.
        if (method === 'GET' && response.headers['content-type'] === 'text/event-stream') response.destroy();
      });
      const done = (): void =>
        resolve({
          status: response.statusCode ?? 0,
          type: String(response.headers['content-type'] ?? ''),
          text: Buffer.concat(chunks).toString(),
        });
      response.on('end', done);
      response.on('close', done);
    });
    request.on('error', error => reject(new Error(`${error.message}: ${method} ${url} ${JSON.stringify(headers)}`)));
    request.end(body);
  });
}

const good = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function expectGood(url: URL): Promise<void> {
  const params = { name: 'echo', arguments: { text: 'still here' }, _meta: modern };
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  const headers = { ...good, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };
  const reply = await send(url, 'POST', headers, body);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.text).toContain('still here');
}

async function bentRequest(url: URL, random: Random, id: number): Promise<string | undefined> {
  const { bytes } = bend(random, id);
  const headers: Record<string, string> = { ...good };
  if (random.below(3) === 0)
    headers['mcp-protocol-version'] = random.pick(['2026-07-28', '2025-11-25', '1999-01-01', 'x', '']);
  if (random.below(3) === 0) headers['mcp-method'] = random.pick(['tools/call', 'tools/list', 'no/such', '']);
  if (random.below(4) === 0) headers['mcp-name'] = random.pick(['echo', 'nobody', '=?base64?!!?=', '']);
  if (random.below(8) === 0) headers['mcp-session-id'] = random.pick(['nobody', '', 'x'.repeat(500)]);
  if (random.below(12) === 0)
    headers['content-type'] = random.pick(['text/plain', 'application/json; charset=utf-16', 'x']);
  if (random.below(12) === 0) headers['accept'] = random.pick(['text/html', '', '*/*']);
  if (random.below(12) === 0) headers['origin'] = random.pick(['http://evil.example', 'null', 'x']);
  if (random.below(12) === 0) headers['host'] = random.pick(['evil.example', 'localhost.evil.example', 'x']);
  const method = random.below(10) === 0 ? random.pick(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) : 'POST';
  const target = random.below(15) === 0 ? new URL(random.pick(['/', '/other', '/mcp/../x', '/%00']), url) : url;
  const reply = await send(target, method, headers, method === 'GET' ? undefined : bytes);
  const shown = `${method} ${reply.status} ${JSON.stringify(headers)} ${bytes.toString().slice(0, 200)} -> ${reply.text.slice(0, 200)}`;
  if (reply.status >= 500 || reply.status < 200) return shown;
  if (/\bat .+:\d+:\d+|node_modules|no client may see/.test(reply.text)) return `leak: ${shown}`;
  if (reply.type.startsWith('application/json') && reply.text !== '') {
    const answer = JSON.parse(reply.text) as Answer;
    if ('jsonrpc' in answer) {
      const wrong = whyWrong(answer);
      if (wrong !== undefined) return `${wrong}: ${shown}`;
    }
  }
  return undefined;
}

/** Bytes that are no HTTP, or half of it. */
async function rawSocket(url: URL, random: Random): Promise<void> {
  const socket = connect(Number(url.port), url.hostname);
  const text = random.pick([
    'GARBAGE\r\n\r\n',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"jsonrpc"',
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n`,
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    '\u0000\u0001\u0002',
    `GET /mcp HTTP/1.1\r\n${'X-Long: y\r\n'.repeat(50)}`,
  ]);
  await new Promise<void>(resolve => {
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
    socket.write(text, () => setTimeout(() => socket.destroy(), 5));
  });
}
