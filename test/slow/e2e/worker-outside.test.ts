// What a worker does not hold itself: WebAssembly, modules of its host. Run by workerd.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { toolwright, writePack } from '../../harness/build-pack.js';
import { messagesOf, postModern } from '../../runtime/serve/serve-web.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-worker-outside-'));
let child: ChildProcess | undefined;
afterAll(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A module whose function `answer` gives 42. */
const wasm = Buffer.from('0061736d010000000105016000017f03020100070a0106616e7377657200000a06010400412a0b', 'hex');

it('P20 P21 WebAssembly is copied and named, and modules of the host are left to it', async () => {
  const pack = writePack(join(folder, 'pack'), {
    'package.json': '{ "name": "outside", "version": "1.0.0", "type": "module" }\n',
    'toolwright.yaml': 'name: outside\n',
    'mcp/servers/main.yaml': 'title: Main\n',
    'mcp/tools/answer.yaml': 'description: Answers\n',
    'src/answer.wasm': wasm,
    'src/tools/answer.ts': `import { env, WorkerEntrypoint } from 'cloudflare:workers';
import code from '../answer.wasm';
class Other extends WorkerEntrypoint {}
export default async () => {
  const { exports } = await WebAssembly.instantiate(code);
  return [exports.answer(), env.WHO, typeof Other].join(' ');
};
`,
  });
  const args = ['build', '--target', 'worker', '--external', 'cloudflare:workers', '--format', 'json'];
  const built = toolwright(pack, ...args);
  expect(JSON.parse(built.stdout)).toMatchObject({
    ok: true,
    artifacts: [{ file: 'dist/main.worker.mjs', externals: ['answer.wasm', 'cloudflare:workers'] }],
    diagnostics: [],
  });
  const [, own = ''] = readdirSync(join(pack, 'dist/main.worker')).sort();
  expect(own).toMatch(/^answer-\w+\.wasm$/);
  writeFileSync(
    join(pack, 'dist/config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [
    (name = "main.worker.mjs", esModule = embed "main.worker.mjs"),
    (name = "main.worker/${own}", wasm = embed "main.worker/${own}")
  ],
  bindings = [(name = "WHO", text = "Ada")],
  compatibilityDate = "2026-11-01"
);
`,
  );
  const binary = createRequire(import.meta.url)('workerd') as { readonly default: string };
  const running = spawn(binary.default, ['serve', 'dist/config.capnp', '--control-fd=3'], {
    cwd: pack,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  child = running;
  const port = await new Promise<string>((resolve, reject) => {
    running.once('exit', code => reject(new Error(`workerd ended with ${code}`)));
    running.stdio[3]?.on('data', chunk => {
      const [, found] = /"event":"listen".*"port":(\d+)/.exec(String(chunk)) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const answer = await postModern(`http://127.0.0.1:${port}/mcp`, 1, 'tools/call', { name: 'answer', arguments: {} });
  expect((await messagesOf(answer))[0]?.result).toMatchObject({
    content: [{ text: '42 Ada function' }],
  });
}, 120_000);
