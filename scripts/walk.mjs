// `npm run walk`: how much source one has to read to follow a manifest or a call. Counts the files and functions that run on four
// walks, with V8's counts of calls over sources that were transpiled file by file, and prints a table.
// `--write` puts it into ARCHITECTURE.md, `--check` fails where the table there is missing or off by more than a tenth,
// `--list` prints the files of each walk in the place of the table. `--root <folder>` measures another checkout.

import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { transform } from 'esbuild';
import { root as own } from './run.mjs';
import { readAddress } from './served.mjs';

const { values: flags } = parseArgs({
  options: {
    write: { type: 'boolean' },
    check: { type: 'boolean' },
    list: { type: 'boolean' },
    root: { type: 'string', default: own },
  },
});
const root = resolve(flags.root);
const hook = fileURLToPath(new URL('./walk-hook.mjs', import.meta.url));
const page = join(own, 'ARCHITECTURE.md');
const begin = '<!-- begin: scripts/walk.mjs -->';
const end = '<!-- end: scripts/walk.mjs -->';
/** A table may be off by this much, so that not every commit has to renew it. */
const tolerance = 0.1;

const handshake = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'walk', version: '1.0.0' },
};
const call = { name: 'greet', arguments: { name: 'Ada' } };

const tool = {
  'package.json': '{ "name": "walk", "version": "1.0.0", "type": "module" }\n',
  'toolwright.yaml': 'description: One tool\n',
  'mcp/tools/greet.yaml': [
    'description: Greets somebody by name',
    'parameters:',
    '  name: { type: string, description: Whom to greet, required: true }',
    '',
  ].join('\n'),
};
const server = {
  'mcp/servers/walk.yaml': 'description: One tool\n',
  // A handler that needs no compiler.
  'src/tools/greet.js': 'export default ({ name }) => `Hello ${name}!`;\n',
};

const work = mkdtempSync(join(tmpdir(), 'toolwright-walk-'));
const place = join(work, 'package');
const children = [];
try {
  await main();
} finally {
  for (const child of children) child.kill();
  rmSync(work, { recursive: true, force: true });
}

async function main() {
  await transpile();
  const walks = [
    ['one YAML tool through `check`', runCommand(['check'])],
    ['the same through a `generate` that writes', runCommand(['generate'])],
    ['one warm `tools/call` on stdio', await callOverStdio()],
    ['one warm `tools/call` over HTTP, in a session of 2025-11-25', await callOverHttp()],
  ].map(([name, coverage]) => ({ name, ...count(coverage) }));
  if (flags.list) {
    for (const { name, files } of walks)
      console.log([`${name}:`, ...[...files].map(([file, ran]) => `  ${file} (${ran})`).sort()].join('\n'));
    return;
  }
  const table = print(walks);
  if (flags.write) writeFileSync(page, replaceTable(readFileSync(page, 'utf8'), table));
  if (flags.check) check(walks);
  console.log(table);
}

/** The package as it is built, but with every source as a file of its own. */
async function transpile() {
  const sources = ['schema', 'runtime', 'generator', 'cli'].flatMap(listSources);
  await Promise.all(
    sources.map(async source => {
      const target = join(place, 'dist', source.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(target), { recursive: true });
      if (!source.endsWith('.ts')) return copyFileSync(join(root, source), target);
      const { code } = await transform(readFileSync(join(root, source), 'utf8'), {
        loader: 'ts',
        format: 'esm',
        target: 'node20',
      });
      writeFileSync(target, code);
    }),
  );
  // Sources find the rest of the package from where they lie or from where their bundle lies, which is one folder further down.
  for (const name of ['package.json', 'node_modules', 'templates', 'builtin'])
    for (const above of [place, join(place, 'dist')]) symlinkSync(join(root, name), join(above, name));
  for (const name of readdirSync(join(root, 'schema')).filter(one => one.endsWith('.schema.json')))
    copyFileSync(join(root, 'schema', name), join(place, 'dist/schema', name));
  symlinkSync(join(root, 'schema'), join(place, 'schema'));
}

/** TypeScript, and what the build made beside it. */
function listSources(room) {
  return readdirSync(join(root, room), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(ts|gen\.c?js)$/.test(entry.name) && !/\.d\.c?ts$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

/** A pack in a folder of its own, which no run has seen before. */
function writePack(files) {
  const pack = mkdtempSync(join(work, 'pack-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(pack, name)), { recursive: true });
    writeFileSync(join(pack, name), text);
  }
  mkdirSync(join(pack, 'node_modules'));
  symlinkSync(place, join(pack, 'node_modules/toolwright'), 'dir');
  return pack;
}

function environment(more = {}) {
  const { HOME, XDG_CACHE_HOME, NODE_OPTIONS, ...env } = process.env;
  return { ...env, HOME: work, XDG_CACHE_HOME: mkdtempSync(join(work, 'cache-')), ...more };
}

function words(args) {
  return ['--import', pathToFileURL(hook).href, join(place, 'dist/cli/main.js'), ...args];
}

/** Everything that a command runs from its start to its end. */
function runCommand(args) {
  const out = join(work, 'coverage.json');
  const env = environment({ TOOLWRIGHT_WALK_OUT: out });
  const cwd = writePack(tool);
  const { status, stdout, stderr } = spawnSync(process.execPath, words(args), { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`toolwright ${args.join(' ')} exited with ${status}\n${stdout}${stderr}`);
  return JSON.parse(readFileSync(out, 'utf8'));
}

function startServer(args) {
  const child = spawn(process.execPath, words(['start', ...args]), {
    cwd: writePack({ ...tool, ...server }),
    env: environment(),
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  children.push(child);
  return child;
}

/** What the watched process counted since the last time it was asked. */
function take(child, wish) {
  return new Promise(resolve => {
    child.once('message', resolve);
    child.send(wish);
  });
}

/** Some calls first: what loads once, and what is got ready in idle time, is not part of a warm call. */
async function measureCall(child, makeCall) {
  for (let times = 0; times < 5; times++) await makeCall();
  await new Promise(resolve => setTimeout(resolve, 200));
  await take(child, 'reset');
  const answer = await makeCall();
  const coverage = await take(child, 'take');
  if (!JSON.stringify(answer).includes('Hello Ada')) throw new Error(`not an answer: ${JSON.stringify(answer)}`);
  child.kill();
  return coverage;
}

async function callOverStdio() {
  const child = startServer(['--stdio']);
  child.stderr.resume();
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const send = async (method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    return JSON.parse((await lines.next()).value);
  };
  await send('initialize', handshake);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return measureCall(child, () => send('tools/call', call));
}

async function callOverHttp() {
  const child = startServer(['--http', '0']);
  child.stdout.resume();
  const url = await readAddress(child).url;
  let session = {};
  let id = 0;
  const send = async (method, params, isRequest = true) => {
    const message = { jsonrpc: '2.0', ...(isRequest && { id: ++id }), method, params };
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': handshake.protocolVersion,
      ...session,
    };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
    const text = await answer.text();
    session = { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? session['mcp-session-id'] };
    return text;
  };
  await send('initialize', handshake);
  await send('notifications/initialized', {}, false);
  return measureCall(child, () => send('tools/call', call));
}

/** Which functions of the sources ran, per file; a module's body is not a function. */
function count(coverage) {
  const home = pathToFileURL(join(place, 'dist')).href;
  const files = new Map();
  for (const { url, functions } of coverage) {
    if (!url.startsWith(`${home}/`)) continue;
    const ran = functions.filter(({ ranges: [whole], functionName }) => {
      const isBody = functionName === '' && whole.startOffset === 0;
      return !isBody && whole.count > 0;
    });
    const source = url.slice(home.length + 1).replace(/\.js$/, '.ts');
    if (ran.length > 0) files.set(source, (files.get(source) ?? 0) + ran.length);
  }
  return { files, functions: [...files.values()].reduce((sum, one) => sum + one, 0) };
}

function print(walks) {
  const rows = walks.map(({ name, files, functions }) => `| ${name} | ${files.size} | ${functions} |`);
  return ['| walk | files | functions |', '|---|---|---|', ...rows].join('\n');
}

function replaceTable(text, table) {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`ARCHITECTURE.md has no place for the table: ${begin} ... ${end}`);
  return `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`;
}

function check(walks) {
  const text = readFileSync(page, 'utf8');
  const wrong = walks.filter(({ name, files, functions }) => {
    const [row] = text.split('\n').filter(line => line.startsWith(`| ${name} |`));
    const [, , ...numbers] = row?.split('|').map(Number) ?? [];
    return [files.size, functions].some((now, i) => !(Math.abs(now - numbers[i]) <= Math.max(2, now * tolerance)));
  });
  if (wrong.length === 0) return;
  console.error(
    `ARCHITECTURE.md is out of date (run node scripts/walk.mjs --write): ${wrong.map(({ name }) => name).join('; ')}`,
  );
  process.exitCode = 1;
}
