// What the tests of isolation share: a pack of JavaScript handlers whose tools run in threads, opened as a test opens it.
import { afterAll } from 'vitest';
import { createTestClient, type TestClient, type TestClientOptions } from '../../../runtime/server/testing/index.js';
import { writeFolder } from '../packs/code-packs.js';

const opened: TestClient[] = [];
afterAll(async () => {
  for (const client of opened.splice(0)) await client.close();
});

/** A tool: what its manifest says, and what its module exports by default. */
export type IsolatedTool = readonly [manifest: string, handler: string];

interface IsolatedPack extends TestClientOptions {
  readonly isolate?: 'thread' | 'none';
  readonly manifest?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export async function openIsolated(
  tools: Readonly<Record<string, IsolatedTool>>,
  { isolate = 'thread', manifest = '', files = {}, ...options }: IsolatedPack = {},
): Promise<TestClient> {
  const folder = writeFolder({
    'package.json': '{"name": "@acme/apart", "version": "1.0.0", "type": "module"}',
    'toolwright.yaml': `isolate: ${isolate}\n${manifest}`,
    ...Object.fromEntries(
      Object.entries(tools).flatMap(([name, [text, handler]]) => [
        [`mcp/tools/${name}.yaml`, `description: d\neffect: write\n${text}`],
        [`src/tools/${name}.js`, handler.includes('export ') ? handler : `export default ${handler};`],
      ]),
    ),
    ...files,
  });
  const client = await createTestClient(folder, options);
  opened.push(client);
  return client;
}
