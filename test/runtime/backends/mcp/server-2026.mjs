// A server of 2026-07-28 as a process, made with the SDK; it speaks no other version unless it is told to.
import { inputRequired, McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [legacy = 'reject'] = process.argv.slice(2);
const text = value => ({ content: [{ type: 'text', text: String(value) }] });
const form = message =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: { size: { type: 'string' } } } });
const say = words => ({ role: 'user', content: { type: 'text', text: words } });
const answered = (ctx, question) => {
  const { inputResponses } = ctx.mcpReq;
  if (inputResponses?.it === undefined) return inputRequired({ inputRequests: { it: question } });
  return text(JSON.stringify(inputResponses.it));
};
const cancelled = [];

const tools = {
  echo: args => ({ ...text(JSON.stringify(args)), structuredContent: args, _meta: { 'acme/x': 1 } }),
  meta: (_, ctx) => text(JSON.stringify(ctx.mcpReq._meta ?? null)),
  envelope: (_, ctx) => text(JSON.stringify(ctx.mcpReq.envelope ?? null)),
  cancelled: () => text(JSON.stringify(cancelled)),
  hang: (_, ctx) =>
    new Promise(() => {
      ctx.mcpReq.signal.addEventListener('abort', () => cancelled.push(1));
    }),
  progress: async (_, ctx) => {
    const { progressToken } = ctx.mcpReq._meta ?? {};
    for (const progress of [1, 2])
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 2 } });
    await new Promise(resolve => setTimeout(resolve, 50));
    return text('done');
  },
  log: async (_, ctx) => {
    await ctx.mcpReq.log('warning', 'careful');
    return text('logged');
  },
  ask: (_, ctx) => {
    const { inputResponses } = ctx.mcpReq;
    if (inputResponses?.size === undefined)
      return inputRequired({ inputRequests: { size: form('Size?') }, requestState: 'state-1' });
    return text(JSON.stringify({ answer: inputResponses.size, state: ctx.mcpReq.requestState() }));
  },
  failed: () => ({ ...text('went wrong'), isError: true }),
  sample: (_, ctx) => answered(ctx, inputRequired.createMessage({ messages: [say('Hi')], maxTokens: 5 })),
  roots: (_, ctx) => answered(ctx, inputRequired.listRoots()),
  'ask-twice': (_, ctx) => {
    const { inputResponses = {} } = ctx.mcpReq;
    const state = ctx.mcpReq.requestState();
    if (state === undefined) return inputRequired({ inputRequests: { one: form('One?') }, requestState: 'one' });
    if (state === 'one')
      return inputRequired({ inputRequests: { two: form('Two?') }, requestState: `two ${inputResponses.one.action}` });
    return text(`${state} ${inputResponses.two.action}`);
  },
  again: (_, ctx) => (ctx.mcpReq.requestState() === undefined ? inputRequired({ requestState: 'later' }) : text('now')),
  changes: () => {
    for (const server of servers) server.sendToolListChanged();
    return text('changed');
  },
};

const servers = new Set();
serveStdio(
  () => {
    const mcp = new McpServer({ name: 'new', version: '2' }, { instructions: 'Be modern.' });
    const { server } = mcp;
    servers.add(mcp);
    server.registerCapabilities({ tools: { listChanged: true }, prompts: {}, resources: {}, logging: {} });
    server.setRequestHandler('tools/list', () => ({
      tools: Object.keys(tools).map(name => ({ name, inputSchema: { type: 'object' } })),
    }));
    server.setRequestHandler('tools/call', ({ params: { name, arguments: args } }, ctx) => {
      if (tools[name] === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
      return tools[name](args, ctx);
    });
    server.setRequestHandler('prompts/list', () => ({ prompts: [] }));
    server.setRequestHandler('prompts/get', ({ params }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: params.name } }],
    }));
    server.setRequestHandler('resources/list', () => ({ resources: [] }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [{ uri, text: 'hello' }] }));
    return mcp;
  },
  { legacy },
);
