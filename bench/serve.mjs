// `npm run bench:serve`: what our layer costs above the SDK: the same tool served by `toolwright start` and by the SDK's
// own McpServer; CPU time of the server per call and wall time until the first list, interleaved over rounds.
// Options: --quick (fewer rounds and calls), --rounds 7, --only stdio|http|start, --json file, --assert (exit code 1).
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ratio } from './measure.mjs';
import { printRequirements } from './print.mjs';
import { load, overHttp, overPipes } from './serve-clients.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string', default: '' },
    cli: { type: 'string' },
    json: { type: 'string' },
    assert: { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const cli = options.cli ?? join(root, 'dist/cli/main.js');
const raw = join(root, 'bench/serve-raw.mjs');
const usage = join(root, 'bench/serve-usage.cjs');
const rounds = Number(options.rounds ?? (options.quick ? 3 : 8));
const scale = options.quick ? 0.3 : 1;

const pack = mkdtempSync(join(tmpdir(), 'toolwright-serve-'));
process.on('exit', () => rmSync(pack, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
writePack();

const servers = {
  sdk: transport => [raw, transport],
  toolwright: transport => [cli, 'start', 'bench', ...(transport === 'http' ? ['--http', '0'] : [])],
};
const names = Object.keys(servers);
/** What is done with each server; `width` calls at the same time. */
const tasks = [
  ...['2025', '2026'].flatMap(era => [
    { id: `stdio ${era}, 64 at a time`, transport: 'stdio', era, calls: 20_000, width: 64, limit: 1.1 },
    { id: `stdio ${era}, one by one`, transport: 'stdio', era, calls: 8000, width: 1, limit: 1.1 },
    { id: `http ${era}, 16 at a time`, transport: 'http', era, calls: 3000, width: 16, limit: 1.1 },
  ]),
  { id: 'start to the first list', transport: 'stdio', era: '2025', calls: 0, width: 1, limit: 1.6 },
].filter(
  ({ id, calls }) => options.only === '' || id.startsWith(options.only) || (options.only === 'start' && calls === 0),
);

const began = performance.now();
const runs = new Map();
for (const task of tasks) {
  console.error(`measuring ${task.id} ...`);
  const batches = await (task.calls === 0 ? measureStarts(rounds * 5) : measureCalls(task, rounds * 5));
  for (const [name, list] of Object.entries(batches)) runs.set(`${task.id} ${name}`, list);
}
const rows = tasks.map(task => {
  const [sdk, own] = names.map(name => runs.get(`${task.id} ${name}`));
  const of = (list, key) => Math.min(...list.map(run => run[key]));
  return {
    ...task,
    sdk: { cpu: of(sdk, 'cpu'), wall: of(sdk, 'wall') },
    own: { cpu: of(own, 'cpu'), wall: of(own, 'wall') },
    cpuRatio: ratio(own, sdk, 'cpu'),
    wallRatio: ratio(own, sdk, 'wall'),
  };
});
for (const { id, calls, sdk, own, cpuRatio, wallRatio } of rows) {
  const unit = calls === 0 ? 'ms' : 'us per call';
  const print = ({ cpu, wall }) => `CPU ${cpu.toFixed(0).padStart(4)}, wall ${wall.toFixed(0).padStart(4)}`;
  const ratios = `CPU x ${cpuRatio.toFixed(2)}, wall x ${wallRatio.toFixed(2)}`;
  console.log(`${id.padEnd(28)} SDK ${print(sdk)}   toolwright ${print(own)} ${unit.padEnd(12)} ${ratios}`);
}
console.log('\nTimes are the best of all batches, ratios the median of the ratios within each pair of batches.');
const requirements = rows.map(({ id, limit, calls, cpuRatio, wallRatio }) => {
  const measured = calls === 0 ? wallRatio : cpuRatio;
  const note = calls === 0 ? `CPU ${cpuRatio.toFixed(2)}` : `wall ${wallRatio.toFixed(2)}`;
  return { text: `${id}, against the SDK`, limit, measured, note, met: measured <= limit };
});
console.log(`\nMust hold:\n${printRequirements(requirements)}`);
const seconds = ((performance.now() - began) / 1000).toFixed(0);
console.log(`\n${seconds} s, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}`);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ rows, requirements }, null, 2)}\n`);
if (options.assert && requirements.some(({ met }) => !met)) process.exitCode = 1;

/** One tool with a handler in JavaScript, generated. */
function writePack() {
  const files = {
    'package.json': '{ "name": "bench", "version": "1.0.0", "type": "module" }\n',
    'toolwright.yaml': 'name: bench\n',
    'mcp/servers/bench.yaml': 'description: One tool\n',
    'mcp/tools/add.yaml': `description: Adds two numbers
handler: src/tools/add.js
parameters:
  a: number
  b: number
output:
  sum: number
`,
    'src/tools/add.js': 'export default async ({ a, b }) => ({ sum: a + b });\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(pack, path)), { recursive: true });
    writeFileSync(join(pack, path), text);
  }
  mkdirSync(join(pack, 'node_modules'));
  symlinkSync(root, join(pack, 'node_modules/toolwright'), 'dir');
  const made = spawnSync(process.execPath, [cli, 'generate'], { cwd: pack, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`toolwright generate failed:\n${made.stdout}${made.stderr}`);
}

/** Both servers run, and take turns in short batches: what slows down the machine slows down both. */
async function measureCalls({ transport, era, calls, width }, batches) {
  const running = {};
  for (const name of names) running[name] = await startServer(name, transport, era);
  for (const name of names) await load(running[name].client, Math.ceil(calls * scale), width);
  const runs = Object.fromEntries(names.map(name => [name, []]));
  const count = Math.ceil((calls * scale) / 5);
  for (let batch = 0; batch < batches; batch += 1) {
    for (const name of batch % 2 === 0 ? names : names.toReversed()) {
      const { client, child } = running[name];
      const before = await cpuOf(child);
      const start = performance.now();
      await load(client, count, width);
      const wall = ((performance.now() - start) * 1000) / count;
      runs[name].push({ wall, cpu: (((await cpuOf(child)) - before) * 1000) / count });
    }
  }
  for (const name of names) await running[name].stop();
  return runs;
}

async function measureStarts(times) {
  const runs = Object.fromEntries(names.map(name => [name, []]));
  for (let time = 0; time < times; time += 1) {
    for (const name of time % 2 === 0 ? names : names.toReversed()) {
      const begin = performance.now();
      const { child, stop } = await startServer(name, 'stdio', '2025');
      runs[name].push({ wall: performance.now() - begin, cpu: await cpuOf(child) });
      await stop();
    }
  }
  return runs;
}

/** A server that has answered its first list. */
async function startServer(name, transport, era) {
  const child = spawn(process.execPath, ['--require', usage, ...servers[name](transport)], {
    cwd: pack,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  let log = '';
  const address = new Promise(resolve => {
    child.stderr.setEncoding('utf8').on('data', text => {
      log = (log + text).slice(-10_000);
      const [url] = /http:\/\/\S+/.exec(log) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  let isStopped = false;
  const exit = new Promise(resolve => {
    child.on('close', code => {
      if (!isStopped) throw new Error(`${name} ended with ${code}:\n${log}`);
      resolve();
    });
  });
  const client = transport === 'stdio' ? overPipes(child, era) : overHttp(await address, era);
  await client.open();
  const stop = async () => {
    isStopped = true;
    await client.close();
    child.kill('SIGKILL');
    await exit;
  };
  return { child, client, stop };
}

/** What the server has used so far, in milliseconds. */
function cpuOf(child) {
  return new Promise(resolve => {
    child.stdio[3].once('data', chunk => resolve(Number(String(chunk))));
    child.kill('SIGUSR2');
  });
}
