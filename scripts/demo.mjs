// `npm run demo`: the story in one screen or two. Everything shown is real: the built command, a real pack, real clients.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import picocolors from 'picocolors';
import { root } from './run.mjs';

/** The rule of the commands: picocolors would also colour a log where only CI is set. */
const hasColours =
  picocolors.isColorSupported && (process.stdout.isTTY === true || Boolean(process.env['FORCE_COLOR']));
const pc = picocolors.createColors(hasColours);

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const command = join(root, 'dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-demo-'));
const pack = join(folder, 'weather');
/** Lines are broken between words, never by the terminal. */
const width = Math.max(60, Math.min(100, process.stdout.columns || Number(process.env['COLUMNS']) || 80));
let step = 0;

const compare = `description: Tell which of two cities is warmer, and by how much.
effect: read
parameters: { first: string, second: string }
output: { warmer: string, by: number }
examples:
  - name: south and north
    input: { first: Vienna, second: Reykjavik }
    output: { warmer: Vienna, by: 13 }
`;

const slips = [
  ['effect: read', 'efect: read'],
  ['by: 13', 'by: much'],
];

const body = `const [one, two] = [first, second].map(name => cities.find(({ city }) => city === name)?.celsius ?? 0);
  return { warmer: one > two ? first : second, by: Math.abs(one - two) };`;

function print(text = '') {
  for (const line of text.split('\n')) for (const piece of fold(line)) console.log(piece);
}

/** The line in pieces that fit, broken at spaces, with the rest indented a little more. Colours take no room. */
function fold(line) {
  const [, indent] = /^((?:\x1b\[[\d;]*m)*\s*)/.exec(line);
  const pieces = [];
  let piece = '';
  for (const word of line.split(/(?<=\S) +/)) {
    const longer = piece === '' ? word : `${piece} ${word}`;
    if (lengthOf(longer) > width && piece !== '') {
      pieces.push(piece);
      piece = `${' '.repeat(lengthOf(indent) + 2)}${word}`;
    } else piece = longer;
  }
  // Code and frames keep their spaces: what fits is not touched.
  return lengthOf(line) <= width ? [line] : [...pieces, piece];
}

function lengthOf(text) {
  return text.replaceAll(/\x1b\[[\d;]*m/g, '').length;
}

function say(title) {
  step += 1;
  print(`\n${pc.bold(pc.green(`${step}. ${title}`))}`);
}

/** Shows a command line, runs it and shows all that it prints; a wrong exit code ends the demo. */
function toolwright(args, { expected = 0 } = {}) {
  const typed = args.map(arg => (arg.includes(' ') ? `'${arg}'` : arg)).join(' ');
  print(pc.cyan(`$ toolwright ${typed}`));
  const { NO_COLOR: _, FORCE_COLOR: __, ...rest } = process.env;
  const colour = hasColours ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: pack,
    encoding: 'utf8',
    env: { ...rest, ...colour, TOOLWRIGHT_CACHE: join(folder, 'cache') },
  });
  const printed = `${stdout}${stderr}`.trimEnd();
  if (printed !== '') print(printed.replaceAll(/^(?=.)/gm, '  '));
  if (status !== expected) throw new Error(`toolwright ${args.join(' ')} exited with ${status}, expected ${expected}`);
}

function show(file) {
  print(pc.dim(`  ${file}`));
  const text = readFileSync(join(pack, file), 'utf8').trimEnd();
  print(text.replaceAll(/^/gm, `  ${pc.dim('|')} `));
}

/** Changes a file, and shows the lines that are changed. */
function change(file, pairs, { isShown = true } = {}) {
  const path = join(pack, file);
  let text = readFileSync(path, 'utf8');
  if (isShown) print(pc.dim(`  ${file}`));
  for (const [before, after] of pairs) {
    const line = text.split('\n').find(one => one.includes(before));
    if (line === undefined) throw new Error(`${file} has no ${before}`);
    if (isShown) print(`${pc.red(`  - ${line.trim()}`)}\n${pc.green(`  + ${line.replace(before, after).trim()}`)}`);
    text = text.replace(before, after);
  }
  writeFileSync(path, text);
}

/** Two real clients, one for each revision of the protocol, each with a server process of its own. */
async function askClients(args, cwd) {
  const target = { command: process.execPath, args, cwd, stderr: 'ignore' };
  const identity = { name: 'demo', version: '1.0.0' };
  const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
  const clients = [
    ['the 1.x client, 2025-11-25', new OldClient(identity), new OldTransport(target)],
    ['the 2.x client, 2026-07-28', new NewClient(identity, modern), new NewTransport(target)],
  ];
  for (const [name, client, transport] of clients) {
    await client.connect(transport);
    const { tools } = await client.listTools();
    const { structuredContent } = await client.callTool({
      name: 'compare',
      arguments: { first: 'Vienna', second: 'Reykjavik' },
    });
    await client.close();
    print(`  ${name}: ${tools.length} tools, compare: ${pc.green(JSON.stringify(structuredContent))}`);
    if (structuredContent.by !== 13) throw new Error(`${name} got a wrong answer`);
  }
}

/** The built server alone in an empty folder, and what it takes to its first list, beside Node doing nothing. */
async function startBuilt() {
  const alone = join(folder, 'alone');
  cpSync(join(pack, 'out'), alone, { recursive: true });
  const entry = 'weather.cjs';
  await askClients([entry], alone);
  const lines = [
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"demo","version":"1"}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
  ];
  const [nothing, built] = [[], []];
  for (let round = 0; round < 5; round += 1) {
    nothing.push(await timed(['--eval', '0'], '', 'exit'));
    built.push(await timed([join(alone, entry)], `${lines.join('\n')}\n`, '"id":2'));
  }
  const [idle, first] = [nothing, built].map(list => Math.min(...list).toFixed(0));
  print(`  first tools/list after ${pc.bold(`${first} ms`)}; Node doing nothing takes ${idle} ms`);
}

/** Milliseconds until `until` is printed, or until the end. */
function timed(args, input, until) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', text => {
      printed += text;
      if (!printed.includes(until)) return;
      resolve(performance.now() - began);
      child.kill();
    });
    child.on('error', reject).on('exit', () => {
      if (until === 'exit') resolve(performance.now() - began);
      else if (!printed.includes(until)) reject(new Error('the built server ended early'));
    });
    child.stdin.on('error', () => {}).write(input);
    if (until === 'exit') child.stdin.end();
  });
}

/** What `npm install` would do. */
function install() {
  mkdirSync(join(pack, 'node_modules/@types'), { recursive: true });
  symlinkSync(root, join(pack, 'node_modules/toolwright'), 'junction');
  for (const name of ['typescript', '@types/node'])
    symlinkSync(join(root, 'node_modules', name), join(pack, 'node_modules', name), 'junction');
}

try {
  cpSync(join(root, 'examples/weather'), pack, { recursive: true });
  install();
  print(pc.bold('Toolwright: from YAML manifests to a running MCP server'));

  say('A tool is a YAML file, and its examples are its tests');
  writeFileSync(join(pack, 'mcp/tools/compare.yaml'), compare);
  show('mcp/tools/compare.yaml');

  say('check finds every mistake in one run, and runs no code');
  change('mcp/tools/compare.yaml', slips);
  toolwright(['check'], { expected: 1 });

  say('generate writes types, validators and a stub for the handler');
  const back = slips.map(([right, wrong]) => [wrong, right]);
  change('mcp/tools/compare.yaml', back, { isShown: false });
  toolwright(['generate', '--quiet']);
  show('src/tools/compare.ts');

  say('typecheck holds the handler to the manifest');
  change('src/tools/compare.ts', [['{ first, second }', '{ first, secnd }']]);
  toolwright(['typecheck'], { expected: 1 });

  say('call runs a tool, without a build');
  change(
    'src/tools/compare.ts',
    [
      ['{ first, secnd }', '{ first, second }'],
      ['throw ctx.notImplemented();', body],
      ['import { tools }', "import { cities } from '../cities.js';\nimport { tools }"],
    ],
    { isShown: false },
  );
  toolwright(['call', 'compare', '{"first": "Vienna", "second": "Reykjavik"}']);

  say('test runs the examples against the real server');
  toolwright(['test', '--test', 'compare']);

  say('build makes a server that needs no node_modules; official clients use it');
  toolwright(['build', '--out', 'out']);
  await startBuilt();

  print(`\n${pc.bold('Your turn.')} Toolwright is not on npm yet, so pack it here and install that:
  npm pack
  mkdir ../my-tools && cd ../my-tools
  npm install ../${basename(root)}/toolwright-${version}.tgz
  npx toolwright init --yes`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
