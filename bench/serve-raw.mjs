// The server to compare with: the SDK's McpServer as its documentation shows it, with one tool. `stdio`, or `http`, which
// prints its address on stderr.
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

function makeServer() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool(
    'add',
    {
      description: 'Adds two numbers',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    async ({ a, b }) => {
      const output = { sum: a + b };
      return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output };
    },
  );
  return server;
}

if (process.argv[2] === 'stdio') {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  serveStdio(makeServer);
} else {
  const [{ createServer }, { randomUUID }, { createMcpHandler, isInitializeRequest }, node] = await Promise.all([
    import('node:http'),
    import('node:crypto'),
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/node'),
  ]);
  const modern = node.toNodeHandler(createMcpHandler(makeServer, { legacy: 'reject' }));
  const sessions = new Map();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    if (request.headers['mcp-protocol-version'] === '2026-07-28') return modern(request, response, body);
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (transport === undefined && isInitializeRequest(body)) {
      transport = new node.NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: id => void sessions.set(id, transport),
      });
      await makeServer().connect(transport);
    }
    return transport.handleRequest(request, response, body);
  });
  server.listen(0, '127.0.0.1', () => console.error(`http://127.0.0.1:${server.address().port}/mcp`));
}
