// Handlers that end the process, or throw where nobody catches it: whoever waits gets an answer, and stderr says who it was.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolwright, writePack } from '../../harness/build-pack.js';
import { call, hello, type ServerProcess, startProcess } from './server-process.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-sudden-'));
const pack = join(folder, 'pack');
const handlers = {
  slow: 'export default () => new Promise(() => setTimeout(() => undefined, 1e6));\n',
  leave: 'export default () => {\n  process.exit(3);\n};\n',
  'leave-later':
    'export default async () => {\n  await new Promise(resolve => setTimeout(resolve, 20));\n  process.exit(4);\n};\n',
  throw:
    'export default () => {\n  setTimeout(() => {\n    throw new Error(`bad ${process.env.TOKEN}`);\n  }, 1);\n  return new Promise(() => undefined);\n};\n',
  forget: "export default () => {\n  void Promise.reject(new Error('forgotten'));\n  return 'fine';\n};\n",
  emit: "import { EventEmitter } from 'node:events';\nexport default () => {\n  setImmediate(() => new EventEmitter().emit('error', new Error('emitted')));\n  return new Promise(() => undefined);\n};\n",
  nothing:
    'export default () => {\n  setTimeout(() => {\n    throw undefined;\n  }, 1);\n  return new Promise(() => undefined);\n};\n',
  proxy:
    'export default () => {\n  void Promise.reject(new Proxy({}, { getPrototypeOf: () => { throw new Error(); } }));\n  return 1;\n};\n',
  pretend: "export default () => {\n  process.emit('exit', 0);\n  return 1;\n};\n",
  listen:
    "export default () => {\n  process.on('exit', () => {\n    throw new Error(`bad ${process.env.TOKEN}`);\n  });\n  return 1;\n};\n",
  close:
    "import fs from 'node:fs';\nexport default () => {\n  for (const fd of [0, 1, 2]) fs.closeSync(fd);\n  return fs.openSync('package.json', 'r') > 2 ? 'kept' : 'lost';\n};\n",
  read: "import fs from 'node:fs';\nexport default () => {\n  const buffer = Buffer.alloc(9);\n  return [fs.readFileSync(0, 'utf8'), fs.readSync(0, buffer), fs.readFileSync('/dev/stdin', 'utf8')].join('|');\n};\n",
  leak: "export default () => {\n  setInterval(() => undefined, 10);\n  return 'leaked';\n};\n",
};

beforeAll(() => {
  writePack(pack, {
    'package.json': '{"name": "sudden", "version": "1.0.0", "type": "module"}',
    'toolwright.yaml': 'config:\n  TOKEN: { type: string, secret: true }\n',
    'mcp/servers/main.yaml': '{}',
    'mcp/tools.yaml': Object.keys(handlers)
      .map(name => `${name}: {description: d}\n`)
      .join(''),
    ...Object.fromEntries(Object.entries(handlers).map(([name, code]) => [`src/tools/${name}.ts`, code])),
  });
  const built = toolwright(pack, 'build');
  if (built.status !== 0) throw new Error(built.stdout + built.stderr);
});

const open: ServerProcess[] = [];
afterAll(() => {
  for (const { child } of open) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const env = { TOKEN: 'hunter22-hunter22' };
const ways = {
  start: (args: readonly string[] = []) => startProcess({ start: pack }, args, env),
  built: (args: readonly string[] = []) => startProcess({ file: join(pack, 'dist/main.cjs') }, args, env),
};
const ended = { error: { code: -32603, message: 'The server process ended before the call did' } };

async function begin(way: keyof typeof ways, ...calls: readonly object[]): Promise<ServerProcess> {
  const server = ways[way]();
  open.push(server);
  server.send(hello, call('slow', 'slow'));
  await server.answer('hello');
  server.send(...calls);
  return server;
}

describe.each(['start', 'built'] as const)('fix-A15 sudden ends over stdio, by %s', way => {
  it.each([
    ['leave', 3],
    ['leave-later', 4],
  ])('process.exit in %s answers all calls first and prints its position on stderr', async (tool, code) => {
    const server = await begin(way, call('it', tool));
    expect(await server.end).toBe(code);
    expect(await server.answer('it')).toMatchObject(ended);
    expect(await server.answer('slow')).toMatchObject(ended);
    expect(server.stderr()).toMatch(
      new RegExp(`process\\.exit\\(${code}\\) at \\S+${tool}\\S*:\\d+:\\d+ ends the server`),
    );
    expect(server.stderr()).toContain(`under way: "slow", "${tool}"`);
  });

  it.each(['throw', 'emit', 'nothing'])(
    'an exception that nobody catches, by %s, ends the server with 1 after all calls were answered',
    async tool => {
      const server = await begin(way, call('it', tool));
      expect(await server.end).toBe(1);
      expect(await server.answer('it')).toMatchObject(ended);
      expect(await server.answer('slow')).toMatchObject(ended);
      expect(server.stderr()).toContain(`an uncaught exception ends the server; under way: "slow", "${tool}"`);
      expect(server.stderr() + server.lines.join()).not.toContain('hunter22');
    },
  );

  it('forgotten promises, leaked timers, odd listeners and closed descriptors end nothing', async () => {
    const odd = ['proxy', 'pretend', 'listen', 'close', 'read'];
    const server = await begin(way, call('a', 'forget'), call('b', 'leak'));
    const texts: unknown[] = [];
    // One after the other: a listener that is there already would fail the call that pretends the end.
    for (const name of odd) {
      server.send(call(name, name));
      texts.push((await server.answer(name)).result?.content[0].text);
    }
    expect(texts).toEqual(['1', '1', '1', 'kept', '|0|']);
    expect(await server.answer('a')).toMatchObject({ result: { content: [{ text: 'fine' }] } });
    expect(await server.answer('b')).toMatchObject({ result: { content: [{ text: 'leaked' }] } });
    await server.said('forgotten');
    server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } });
    server.child.stdin.end();
    expect(await server.end).toBe(0);
    expect(server.stderr()).not.toContain('ends the server');
    expect(server.stderr()).toContain('an exit listener failed: Error: bad [secret TOKEN]');
  });
});

describe.each(['start', 'built'] as const)('fix-A15 sudden ends over HTTP, by %s', way => {
  it.each([
    ['leave', 3, 'process.exit(3)'],
    ['throw', 1, 'an uncaught exception'],
  ])('a handler that ends the process by %s leaves no request unanswered', async (tool, code, told) => {
    const server = ways[way](['--http', '0']);
    open.push(server);
    await server.said('listens on ');
    const url = /listens on (\S+)/.exec(server.stderr())?.[1] ?? '';
    const post = (name: string): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': name,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name,
            arguments: {},
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      });
    const slow = post('slow');
    // Begun for sure.
    await new Promise(resolve => setTimeout(resolve, 300));
    const answers = await Promise.all([slow, post(tool)]);
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(await answers[0].json()).toMatchObject(ended);
    expect(await server.end).toBe(code);
    expect(server.stderr()).toContain(told);
    expect(server.stderr()).not.toContain('hunter22');
  });
});
