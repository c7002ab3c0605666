// `npm run bench:list`: what listing a tree of installed packages costs, against the floor: reading and parsing the
// package.json of each. Options: --quick, --assert, --rounds n, see options.mjs.
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure, median, ratio } from './measure.mjs';
import { askedRounds, commands, makeBenchFolder, options } from './options.mjs';

const [{ cli }] = commands;
const floor = fileURLToPath(new URL('list-floor.mjs', import.meta.url));
const size = 1000;
const rounds = askedRounds ?? (options.quick ? 5 : 15);
const limit = 2;

const folder = makeBenchFolder();

const rows = [0, 20, size].flatMap(packs => measureTree(packs));
const width = Math.max(...rows.map(({ text }) => text.length));
for (const { text, ms, floorMs, times } of rows) {
  const verdict = times <= limit ? 'ok' : 'NOT MET';
  const numbers = `${ms.toFixed(0).padStart(5)} ms  floor ${floorMs.toFixed(0).padStart(4)} ms`;
  console.log(
    `${verdict.padEnd(8)} ${text.padEnd(width)}  ${numbers}  ${times.toFixed(2).padStart(6)} of at most ${limit}`,
  );
}
console.log(`\nWhole processes, Node's start included; medians of ${rounds} rounds, ratios within each round.`);
console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}`);
if (options.assert && rows.some(({ times, isRequired }) => isRequired && times > limit)) process.exitCode = 1;

function measureTree(packs) {
  const project = writeTree(packs);
  const [cold, warm] = ['cold', 'warm'].map(name => join(folder, `${packs}-${name}`));
  const expect = packs === 0 ? '"servers": []' : 'server-of-0';
  const list = (id, cache, flags, before) => ({
    id,
    args: [cli, 'list', '--cwd', project, '--format', 'json', ...flags],
    env: { TOOLWRIGHT_CACHE: cache },
    before,
    expect,
  });
  const forget = () => rmSync(cold, { recursive: true, force: true });
  const contenders = [
    { id: 'floor', args: [floor, join(project, 'node_modules')], expect: `${size} packages` },
    list('list --all', warm, ['--all']),
    list('list (all are dependencies)', warm, []),
    list('list --all, first time', cold, ['--all'], forget),
  ];
  measure(contenders, 1);
  const runs = measure(contenders, rounds);
  const base = runs.get('floor');
  return contenders.slice(1).map(({ id }) => ({
    text: `${size} packages, ${packs} of them packs: ${id}`,
    ms: median(runs.get(id).map(({ ms }) => ms)),
    floorMs: median(base.map(({ ms }) => ms)),
    times: ratio(runs.get(id), base, 'ms'),
    isRequired: packs < size || !id.includes('first'),
  }));
}

/** Packages of a usual size; some scoped, some nested. */
function writeTree(packs) {
  const project = join(folder, `tree-${packs}`);
  const names = Array.from({ length: size }, (_, index) =>
    index % 5 === 0 ? `@scope-${index % 7}/p${index}` : `p${index}`,
  );
  write(join(project, 'package.json'), {
    name: 'app',
    dependencies: Object.fromEntries(names.map(name => [name, '1'])),
  });
  for (const [index, name] of names.entries()) {
    const path = join(project, 'node_modules', name);
    write(join(path, 'package.json'), manifestOf(name));
    if (index >= packs) continue;
    write(join(path, 'toolwright.yaml'), `servers:\n  - [server-of-${index}, A server]\ntools: [a, b, c]\n`);
    write(join(path, 'mcp/servers', `server-of-${index}.yaml`), 'description: A server\ntools: [a, "b*"]\n');
    for (const tool of ['a', 'b', 'c']) write(join(path, 'mcp/tools', `${tool}.yaml`), 'description: A tool\n');
  }
  return project;
}

function manifestOf(name) {
  const words = Array.from({ length: 12 }, (_, index) => `word-${index}`);
  return {
    name,
    version: '1.2.3',
    description: `The package ${name}, which does what packages do`,
    keywords: words,
    license: 'MIT',
    main: './dist/index.js',
    exports: { '.': { types: './dist/index.d.ts', import: './dist/index.js', require: './dist/index.cjs' } },
    scripts: Object.fromEntries(words.map(word => [word, `node scripts/${word}.js --all`])),
    dependencies: Object.fromEntries(words.map(word => [word, '^1.0.0'])),
    devDependencies: Object.fromEntries(words.map(word => [`dev-${word}`, '^1.0.0'])),
  };
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  // What was just written is never trusted by a cache.
  const long = new Date(Date.now() - 3_600_000);
  utimesSync(path, long, long);
}
