// B4: a thousand calls in flight through a gateway while the server behind it is killed again and again: each is answered once, by its own
// result or by an error that says what happened, and none is carried out twice. TOOLWRIGHT_FUZZ=20 makes twenty times as many.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { amount, seedOr } from '../../../harness/amount.js';
import { root, writePack } from '../../../harness/build-pack.js';
import { httpAddressOf } from '../../../harness/http-address.js';
import { makeRandom } from '../../../harness/random.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-gateway-killed-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** Says who it is, writes down each call when it comes, and answers after up to 100 ms. */
const upstream = `
import { appendFileSync, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
appendFileSync('pids', process.pid + '\\n');
const done = openSync('done', 'a');
const send = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const facts = { capabilities: { tools: {} }, serverInfo: { name: 'up', version: '1' } };
    send({ id, result: { protocolVersion: params.protocolVersion, ...facts } });
  } else if (method === 'tools/call') {
    const { n } = params.arguments;
    writeSync(done, n + '\\n');
    setTimeout(() => send({ id, result: { content: [{ type: 'text', text: String(n) }] } }), n % 100);
  } else if (id !== undefined) send({ id, error: { code: -32601, message: 'no such method' } });
});
`;

const kills = 5;

interface Answer {
  readonly id: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
    readonly _meta?: { readonly 'toolwright/error'?: { readonly code?: string } };
  };
}

/** Sends a call; every answer that comes is given to `listen`. */
interface Caller {
  send(n: number): void;
  listen(take: (answer: Answer) => void): void;
}

const callOf = (n: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id: n, method: 'tools/call', params: { name: 'work', arguments: { n } } });
const hello = JSON.stringify({
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

function start(pack: string, ...words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'start', 'main', ...words], { cwd: pack });
  children.push(child);
  return child;
}

function overPipes(pack: string): Caller {
  const { stdin, stdout } = start(pack);
  stdin?.write(`${hello}\n${initialized}\n`);
  return {
    send: n => void stdin?.write(`${callOf(n)}\n`),
    listen: take =>
      createInterface({ input: stdout as NodeJS.ReadableStream }).on('line', line => take(JSON.parse(line))),
  };
}

async function overHttp(pack: string): Promise<Caller> {
  const url = await httpAddressOf(start(pack, '--http', '0'));
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const opened = await fetch(url, { method: 'POST', headers, body: hello });
  await opened.text();
  const session = {
    ...headers,
    'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  };
  await (await fetch(url, { method: 'POST', headers: session, body: initialized })).text();
  let listener: (answer: Answer) => void = () => undefined;
  const post = async (n: number): Promise<void> => {
    const text = await (await fetch(url, { method: 'POST', headers: session, body: callOf(n) })).text();
    listener(JSON.parse(text.startsWith('{') ? text : (/^data: (\{.+)$/m.exec(text)?.[1] ?? '{}')));
  };
  return {
    send: n => void post(n),
    listen: take => {
      listener = take;
    },
  };
}

/** The process that serves now. */
const lastPid = (pack: string): number => {
  const pids = existsSync(join(pack, 'pids')) ? readFileSync(join(pack, 'pids'), 'utf8').trim().split('\n') : [];
  return Number(pids.at(-1) ?? 0);
};

describe.each([
  ['stdio', 1000, overPipes],
  // One caller has 256 calls at most.
  ['HTTP', 250, overHttp],
] as const)('a gateway over %s', (name, inFlight, open) => {
  const total = amount(8 * inFlight);

  it('B4 calls in flight are each answered once while the server behind it is killed', {
    timeout: 300_000,
  }, async () => {
    const pack = writePack(join(folder, name), {
      'package.json': '{"name": "gateway", "version": "1.0.0", "type": "module"}',
      'toolwright.yaml': `backends: { up: { type: mcp, command: [${JSON.stringify(process.execPath)}, up.mjs] } }\n`,
      'mcp/servers/main.yaml': 'description: Main\n',
      'mcp/tools/work.yaml': 'description: Works\nparameters: { n: integer }\nmcp: {}\n',
      'up.mjs': upstream,
    });
    const caller = await open(pack);
    const answers = new Map<number, Answer[]>();
    let sent = 0;
    let waiting = 0;
    const next = (): void => {
      sent += 1;
      waiting += 1;
      caller.send(sent);
    };
    const all = new Promise<void>(resolve => {
      caller.listen(answer => {
        if (typeof answer.id !== 'number') return;
        answers.set(answer.id, [...(answers.get(answer.id) ?? []), answer]);
        waiting -= 1;
        if (sent < total) next();
        else if (waiting === 0) resolve();
      });
    });
    for (let n = 0; n < inFlight; n += 1) next();
    const random = makeRandom(seedOr(17));
    const killed: number[] = [];
    while (killed.length < kills && answers.size < total) {
      await sleep(random.below(300));
      const pid = lastPid(pack);
      if (pid === 0 || killed.includes(pid)) continue;
      process.kill(pid, 'SIGKILL');
      killed.push(pid);
    }
    await all;
    await sleep(200);
    expect(killed).toHaveLength(kills);
    expect(answers.size).toBe(total);
    expect([...answers.values()].filter(({ length }) => length !== 1)).toEqual([]);
    const done = readFileSync(join(pack, 'done'), 'utf8').trim().split('\n');
    expect(new Set(done).size).toBe(done.length);
    const each = [...answers.values()].flat();
    const good = each.filter(({ result }) => result?.isError !== true);
    expect(good.filter(({ id, result }) => result?.content?.[0]?.text !== String(id))).toEqual([]);
    const carriedOut = new Set(done);
    expect(good.filter(({ id }) => !carriedOut.has(String(id)))).toEqual([]);
    const failed = each.filter(({ result }) => result?.isError === true);
    const codes = failed.map(({ result }) => result?._meta?.['toolwright/error']?.code);
    expect(new Set(codes)).toEqual(new Set(['UPSTREAM_UNREACHABLE']));
    expect(failed[0]?.result?.content?.[0]?.text).toContain('up ended by SIGKILL');
    // Each kill takes at most what was in flight.
    expect(failed.length).toBeLessThanOrEqual(kills * inFlight);
    expect(good.length).toBeGreaterThan(total / 10);
  });
});
