// `npm run bench:tasks` (T1): what it takes until a task is accepted, beside appending as many bytes to a file and syncing it; and whether calls
// of a server are as before where no tool is a task, or only another one. Options: --quick, --rounds n, --against <another checkout, built>,
// --json, --assert, see options.mjs.
import { closeSync, fsync, mkdirSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { build } from 'esbuild';
import { median } from './measure.mjs';
import { askedRounds, commands, deliver, makeBenchFolder, options } from './options.mjs';
import { printRequirements, requirement } from './print.mjs';
import { writeFiles } from './serve/work.mjs';

const rounds = askedRounds ?? (options.quick ? 3 : 9);
const each = options.quick ? 100 : 300;
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = makeBenchFolder();

const program = join(folder, 'tasks.mjs');
await build({
  ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', absWorkingDir: root, logLevel: 'warning' },
  stdin: {
    contents: `export { openFileStore } from './runtime/tasks/files/file-store.ts';
      export { openTasks } from './runtime/tasks/open-tasks.ts';
      export { createSeal } from './runtime/call/context/seal.ts';`,
    resolveDir: root,
  },
  outfile: program,
});
const { openFileStore, openTasks, createSeal } = await import(pathToFileURL(program).href);

const never = () => undefined;
const served = {
  name: 'report',
  options: {},
  tool: { item: 'report', definition: { task: 'optional', effect: 'read' }, inputSchema: { type: 'object' } },
  host: { program: { pack: { name: 'acme/bench', version: '1.0.0' } }, settings: { values: {}, redact: text => text } },
};
const surface = {
  services: { seal: createSeal({ now: Date.now }), report: text => console.error(text) },
  tool: () => served,
  // It does not write anything meanwhile.
  callTool: () => new Promise(never),
};
const request = {
  ...{ id: 1, principal: '', auth: undefined, answers: {}, state: undefined, log: () => false, progress: never },
  signal: new AbortController().signal,
  client: { name: 'bench', version: '1', capabilities: {} },
  notify: { toolsChanged: never, promptsChanged: never, resourcesChanged: never, resourceUpdated: never },
};
const args = { month: 'May', rows: Array.from({ length: 20 }, (_, id) => ({ id })) };

const sync = promisify(fsync);
const bare = openSync(join(folder, 'bare'), 'a');
let line = Buffer.alloc(0);
async function appendBare() {
  const start = performance.now();
  writeSync(bare, line);
  await sync(bare);
  return performance.now() - start;
}

const accepting = [];
for (let round = 0; round < rounds; round += 1) {
  const home = join(folder, `tasks-${round}`);
  mkdirSync(home);
  const store = openFileStore({ folder: home });
  const limits = { mostOpen: 100_000, mostRunning: 100_000 };
  // As a caller finds it who has nearly as many as are allowed.
  let open = 0;
  const tasks = await openTasks({ store, surface, limits });
  const accept = async () => {
    const start = performance.now();
    const { task } = await tasks.start({ tool: 'report', args, request });
    const ms = performance.now() - start;
    open += 1;
    if (open > 90) {
      await tasks.cancel(task.id, '');
      open -= 1;
    }
    return ms;
  };
  await accept();
  const [name] = readdirSync(join(home, 'open'));
  line = Buffer.alloc(statSync(join(home, 'open', name)).size, 'x');
  await appendBare();
  const times = { accepted: [], appended: [] };
  // One after the other, so that a busy moment of the disk hits both.
  for (let index = 0; index < each; index += 1) {
    times.appended.push(await appendBare());
    times.accepted.push(await accept());
  }
  accepting.push({ accepted: median(times.accepted), appended: median(times.appended) });
  await tasks.close();
}
closeSync(bare);

const add = 'description: Adds\neffect: read\nparameters: { a: number, b: number }\noutput: { sum: number }\n';
for (const [name, task] of [
  ['without', ''],
  ['with', 'task: optional\n'],
]) {
  writeFiles(join(folder, name), {
    'mcp/tools/add.yaml': add,
    'mcp/tools/other.yaml': `${add}${task}handler: src/tools/add.js\n`,
    'src/tools/add.js': 'export default ({ a, b }) => ({ sum: a + b });\n',
    'mcp/servers/main.yaml': 'description: Main\n',
    'package.json': '{"type": "module"}',
    'toolwright.yaml': 'name: acme/bench\n',
  });
}

/** The median of calls of a plain tool. */
async function timeCalls(cli, pack) {
  const client = new Client({ name: 'bench', version: '1' });
  const env = { ...process.env, TOOLWRIGHT_STATE: join(folder, 'state') };
  const line = {
    command: process.execPath,
    args: [cli, 'start', 'main'],
    cwd: join(folder, pack),
    stderr: 'ignore',
    env,
  };
  await client.connect(new StdioClientTransport(line));
  const times = [];
  for (let index = 0; index < each * 5; index += 1) {
    const start = performance.now();
    const { structuredContent } = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
    if (structuredContent?.sum !== 3) throw new Error('add does not add');
    if (index >= each) times.push(performance.now() - start);
  }
  await client.close();
  return median(times);
}

const calls = [];
for (let round = 0; round < rounds; round += 1) {
  const times = {};
  for (const { cli, mark } of commands) {
    times[`without${mark}`] = await timeCalls(cli, 'without');
    if (mark === '') times.with = await timeCalls(cli, 'with');
  }
  calls.push(times);
}

const of = (list, name) => median(list.map(one => one[name]));
const ratio = (list, name, base) => median(list.map(one => one[name] / one[base]));
const before = 'without, before';
const rows = [
  ['accepting a task of 1 KB', of(accepting, 'accepted')],
  ['appending and syncing as much', of(accepting, 'appended')],
  ['a call, no tool is a task', of(calls, 'without')],
  ['a call, another tool is a task', of(calls, 'with')],
  ...(options.against === undefined ? [] : [['a call, no tool is a task, before', of(calls, before)]]),
];
for (const [what, ms] of rows) console.log(`${what.padEnd(36)} p50 ${ms.toFixed(3)} ms`);
const requirements = [
  requirement('accepting a task, x an append with fsync', 3, ratio(accepting, 'accepted', 'appended')),
  requirement('a call where another tool is a task, x where none is', 1.15, ratio(calls, 'with', 'without')),
  requirement(
    'a call where no tool is a task, x before',
    1.1,
    options.against === undefined ? undefined : ratio(calls, 'without', before),
  ),
];
console.log(`\n${printRequirements(requirements)}`);
const cpu = cpus()[0]?.model ?? 'an unknown CPU';
console.log(`\n${rounds} rounds with ${each} tasks each. Node ${process.version}, ${cpus().length} x ${cpu}`);
deliver({ rows: rows.map(([id, ms]) => ({ id, ms })), requirements });
