// Clients that cost as little as possible: lines over pipes, requests over kept connections. Each gives
// `{open, call, close}`: `call(n)` settles when the answer to `n + 1` has come and is right.
import { Agent, request as send } from 'node:http';

const clientInfo = { name: 'bench', version: '1.0.0' };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const meta = era => (era === '2026' ? { _meta: envelope } : {});
const toMessage = (id, method, params) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };

function check(n, { result, error }) {
  if (result?.structuredContent?.sum !== n + 1)
    throw new Error(`wrong answer to ${n}: ${JSON.stringify(error ?? result)}`);
}

function checkList({ result, error }) {
  if (!result?.tools.some(({ name }) => name === 'add'))
    throw new Error(`no tool to call: ${JSON.stringify(error ?? result)}`);
}

export function overPipes(child, era) {
  const waiting = new Map();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  const ask = (id, method, params) =>
    new Promise(resolve => {
      waiting.set(id, resolve);
      child.stdin.write(`${toMessage(id, method, params)}\n`);
    });
  let next = 0;
  return {
    async open() {
      if (era === '2025') {
        await ask('init', 'initialize', handshake);
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
      }
      checkList(await ask('list', 'tools/list', meta(era)));
    },
    async call(n) {
      next += 1;
      check(n, await ask(next, 'tools/call', { name: 'add', arguments: { a: n, b: 1 }, ...meta(era) }));
    },
    close: async () => void child.stdin.end(),
  };
}

export function overHttp(url, era) {
  const agent = new Agent({ keepAlive: true });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  let session;
  let next = 0;
  const post = (body, more) =>
    new Promise((resolve, reject) => {
      const all = { ...headers, ...more, 'content-length': Buffer.byteLength(body) };
      const request = send(url, { method: 'POST', agent, headers: all }, response => {
        let text = '';
        response.setEncoding('utf8').on('data', chunk => {
          text += chunk;
        });
        response.on('end', () => resolve({ text, response }));
      });
      request.on('error', reject).end(body);
    });
  const read = ({ text }) => JSON.parse(text.startsWith('{') ? text : /^data: (\{.+)$/m.exec(text)[1]);
  return {
    async open() {
      if (era === '2025') {
        const { response } = await post(toMessage(0, 'initialize', handshake), {});
        const id = response.headers['mcp-session-id'];
        // Servers without sessions give none.
        session = { 'mcp-protocol-version': '2025-11-25', ...(id === undefined ? {} : { 'mcp-session-id': id }) };
        await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), session);
      }
      const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
      checkList(read(await post(toMessage('list', 'tools/list', meta(era)), era === '2026' ? modern : session)));
    },
    async call(n) {
      next += 1;
      const body = toMessage(next, 'tools/call', { name: 'add', arguments: { a: n, b: 1 }, ...meta(era) });
      const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'add' };
      check(n, read(await post(body, era === '2026' ? modern : session)));
    },
    close: async () => agent.destroy(),
  };
}

/** Makes `count` calls, `width` of them at the same time. */
export async function load({ call }, count, width) {
  let n = 0;
  const work = async () => {
    while (n < count) {
      n += 1;
      await call(n);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
}
