// B4: real clients of both eras over both transports, through a gateway, at servers of both eras over both transports: calls, errors, progress,
// questions, cancellation and changes of lists pass through in every combination.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, writePack } from '../../../harness/build-pack.js';
import { httpAddressOf } from '../../../harness/http-address.js';
import { type AnyClient, callWith, type Target, ways } from '../../../harness/interop-clients.js';
import { toolNames, type Upstream, upstreams } from './upstreams.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-gateway-eras-'));
const command = join(root, 'dist/cli/main.js');
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

describe.each(Object.entries(upstreams))('a server of %s', (name, open) => {
  let upstream: Upstream;
  let gateway: ChildProcess;
  let target: Target;
  beforeAll(async () => {
    upstream = await open();
    const pack = writePack(join(folder, name), {
      'package.json': '{"name": "gateway", "version": "1.0.0", "type": "module"}',
      'toolwright.yaml': JSON.stringify({ backends: { up: { type: 'mcp', ...upstream.definition } } }),
      'mcp/servers/main.yaml': 'description: Main\n',
      'mcp/tools.yaml': JSON.stringify(
        Object.fromEntries(
          toolNames.map(one => [one, { description: 'Forwards', inputSchema: { type: 'object' }, mcp: {} }]),
        ),
      ),
    });
    gateway = spawn(process.execPath, [command, 'start', '--http', '0'], { cwd: pack });
    const url = await httpAddressOf(gateway);
    target = { command: process.execPath, args: [command, 'start'], cwd: pack, url };
  });
  afterAll(async () => {
    gateway.kill();
    await upstream.close();
  });

  // One that negotiates speaks 2026, as the one that knows nothing else.
  describe.each(ways.filter(way => !way.name.includes('negotiated')))('and a $name', way => {
    let client: AnyClient;
    const heard: string[] = [];
    const asked: unknown[] = [];
    beforeAll(async () => {
      client = await way.connect(target, {
        elicit(question) {
          asked.push(question['message']);
          return { action: 'accept', content: { size: 'M' } };
        },
        sample(question) {
          asked.push(question['messages']);
          return { role: 'assistant', model: 'm', content: { type: 'text', text: 'short' } };
        },
        roots: () => ({ roots: [{ uri: 'file:///work', name: 'work' }] }),
      });
      Object.assign(client, { fallbackNotificationHandler: async ({ method }: never) => void heard.push(method) });
    });
    afterAll(() => client.close());
    const textOf = async (tool: string): Promise<string> => {
      const { content } = await client.callTool({ name: tool, arguments: {} });
      return (content as { text: string }[])[0]?.text ?? '';
    };

    it('B4 results and errors pass through', async () => {
      const args = { a: [1, null, 'ü\n'] };
      expect(await client.callTool({ name: 'echo', arguments: args })).toMatchObject({ structuredContent: args });
      const failed = await client.callTool({ name: 'failed', arguments: {} });
      expect([failed.isError, JSON.stringify(failed.content)]).toEqual([true, expect.stringContaining('went wrong')]);
      const missing = client.callTool({ name: 'missing', arguments: {} });
      await expect(missing).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('Unknown tool') });
    });

    it('B4 progress passes through', async () => {
      const seen: unknown[] = [];
      const onprogress = ({ progress, total }: { progress: number; total?: number }): void =>
        void seen.push([progress, total]);
      await callWith(way, client, { name: 'progress' }, { onprogress });
      // The last one may get lost inside a client that reads it together with the result.
      expect(seen[0]).toEqual([1, 2]);
    });

    it('B4 questions pass through, and their answers', async () => {
      asked.length = 0;
      expect(await textOf('ask')).toContain('{"action":"accept","content":{"size":"M"}}');
      expect(await textOf('sample')).toContain('short');
      // A server of 2025 keeps folders for all that share it: those of a client that came over a network are not its business.
      const isKept = way.transport === 'http' && name.startsWith('2025');
      expect((await textOf('roots')).includes('file:///work')).toBe(!isKept);
      expect(asked).toEqual(['Size?', [{ role: 'user', content: { type: 'text', text: 'Hi' } }]]);
    });

    it('B4 a call that is cancelled is cancelled there, too', async () => {
      const before = JSON.parse(await textOf('cancelled')).length;
      const controller = new AbortController();
      const hanging = callWith(way, client, { name: 'hang' }, { signal: controller.signal });
      const failed = expect(hanging).rejects.toThrow();
      // It has arrived when another one, sent later, is answered: both go the same way.
      await textOf('echo');
      await new Promise(resolve => setTimeout(resolve, 100));
      controller.abort('enough');
      await failed;
      while (JSON.parse(await textOf('cancelled')).length === before) await new Promise(setImmediate);
    });

    // Those of 2026 only hear of what they listen to.
    if (way.era === 'modern') return;
    it('B4 changes of lists pass through', async () => {
      await textOf('changes');
      while (!heard.includes('notifications/tools/list_changed')) await new Promise(resolve => setTimeout(resolve, 5));
      expect(await textOf('echo')).toBe('{}');
    });
  });
});
