// `toolwright dev` and items without code: what an author edits is live, and what was open before is closed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { echo, startService } from '../../runtime/backends/http/service.js';
import { endSessions, startDev } from './dev-kit.js';

afterEach(endSessions);

const manifest = (origin: string, path = ''): string =>
  `backends:\n  api: { type: http, url: "${origin}${path}" }\n  theirs: { type: mcp, command: [node, theirs.mjs] }\n`;

/** Notes its process id in a file. */
const theirs = `
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
writeFileSync('pid', String(process.pid));
const send = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') send({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 't', version: '1' } } });
  else if (id !== undefined) send({ id, result: { content: [{ type: 'text', text: String(process.pid) }] } });
});
`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('`dev` and items without code', () => {
  it('B1 B3 B4 edits of requests, arguments and backends are live, and what was open is closed', async () => {
    const [service, other] = [await startService(echo), await startService(echo)];
    const dev = await startDev({
      'toolwright.yaml': manifest(service.origin),
      'theirs.mjs': theirs,
      'mcp/tools/get.yaml': 'description: Get\nhttp: GET /one\n',
      'mcp/tools/say.yaml': 'description: Say\nexec: { command: node, args: [-p, "1"] }\n',
      'mcp/tools/ask.yaml': 'description: Ask\nmcp: {}\n',
    });
    await dev.next('serving');
    expect(await dev.call('get')).toContain('/one');
    expect(await dev.call('say')).toContain('1');
    const pid = Number(await dev.call('ask'));
    expect(pid).toBe(Number(readFileSync(join(dev.pack, 'pid'), 'utf8')));

    await dev.change({ 'mcp/tools/get.yaml': 'description: Get\nhttp: GET /two\n' }, 'serving');
    expect(await dev.call('get')).toContain('/two');
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
    await dev.change(
      { 'mcp/tools/say.yaml': 'description: Say\nexec: { command: node, args: [-p, "2"] }\n' },
      'serving',
    );
    expect(await dev.call('say')).toContain('2');

    await dev.change({ 'toolwright.yaml': manifest(other.origin, '/v2') }, 'serving');
    expect(await dev.call('get')).toContain('/v2/two');
    expect([service.received.length, other.received.length]).toEqual([2, 1]);
    await expect.poll(() => service.sockets.size, { timeout: 20_000 }).toBe(0);

    // Half written: the last good one stays.
    await dev.change({ 'mcp/tools/get.yaml': 'description: Get\nhttp: GET /{key\n' }, 'broken');
    expect(await dev.call('get')).toContain('/v2/two');
    await dev.change({ 'mcp/tools/get.yaml': 'description: Get\nhttp: GET /three\n' }, 'serving');
    expect(await dev.call('get')).toContain('/v2/three');
    expect(existsSync(join(dev.pack, 'src'))).toBe(false);
  });
});
