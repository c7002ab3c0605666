// What the keys of backends are tried on: a service, a database and a server, all real and on loopback. In: the files of a pack. Out: what
// calls of its tool gave, and what the service received.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRegistry } from '../../../runtime/index.js';
import type { Files } from '../../harness/pack.js';
import { writeFolder } from '../../runtime/packs/code-packs.js';

/** Answers by the last part of the path; anything else is echoed. */
const answers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse, body: string) => unknown>> =
  {
    slow: async (_, response) => {
      await sleep(300);
      response.end('"slow"');
    },
    flaky: (_, response) => response.writeHead(503).end(),
    big: (_, response) => response.end(JSON.stringify('x'.repeat(5000))),
    token: ({ headers }, response, body) =>
      response.end(JSON.stringify({ access_token: Buffer.from(`${headers.authorization} ${body}`).toString('hex') })),
    other: (_, response) => response.end(JSON.stringify({ access_token: 'of-another-service' })),
    pages: ({ url = '', headers }, response) => {
      const asked = new URL(url, 'http://localhost').searchParams;
      const page = Number(asked.get('page') ?? asked.get('other') ?? 1);
      const next = page < 3 ? page + 1 : null;
      if (next !== null) response.setHeader('link', `<http://${headers.host}/pages?page=${next}>; rel="next"`);
      response.end(JSON.stringify({ items: [page], second: [-page], next, after: null }));
    },
    mcp: ({ headers }, response, body) => {
      const { id, method, params } = JSON.parse(body || '{}') as Readonly<Record<string, unknown>>;
      if (id === undefined) return response.writeHead(202).end();
      const serverInfo = { name: 'up', version: '1' };
      const facts = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
      const said = JSON.stringify([headers.authorization, headers['x-own'], params]);
      const called = { content: [{ type: 'text', text: said }] };
      const result = method === 'initialize' ? facts : method === 'tools/call' ? called : undefined;
      const error = { code: -32601, message: 'no such method' };
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }));
    },
  };

const shownHeaders = ['authorization', 'cookie', 'x-own', 'x-key', 'content-type'];

/** Another MCP server, by its pipes. */
export const upstream = `
import { createInterface } from 'node:readline';
const send = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin }).on('line', async line => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const serverInfo = { name: 'up', version: '1' };
    send({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {}, prompts: {}, resources: {} }, serverInfo } });
  } else if (method === 'tools/call') {
    if (params.name === 'slow') await new Promise(resolve => setTimeout(resolve, 300));
    const text = params.name === 'big' ? 'x'.repeat(5000) : [params.name, process.cwd().endsWith('sub'), process.env.OWN].join(' ');
    send({ id, result: { content: [{ type: 'text', text }] } });
  } else if (method === 'prompts/get') send({ id, result: { messages: [{ role: 'user', content: { type: 'text', text: 'up ' + params.name } }] } });
  else if (method === 'resources/read') send({ id, result: { contents: [{ uri: params.uri, text: 'up' }] } });
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'no such method' } });
});
`;

export interface Look {
  /** How many calls at the same time. */
  readonly calls?: number;
  readonly args?: object;
}

/** Calls the tool `t`. */
export async function look(files: Files, { calls = 1, args = {} }: Look): Promise<unknown> {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = '', url = '', headers } = request;
    const kind = new URL(url, 'http://localhost').pathname.split('/').at(-1) ?? '';
    const shown = shownHeaders.flatMap(name => {
      const value = headers[name];
      // A boundary is made up anew each time.
      return value === undefined ? [] : [`${name}: ${String(value).replace(/boundary=.*/, '')}`];
    });
    received.push([method, url, shown, body.replaceAll(/toolwright-[0-9a-f]{32}/g, 'boundary')]);
    response.setHeader('content-type', 'application/json');
    const answer = Object.hasOwn(answers, kind) ? answers[kind] : undefined;
    if (answer === undefined) response.end(JSON.stringify({ method, url, rest: { deep: [1] } }));
    else await answer(request, response, body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const texts = Object.entries(files).map(([path, text]) => [path, String(text)] as const);
  const folder = writeFolder({ ...Object.fromEntries(texts), 'up.mjs': upstream, 'sub/empty': '' });
  makeDatabase(join(folder, 'x.db'));
  const env = { PATH: process.env['PATH'], API: origin, USER_NAME: 'me', TOKEN: 'token-one', SECOND: 'token-two' };
  const registry = await createRegistry(folder, { env, report: () => undefined });
  try {
    const results = await Promise.all(Array.from({ length: calls }, () => registry.invoke('t', args)));
    // Which of several is the slow one is nobody's business.
    const shown = results.map(result => JSON.stringify(result)).sort();
    return JSON.stringify([shown, received])
      .replaceAll(origin, 'origin')
      .replaceAll(/"id":"[^"]*"/g, '');
  } finally {
    await registry.close();
    server.closeAllConnections();
    server.close();
  }
}

function makeDatabase(file: string): void {
  const { Database } = createRequire(import.meta.url)('node-sqlite3-wasm') as {
    Database: new (path: string) => { exec(text: string): void; close(): void };
  };
  const database = new Database(file);
  database.exec("CREATE TABLE books (title TEXT); INSERT INTO books VALUES ('Emma'), ('Ulysses')");
  database.close();
}
