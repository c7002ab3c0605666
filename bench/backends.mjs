// `npm run bench:backends` (B1, B2): CPU of a server per call of a tool without code, against a handler written by hand for the same: a request over
// HTTP, a statement in SQLite by each driver that is here, one in PostgreSQL. The helper process of a database counts.
// Options: --quick, --rounds n, --json file, --assert, see options.mjs.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { betterSqlite } from '../scripts/better-sqlite3.mjs';
import { startPostgres } from '../scripts/postgres.mjs';
import { root } from '../scripts/run.mjs';
import { median, ratio } from './measure.mjs';
import { deliver, makeBenchFolder, options, roundsOf } from './options.mjs';
import { printRequirements, requirement } from './print.mjs';
import { backendContenders } from './serve/backend-contenders.mjs';
import { load } from './serve/clients.mjs';
import { cpuOf, startServer } from './serve/server-process.mjs';

const rounds = roundsOf(21);
const calls = options.quick ? 200 : 500;
const width = 8;
const limit = 1.3;
const require = createRequire(import.meta.url);

/** Numbers that calls look up. */
const most = calls * 4 + 1;
const create = `CREATE TABLE numbers (a REAL PRIMARY KEY);
WITH RECURSIVE n(a) AS (SELECT 0 UNION ALL SELECT a + 1 FROM n WHERE a < ${most}) INSERT INTO numbers SELECT a FROM n;`;

function fill(folder) {
  const database = new (require('node-sqlite3-wasm').Database)(join(folder, 'data.db'));
  database.exec(create);
  database.close();
}

const service = createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const body = JSON.stringify({ sum: Number(searchParams.get('a')) + Number(searchParams.get('b')) });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
});
await new Promise(resolve => service.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${service.address().port}`;
const postgres = await startPostgres();
if (postgres !== undefined) {
  const client = new (require('pg').Client)(postgres.url);
  await client.connect();
  await client.query(`CREATE TABLE numbers AS SELECT a::float8 FROM generate_series(0, ${most}) AS a`);
  await client.query('ALTER TABLE numbers ADD PRIMARY KEY (a)');
  await client.end();
}
const hasBuiltin = process.getBuiltinModule('node:sqlite') !== undefined;
const sqlite = hasBuiltin
  ? [{ driver: 'node:sqlite', fill }]
  : [
      ...(existsSync(betterSqlite)
        ? [{ driver: 'better-sqlite3', link: { 'better-sqlite3': betterSqlite }, fill }]
        : []),
      {
        driver: 'node-sqlite3-wasm',
        link: { 'node-sqlite3-wasm': join(root, 'node_modules/node-sqlite3-wasm') },
        fill,
      },
    ];

/** Of processes that a server has started, in milliseconds; none where the system has no /proc. */
function childCpuOf({ pid }) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return children.reduce((sum, child) => {
      const fields = readFileSync(`/proc/${child}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      return sum + (Number(fields[11]) + Number(fields[12])) * 10;
    }, 0);
  } catch {
    return 0;
  }
}

process.env.TOKEN = 'a-token-of-the-bench';
const contenders = backendContenders(makeBenchFolder(), { origin, sqlite, postgres: postgres?.url });
const servers = [];
try {
  for (const { id, base, ready } of contenders) {
    const server = await startServer(ready, { transport: 'stdio', era: '2025', tells: true });
    servers.push({ id, base, server, runs: [] });
    await load(server.client, calls * 4, width);
  }
  for (let round = 0; round < rounds; round += 1)
    for (const { server, runs } of round % 2 === 0 ? servers : servers.toReversed()) {
      const cpu = async () => (await cpuOf(server.child)) + childCpuOf(server.child);
      const [before, began] = [await cpu(), performance.now()];
      await load(server.client, calls, width);
      runs.push({ wall: ((performance.now() - began) * 1000) / calls, cpu: (((await cpu()) - before) * 1000) / calls });
    }
} finally {
  for (const { server } of servers) await server.stop();
  await postgres?.stop();
  service.close();
  service.closeAllConnections();
}

const rows = servers.map(({ id, base, runs }) => {
  const against = servers.find(other => other.id === base)?.runs;
  const of = key => ({ best: Math.min(...runs.map(run => run[key])), median: median(runs.map(run => run[key])) });
  const best = key => Math.min(...runs.map(run => run[key])) / Math.min(...(against ?? runs).map(run => run[key]));
  return {
    id,
    base,
    cpu: of('cpu'),
    wall: of('wall'),
    ...(against && { ratio: ratio(runs, against, 'cpu'), best: best('cpu') }),
  };
});
for (const { id, cpu, wall, ratio: times, best } of rows)
  console.log(
    `${id.padEnd(28)} CPU ${cpu.best.toFixed(0).padStart(5)} best ${cpu.median.toFixed(0).padStart(5)} median   wall ${wall.median.toFixed(0).padStart(5)} us${times === undefined ? '' : `   x ${times.toFixed(2)} (best by best ${best.toFixed(2)})`}`,
  );
const requirements = rows
  .filter(({ base }) => base !== undefined)
  .map(({ id, base, ratio: times }) => requirement(`${id}, CPU x ${base}`, limit, times));
console.log(`\n${printRequirements(requirements)}`);
console.log(
  `\n${rounds} rounds of ${calls} calls, ${width} at a time, interleaved. Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}`,
);
deliver({ rows, requirements });
process.exit();
