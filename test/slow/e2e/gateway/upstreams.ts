// The server behind a gateway in each of its forms: a process or an address, of 2025 or of 2026, with the same tools.
import { createServer as createHttp, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createServer, type ToolContext, ToolError } from '../../../../runtime/index.js';

export interface Upstream {
  /** Of a backend, without `type`. */
  readonly definition: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

/** What every one of them has; `missing` is forwarded to a tool that none has. */
export const toolNames = [
  'echo',
  'failed',
  'missing',
  'progress',
  'ask',
  'sample',
  'roots',
  'hang',
  'cancelled',
  'changes',
];

const program = (file: string): Upstream => ({
  definition: {
    command: [process.execPath, fileURLToPath(new URL(`../../../runtime/backends/mcp/${file}`, import.meta.url))],
  },
  close: async () => undefined,
});

const cancelled: string[] = [];
const shown = (value: unknown): string => JSON.stringify(value);
const tools = [
  {
    name: 'echo',
    description: 'Echo.',
    inputSchema: { type: 'object' },
    handler: (args: object) => ({ content: [{ type: 'text', text: shown(args) }], structuredContent: args }),
  },
  {
    name: 'failed',
    description: 'Fail.',
    handler: () => {
      throw new ToolError('went wrong');
    },
  },
  {
    name: 'progress',
    description: 'Progress.',
    handler: async (_: object, ctx: ToolContext) => {
      ctx.progress(1, 2, 'half');
      ctx.progress(2, 2, 'whole');
      await new Promise(resolve => setTimeout(resolve, 50));
      return 'done';
    },
  },
  {
    name: 'ask',
    description: 'Ask.',
    handler: async (_: object, ctx: ToolContext) =>
      shown(await ctx.elicit('q', { message: 'Size?', schema: { size: 'string' } })),
  },
  {
    name: 'sample',
    description: 'Sample.',
    handler: async (_: object, ctx: ToolContext) => shown(await ctx.sample('q', { prompt: 'Hi', maxTokens: 5 })),
  },
  { name: 'roots', description: 'Roots.', handler: async (_: object, ctx: ToolContext) => shown(await ctx.roots()) },
  {
    name: 'hang',
    description: 'Hang.',
    handler: (_: object, ctx: ToolContext) =>
      new Promise(() => {
        ctx.signal.addEventListener('abort', () => cancelled.push('hang'));
      }),
  },
  { name: 'cancelled', description: 'Cancelled.', handler: () => shown(cancelled) },
];

async function address(): Promise<Upstream & { readonly url: string }> {
  cancelled.length = 0;
  const server = await createServer({ name: 'up', env: {}, report: () => {}, tools: tools as never });
  const { url } = await server.serveHttp();
  // Each call adds one, so that the list changes.
  let count = 0;
  server.add('tool', {
    name: 'changes',
    description: 'Changes.',
    handler: () => {
      count += 1;
      server.add('tool', { name: `more-${count}`, description: 'More.', handler: () => 'x' } as never);
      return 'changed';
    },
  } as never);
  return { url, definition: { url, allowAddresses: ['127.0.0.1'] }, close: () => server.close() };
}

/** The same, in front of which stands something that knows no 2026. */
async function oldAddress(): Promise<Upstream> {
  const { url, close } = await address();
  const host = createHttp((request, response) => {
    if (request.headers['mcp-protocol-version'] === '2026-07-28') {
      response.writeHead(400).end();
      return;
    }
    const { method = '', headers } = request;
    const onward = send(url, { method, headers: { ...headers, host: new URL(url).host } }, answer => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>(resolve => host.listen(0, '127.0.0.1', resolve));
  const { port } = host.address() as AddressInfo;
  return {
    definition: { url: `http://127.0.0.1:${port}${new URL(url).pathname}`, allowAddresses: ['127.0.0.1'] },
    async close() {
      host.closeAllConnections();
      host.close();
      await close();
    },
  };
}

export const upstreams: Readonly<Record<string, () => Promise<Upstream>>> = {
  '2025-11-25 over stdio': async () => program('server-2025.mjs'),
  '2026-07-28 over stdio': async () => program('server-2026.mjs'),
  '2025-11-25 over HTTP': oldAddress,
  '2026-07-28 over HTTP': address,
};
