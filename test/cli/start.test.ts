// Runs the built `toolwright start` as clients and operators do: real processes, real pipes, real ports.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { writeFiles } from '../harness/files.js';

const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright start ünï-'));
const children = new Set<ChildProcess>();

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;

function pack(name: string, files: Files): string {
  const path = join(folder, name);
  const all = {
    'toolwright.yaml': '',
    'package.json': '{"name": "demo", "version": "1.0.0", "type": "module"}',
    ...files,
  };
  writeFiles(path, all);
  return path;
}

interface Options {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

function launch(args: readonly string[], { cwd, env = {} }: Options) {
  const child = spawn(process.execPath, [command, 'start', ...args], {
    cwd,
    stdio: 'pipe',
    env: { ...process.env, TOOLWRIGHT_CACHE: join(folder, 'cache'), ...env },
  });
  children.add(child);
  const seen = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', text => {
    seen.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    seen.stderr += text;
  });
  const exit = new Promise<number | null>(resolve => child.once('close', code => resolve(code)));
  const until = async (what: 'stdout' | 'stderr', pattern: RegExp): Promise<string> => {
    for (;;) {
      const [found] = pattern.exec(seen[what]) ?? [];
      if (found !== undefined) return found;
      const ended = await Promise.race([
        exit.then(() => true),
        new Promise<false>(go => setTimeout(() => go(false), 20)),
      ]);
      if (ended && !pattern.test(seen[what])) throw new Error(`it ended: ${seen.stdout}\n${seen.stderr}`);
    }
  };
  return { child, seen, exit, until };
}

const hello = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const list = { method: 'tools/list' };
const callOf = (name: string, args: object = {}): object => ({
  method: 'tools/call',
  params: { name, arguments: args },
});

interface Session {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Results and errors of the requests after the handshake, in order. */
  readonly answers: readonly Answer[];
}
interface Answer {
  readonly result?: {
    readonly tools?: readonly { readonly name: string; readonly description?: string }[];
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly serverInfo?: object;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

/** Sends requests one after the other, closes stdin and waits for the end. */
async function session(args: readonly string[], options: Options, requests: readonly object[]): Promise<Session> {
  const { child, seen, exit, until } = launch(args, options);
  child.stdin.on('error', () => undefined);
  const all = [hello, ...requests];
  try {
    for (const [index, request] of all.entries()) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: index, ...request })}\n`);
      if (index === 0) child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
      await until('stdout', new RegExp(`"id":${index}[,}].*\\n|.*"id":${index}\\}\\n`));
    }
  } catch {
    // It ended early: the test looks at why.
  }
  child.stdin.end();
  const code = await exit;
  const lines = seen.stdout.split('\n').filter(line => line !== '');
  const parsed = lines.map(line => JSON.parse(line) as Answer & { readonly id: number });
  const answers = all.map((_, index) => parsed.find(({ id }) => id === index) ?? {}).slice(1);
  return { code, ...seen, answers };
}

const textOf = (answer: Answer | undefined): string => answer?.result?.content?.map(({ text }) => text).join() ?? '';
const namesOf = (answer: Answer | undefined): readonly string[] => answer?.result?.tools?.map(({ name }) => name) ?? [];

const basic = {
  'mcp/servers/main.yaml': 'description: Main\n',
  'mcp/tools/a.yaml': 'description: A\nparameters: { x: { type: integer, default: 1 } }\n',
  'src/tools/a.ts': 'export default ({ x }: { x: number }): string => `a ${x + 1}`;\n',
};

describe('`toolwright start` over stdio', () => {
  it('W60 `start` serves TypeScript handlers from source without a server name and exits with 0 at the end of input', async () => {
    const { code, stderr, answers } = await session([], { cwd: pack('basic', basic) }, [list, callOf('a', { x: 4 })]);
    expect([code, namesOf(answers[0]), textOf(answers[1]), stderr]).toEqual([0, ['a'], 'a 5', '']);
  });

  it('W60 W61b `start` initializes the server, then its tools, makes the context at the first call and disposes of it at the end', async () => {
    const say = (text: string): string => `console.error('mark: ${text}');`;
    const cwd = pack('order', {
      ...basic,
      'toolwright.yaml': 'context: src/context.js#create\n',
      'src/context.js': `export const create = () => { ${say('context')} return { dispose() { ${say('disposed')} } }; };`,
      'src/init.js': `console.log('to stdout'); export const server = () => { ${say('server')} }; export const early = () => { ${say('tool')} };`,
      'mcp/servers/main.yaml': 'initialize: src/init.js#server\n',
      'mcp/tools/b.yaml': 'description: B\ninitialize: { handler: src/init.js#early, when: start }\n',
      'mcp/tools/c.yaml': 'description: C\nenabled: false\ninitialize: { handler: src/init.js#never, when: start }\n',
      'src/tools/b.js': `export default (_, ctx) => { ${say('call')} console.log('noise'); return typeof ctx.app.dispose; };`,
    });
    writeFileSync(join(cwd, 'src/tools/c.js'), 'export default () => 1;');
    const { code, stderr, stdout, answers } = await session([], { cwd }, [list, callOf('b')]);
    const marks = [...stderr.matchAll(/^mark: (.*)$/gm)].map(([, mark]) => mark);
    expect([code, marks, textOf(answers[1])]).toEqual([
      0,
      ['server', 'tool', 'context', 'call', 'disposed'],
      'function',
    ]);
    expect(namesOf(answers[0])).toEqual(['a', 'b']);
    expect(stdout).not.toContain('noise');
    expect(stderr).toContain('to stdout');
  });

  it('W61b W62 `start` runs nothing of the pack to list its tools', async () => {
    const mark = "process.stderr.write('it ran\\n');";
    const cwd = pack('quiet-code', {
      ...basic,
      'toolwright.yaml': 'context: src/context.js\n',
      'src/context.js': `${mark} export default () => 1;`,
      'src/tools/a.ts': `${mark} export default () => 1;`,
      'mcp/tools/a.yaml': 'description: A\ninitialize: src/context.js\n',
    });
    const { code, stderr, answers } = await session([], { cwd }, [list]);
    expect([code, namesOf(answers[0]), stderr]).toEqual([0, ['a'], '']);
  });

  it('W63 `start` exits with 1 when the server fails to initialize, with the reason on stderr and without secrets', async () => {
    const cwd = pack('fails', {
      ...basic,
      'toolwright.yaml': 'config: { TOKEN: { type: string, secret: true } }\n',
      'mcp/servers/main.yaml': 'initialize: src/init.ts#check\n',
      'src/init.ts':
        "export async function check({ config }: any) { console.log('hi'); setInterval(() => {}, 1000); throw new Error(`licence of ${config.TOKEN} expired`); }",
    });
    const { code, stdout, stderr } = await session([], { cwd, env: { TOKEN: 'hunter22' } }, []);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('toolwright: initialize for the server main failed: licence of [secret TOKEN] expired');
    expect(stderr).not.toMatch(/hunter22|^\s+at /m);
    const missing = pack('fails-missing', { ...basic, 'mcp/servers/main.yaml': 'initialize: src/nix.ts\n' });
    const other = await session([], { cwd: missing }, []);
    expect([other.code, other.stdout]).toEqual([1, '']);
    expect(other.stderr).toContain('mcp/servers/main.yaml:1:13');
  });

  it('J71 `start` reports and leaves out a broken item and serves everything else, and `start --strict` refuses', async () => {
    const cwd = pack('broken', {
      ...basic,
      'mcp/tools/b.yaml': 'descripton: B\n',
      'src/tools/b.ts': 'export default () => 1;',
    });
    const { code, stderr, answers } = await session([], { cwd }, [list, callOf('a'), callOf('b')]);
    expect([code, namesOf(answers[0]), textOf(answers[1]), answers[2]?.error?.code]).toEqual([0, ['a'], 'a 2', -32602]);
    expect(stderr).toContain('mcp/tools/b.yaml:1:1 error');
    expect(stderr).toContain('did you mean "description"?');
    expect(stderr).toContain('toolwright: everything else is served; --strict refuses to start');
    const strict = await session(['--strict'], { cwd }, []);
    expect([strict.code, strict.stdout]).toEqual([1, '']);
    expect(strict.stderr).toContain('mcp/tools/b.yaml:1:1 error');
  });

  it('J71 `start` exits with 1 for a broken server', async () => {
    const cwd = pack('broken-server', { ...basic, 'mcp/servers/main.yaml': 'transprt: stdio\n' });
    const { code, stdout, stderr } = await session([], { cwd }, []);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('mcp/servers/main.yaml:1:1 error');
  });

  it('P15 `start` reports a missing handler or export and serves, and `start --strict` refuses', async () => {
    const cwd = pack('unhandled', { ...basic, 'mcp/tools/b.yaml': 'description: B\n' });
    const { code, stderr, answers } = await session([], { cwd }, [list, callOf('b')]);
    expect([code, namesOf(answers[0]), answers[1]?.result?.isError]).toEqual([0, ['a', 'b'], true]);
    expect(textOf(answers[1])).not.toContain('src/tools');
    expect(stderr).toContain('The handler for the tool "b" is missing: "src/tools/b.ts" does not exist');
    expect((await session(['--strict'], { cwd }, [])).code).toBe(1);
    const wrong = pack('wrong-export', { ...basic, 'src/tools/a.ts': 'export const a = () => 1;\n' });
    const strict = await session(['--strict'], { cwd: wrong }, []);
    expect([strict.code, strict.stdout]).toEqual([1, '']);
    expect(strict.stderr).toContain('"src/tools/a.ts" has no default export');
    expect((await session(['--strict'], { cwd: pack('basic', basic) }, [list])).code).toBe(0);
  });

  it('W60 `start` reports all wrong configuration at once and stops, but starts without configuration', async () => {
    const cwd = pack('config', {
      ...basic,
      'toolwright.yaml': 'config:\n  PORT: { type: integer }\n  DEBUG: { type: boolean }\n',
    });
    const { code, stdout, stderr } = await session(
      [],
      { cwd, env: { PORT: 'x', DEBUG: 'y', TOOLWRIGHT_STATE_KEY: 'short' } },
      [],
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('toolwright.yaml:2:3 error');
    expect(stderr).toContain('toolwright.yaml:3:3 error');
    expect(stderr).toContain('TOOLWRIGHT_STATE_KEY has 5 characters');
    expect((await session([], { cwd }, [callOf('a')])).code).toBe(0);
  });

  it('W14 `start` prefers a file per item over the combined file, and the next start sees what changed', async () => {
    const cwd = pack('precedence', {
      ...basic,
      'mcp/tools.yaml': 'a: { description: combined }\nb: { description: only combined, handler: src/tools/a.ts }\n',
    });
    const described = async (): Promise<unknown> => {
      const { answers } = await session([], { cwd }, [list]);
      return answers[0]?.result?.tools?.map(({ name, description }) => [name, description]);
    };
    expect(await described()).toEqual([
      ['a', 'A'],
      ['b', 'only combined'],
    ]);
    rmSync(join(cwd, 'mcp/tools/a.yaml'));
    writeFileSync(
      join(cwd, 'mcp/tools.yaml'),
      'a: { description: combined }\nb: { description: changed, handler: src/tools/a.ts }\n',
    );
    expect(await described()).toEqual([
      ['a', 'combined'],
      ['b', 'changed'],
    ]);
  });

  it('P2 `start` applies overlays of flags and environment and serves only tools of its mode (M36)', async () => {
    const cwd = pack('patched', {
      ...basic,
      'mcp/tools/b.yaml': 'description: B\nmodes: [admin]\nhandler: src/tools/a.ts\n',
    });
    const patch = pack('patches', { 'tools/a.yaml': 'description: from the flag\n' });
    const other = pack('patches-env', {
      'tools/a.yaml': 'description: from the environment\n',
      'tools/b.yaml': 'title: T\n',
    });
    const { answers } = await session(['--overlay', patch], { cwd, env: { TOOLWRIGHT_OVERLAY: other } }, [list]);
    expect(answers[0]?.result?.tools).toMatchObject([{ description: 'from the flag' }, { name: 'b', title: 'T' }]);
    expect(namesOf((await session(['--mode', 'user'], { cwd }, [list])).answers[0])).toEqual(['a']);
    expect(namesOf((await session(['--mode', 'admin'], { cwd }, [list])).answers[0])).toEqual(['a', 'b']);
  });

  it('W46 `start` explains a server that is unknown, not named, switched off or missing, and starts one of an installed pack', async () => {
    const cwd = pack('several', {
      ...basic,
      'mcp/servers/other.yaml': 'tools: []\n',
      'mcp/servers/off.yaml': 'enabled: false\n',
    });
    pack('several/node_modules/@acme/shop', {
      'package.json': '{"name": "@acme/shop", "version": "3.2.1", "type": "module"}',
      'mcp/servers/shop.yaml': 'title: Shop\n',
      'mcp/tools/sell.yaml': 'description: Sells\n',
      'dist/tools/sell.js': "export default () => 'sold';",
    });
    for (const [args, message] of [
      [[], 'which server? demo has main, off, other'],
      [['mian'], 'there is no server "mian": did you mean "main"? (demo has main, off, other)'],
      [['off'], 'the server "off" is disabled'],
      [['acme/nothing/x'], 'the pack "acme/nothing" is not installed [pack/not-installed]'],
      [['--http', '70000'], '--http needs a port from 0 to 65535, not "70000"'],
      [['main', '--host', '0.0.0.0'], '--host is for HTTP: add --http'],
      [['main', 'other'], 'too many arguments'],
    ] as const) {
      const { code, stdout, stderr } = await session(args, { cwd }, []);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toContain(message);
    }
    const { answers, code } = await session(['acme/shop/shop'], { cwd }, [callOf('sell')]);
    expect([code, textOf(answers[0])]).toEqual([0, 'sold']);
    expect(namesOf((await session(['demo/main'], { cwd }, [list])).answers[0])).toEqual(['a']);
    const nothing = await session([], { cwd: pack('serverless', { 'mcp/tools/a.yaml': 'description: A\n' }) }, []);
    expect([nothing.code, nothing.stderr]).toEqual([
      2,
      expect.stringContaining('demo has no servers: write mcp/servers/main.yaml with one line'),
    ]);
    const empty = await session([], { cwd: folder }, []);
    expect([empty.code, empty.stdout]).toEqual([2, '']);
  });

  it('W83 `start` exits although handlers leave timers running, and survives a rejected promise', async () => {
    const cwd = pack('careless', {
      ...basic,
      'src/tools/a.ts':
        "setInterval(() => {}, 1000);\nexport default () => { void Promise.reject(new Error('forgotten')); return 'fine'; };",
    });
    const { code, stderr, answers } = await session([], { cwd }, [callOf('a'), callOf('a')]);
    expect([code, answers.map(textOf)]).toEqual([0, ['fine', 'fine']]);
    expect(stderr).toContain('a promise that nobody awaited was rejected: Error: forgotten');
  });

  it('W88 `start` warns about a bad TOOLWRIGHT_OPTIONS and ignores it', async () => {
    const cwd = pack('options', {
      ...basic,
      'mcp/tools/a.yaml': 'description: A\noptions: { size: { type: integer, default: 3 } }\n',
      'src/tools/a.ts': 'export default (_: object, ctx: any) => ctx.options.size;',
    });
    const bad = await session([], { cwd, env: { TOOLWRIGHT_OPTIONS: '{"a": {' } }, [callOf('a')]);
    expect([bad.code, textOf(bad.answers[0])]).toEqual([0, '3']);
    expect(bad.stderr).toContain('TOOLWRIGHT_OPTIONS is ignored');
    const good = await session([], { cwd, env: { TOOLWRIGHT_OPTIONS: '{"a": {"size": 7}}' } }, [callOf('a')]);
    expect([textOf(good.answers[0]), good.stderr]).toEqual(['7', '']);
  });
});

describe('`toolwright start` over HTTP', () => {
  const post = (url: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
  const address = /http:\/\/\S+/;

  it('W60 `start --http` serves any server, prints its address on stderr, and exits with 0 and disposes on SIGTERM', async () => {
    const cwd = pack('http', {
      ...basic,
      'toolwright.yaml': 'context: src/context.js\n',
      'src/context.js': "export default () => ({ dispose: async () => { console.error('disposed'); } });",
      'src/tools/a.ts': 'export default (_: object, ctx: any) => typeof ctx.app;',
    });
    const { child, until, exit, seen } = launch(['--http', '0'], { cwd });
    const url = await until('stderr', address);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const response = await post(url, hello);
    expect(response.status).toBe(200);
    const id = response.headers.get('mcp-session-id') ?? '';
    const called = await post(url, callOf('a'), { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' });
    expect(await called.text()).toContain('object');
    child.kill('SIGTERM');
    expect([await exit, seen.stdout]).toEqual([0, '']);
    expect(seen.stderr).toContain('disposed');
  });

  it('W60 `start` takes transport, port and path from the definition and exits with 1 if the port is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise(go => blocker.once('listening', go));
    const { port } = blocker.address() as { port: number };
    const definition = `transport: http\nhttp: { port: ${port}, path: /api }\n`;
    const cwd = pack('http-defined', { ...basic, 'mcp/servers/main.yaml': definition });
    const taken = launch([], { cwd });
    expect([await taken.exit, taken.seen.stdout]).toEqual([1, '']);
    expect(taken.seen.stderr).toContain(`port ${port} is in use`);
    await new Promise(go => blocker.close(go));
    const served = launch(['--http', 'main'], { cwd });
    expect(await served.until('stderr', address)).toBe(`http://127.0.0.1:${port}/api`);
    const quiet = launch(['main', '--http', '0', '--quiet'], { cwd });
    await new Promise(go => setTimeout(go, 1500));
    expect(quiet.seen).toEqual({ stdout: '', stderr: '' });
  });

  it('C14 `start` refuses an address other than loopback without auth or `--insecure`', async () => {
    const cwd = pack('http-open', {
      ...basic,
      'mcp/servers/main.yaml': 'transport: http\nhttp: { host: 0.0.0.0, port: 0 }\n',
    });
    const refused = launch([], { cwd });
    expect([await refused.exit, refused.seen.stdout]).toEqual([1, '']);
    expect(refused.seen.stderr).toContain('listening on 0.0.0.0 lets anyone');
    const open = launch(['--insecure'], { cwd });
    await open.until('stderr', address);
    // fix-A9: whoever has a container find it by another name learns what to write.
    expect(open.seen.stderr).toContain("the server's http.allowedHosts can list others");
    const local = launch(['--host', 'localhost'], { cwd });
    await local.until('stderr', address);
    expect(local.seen.stderr).not.toContain('allowedHosts');
  });

  it('fix-A15 C14 `start` refuses a short token where others can reach the server and warns about it on loopback', async () => {
    const cwd = pack('http-short', {
      ...basic,
      'mcp/servers/main.yaml': 'transport: http\nhttp: { port: 0 }\nauth: { type: bearer, env: MCP_TOKEN }\n',
    });
    const env = { MCP_TOKEN: 'short' };
    const refused = launch(['--host', '0.0.0.0'], { cwd, env });
    expect([await refused.exit, refused.seen.stdout]).toEqual([1, '']);
    expect(refused.seen.stderr).toContain('the token in MCP_TOKEN has fewer than 16 characters');
    const local = launch([], { cwd, env });
    await local.until('stderr', address);
    expect(local.seen.stderr).toContain('the token in MCP_TOKEN has fewer than 16 characters');
  });

  it('C14 `start` takes a bearer token from the environment and refuses to start without it', async () => {
    const cwd = pack('http-auth', {
      ...basic,
      'mcp/servers/main.yaml':
        'transport: http\nhttp: { host: 0.0.0.0, port: 0 }\nauth: { type: bearer, env: MCP_TOKEN }\n',
    });
    const unset = launch([], { cwd });
    expect([await unset.exit, unset.seen.stdout]).toEqual([1, '']);
    expect(unset.seen.stderr).toContain('the token in MCP_TOKEN, which is not set');
    const { until, seen } = launch([], { cwd, env: { MCP_TOKEN: 'right-token-of-some-length' } });
    const url = (await until('stderr', address)).replace('0.0.0.0', '127.0.0.1');
    const none = await post(url, hello);
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await post(url, hello, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await post(url, hello, { authorization: 'Bearer right-token-of-some-length' })).status).toBe(200);
    expect(seen.stderr).not.toContain('right-token');
  });

  it('C14 `start` serves OAuth metadata without a token, points challenges to it and needs no network', async () => {
    const auth = 'auth: { type: oauth, issuer: "http://127.0.0.1:9", audience: my-server, scopes: [mcp] }\n';
    const cwd = pack('http-oauth', {
      ...basic,
      'mcp/servers/main.yaml': `transport: http\nhttp: { port: 0 }\n${auth}`,
    });
    const { until } = launch([], { cwd });
    const url = await until('stderr', address);
    const answer = await post(url, hello);
    expect(answer.status).toBe(401);
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(answer.headers.get('www-authenticate') ?? '') ?? [];
    expect(metadata).toBe(url.replace('/mcp', '/.well-known/oauth-protected-resource/mcp'));
    expect(await (await fetch(metadata)).json()).toEqual({
      resource: url,
      authorization_servers: ['http://127.0.0.1:9'],
      scopes_supported: ['mcp'],
      bearer_methods_supported: ['header'],
    });
    const insecure = pack('http-oauth-plain', {
      ...basic,
      'mcp/servers/main.yaml': `transport: http\n${auth.replace('127.0.0.1:9', 'login.example.com')}`,
    });
    const refused = launch([], { cwd: insecure });
    expect([await refused.exit, refused.seen.stderr]).toEqual([1, expect.stringContaining('must start with https://')]);
  });
});
