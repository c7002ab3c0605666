// What a built server loads before its first answer: our own protocol code alone, as CommonJS, with nothing heavy in it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';
import { makeHandshake } from '../../../runtime/protocol/make-handshake.js';
import { makeTools, nobodyWatches } from '../serve/serve-tools.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright-protocol-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('P21 our own protocol code runs bundled as CommonJS and includes neither the SDK nor anything else that is heavy', async () => {
  const handshake = makeHandshake(makeTools(nobodyWatches()));
  const entry = `
    import { openStdioConnection } from ${JSON.stringify(join(root, 'runtime/serve/stdio-connection.ts'))};
    const handshake = ${JSON.stringify(handshake)};
    const { stdin, stdout } = process;
    const output = { write: (text, done) => stdout.write(text, 'utf8', done), on: (event, listen) => stdout.on(event, listen) };
    const missing = async () => { throw new Error('not here'); };
    openStdioConnection({ input: stdin, output, handshake: () => handshake, loadCalls: missing, loadSdk: missing, report: console.error });
  `;
  writeFileSync(join(folder, 'entry.mjs'), entry);
  const { metafile, outputFiles } = await build({
    ...{ entryPoints: [join(folder, 'entry.mjs')], bundle: true, platform: 'node', format: 'cjs', minify: true },
    ...{ write: false, metafile: true, absWorkingDir: root, outfile: join(folder, 'server.cjs'), logLevel: 'error' },
  });
  const [file] = outputFiles;
  writeFileSync(join(folder, 'server.cjs'), file?.contents ?? '');
  const sources = Object.keys(metafile.inputs).filter(path => !path.endsWith('entry.mjs'));
  const light = [
    ...['schema/document.ts', 'schema/freeze.ts', 'runtime/call/protocol-error.ts', 'runtime/call/wait-at-most.ts'],
    ...['runtime/call/by-id.ts', 'runtime/call/context/can-elicit.ts', 'runtime/surface/cursor.ts'],
    ...['lines', 'pipe', 'sdk-link', 'stdio-connection'].map(name => `runtime/serve/${name}.ts`),
  ];
  expect(sources.filter(path => !path.startsWith('runtime/protocol/') && !light.includes(path))).toEqual([]);
  // Modules of Node cost time as well.
  const builtins = [...(file?.text ?? '').matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name);
  expect(builtins).toEqual(['node:buffer']);
  const lines = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'add' } },
    { id: 4, method: 'prompts/get', params: { name: 'hello' } },
    { id: 5, method: 'ping' },
  ];
  const input = lines.map(line => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join('');
  const { stdout, stderr, status } = spawnSync(process.execPath, ['server.cjs'], {
    cwd: folder,
    input,
    encoding: 'utf8',
  });
  const answers = new Map(
    stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { id: number; result?: object; error?: { code: number } })
      .map(answer => [answer.id, answer]),
  );
  expect(answers.get(1)?.result).toMatchObject({ protocolVersion: '2025-06-18', instructions: 'Be kind.' });
  expect(answers.get(2)?.result).toHaveProperty('tools');
  // What cannot be loaded is an error of the request, and of nothing else.
  expect([answers.get(3)?.error?.code, answers.get(4)?.error?.code]).toEqual([-32603, -32603]);
  expect(answers.get(5)?.result).toEqual({});
  expect(stderr).toMatch(/not here/);
  expect(status).toBe(0);
});
