// A server of 2025-11-25 as a process, written by hand so that it can also do what no SDK does.
import { createInterface } from 'node:readline';

const [mode = ''] = process.argv.slice(2);
const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = value => ({ content: [{ type: 'text', text: String(value) }] });
const waiting = new Map();
let asked = 0;
let level;
const cancelled = [];
const held = new Map();
const ask = (method, params) => {
  asked += 1;
  const id = `ask-${asked}`;
  send({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
};
const shown = async asking => {
  try {
    return text(JSON.stringify(await asking));
  } catch (error) {
    return text(JSON.stringify(error));
  }
};

const tools = {
  echo: args => ({ ...text(JSON.stringify(args)), structuredContent: args, _meta: { 'acme/x': 1 }, extra: true }),
  meta: (_, params) => text(JSON.stringify(params._meta ?? null)),
  pid: () => text(process.pid),
  level: () => text(level),
  env: ({ name }) => text(process.env[name]),
  cwd: () => text(process.cwd()),
  cancelled: () => text(JSON.stringify(cancelled)),
  die: () => process.exit(3),
  hang: () => new Promise(() => undefined),
  hold: (_, __, id) => new Promise(resolve => held.set(id, resolve)),
  release: () => {
    for (const [id, resolve] of held) resolve(text(`held ${id}`));
    held.clear();
    return text('released');
  },
  // The clients of the SDK lose progress that they read together with the result.
  progress: async (_, params) => {
    for (const progress of [1, 2])
      send({
        method: 'notifications/progress',
        params: { progressToken: params._meta.progressToken, progress, total: 2, message: `step ${progress}` },
      });
    await new Promise(resolve => setTimeout(resolve, 50));
    return text('done');
  },
  log: () => {
    send({ method: 'notifications/message', params: { level: 'warning', logger: 'x', data: 'careful' } });
    send({ method: 'notifications/message', params: { level: 'info', data: { message: 'with', data: { a: 1 } } } });
    return text('logged');
  },
  'error-data': () => {
    throw {
      code: -32042,
      message: 'needs an address: sesame-sesame',
      data: { elicitations: [{ url: 'https://x' }], token: 'sesame-sesame' },
    };
  },
  failed: () => ({ ...text('went wrong'), isError: true }),
  ask: () =>
    shown(
      ask('elicitation/create', {
        message: 'Size?',
        requestedSchema: { type: 'object', properties: { size: { type: 'string', 'x-own': 1 } } },
      }),
    ),
  'ask-twice': async () => {
    const first = await ask('elicitation/create', {
      message: 'One?',
      requestedSchema: { type: 'object', properties: {} },
    });
    const second = await ask('elicitation/create', {
      message: 'Two?',
      requestedSchema: { type: 'object', properties: {} },
    });
    return text(`${first.action} ${second.action}`);
  },
  'ask-both': async () => {
    const answers = await Promise.all([
      ask('elicitation/create', { message: 'One?', requestedSchema: { type: 'object', properties: {} } }),
      ask('sampling/createMessage', {
        messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
        maxTokens: 5,
        _meta: { progressToken: 9 },
      }),
    ]);
    return text(JSON.stringify(answers));
  },
  // Over a pipe a question does not say what it is about: this one comes while a later call is the newest, and outlives it.
  'ask-behind': () => new Promise(resolve => waiting.set('behind', () => resolve(tools.ask()))),
  'end-first': () => {
    waiting.get('behind')();
    return text('ended');
  },
  'end-never': () => {
    waiting.get('behind')();
    return new Promise(() => undefined);
  },
  sample: () =>
    shown(
      ask('sampling/createMessage', {
        messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
        maxTokens: 5,
      }),
    ),
  'ask-and-die': () => {
    void ask('elicitation/create', { message: 'One?', requestedSchema: { type: 'object', properties: {} } });
    setTimeout(() => process.exit(1), 300);
    return new Promise(() => undefined);
  },
  roots: () => shown(ask('roots/list')),
  odd: () => shown(ask('some/thing', {})),
  ping: () => shown(ask('ping')),
  changes: () => {
    for (const what of ['tools', 'prompts', 'resources']) send({ method: `notifications/${what}/list_changed` });
    send({ method: 'notifications/resources/updated', params: { uri: 'a://b' } });
    return text('changed');
  },
  noise: () => {
    process.stdout.write('hello, I am a banner sesame-sesame\n\n[1,2]\n"x"\n');
    send({ id: 987654, result: {} });
    send({ id: null, result: {} });
    process.stderr.write('a line for the operator sesame-sesame\n');
    return text('noisy');
  },
  large: ({ size }) => text('x'.repeat(size)),
  empty: () => undefined,
};

const methods = {
  initialize: params => {
    if (mode === 'refuse') throw { code: -32600, message: 'not today' };
    const wanted = mode === 'old' ? '2024-11-05' : params.protocolVersion;
    return {
      protocolVersion: mode === 'future' ? '2099-01-01' : wanted,
      capabilities: { tools: { listChanged: true }, prompts: {}, resources: {}, logging: {} },
      serverInfo: { name: 'fake', version: '1' },
      instructions: 'Be nice.',
    };
  },
  'logging/setLevel': params => {
    level = params.level;
    return {};
  },
  'tools/list': ({ cursor = '0' } = {}) => ({
    tools: [{ name: `tool-${cursor}`, inputSchema: { type: 'object' } }],
    ...(cursor === '2' ? {} : { nextCursor: String(Number(cursor) + 1) }),
  }),
  'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
  'resources/list': () => ({ resources: [{ uri: 'a://b', name: 'b' }], nextCursor: '' }),
  'prompts/get': ({ name, arguments: args }) => ({
    description: name,
    messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(args) } }],
  }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'hello' }] }),
  'tools/call': (params, id) => {
    const tool = tools[params.name];
    if (tool === undefined) throw { code: -32602, message: `Unknown tool: ${params.name}` };
    return tool(params.arguments, params, id);
  },
};

if (mode === 'fail') {
  process.stderr.write('no API key: sesame-sesame\n');
  process.exit(2);
}
createInterface({ input: process.stdin }).on('line', async line => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) {
    const { resolve, reject } = waiting.get(id) ?? {};
    if (error === undefined) resolve?.(result);
    else reject?.(error);
    return;
  }
  if (id === undefined) {
    if (method === 'notifications/cancelled') cancelled.push(params.requestId);
    return;
  }
  try {
    const handler = methods[method];
    if (handler === undefined) throw { code: -32601, message: 'Method not found' };
    // The id last: that is how some write it.
    const answer = await handler(params, id);
    process.stdout.write(`${JSON.stringify({ result: answer, jsonrpc: '2.0', id })}\n`);
  } catch (thrown) {
    send({ id, error: thrown instanceof Error ? { code: -32603, message: thrown.message } : thrown });
  }
});
