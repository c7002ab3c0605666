// `npm run bench:isolate` (X10): how long calls take while a tool spins in a thread of its own, against the same server without it; and what a
// call in a thread costs. Options: --quick, --rounds n, --assert, see options.mjs.
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { median } from './measure.mjs';
import { askedRounds, commands, makeBenchFolder, options } from './options.mjs';
import { writeFiles } from './serve/work.mjs';

const [{ cli }] = commands;
const rounds = askedRounds ?? (options.quick ? 3 : 9);
/** In each round, with and without: so many calls, one every ten milliseconds. */
const calls = options.quick ? 100 : 300;
const everyMs = 10;
/** Of medians: beside one that spins, and without. */
const limit = 1.5;

const pack = makeBenchFolder();
const numbers = 'effect: read\nparameters: { a: number, b: number }\noutput: { sum: number }\nhandler: src/add.js\n';
writeFiles(pack, {
  'toolwright.yaml': 'name: acme/bench\n',
  'package.json': '{"type": "module"}',
  'mcp/servers/main.yaml': 'description: Main\n',
  'mcp/tools/add.yaml': `description: Adds\n${numbers}`,
  'mcp/tools/apart.yaml': `description: Adds in a thread\nisolate: thread\n${numbers}`,
  'src/add.js': 'export default ({ a, b }) => ({ sum: a + b });\n',
  'mcp/tools/spin.yaml': 'description: Spins\neffect: read\nisolate: thread\nlimits: { timeoutMs: 1000 }\n',
  'src/tools/spin.js': 'export default () => { for (;;); };\n',
});

const client = new Client({ name: 'bench', version: '1' });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [cli, 'start', 'main'], cwd: pack, stderr: 'ignore' }),
);
const call = async name => {
  const start = performance.now();
  const { structuredContent } = await client.callTool({ name, arguments: { a: 1, b: 2 } });
  if (structuredContent?.sum !== 3) throw new Error(`${name} does not add`);
  return performance.now() - start;
};
for (let index = 0; index < 200; index += 1) await Promise.all([call('add'), call('apart')]);
await client.callTool({ name: 'spin', arguments: {} });

/** At a steady pace, whether the answers come or not. */
async function paced() {
  const running = [];
  for (let index = 0; index < calls; index += 1) {
    running.push(call('add'));
    await sleep(everyMs);
  }
  return await Promise.all(running);
}

let codes = [];
/** One spins all the time: when it is ended, the next begins. */
async function besideSpinning() {
  let isOver = false;
  const spinning = (async () => {
    while (!isOver) {
      const { _meta } = await client.callTool({ name: 'spin', arguments: {} });
      codes = [...codes, _meta?.['toolwright/error']?.code];
    }
  })();
  const times = await paced();
  isOver = true;
  await spinning;
  return times;
}

async function inTurn(name) {
  const times = [];
  for (let index = 0; index < calls * 3; index += 1) times.push(await call(name));
  return times;
}

const at = (times, share) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)];
const results = { alone: [], beside: [], add: [], apart: [] };
for (let round = 0; round < rounds; round += 1) {
  results.alone.push(await paced());
  results.beside.push(await besideSpinning());
  results.add.push(await inTurn('add'));
  results.apart.push(await inTurn('apart'));
}
await client.close();

const of = (name, share) => median(results[name].map(times => at(times, share)));
const ratio = (a, b, share) =>
  median(results[a].map((times, round) => at(times, share) / at(results[b][round], share)));
const show = (what, name) =>
  console.log(`${what.padEnd(42)} p50 ${of(name, 0.5).toFixed(3)} ms   p99 ${of(name, 0.99).toFixed(3)} ms`);
show(`${1000 / everyMs} calls a second, alone`, 'alone');
show(`${1000 / everyMs} calls a second, beside one that spins`, 'beside');
const slower = ratio('beside', 'alone', 0.5);
const isMet = slower <= limit && codes.every(code => code === 'TIMEOUT');
console.log(
  `${isMet ? 'ok' : 'NOT MET'}: p50 ${slower.toFixed(2)} times, p99 ${ratio('beside', 'alone', 0.99).toFixed(2)} times; ${codes.length} spinning calls, all TIMEOUT: ${codes.every(code => code === 'TIMEOUT')}`,
);
show('one after the other, in the main thread', 'add');
show('one after the other, in a thread', 'apart');
const more = of('apart', 0.5) - of('add', 0.5);
console.log(
  `a call in a thread takes ${ratio('apart', 'add', 0.5).toFixed(2)} times as long: ${(more * 1000).toFixed(0)} µs more`,
);
console.log(
  `\n${rounds} rounds, interleaved. Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}`,
);
if (options.assert && !isMet) process.exitCode = 1;
