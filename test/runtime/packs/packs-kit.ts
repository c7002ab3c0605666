// What the tests of composed servers share: packs of JavaScript handlers, the built command, a real client.
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll } from 'vitest';
import { openCommands, type Ran } from '../../harness/commands.js';
import type { PackFiles } from './code-packs.js';

export const command = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

export interface Circumstances {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

const commands = openCommands();
afterAll(() => commands.close());

/** Runs `toolwright` to its end. */
export function toolwright(args: readonly string[], { cwd, env = {} }: Circumstances): Promise<Ran> {
  return commands.run(args, { cwd, env: { ...process.env, NO_COLOR: '1', ...env } });
}

export interface Session {
  readonly client: Client;
  stderr(): string;
  /** The text of a result; of an error its code and message. */
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<string>;
  names(): Promise<readonly string[]>;
}

/** Starts a server and connects a real client to it. */
export async function startSession(args: readonly string[], { cwd, env = {} }: Circumstances): Promise<Session> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, 'start', ...args],
    cwd,
    env: { ...(process.env as Record<string, string>), ...env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (text: Buffer) => {
    stderr += text.toString();
  });
  const client = new Client({ name: 'packs', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    stderr: () => stderr,
    async call(name, given = {}) {
      const { content, isError } = await client.callTool({ name, arguments: given });
      const [first] = content as { text: string }[];
      if (isError !== true) return first?.text ?? '';
      const { code, message } = JSON.parse(first?.text ?? '{}') as { code: string; message: string };
      return `${code}: ${message}`;
    },
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
  };
}

export interface PackParts {
  readonly version?: string;
  /** Wire names by item; `''`: as the item. */
  readonly tools?: Readonly<Record<string, string>>;
  readonly servers?: Readonly<Record<string, string>>;
  readonly files?: PackFiles;
}

/** A pack whose tools say who they are: `acme/jira/get-issue 1.0.0`. */
export function makePack(
  name: string,
  { version = '1.0.0', tools = {}, servers = {}, files = {} }: PackParts,
): PackFiles {
  const pack = name.replace('@', '');
  return {
    'package.json': JSON.stringify({ name, version, type: 'module' }),
    'toolwright.yaml': 'handlers: lib\n',
    ...Object.fromEntries(
      Object.entries(tools).flatMap(([item, wire]) => [
        [`mcp/tools/${item}.yaml`, `description: ${item} of ${pack}.\n${wire === '' ? '' : `name: ${wire}\n`}`],
        [`lib/tools/${item}.js`, `export default () => '${pack}/${item} ${version}';\n`],
      ]),
    ),
    ...Object.fromEntries(Object.entries(servers).map(([item, text]) => [`mcp/servers/${item}.yaml`, text])),
    ...files,
  };
}
