// Contenders: the official SDK, lines 1 and 2, as their documentation shows them.
import { prompts, serverInfo, toolsOf, wholeResult, writeFiles, zodInput, zodOutput } from './work.mjs';

const register = (count, extra) => `import * as z from 'zod';
const tools = ${JSON.stringify(toolsOf(count))};
const prompts = ${JSON.stringify(prompts)};
function makeServer() {
  const server = new McpServer(${JSON.stringify(serverInfo)});
  for (const { name, description } of tools) {
    server.registerTool(name, { description, inputSchema: ${zodInput}${extra}, outputSchema: ${zodOutput}${extra} }, async ${wholeResult});
  }
  for (const { name, description } of prompts) {
    server.registerPrompt(name, { description, argsSchema: z.object({ topic: z.string() })${extra} }, ({ topic }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: \`Tell me about \${topic}.\` } }],
    }));
  }
  return server;
}
`;

/** Sessions as both lines have them: one transport each. */
const sessions = transport => `
const sessions = new Map();
async function serveSession(request, response, body) {
  let transport = sessions.get(request.headers['mcp-session-id']);
  if (transport === undefined && isInitializeRequest(body)) {
    transport = new ${transport}({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => void sessions.set(id, transport),
    });
    await makeServer().connect(transport);
  }
  return transport.handleRequest(request, response, body);
}
createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  await serve(request, response, JSON.parse(Buffer.concat(chunks).toString()));
}).listen(Number(process.argv[2]), '127.0.0.1');
`;

export const sdk1 = {
  id: 'SDK 1.x',
  packages: ['@modelcontextprotocol/sdk@1', 'zod@4'],
  transports: { stdio: ['2025'], http: ['2025'] },
  write(folder, count) {
    const made = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n${register(count, '.shape')}`;
    writeFiles(folder, {
      'stdio.mjs': `import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
${made}await makeServer().connect(new StdioServerTransport());\n`,
      'http.mjs': `import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
${made}const serve = (...args) => serveSession(...args);${sessions('StreamableHTTPServerTransport')}`,
    });
  },
  command: ({ transport, port }) => [`${transport}.mjs`, `${port}`],
};

export const sdk2 = {
  id: 'SDK 2.x',
  packages: ['@modelcontextprotocol/server@2', '@modelcontextprotocol/node@2', 'zod@4'],
  transports: { stdio: ['2025', '2026'], http: ['2025', '2026'] },
  write(folder, count) {
    const made = register(count, '');
    writeFiles(folder, {
      'stdio.mjs': `import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
${made}serveStdio(makeServer);\n`,
      'http.mjs': `import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { createMcpHandler, isInitializeRequest, McpServer } from '@modelcontextprotocol/server';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
${made}const modern = toNodeHandler(createMcpHandler(makeServer, { legacy: 'reject' }));
const serve = (request, response, body) =>
  (request.headers['mcp-protocol-version'] === '2026-07-28' ? modern : serveSession)(request, response, body);
${sessions('NodeStreamableHTTPServerTransport')}`,
    });
  },
  command: ({ transport, port }) => [`${transport}.mjs`, `${port}`],
};
