// The soak over HTTP: sessions of 2025-11-25, or single requests of 2026-07-28, on raw sockets.
import { Agent, request as httpRequest } from 'node:http';
import { startHttp } from '../served.mjs';
import { envelope, initialize, pick, random } from './mix.mjs';
import { Tally } from './tally.mjs';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** One POST. `abortAfter` ms: the client goes away before the answer. */
function post(url, headers, body, abortAfter) {
  return new Promise((resolve, reject) => {
    const sent = JSON.stringify(body);
    const request = httpRequest(
      url,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'content-length': Buffer.byteLength(sent),
          ...headers,
        },
      },
      response => {
        const chunks = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() }),
        );
        response.on('error', abortAfter === undefined ? reject : () => resolve(undefined));
      },
    );
    request.on('error', error => (abortAfter === undefined ? reject(error) : resolve(undefined)));
    request.end(sent);
    if (abortAfter !== undefined) setTimeout(() => request.destroy(), abortAfter);
  });
}

/** The messages of an answer, whether it is JSON or a stream of events. */
function messagesOf({ headers, text }) {
  if (headers['content-type']?.startsWith('text/event-stream')) {
    const data = text.split('\n').filter(line => line.startsWith('data: ') && line.length > 6);
    return data.map(line => JSON.parse(line.slice(6)));
  }
  return text === '' ? [] : [JSON.parse(text)];
}

async function openSession(url) {
  const answer = await post(url, {}, { jsonrpc: '2.0', id: 0, ...initialize });
  const headers = { 'mcp-session-id': answer.headers['mcp-session-id'], 'mcp-protocol-version': '2025-11-25' };
  await post(url, headers, { jsonrpc: '2.0', method: 'notifications/initialized' });
  return headers;
}

function headersOf({ method, params }) {
  const name = params.name ?? params.uri;
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  };
}

export async function soakHttp(pack, { calls, concurrency, era, seed, file }) {
  const server = startHttp(pack, { flags: ['--expose-gc'], args: file === undefined ? ['soak'] : [], file });
  const url = await server.url;
  const tally = new Tally();
  const next = random(seed);
  const every = Math.floor(calls / 16);
  let index = 0;
  let lastId = 0;
  const began = performance.now();

  async function send(session, request, abortAfter) {
    const id = ++lastId;
    const { method, params } = request;
    const isModern = era === '2026-07-28';
    const headers = isModern ? headersOf(request) : session;
    const body = { jsonrpc: '2.0', id, method, params: isModern ? { ...params, _meta: envelope } : params };
    return { id, response: await post(url, headers, body, abortAfter) };
  }

  async function measure(session) {
    const request = { method: 'tools/call', params: { name: 'memory', arguments: {} } };
    const { response } = await send(session, request);
    const [{ result }] = messagesOf(response).slice(-1);
    tally.heaps.push(result.structuredContent.heapUsed);
  }

  async function work() {
    let session = era === '2026-07-28' ? undefined : await openSession(url);
    while (index < calls) {
      const turn = index++;
      const request = pick(next, turn);
      tally.asked += 1;
      const { id, response } = await send(session, request, request.fate === undefined ? undefined : 20);
      if (response === undefined) {
        tally.cancelled += 1;
      } else {
        const answers = messagesOf(response).filter(message => message.method === undefined);
        tally.answered += 1;
        if (answers.length !== 1 || answers[0].id !== id) tally.complain(`${answers.length} answers to ${id}`);
        else if (!request.isRight(answers[0])) {
          tally.complain(`${request.method} ${request.params.name ?? ''}: ${JSON.stringify(answers[0]).slice(0, 300)}`);
        }
      }
      // Clients come and go, many without a word.
      if (session !== undefined && turn % 500 === 499) session = await openSession(url);
      if (turn % every === every - 1) await measure(session);
    }
  }

  await Promise.all(Array.from({ length: concurrency }, work));
  server.child.kill('SIGTERM');
  agent.destroy();
  const code = await server.exit;
  if (code !== 0) tally.complain(`the server ended with ${code} after SIGTERM`);
  return tally.report(`HTTP ${era}`, (performance.now() - began) / 1000);
}
