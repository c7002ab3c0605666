// `npm run demo`: the guided tour. Everything shown is real: the built command, a real pack, a real language server.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
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
`;

function write(file, text) {
  writeFileSync(join(pack, file), text);
}

function say(title, text) {
  step += 1;
  console.log(`\n${pc.bold(pc.green(`${step}. ${title}`))}\n${pc.dim(text)}\n`);
}

/** Shows a command line and runs it; a wrong exit code ends the demo. */
function toolwright(args, { cwd = pack, expected = 0 } = {}) {
  console.log(pc.cyan(`$ toolwright ${args.join(' ')}`));
  const colour = pc.isColorSupported ? { FORCE_COLOR: '1' } : {};
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...colour, TOOLWRIGHT_CACHE: join(folder, 'cache') },
  });
  console.log(`${stdout}${stderr}`.trimEnd().replaceAll(/^/gm, '  '));
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
  const source = readFileSync(join(root, 'test/editor/language-server.ts'), 'utf8');
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

try {
  console.log(pc.bold('\nToolwright: YAML manifests for MCP servers, checked as you write them'));
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
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "module": "nodenext", "strict": true, "noEmit": true }, "include": ["src"] }\n',
  );
  mkdirSync(join(pack, 'node_modules'), { recursive: true });
  symlinkSync(root, join(pack, 'node_modules/toolwright'), 'junction');
  write('mcp/tools/compare.yaml', comparison);
  toolwright(['generate', '--quiet']);
  show('src/tools/compare.ts', 1, 6);
  console.log();
  toolwright(['generate']);

  say(
    'The handler is held to the manifest',
    'A slip in TypeScript is shown with the line of YAML that it contradicts.',
  );
  change('src/tools/compare.ts', [['throw ctx.notImplemented();', 'return { warmer: first, by: second };']]);
  toolwright(['typecheck'], { expected: 1 });

  say(
    'The editor knows the language too',
    'A real YAML language server, bound to the published schema, at the cursor:',
  );
  await askEditor();

  console.log(`\n${pc.bold('That is it.')} Next: read README.md, look into examples/, or break your own pack.\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
