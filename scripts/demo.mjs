// `npm run demo`: the guided tour. Everything shown is real: the built command, a real pack, a real language server.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import pc from 'picocolors';
import ts from 'typescript';
import { root } from './run.mjs';

const command = join(root, 'dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-demo-'));
const pack = join(folder, 'weather');
let step = 0;

const slips = [
  ['effect: read', 'efect: read'],
  ['default: celsius', 'default: celcius'],
  ['{{tool:list-cities}}', '{{tool:list-citys}}'],
  ['temperature: 21,', 'temperature: mild,'],
];

const comparison = `description: Tell which of two cities is warmer, and by how much.
effect: read
parameters: { first: string, second: string }
output: { warmer: string, by: number }
examples:
  - name: south and north
    input: { first: Vienna, second: Reykjavik }
    output: { warmer: Vienna, by: 13 }
`;

const handler = `const [one, two] = [first, second].map(name => cities.find(({ city }) => city === name)?.celsius ?? 0);
  return { warmer: one > two ? first : second, by: Math.abs(one - two) };`;

function write(file, text) {
  writeFileSync(join(pack, file), text);
}

function say(title, text) {
  step += 1;
  console.log(`\n${pc.bold(pc.green(`${step}. ${title}`))}\n${pc.dim(text)}\n`);
}

/** Shows a command line and runs it; a wrong exit code ends the demo. */
function toolwright(args, { cwd = pack, expected = 0 } = {}) {
  const typed = args.map(arg => (arg.includes(' ') ? `'${arg}'` : arg)).join(' ');
  console.log(pc.cyan(`$ toolwright ${typed}`));
  const colour = pc.isColorSupported ? { FORCE_COLOR: '1' } : {};
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...colour, TOOLWRIGHT_CACHE: join(folder, 'cache') },
  });
  const printed = `${stdout}${stderr}`.trimEnd();
  if (printed !== '') console.log(printed.replaceAll(/^(?=.)/gm, '  '));
  if (status !== expected) throw new Error(`toolwright ${args.join(' ')} exited with ${status}, expected ${expected}`);
}

function show(file, from, to) {
  const lines = readFileSync(join(pack, file), 'utf8')
    .split('\n')
    .slice(from - 1, to);
  console.log(pc.dim(`  ${file}`));
  console.log(lines.map(line => `  ${pc.dim('|')} ${line}`).join('\n'));
}

function change(file, pairs) {
  const path = join(pack, file);
  let text = readFileSync(path, 'utf8');
  for (const [before, after] of pairs) {
    if (!text.includes(before)) throw new Error(`${file} has no ${before}`);
    text = text.replace(before, after);
  }
  writeFileSync(path, text);
}

/** The editor's client is TypeScript of the tests: compiled here, so that the demo needs no second one. */
async function startEditor() {
  const source = readFileSync(join(root, 'test/project/editor/language-server.ts'), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const file = join(root, 'node_modules/.cache/toolwright-demo/language-server.mjs');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, outputText);
  const { startLanguageServer } = await import(pathToFileURL(file).href);
  return startLanguageServer({
    root: folder,
    schemas: { [join(root, 'schema/tool.schema.json')]: ['weather/mcp/tools/*.yaml', 'canary.yaml'] },
  });
}

async function askEditor() {
  const server = await startEditor();
  try {
    const before = 'description: Get the weather of a city.\neffect: ';
    const open = server.open('weather/mcp/tools/demo.yaml', before);
    const position = { line: 1, character: 'effect: '.length };
    const items = await server.complete(open, position);
    console.log(before.replaceAll(/^/gm, '  | ') + pc.inverse(' '));
    for (const { label } of items) console.log(`      ${pc.bold(label)}`);
    const hover = await server.hover(open, { line: 1, character: 2 });
    console.log(`\n  hover on ${pc.bold('effect')}: ${hover.split('\n').filter(line => /^[A-Za-z]/.test(line))[0]}`);
    if (items.length !== 3) throw new Error(`the editor offered ${items.length} values for effect`);
  } finally {
    await server.stop();
  }
}

/** Two real clients, one for each era of the protocol, each with a server process of its own. */
async function askClients(args, cwd) {
  const target = { command: process.execPath, args, cwd, stderr: 'ignore' };
  const identity = { name: 'demo', version: '1.0.0' };
  const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
  const clients = [
    ['1.x client, 2025-11-25', new OldClient(identity), new OldTransport(target)],
    ['2.x client, 2026-07-28', new NewClient(identity, modern), new NewTransport(target)],
  ];
  for (const [name, client, transport] of clients) {
    await client.connect(transport);
    const { tools } = await client.listTools();
    const { structuredContent } = await client.callTool({ name: 'get-weather', arguments: { city: 'Vienna' } });
    const bad = await client.callTool({ name: 'get-weather', arguments: { city: 'Atlantis' } });
    console.log(`  ${pc.cyan(name)}`);
    console.log(`    tools/list  ${tools.map(tool => tool.name).join(', ')}`);
    console.log(`    get-weather {"city": "Vienna"}   ${pc.green(JSON.stringify(structuredContent))}`);
    console.log(`    get-weather {"city": "Atlantis"} ${pc.yellow(bad.content[0].text)}`);
    await client.close();
    if (structuredContent.temperature !== 21 || !bad.isError) throw new Error(`${name} got a wrong answer`);
  }
}

/** The built server alone in an empty folder, and what it takes to its first list, beside Node doing nothing. */
async function startBuilt() {
  const alone = join(folder, 'nothing else here');
  cpSync(join(pack, 'out'), alone, { recursive: true });
  const [entry] = readdirSync(alone).filter(name => /\.[cm]js$/.test(name));
  await askClients([entry], alone);
  const times = { 'Node doing nothing': [], 'the built server, from spawn to the answer of tools/list': [] };
  const lines = [
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"demo","version":"1"}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
  ];
  const [nothing, built] = Object.values(times);
  for (let round = 0; round < 5; round += 1) {
    nothing.push(await timed(['--eval', '0'], '', 'exit'));
    built.push(await timed([join(alone, entry)], `${lines.join('\n')}\n`, '"id":2'));
  }
  console.log();
  for (const [what, list] of Object.entries(times))
    console.log(
      `  ${Math.min(...list)
        .toFixed(0)
        .padStart(4)} ms  ${what}`,
    );
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

try {
  console.log(pc.bold('\nToolwright: from YAML manifests to a running MCP server'));
  cpSync(join(root, 'examples/weather'), pack, { recursive: true });

  say('A tool is a YAML file', 'What it takes, what it returns, what can go wrong, and examples that are its tests.');
  show('mcp/tools/get-weather.yaml', 2, 18);

  say(
    'check reads the whole pack and runs none of its code',
    'Schemas, references between items, defaults and examples.',
  );
  toolwright(['check']);

  say('Four slips, four diagnostics', 'All in one run, each under the character that is wrong, with the way out.');
  change('mcp/tools/get-weather.yaml', slips);
  toolwright(['check'], { expected: 1 });

  say(
    'explain tells where everything comes from',
    'Which definition wins, what it shadows, and what an overlay changed.',
  );
  toolwright(['explain', 'delete-issue', '--overlay', 'overlays/quiet'], { cwd: join(root, 'examples/jira') });

  say(
    'generate compiles the pack',
    'Types that lead back into the YAML, validators without a library, and stubs for missing handlers.',
  );
  change(
    'mcp/tools/get-weather.yaml',
    slips.map(([right, wrong]) => [wrong, right]),
  );
  // What `npm install` would do.
  mkdirSync(join(pack, 'node_modules/@types'), { recursive: true });
  symlinkSync(root, join(pack, 'node_modules/toolwright'), 'junction');
  for (const name of ['typescript', '@types/node'])
    symlinkSync(join(root, 'node_modules', name), join(pack, 'node_modules', name), 'junction');
  write('mcp/tools/compare.yaml', comparison);
  toolwright(['generate', '--quiet']);
  console.log();
  show('src/tools/compare.ts', 1, 6);
  console.log();
  toolwright(['generate']);

  say(
    'The handler is held to the manifest',
    'A slip in TypeScript is shown with the line of YAML that it contradicts.',
  );
  change('src/tools/compare.ts', [['throw ctx.notImplemented();', 'return { warmer: first, by: second };']]);
  toolwright(['typecheck'], { expected: 1 });

  say('call runs a tool', 'The handler is TypeScript; nothing has to be built first.');
  change('src/tools/compare.ts', [
    ['import { tools }', "import { cities } from '../cities.js';\nimport { tools }"],
    ['return { warmer: first, by: second };', handler],
  ]);
  toolwright(['call', 'compare', '{"first": "Vienna", "second": "Reykjavik"}']);
  toolwright(['call', 'compare', '{"frist": "Vienna", "second": "Reykjavik"}'], { expected: 1 });

  say(
    'test runs the examples of the manifests',
    'Against the real server, as a client would; junk must be refused, too.',
  );
  toolwright(['test']);

  say('start serves it', 'To real MCP clients, here the official ones: the 1.x line most hosts have, and the newest.');
  await askClients([command, 'start'], pack);

  say(
    'build makes it a program of its own',
    'One file to start and a folder beside it: no node_modules, no manifests, handshake and lists made beforehand.',
  );
  toolwright(['build', '--out', 'out']);
  console.log();
  await startBuilt();

  say(
    'The editor knows the language too',
    'A real YAML language server, bound to the published schema, at the cursor:',
  );
  await askEditor();

  console.log(`\n${pc.bold('That is it.')} In an empty folder, it is your turn:

  npm install toolwright
  npx toolwright init      # tells what comes next

README.md tells the rest, examples/weather is a pack to copy.\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
