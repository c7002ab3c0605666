// `npm run bench`: servers of the same tools by every framework, beside the limit (a hand-written loop with prebuilt answers):
// cold start, memory, size, calls over stdio and HTTP in both eras. Interleaved; ratios within each round.
// Options: --quick, --rounds 21, --sizes 10,500, --contenders "limit,toolwright build", --only start|stdio|http|size,
// --against <another checkout, built>, --json file, --svg file, --assert (exit code 1 where a limit is missed).
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { printRequirements } from './print.mjs';
import { drawChart } from './serve/chart.mjs';
import { contenders, prepare, sizesOf } from './serve/contenders.mjs';
import { judge } from './serve/judge.mjs';
import { measureCalls, measureStarts } from './serve/measure-servers.mjs';
import { printServers } from './serve/print-servers.mjs';
import { contendersOf } from './serve/toolwright.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    sizes: { type: 'string' },
    contenders: { type: 'string' },
    against: { type: 'string' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    svg: { type: 'string' },
    assert: { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds ?? (options.quick ? 5 : 21));
const sizes = (options.sizes ?? (options.quick ? '2000' : '10,500,2000')).split(',').map(Number);
const wanted = options.contenders?.split(',').map(id => id.trim());
const all = options.against === undefined ? contenders : [...contenders, ...contendersOf(options.against)];
const unknown = wanted?.filter(id => !all.some(contender => contender.id === id)) ?? [];
if (unknown.length > 0) throw new Error(`unknown contender: ${unknown.join(', ')}`);
const chosen = all.filter(({ id }) => id === 'limit' || (wanted?.includes(id) ?? true));
const does = what => options.only === '' || options.only === what;

const tools = 50;
const began = performance.now();
const { ready, absent } = prepare(tools, chosen);
/** `{id, unit, of: {contender: {value, ratio}}}` */
const rows = [];
if (does('start')) {
  rows.push(...(await measureStarts(ready, { tools, rounds })));
  for (const size of sizes) {
    const sized = prepare(size, chosen);
    absent.push(...sized.absent.map(({ id, reason }) => ({ id: `${id} with ${size} tools`, reason })));
    rows.push(...(await measureStarts(sized.ready, { tools: size, rounds: Math.ceil(rounds / 2) })));
  }
}
const scale = options.quick ? 0.25 : 1;
for (const task of [
  { transport: 'stdio', era: '2025', width: 1, calls: 1500 },
  { transport: 'stdio', era: '2025', width: 64, calls: 4000 },
  { transport: 'stdio', era: '2026', width: 64, calls: 4000 },
  { transport: 'http', era: '2025', width: 1, calls: 400 },
  { transport: 'http', era: '2025', width: 32, calls: 800 },
  { transport: 'http', era: '2026', width: 1, calls: 400 },
  { transport: 'http', era: '2026', width: 32, calls: 800 },
])
  if (does(task.transport))
    rows.push(...(await measureCalls(ready, { ...task, calls: Math.ceil(task.calls * scale) }, rounds)));
const weights = does('size')
  ? Object.fromEntries(await Promise.all(ready.map(async one => [one.contender.id, await sizesOf(one)])))
  : {};

const requirements = judge(rows);
console.log(printServers(rows, weights));
for (const { id, reason } of absent) console.log(`Not measured: ${id}: ${reason}`);
console.log(`\nMust hold:\n${printRequirements(requirements)}`);
const seconds = ((performance.now() - began) / 1000).toFixed(0);
console.log(
  `\n${seconds} s, ${rounds} rounds, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}`,
);
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify({ rows, weights, absent, requirements }, null, 2)}\n`);
if (options.svg !== undefined) writeFileSync(options.svg, drawChart(rows));
if (options.assert && requirements.some(({ met }) => met === false)) process.exitCode = 1;
