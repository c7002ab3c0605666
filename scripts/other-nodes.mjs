// Runs a part of the tests, and a built server, with the newer versions of Node that users have; npm brings them (`node@22`).
// The rest of CI runs with the oldest one. `node scripts/other-nodes.mjs 24` tries that one alone.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { must, root } from './run.mjs';
import { buildServer, copyPack } from './served.mjs';

const versions = process.argv.length > 2 ? process.argv.slice(2) : ['22', '24'];
/** What depends on Node most: its module loader, pipes, sockets, streams, the watchdog's thread, the stdout guard, processes, databases. */
const tests = [
  'test/slow/e2e/host-import.test.ts',
  'test/cli/start.test.ts',
  'test/runtime/serve/blocked.test.ts',
  'test/runtime/serve/sudden-end.test.ts',
  'test/runtime/serve/stdio-lines.test.ts',
  'test/runtime/serve/http-traffic.test.ts',
  'test/runtime/serve/fetch.test.ts',
  'test/runtime/server/create-server-serve.test.ts',
  'test/runtime/server/packed-program.test.ts',
  'test/runtime/call/call-story.test.ts',
  // Newer ones have SQLite of their own.
  'test/runtime/backends/sql/both.test.ts',
  'test/runtime/backends/sql/library-example.test.ts',
  'test/generator/compile/validators-process.test.ts',
  'test/slow/e2e/plain-install.test.ts',
  'test/project/golden.test.ts',
];

/** A version of Node, installed once into a cache folder. */
function install(version) {
  const folder = join(root, 'node_modules/.cache/toolwright-nodes', version);
  const program = join(folder, 'node_modules/node/bin/node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  // Its script puts the binary of this machine into place.
  must('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts=false', `node@${version}`], {
    cwd: folder,
  });
  return program;
}

/** A session with a server that was built by another version: its lists, and a call. */
async function callBuilt(program, file) {
  const child = spawn(program, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = new Promise(resolve => child.once('exit', (code, signal) => resolve(code ?? signal)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    const { value = '{}' } = await lines.next();
    const { result } = JSON.parse(value);
    if (result === undefined || result.isError) throw new Error(`${method}: ${value}`);
    return result;
  };
  const clientInfo = { name: 'other-nodes', version: '1.0.0' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await ask('tools/list', {});
  const { structuredContent } = await ask('tools/call', { name: 'get-weather', arguments: { city: 'Vienna' } });
  if (structuredContent?.temperature !== 21) throw new Error(`another answer: ${JSON.stringify(structuredContent)}`);
  // Only the SDK knows this one.
  await ask('prompts/get', { name: 'what-to-wear', arguments: { city: 'Vienna' } });
  child.stdin.end();
  const code = await exit;
  if (code !== 0) throw new Error(`the built server exited with ${code}`);
}

// A test that was moved must not be left out in silence.
for (const test of tests) if (!existsSync(join(root, test))) throw new Error(`there is no ${test}`);
const { pack, remove } = copyPack('examples/weather');
try {
  const file = buildServer(pack);
  for (const version of versions) {
    const program = install(version);
    console.error(`\n--- Node ${version}: a built server`);
    await callBuilt(program, file);
    console.error(`--- Node ${version}: tests`);
    must(program, ['node_modules/vitest/vitest.mjs', 'run', ...tests]);
  }
} finally {
  remove();
}
