// A handler that never gives the thread back: the process says so, and ends when it is asked to.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolwright, writePack } from '../../harness/build-pack.js';
import { call, hello, type ServerProcess, startProcess } from './server-process.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-blocked-'));
const pack = join(folder, 'pack');

beforeAll(() => {
  writePack(pack, {
    'package.json': '{"name": "spinner", "version": "1.0.0", "type": "module"}',
    'toolwright.yaml': '',
    'mcp/servers/main.yaml': '{}',
    'mcp/tools.yaml': ['spin', 'late', 'add'].map(name => `${name}: {description: d}\n`).join(''),
    'src/tools/spin.ts': 'export default () => {\n  for (;;);\n};\n',
    // Blocks as well, and leaves the processor to other tests.
    'src/tools/late.ts': `export default async () => {
  await new Promise(resolve => setTimeout(resolve, 50));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
`,
    'src/tools/add.ts': 'export default () => 2;\n',
  });
  const built = toolwright(pack, 'build');
  if (built.status !== 0) throw new Error(built.stdout + built.stderr);
});

const open: ServerProcess[] = [];
afterAll(() => {
  for (const { child } of open) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const ways = {
  start: () => startProcess({ start: pack }),
  built: () => startProcess({ file: join(pack, 'dist/main.cjs') }),
};

async function spinning(way: keyof typeof ways, tool: 'spin' | 'late'): Promise<ServerProcess> {
  const server = ways[way]();
  open.push(server);
  // The very first call. By the time of the line the thread is there, on a busy machine as well.
  server.send(hello, call(1, tool));
  await server.said(`"${tool}" has blocked this process for 5 s`);
  return server;
}

describe.concurrent.each(['start', 'built'] as const)('fix-A6 a blocked server by %s', way => {
  it('a blocked server ends when its client closes stdin, even if more was sent', async () => {
    const server = await spinning(way, 'late');
    server.send(call(3, 'add'));
    server.child.stdin.end();
    expect(await server.end).toBe('SIGKILL');
    expect(server.stderr()).toContain('the process is killed: its client has left, and "late" blocks it');
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('a blocked server ends at %s', async signal => {
    const server = await spinning(way, 'late');
    server.child.kill(signal);
    expect(await server.end).toBe('SIGKILL');
    expect(server.stderr()).toContain(`the process is killed: it received ${signal}, and "late" blocks it`);
  });

  it('a blocked server reports once which tool blocks it', async () => {
    const server = await spinning(way, 'spin');
    server.child.kill('SIGTERM');
    expect(await server.end).toBe('SIGKILL');
    expect(server.stderr().match(/has blocked/g)).toHaveLength(1);
  });
});

it('fix-A6 a blocked server over HTTP ends at SIGTERM', async () => {
  const server = startProcess({ start: pack }, ['--http', '0']);
  open.push(server);
  await server.said('listens on ');
  const url = /listens on (\S+)/.exec(server.stderr())?.[1] ?? '';
  const post = (message: object, session?: string | null): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session && { 'mcp-session-id': session }),
      },
      body: JSON.stringify(message),
    });
  const session = (await post(hello)).headers.get('mcp-session-id');
  // The stream of the answer may have begun; it is cut off then.
  const blocked = post(call(1, 'late'), session)
    .then(response => response.text())
    .catch(() => 'cut');
  await server.said('"late" has blocked this process for 5 s');
  server.child.kill('SIGTERM');
  expect(await server.end).toBe('SIGKILL');
  expect(await blocked).toBe('cut');
});

describe('fix-A6 servers that are not blocked, and shell pipes', () => {
  it('a server that is not blocked handles signals and EOF as always', async () => {
    for (const way of ['start', 'built'] as const) {
      const server = ways[way]();
      open.push(server);
      server.send(hello, call(1, 'add'));
      await server.answer(1);
      server.child.kill('SIGHUP');
      expect(await server.end).toBe(0);
      const other = ways[way]();
      open.push(other);
      other.send(hello, call(1, 'add'));
      await other.answer(1);
      other.child.stdin.end();
      expect(await other.end).toBe(0);
      expect(other.stderr()).toBe('');
    }
  });

  it('a blocked server ends when its shell pipe closes', () => {
    const lines = [hello, call(1, 'spin')].map(one => JSON.stringify(one)).join('\n');
    const file = join(pack, 'dist/main.cjs');
    const ran = spawnSync('sh', ['-c', '(printf "%s\\n" "$LINES_TO_SEND"; sleep 2) | "$NODE" "$FILE" > /dev/null'], {
      env: { ...process.env, LINES_TO_SEND: lines, NODE: process.execPath, FILE: file },
      encoding: 'utf8',
    });
    expect(ran.stderr).toContain('its client has left');
  });
});
