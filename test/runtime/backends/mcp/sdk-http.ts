// A server of 2025 over HTTP with sessions, made with the first line of the SDK, as most public ones are.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { later } from './mcp-kit.js';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export interface SdkHttp {
  readonly url: string;
  /** `POST tools/call`, `GET`, `DELETE`, as they came. */
  readonly seen: string[];
  readonly headers: IncomingMessage['headers'][];
  readonly servers: McpServer[];
  /** As a server that was started again: it knows no session. */
  forget(): void;
}

export interface SdkHttpOptions {
  readonly isJson?: boolean;
  /** What it answers for a session that it does not know. */
  readonly lostStatus?: 400 | 404;
  /** Before anything else; true: it has answered. */
  readonly first?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export async function serveSdkHttp(options: SdkHttpOptions = {}): Promise<SdkHttp> {
  const { isJson = false, lostStatus = 404, first } = options;
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const seen: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const servers: McpServer[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    seen.push(body === undefined ? `${request.method}` : `${request.method} ${body.method ?? 'answer'}`);
    headers.push(request.headers);
    if (first?.(request, response) === true) return;
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known !== undefined) return known.handleRequest(request, response, body);
    if (body?.method !== 'initialize') {
      const error = { code: -32000, message: 'Bad Request: No valid session ID provided' };
      response.writeHead(lostStatus, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
      return;
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      enableJsonResponse: isJson,
      onsessioninitialized: session => void sessions.set(session, transport),
    });
    const server = makeServer();
    servers.push(server);
    await server.connect(transport as never);
    await transport.handleRequest(request, response, body);
  };
  const host = createServer((request, response) => void answer(request, response));
  const url = `${await listen(host)}/mcp`;
  return { url, seen, headers, servers, forget: () => sessions.clear() };
}

export async function listen(host: Server): Promise<string> {
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  later(async () => {
    host.closeAllConnections();
    await new Promise(resolve => host.close(resolve));
  });
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
}

async function readBody(request: IncomingMessage): Promise<{ readonly method?: string } | undefined> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
  return text === '' ? undefined : (JSON.parse(text) as { readonly method?: string });
}

function makeServer(): McpServer {
  const mcp = new McpServer({ name: 'old', version: '1' }, { capabilities: { logging: {} } });
  const say = (value: unknown) => ({ content: [{ type: 'text' as const, text: String(value) }] });
  mcp.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => say(text));
  mcp.registerTool('fail', {}, () => {
    throw new Error('no');
  });
  mcp.registerTool('steps', {}, async ({ _meta, sendNotification }: Extra) => {
    const progressToken = _meta?.progressToken ?? 0;
    await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } });
    await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'half' } });
    return say('done');
  });
  // Once over the stream of the call, once over the one that belongs to no call.
  const question = {
    message: 'Size?',
    requestedSchema: { type: 'object' as const, properties: { size: { type: 'string' as const } } },
  };
  mcp.registerTool('ask', {}, async ({ requestId }: Extra) =>
    say(JSON.stringify(await mcp.server.elicitInput(question, { relatedRequestId: requestId }))),
  );
  mcp.registerTool('ask-aside', {}, async () => say(JSON.stringify(await mcp.server.elicitInput(question))));
  mcp.registerTool(
    'hang',
    {},
    ({ signal }: Extra) => new Promise(resolve => signal.addEventListener('abort', () => resolve(say('stopped')))),
  );
  return mcp;
}
