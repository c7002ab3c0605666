// An MCP server of 2025 that tells everything it knows in every place that a message has. In: a message, and what it knows. Out: messages.

const text = told => ({ type: 'text', text: told });
const blob = told => Buffer.from(told).toString('base64');
const asUri = told =>
  `told://${encodeURIComponent(told).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16)}`)}`;

/** By the name of the tool: its result, or messages before it. */
const tools = {
  text: told => ({ content: [text(told)] }),
  structured: told => ({ content: [text(told)], structuredContent: { told, [told]: told.split('\n') } }),
  lines: told => ({ content: told.split('\n').map(text) }),
  embedded: told => ({
    content: [
      { type: 'resource', resource: { uri: asUri(told), mimeType: 'text/plain', text: told } },
      { type: 'resource', resource: { uri: 'told://blob', mimeType: 'text/plain', blob: blob(told) } },
      { type: 'resource_link', uri: asUri(told), name: told, description: told },
      { type: 'image', data: blob(`\0${told}`), mimeType: `image/${told}` },
    ],
  }),
  meta: told => ({ content: [text('x')], _meta: { 'acme/told': told, [told]: [told] } }),
  failed: told => ({ content: [text(told)], isError: true }),
  refused: told => {
    throw { code: -32042, message: told, data: { told, nested: [{ told: JSON.stringify({ told }) }] } };
  },
  log: (told, send) => {
    for (const data of [told, { message: told, data: { told } }, { told }, told.split('\n'), [told]])
      send({ method: 'notifications/message', params: { level: 'warning', logger: told, data } });
    return { content: [text('logged')] };
  },
  progress: (told, send, params) => {
    const { progressToken } = params._meta ?? {};
    send({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2, message: told } });
    return { content: [text('done')] };
  },
  changed: (told, send) => {
    send({ method: 'notifications/resources/updated', params: { uri: asUri(told) } });
    return { content: [text('changed')] };
  },
};

const methods = {
  initialize: (told, _send, { protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {} },
    serverInfo: { name: told, version: '1' },
    instructions: told,
  }),
  'logging/setLevel': () => ({}),
  'tools/call': (told, send, params) => tools[params.name](told, send, params),
  'prompts/get': told => ({ description: told, messages: [{ role: 'user', content: text(told) }] }),
  'resources/read': (told, _send, { uri }) => ({
    contents: [
      { uri, mimeType: `text/${told}`, text: told },
      { uri: asUri(told), blob: blob(told) },
    ],
  }),
  'completion/complete': told => ({ completion: { values: [told] } }),
};

/** Calls that wait for the answer to a question. */
const asking = new Map();

/** A question has as many places for a secret as a result. */
function ask(id, told, send) {
  const key = `ask-${id}`;
  asking.set(key, id);
  const properties = { size: { type: 'string', title: told, description: told, enum: [told, 'other'] } };
  send({
    id: key,
    method: 'elicitation/create',
    params: { message: told, requestedSchema: { type: 'object', properties } },
  });
}

/** Answers one message; what it says beside goes out before. */
export function answerMessage({ id, method, params = {} }, told, send) {
  if (method === undefined && asking.has(id)) {
    send({ id: asking.get(id), result: { content: [text(told)] } });
    asking.delete(id);
  }
  if (id === undefined || method === undefined) return;
  if (method === 'tools/call' && params.name === 'ask') {
    ask(id, told, send);
    return;
  }
  try {
    const handle = methods[method];
    if (handle === undefined) throw { code: -32601, message: `Method not found: ${method} ${told}` };
    send({ id, result: handle(told, send, params) });
  } catch (thrown) {
    send({ id, error: thrown instanceof Error ? { code: -32603, message: `${thrown.message} ${told}` } : thrown });
  }
}

/** Over HTTP, as a stream of events; some calls are refused by HTTP itself. */
export function answerMcp({ raw, body }, response) {
  const message = JSON.parse(body || '{}');
  if (message.params?.name === 'http-error') {
    response.writeHead(403, { 'content-type': 'application/json', 'retry-after': 'x' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32000, message: raw } }));
    return;
  }
  if (message.params?.name === 'http-page') {
    response.writeHead(500, { 'content-type': 'text/html' }).end(raw);
    return;
  }
  if (message.id === undefined) {
    response.writeHead(202).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = one => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...one })}\n\n`);
  answerMessage(message, raw, send);
  response.end();
}
