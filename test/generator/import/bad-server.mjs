// A server over stdio that misbehaves in the way that its first argument names.
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [way = '', extra = ''] = process.argv.slice(2);
const print = text => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; )
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
};
const reply = (id, result) => print(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
const tool = (name, more = {}) => ({ name, description: `Does ${name}`, inputSchema: { type: 'object' }, ...more });
const hello = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, prompts: {}, resources: {} },
  serverInfo: { name: 'bad', version: '1' },
};
let pages = 0;

const ways = {
  garbage: { initialize: () => print('Welcome to the server!\nno protocol here\n') },
  banner: {},
  dies: {
    initialize() {
      writeSync(2, 'cannot find the settings\n');
      process.exit(3);
    },
  },
  silent: { initialize: () => undefined },
  framed: {
    initialize(id) {
      const text = JSON.stringify({ jsonrpc: '2.0', id, result: hello });
      print(`Content-Length: ${text.length + 40}\r\n\r\n${text}`);
    },
  },
  version: { initialize: id => reply(id, { ...hello, protocolVersion: '1999-01-01' }) },
  noResult: { initialize: id => print(`${JSON.stringify({ jsonrpc: '2.0', id, result: 'yes' })}\n`) },
  slow: { initialize: id => setTimeout(() => reply(id, hello), 300) },
  endless: { 'tools/list': id => reply(id, { tools: [tool(`t${pages}`)], nextCursor: `page ${pages++}` }) },
  again: { 'tools/list': id => reply(id, { tools: [tool(`t${pages++}`)], nextCursor: 'same' }) },
  many: { 'tools/list': id => reply(id, { tools: Array.from({ length: 5000 }, (_, index) => tool(`t${index}`)) }) },
  tooMany: {
    'tools/list'(id) {
      const tools = Array.from({ length: 9000 }, (_, index) => tool(`t${pages}_${index}`));
      reply(id, { tools, nextCursor: `page ${pages++}` });
    },
  },
  large: { 'tools/list': id => reply(id, { tools: [tool('a', { description: 'x'.repeat(34 * 1024 * 1024) })] }) },
  failing: {
    'prompts/list': id =>
      print(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'oops' } })}\n`),
  },
  unknown: {
    'prompts/list': id =>
      print(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })}\n`),
  },
  mute: { 'prompts/list': () => undefined },
  noList: { 'prompts/list': id => reply(id, {}) },
  exits: { 'prompts/list': () => setTimeout(() => process.exit(4), 50) },
  mixed: {
    'tools/list': id =>
      reply(id, {
        tools: [null, {}, tool('a'), tool('a'), tool('b', { inputSchema: { type: 'objekt' } }), tool('c d'), tool('e')],
      }),
  },
  shows: {
    'tools/list': id =>
      reply(id, {
        tools: [tool('a', { description: `Connected with ${process.env.BAD_TOKEN} to ${process.env.PLACE_OF_WORK}` })],
      }),
  },
  asks: {
    'tools/list'(id) {
      print(`${JSON.stringify({ jsonrpc: '2.0', id: 'r', method: 'roots/list' })}\n`);
      print(
        `${JSON.stringify({ jsonrpc: '2.0', id: 'e', method: 'elicitation/create', params: { message: 'Who?' } })}\n`,
      );
      setTimeout(() => reply(id, { tools: [tool('a')] }), 50);
    },
  },
};

if (way === 'banner') print('\n*** ready ***\n{"half": \n[1]\n');
if (way === 'stubborn') {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
  // It would live on without its parent.
  spawn(process.execPath, ['-e', `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); // ${extra}`], {
    stdio: 'ignore',
  });
}

const lists = { 'tools/list': 'tools', 'prompts/list': 'prompts', 'resources/list': 'resources' };
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method } = JSON.parse(line);
  const own = ways[way]?.[method];
  if (id === undefined || method === undefined) return;
  if (own !== undefined) own(id);
  else if (method === 'initialize') reply(id, hello);
  else if (method === 'tools/list')
    reply(id, { tools: [tool('a'), tool(process.argv.at(-1).replaceAll(/[^a-z]/g, '') || 'b')] });
  else if (lists[method] !== undefined) reply(id, { [lists[method]]: [] });
  else print(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })}\n`);
});
