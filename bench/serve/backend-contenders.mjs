// The same tool `add` by a backend and by a handler written by hand: over HTTP, in SQLite by each driver, in PostgreSQL. In: what they reach. Out:
// pairs of contenders, each a pack that is started as it is.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFiles } from './work.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli/main.js');
const definition = `description: Adds two numbers
effect: read
parameters: { a: number, b: number }
output: { sum: number }
`;

/** Kept connections, a limit on the answer and on the time, JSON by its type: what a careful author writes. */
const httpHandler = origin => `import http from 'node:http';
const agent = new http.Agent({ keepAlive: true });
const mostBytes = 10_485_760;
export default ({ a, b }, ctx) => new Promise((resolve, reject) => {
  const query = new URLSearchParams({ a: String(a), b: String(b) });
  const headers = { accept: 'application/json', authorization: 'Bearer ' + ctx.config.TOKEN };
  const request = http.get(${JSON.stringify(origin)} + '/add?' + query, { agent, headers, signal: ctx.signal }, response => {
    const chunks = [];
    let size = 0;
    response.on('data', chunk => {
      size += chunk.length;
      if (size > mostBytes) response.destroy(new Error('too large'));
      else chunks.push(chunk);
    });
    response.on('error', reject);
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      if (response.statusCode !== 200) reject(new Error('status ' + response.statusCode));
      else if (!String(response.headers['content-type']).startsWith('application/json')) reject(new Error('no JSON'));
      else try { resolve(JSON.parse(text)); } catch (error) { reject(error); }
    });
  });
  request.setTimeout(30_000, () => request.destroy(new Error('timeout')));
  request.on('error', reject);
});
`;

const sum = 'SELECT a + :b AS sum FROM numbers WHERE a = :a';
const bare = sum.replace(':b', '?').replace(':a', '?');

const sqliteHandlers = {
  'better-sqlite3': `import Database from 'better-sqlite3';
const statement = new Database('data.db', { readonly: true }).prepare(${JSON.stringify(bare)});
export default ({ a, b }) => statement.get(b, a);
`,
  'node-sqlite3-wasm': `import sqlite from 'node-sqlite3-wasm';
const statement = new sqlite.Database('data.db', { readOnly: true }).prepare(${JSON.stringify(bare)});
export default ({ a, b }) => statement.get([b, a]);
`,
  'node:sqlite': `import { DatabaseSync } from 'node:sqlite';
const statement = new DatabaseSync('data.db', { readOnly: true }).prepare(${JSON.stringify(bare)});
export default ({ a, b }) => ({ ...statement.get(b, a) });
`,
};

const postgresHandler = url => `import pg from 'pg';
const pool = new pg.Pool({ connectionString: ${JSON.stringify(url)}, max: 5 });
const text = ${JSON.stringify(sum.replace(':b', '$2::float8').replace(':a', '$1::float8'))};
export default async ({ a, b }) => (await pool.query({ name: 'add', text, values: [a, b] })).rows[0];
`;

/** A pack of one tool. `link`: packages that it has installed. */
function writePack(folder, { backend, call, handler, link = {} }) {
  writeFiles(folder, {
    'package.json': '{ "name": "bench", "version": "1.0.0", "type": "module" }\n',
    'toolwright.yaml': `name: bench\nconfig: { TOKEN: { type: string, secret: true } }\n${backend === undefined ? '' : `backends: ${JSON.stringify({ main: backend })}\n`}`,
    'mcp/servers/bench.yaml': 'description: Adds\n',
    'mcp/tools/add.yaml': `${definition}${call === undefined ? 'handler: src/add.js\n' : call}`,
    ...(handler === undefined ? {} : { 'src/add.js': handler }),
  });
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const [name, path] of Object.entries({ toolwright: root, ...link }))
    symlinkSync(path, join(modules, name), 'dir');
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'generate'], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${folder}: ${stdout}${stderr}`);
}

/** `{id, base, ready: {contender, folder}}` for each, where `base` is the handler that the row is compared with. */
export function backendContenders(folder, { origin, sqlite, postgres }) {
  const contenders = [];
  const add = (id, pack, base) => {
    const place = join(folder, id.replaceAll(/\W+/g, '-'));
    writePack(place, pack);
    pack.fill?.(place);
    contenders.push({ id, base, ready: { contender: { id, command: () => [cli, 'start'] }, folder: place } });
  };
  const pair = (what, tool, handler) => {
    add(`${what}, handler`, handler);
    add(`${what}, tool`, tool, `${what}, handler`);
  };
  const request = 'http: { path: /add, query: { a: "{a}", b: "{b}" } }\n';
  const service = { type: 'http', url: origin, auth: { bearer: 'TOKEN' } };
  pair('http', { backend: service, call: request }, { handler: httpHandler(origin) });
  for (const { driver, link, fill } of sqlite) {
    const backend = { type: 'sqlite', url: 'sqlite:data.db' };
    const call = `sql: { result: row, text: ${JSON.stringify(sum)} }\n`;
    pair(driver, { backend, call, link, fill }, { handler: sqliteHandlers[driver], link, fill });
  }
  if (postgres !== undefined) {
    const link = { pg: join(root, 'node_modules/pg') };
    const call = `sql: { result: row, text: ${JSON.stringify('SELECT a + :b::float8 AS sum FROM numbers WHERE a = :a::float8')} }\n`;
    pair(
      'pg',
      { backend: { type: 'postgres', url: postgres }, call, link },
      { handler: postgresHandler(postgres), link },
    );
  }
  return contenders;
}
