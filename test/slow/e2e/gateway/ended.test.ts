// B4: the server behind a gateway ends with it, however that ends: a server that ignores the end of its stdin, and has started another process.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root, toolwright, writePack } from '../../../harness/build-pack.js';
import { holdLifeline } from '../../../runtime/backends/mcp/restart-kit.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-gateway-ended-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const messages = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'x', arguments: {} } },
];

const command = join(root, 'dist/cli/main.js');
const forms = {
  start: () => [command, 'start', 'main'],
  dev: () => [command, 'dev', 'main'],
  built: (pack: string) => {
    expect(toolwright(pack, 'build', 'main')).toMatchObject({ status: 0 });
    return [join(pack, 'dist/main.cjs')];
  },
};

const endings: Readonly<Record<string, (child: ChildProcess) => unknown>> = {
  'its stdin ends': ({ stdin }) => stdin?.end(),
  SIGTERM: child => child.kill('SIGTERM'),
  SIGINT: child => child.kill('SIGINT'),
  SIGKILL: child => child.kill('SIGKILL'),
};

describe.skipIf(process.platform === 'win32').each(Object.entries(forms))('a gateway by %s', (form, wordsOf) => {
  it.each(Object.entries(endings))('B4 nothing of the other server is left when it ends by %s', async (how, end) => {
    const lifeline = await holdLifeline();
    const pack = writePack(join(folder, `${form} ${how}`), {
      'package.json': '{"name": "gateway", "version": "1.0.0", "type": "module"}',
      'toolwright.yaml': `backends: { up: { type: mcp, command: ${JSON.stringify(lifeline.command)} } }\n`,
      'mcp/servers/main.yaml': 'description: Main\n',
      'mcp/tools/x.yaml': 'description: X\nmcp: {}\n',
    });
    const child = spawn(process.execPath, wordsOf(pack), { cwd: pack });
    children.push(child);
    child.stdin.on('error', () => undefined);
    const send = (message: object): unknown => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    messages.forEach(send);
    const lives = await lifeline.begun(2);
    // A call that is under way would be waited for.
    send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    end(child);
    await Promise.all(lives);
  });
});
