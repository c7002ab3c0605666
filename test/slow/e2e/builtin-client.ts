// A real client of the built-in server, in a project: what an agent has.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { isMap } from '../../../schema/document.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface BuiltinUser {
  readonly project: string;
  readonly cache: string;
  /** Whether the user agrees to what is asked. */
  agrees(message: string): boolean;
}

export async function connectBuiltin({ project, cache, agrees }: BuiltinUser): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
    agrees(params.message) ? { action: 'accept', content: {} } : { action: 'decline' },
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'dist/cli/main.js'), 'start', 'pack-development'],
    cwd: project,
    env: { PATH: process.env['PATH'] ?? '', TOOLWRIGHT_CACHE: cache },
    stderr: 'pipe',
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return client;
}

/** The structured result of a call, or its error. */
export async function callBuiltin(
  client: Client,
  name: string,
  args: object,
): Promise<Readonly<Record<string, unknown>>> {
  const result = await client.callTool({ name, arguments: { ...args } });
  if (result.isError === true) {
    const error = result._meta?.['toolwright/error'];
    return isMap(error) ? error : { content: result.content };
  }
  return isMap(result.structuredContent) ? result.structuredContent : { content: result.content };
}
