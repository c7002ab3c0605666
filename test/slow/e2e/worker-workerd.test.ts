// A pack built for workers, run by the real thing: workerd, which has no module of Node unless one asks for it, and no eval.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Message, request } from '../../runtime/serve/serve-pipes.js';
import { messagesOf, post, postModern, textOf } from '../../runtime/serve/serve-web.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const command = join(root, 'dist/cli/main.js');
const pack = mkdtempSync(join(tmpdir(), 'toolwright-worker-'));
const authorization = 'Bearer s3cret-token';
let child: ChildProcess | undefined;
let url = '';

const files: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "worker", "version": "1.0.0", "type": "module" }',
  'toolwright.yaml': 'name: worker\nconfig:\n  GREETING: { type: string, default: Hello }\n',
  'mcp/servers/main.yaml':
    'name: web\ndescription: In a worker\nauth: { type: bearer, env: TOKEN }\nhttp: { cors: true, allowedOrigins: ["https://app.example"] }\n',
  'mcp/tools/greet.yaml':
    'description: Greets\nparameters:\n  name: { type: string, header: Name, minLength: 2 }\n  at: { type: string, format: date-time, required: false }\noutput:\n  text: string\n',
  'mcp/tools/ask.yaml': 'description: Asks first\n',
  'mcp/tools/bytes.yaml': 'description: Sends bytes\n',
  'mcp/tools/slow.yaml': 'description: Too slow\nlimits: { timeoutMs: 100 }\n',
  'mcp/tools/fail.yaml': 'description: Fails\n',
  'mcp/prompts/hello.yaml': 'description: Says hello\narguments:\n  who: { required: true }\ntext: "Hello {{who}}"\n',
  'mcp/resources/memo.yaml': 'uri: memo://1\ndescription: A memo\nfile: memo.txt\n',
  'memo.txt': 'Remember the milk',
  'src/tools/greet.ts':
    "import { ToolError } from 'toolwright';\nexport default async ({ name }: { name: string }, ctx: { config: { GREETING: string } }) => {\n  if (name === 'nobody') throw new ToolError('Nobody is there', { code: 'NOBODY' });\n  return { text: `${ctx.config.GREETING}, ${name}` };\n};\n",
  'src/tools/ask.js':
    "export default async (_, ctx) => {\n  const { content } = await ctx.elicit('size', { message: 'Size?', requestedSchema: { type: 'object', properties: { size: { type: 'integer' } } } });\n  return `size ${content?.size}`;\n};\n",
  'src/tools/bytes.js': "export default () => ({ data: new Uint8Array([1, 2, 3]), mimeType: 'image/png' });\n",
  'src/tools/slow.js': 'export default () => new Promise(() => {});\n',
  'src/tools/fail.js': "export default () => {\n  throw new Error('a cause that no client may see');\n};\n",
};

function build(...flags: readonly string[]): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'build', '--target', 'worker', ...flags], {
    cwd: pack,
    encoding: 'utf8',
  });
  return { status, text: stdout + stderr };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(pack, path)), { recursive: true });
  writeFileSync(join(pack, path), text);
}

beforeAll(async () => {
  for (const [path, text] of Object.entries(files)) write(path, text);
  mkdirSync(join(pack, 'node_modules'));
  symlinkSync(root, join(pack, 'node_modules/toolwright'), 'dir');
  const generated = spawnSync(process.execPath, [command, 'generate'], { cwd: pack, encoding: 'utf8' });
  expect(generated.status, generated.stderr).toBe(0);
  const built = build('--format', 'json');
  expect(built.status, built.text).toBe(0);
  expect(JSON.parse(built.text)).toMatchObject({
    ok: true,
    artifacts: [{ file: 'dist/main.worker.mjs', externals: [] }],
  });
  write(
    'dist/config.capnp',
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [(name = "main", esModule = embed "main.worker.mjs")],
  bindings = [(name = "TOKEN", text = "s3cret-token"), (name = "GREETING", text = "Moin")],
  compatibilityDate = "2026-11-01"
);
`,
  );
  const binary = createRequire(import.meta.url)('workerd') as { readonly default: string };
  const running = spawn(binary.default, ['serve', 'dist/config.capnp', '--control-fd=3'], {
    cwd: pack,
    stdio: ['ignore', 'inherit', 'pipe', 'pipe'],
  });
  child = running;
  let log = '';
  running.stderr?.setEncoding('utf8').on('data', text => {
    log += text;
  });
  const port = await new Promise<number>((resolve, reject) => {
    running.once('exit', code => reject(new Error(`workerd ended with ${code}: ${log}`)));
    running.stdio[3]?.on('data', chunk => {
      const [, found] = /"event":"listen".*"port":(\d+)/.exec(String(chunk)) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
  });
  url = `http://127.0.0.1:${port}/mcp`;
}, 120_000);

afterAll(() => {
  child?.kill('SIGKILL');
  rmSync(pack, { recursive: true, force: true });
});

const call = (
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  { headers = {}, meta = {}, more = {} }: { headers?: Record<string, string>; meta?: object; more?: object } = {},
): Promise<Response> =>
  postModern(
    url,
    1,
    'tools/call',
    { name, arguments: args, ...more },
    { meta, headers: { authorization, ...headers } },
  );
const answerOf = async (response: Promise<Response>): Promise<Message | undefined> =>
  (await messagesOf(await response))[0];

describe('a worker in workerd', () => {
  it('P21 the module for workers has no import at all', () => {
    const text = readFileSync(join(pack, 'dist/main.worker.mjs'), 'utf8');
    expect(text.match(/^import\b.*$|\bfrom\s*"node:\w+"|\brequire\("node:/gm)).toBeNull();
  });

  it('P21 a worker lists and calls with configuration, validation and errors', async () => {
    const named = { 'mcp-param-name': 'Ada' };
    const greeted = await answerOf(call('greet', { name: 'Ada' }, { headers: named }));
    expect(greeted?.result).toMatchObject({ structuredContent: { text: 'Moin, Ada' }, resultType: 'complete' });
    const list = await answerOf(postModern(url, 2, 'tools/list', {}, { headers: { authorization } }));
    expect(((list?.result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name).sort()).toEqual([
      'ask',
      'bytes',
      'fail',
      'greet',
      'slow',
    ]);
    const bad = await answerOf(call('greet', { name: 'A', at: 'soon' }, { headers: { 'mcp-param-name': 'A' } }));
    expect(textOf(bad)).toContain('BAD_ARGUMENTS');
    expect(textOf(bad)).toContain('/at');
    const nobody = await answerOf(call('greet', { name: 'nobody' }, { headers: { 'mcp-param-name': 'nobody' } }));
    expect(textOf(nobody)).toContain('"code":"NOBODY"');
    const failed = textOf(await answerOf(call('fail')));
    expect(failed).toContain('UNEXPECTED_ERROR');
    expect(failed).not.toContain('no client may see');
    expect(textOf(await answerOf(call('slow')))).toContain('TIMEOUT');
    expect((await answerOf(call('bytes')))?.result?.['content']).toEqual([
      { type: 'image', data: 'AQID', mimeType: 'image/png' },
    ]);
  });

  it('C11 C14 W81 a worker checks headers, tokens, origins and paths', async () => {
    const wrong = await call('greet', { name: 'Ada' }, { headers: { 'mcp-param-name': 'Eve' } });
    expect([wrong.status, (await messagesOf(wrong))[0]?.error?.code]).toEqual([400, -32020]);
    expect((await call('greet', {}, { headers: { authorization: 'Bearer other' } })).status).toBe(401);
    expect((await call('greet', {}, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    const allowed = await call('bytes', {}, { headers: { origin: 'https://app.example' } });
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example']);
    expect((await fetch(new URL('/other', url))).status).toBe(404);
    expect(await (await fetch(new URL('/healthz', url))).json()).toMatchObject({ status: 'ok', name: 'web' });
    const unknown = await postModern(url, 1, 'no/such', {}, { headers: { authorization } });
    expect([unknown.status, (await messagesOf(unknown))[0]?.error?.code]).toEqual([404, -32601]);
  });

  it('C6 a worker seals a question and opens it again', async () => {
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
    const asked = await answerOf(call('ask', {}, { meta }));
    expect(asked?.result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    const inputResponses = { size: { action: 'accept', content: { size: 7 } } };
    const state = String(asked?.result?.['requestState']);
    const more = (requestState: string): object => ({ inputResponses, requestState });
    expect(textOf(await answerOf(call('ask', {}, { meta, more: more(state) })))).toBe('size 7');
    const forged = await answerOf(call('ask', {}, { meta, more: more(`${state.slice(0, -4)}AAAA`) }));
    expect(forged?.error?.code).toBe(-32602);
  });

  it('C10 a worker serves a real client of either era', async () => {
    for (const options of [{ versionNegotiation: { mode: 'auto' as const } }, {}]) {
      const client = new Client({ name: 'c', version: '1' }, options);
      await client.connect(
        new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } }),
      );
      expect((await client.listTools()).tools).toHaveLength(5);
      expect((await client.callTool({ name: 'bytes', arguments: {} })).content).toMatchObject([{ type: 'image' }]);
      expect((await client.getPrompt({ name: 'hello', arguments: { who: 'you' } })).messages).toMatchObject([
        { content: { text: 'Hello you' } },
      ]);
      expect((await client.readResource({ uri: 'memo://1' })).contents).toMatchObject([{ text: 'Remember the milk' }]);
      await client.close();
    }
    const legacy = await post(url, request(1, 'tools/call', { name: 'bytes', arguments: {} }), { authorization });
    expect((await messagesOf(legacy))[0]?.result).toMatchObject({ content: [{ type: 'image' }] });
  });
});

describe('packs that cannot be built for workers', () => {
  it('P21 a handler that needs Node is an error at its import, and `--definitions external` is refused', () => {
    write(
      'src/tools/bytes.js',
      "import { readFileSync } from 'node:fs';\nexport default () => readFileSync('x', 'utf8');\n",
    );
    const built = build('--out', 'other');
    expect([built.status, built.text]).toEqual([1, expect.stringContaining('src/tools/bytes.js:1:')]);
    expect(built.text).toContain('only if the host provides them: --external node:fs');
    const left = build('--out', 'other', '--external', 'node:fs', '--format', 'json');
    expect(JSON.parse(left.text)).toMatchObject({ ok: true, artifacts: [{ externals: ['node:fs'] }] });
    expect(build('--definitions', 'external').status).toBe(2);
    write('src/tools/bytes.js', files['src/tools/bytes.js'] ?? '');
  });
});
