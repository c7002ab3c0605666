// A server of 2025 over HTTP without any SDK, which shakes hands and then does what a test says.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './sdk-http.js';

export interface RawMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface RawHttp {
  readonly url: string;
  /** `POST tools/call`, `GET`, `DELETE`, as they came. */
  readonly seen: string[];
}

/** False: it is answered as usual. */
type Answer = (message: RawMessage, response: ServerResponse, request: IncomingMessage) => boolean | undefined;

export async function serveRaw(answer: Answer): Promise<RawHttp> {
  const seen: string[] = [];
  const host = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
    const message = (text === '' ? {} : JSON.parse(text)) as RawMessage;
    seen.push(text === '' ? `${request.method}` : `${request.method} ${message.method ?? 'answer'}`);
    if (answer(message, response, request) !== false) return;
    if (request.method === 'GET') response.writeHead(405).end();
    else if (message.method === 'server/discover') response.writeHead(400).end();
    else if (message.method === 'initialize') {
      response.setHeader('mcp-session-id', 's1');
      reply(response, message, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: {} });
    } else if (message.id === undefined) response.writeHead(202).end();
    else reply(response, message, { content: [] });
  });
  return { url: await listen(host), seen };
}

export function reply(response: ServerResponse, { id }: RawMessage, result: object): true {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  return true;
}
