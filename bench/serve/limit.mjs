// The limit: what Node itself costs. A hand-written loop over lines, and a hand-written handler of node:http, both with
// every answer but those of calls made beforehand. It validates nothing, cancels nothing, and knows nothing of MCP but this.
import { inputSchema, outputSchema, prompts, serverInfo, toolsOf, writeFiles } from './work.mjs';

export const limit = {
  id: 'limit',
  packages: [],
  transports: { stdio: ['2025', '2026'], http: ['2025', '2026'] },
  write(folder, count) {
    writeFiles(folder, { 'stdio.cjs': stdio(count), 'http.cjs': http(count) });
  },
  command: ({ transport, port }) => [`${transport}.cjs`, `${port}`],
};

const cache = {
  resultType: 'complete',
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
};

/** `result(method, version, params)`: the text of a result. Tools are called by name, as a table would have it. */
function answers(count) {
  const tools = toolsOf(count).map(tool => ({ ...tool, inputSchema, outputSchema }));
  const listed = prompts.map(prompt => ({ ...prompt, arguments: [{ name: 'topic', required: true }] }));
  const text = value => JSON.stringify(JSON.stringify(value));
  const capabilities = { tools: {}, prompts: {} };
  return `
const initialized = ${text({ capabilities, serverInfo })}.slice(1);
const tools = { old: ${text({ tools })}, modern: ${text({ tools, ...cache })} };
const prompts = { old: ${text({ prompts: listed })}, modern: ${text({ prompts: listed, ...cache })} };
const discovered = ${text({ supportedVersions: ['2026-07-28'], capabilities, ...cache })};
const tail = ${text({ resultType: 'complete', _meta: cache._meta })}.slice(1);
const handlers = new Map(${JSON.stringify(tools.map(({ name }) => name))}.map(name => [name, async ({ a, b }) => ({ sum: a + b })]));
function answer(message, reply) {
  const { id, method, params } = message;
  const isModern = params !== undefined && params._meta !== undefined && params._meta['io.modelcontextprotocol/protocolVersion'] !== undefined;
  const send = result => reply('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + result + '}');
  switch (method) {
    case 'initialize': return send('{"protocolVersion":' + JSON.stringify(params.protocolVersion) + ',' + initialized);
    case 'server/discover': return send(discovered);
    case 'tools/list': return send(isModern ? tools.modern : tools.old);
    case 'prompts/list': return send(isModern ? prompts.modern : prompts.old);
    case 'tools/call': return void handlers.get(params.name)(params.arguments).then(output => {
      const text = JSON.stringify(output);
      send('{"content":[{"type":"text","text":' + JSON.stringify(text) + '}],"structuredContent":' + text + (isModern ? ',' + tail : '}'));
    });
    default: reply('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"error":{"code":-32601,"message":"Method not found"}}');
  }
}
`;
}

function stdio(count) {
  return `${answers(count)}
let rest = '';
const reply = text => process.stdout.write(text + '\\n');
process.stdin.setEncoding('utf8');
process.stdin.on('data', chunk => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const message = JSON.parse(line);
    if (message.id !== undefined) answer(message, reply);
  }
});
`;
}

function http(count) {
  return `const { createServer } = require('node:http');
${answers(count)}
createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', chunk => { body += chunk; });
  request.on('end', () => {
    const message = JSON.parse(body);
    if (message.id === undefined) return response.writeHead(202).end();
    if (message.method === 'initialize') response.setHeader('mcp-session-id', 'one');
    answer(message, text => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      response.end(text);
    });
  });
}).listen(Number(process.argv[2]), '127.0.0.1');
`;
}
