// `node bench/generate.mjs`: what compiling a pack costs, against the floor (string templates + plain ajv standalone),
// against peers on the same schemas, and what the result costs tsc.
// Options: see options.mjs.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { loadPack } from 'toolwright';
import { installPeers } from './generate-peers.mjs';
import { judge, printRows } from './generate-report.mjs';
import { measureShared } from './generate-shared.mjs';
import { measureTypes } from './generate-tsc.mjs';
import { makeTools, writePack } from './make-pack.mjs';
import { measure, median, ratio } from './measure.mjs';
import { asBefore, commands, deliver, makeBenchFolder, options, roundsOf, sizesOf } from './options.mjs';
import { printRequirements } from './print.mjs';

const sizes = sizesOf([10, 100, 1000]);
const [{ cli }] = commands;
const contender = fileURLToPath(new URL('generate-contender.mjs', import.meta.url));
const typedTools = 200;
const warmUp = 'not measured';

const folder = makeBenchFolder();

const start = performance.now();
const peers = installPeers();
const installed = performance.now();
const printer = await bundlePrinter();
const rows = [];
for (const size of sizes) rows.push(...(await measureSize(size)));
const types = await measureTsc();
const sharing = sizes.includes(1000) ? measureShared(join(folder, 'sharing'), cli, roundsFor(1000)) : [];
const requirements = [
  ...judge(rows, types, sizes, typedTools),
  ...sharing,
  ...asBefore(rows, id => (id.includes('changed') ? 2 : 1)),
];
console.log(printRows(rows));
console.log('\n"of check" is against a warm `check` of the same round, "x floor" against the floor of the same round.');
for (const [id, where] of peers)
  if (where === undefined) console.log(`Not measured, as npm could not install it: ${id}`);
for (const [compiler, projects] of Object.entries(types)) {
  console.log(`\ntsc of ${compiler}, ${typedTools} tools with a handler each:`);
  for (const [id, { seconds, instantiations, mb }] of Object.entries(projects))
    console.log(`  ${id.padEnd(8)} ${seconds.toFixed(2)} s  ${instantiations} instantiations  ${mb.toFixed(0)} MB`);
}
console.log(`\nMust hold:\n${printRequirements(requirements)}`);
const seconds = ((performance.now() - installed) / 1000).toFixed(0);
const before = ((installed - start) / 1000).toFixed(0);
const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}`;
console.log(`\n${seconds} s (and ${before} s to install the peers), Node ${process.version}, ${machine}`);
deliver({ rows, types, requirements });

function roundsFor(size) {
  return roundsOf(size < 1000 ? 7 : 5);
}

/** The printer of types alone, as one file, as the build makes them. */
async function bundlePrinter() {
  const outfile = join(folder, 'print-types.mjs');
  await build({
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    entryPoints: ['generator/compile/types/print-types.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  return outfile;
}

/** A pack with a tsconfig, so that its stubs are TypeScript, and the schemas of its tools. */
async function makePack(home, size) {
  const pack = writePack(home, makeTools(size, 'plain'), { layout: 'per-item', format: 'yaml' });
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true };
  writeFileSync(join(pack, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  writeFileSync(join(pack, 'package.json'), '{"private": true, "type": "module"}\n');
  const { program } = await loadPack(pack);
  const tools = program.tools.map(({ item, description, inputSchema }) => ({
    item,
    description: description.trim(),
    inputSchema,
  }));
  return { pack, tools };
}

async function measureSize(size) {
  const home = join(folder, String(size));
  const { pack, tools } = await makePack(join(home, 'new'), size);
  // What one version wrote, another one would write anew: each has settled files and a cache of its own.
  const settledOf = new Map();
  for (const { mark } of commands) settledOf.set(mark, (await makePack(join(home, `settled${mark}`), size)).pack);
  const cacheOf = (name, mark) => join(home, 'cache', `${name}${mark}`);
  const schemas = join(home, 'schemas.json');
  const output = join(home, 'output');
  writeFileSync(schemas, JSON.stringify(tools));
  mkdirSync(output);

  const forget = (...paths) => {
    for (const path of paths) rmSync(path, { recursive: true, force: true });
  };
  const forgetFiles = () => forget(join(pack, 'generated'), join(pack, 'src'));
  const run = (command, id, words, where, cache, expect, before) => ({
    id: `${id}${command.mark}`,
    args: [command.cli, ...words, where],
    env: { TOOLWRIGHT_CACHE: cache },
    before,
    expect,
  });
  const peer = (id, what, installedIn) => ({
    id,
    args: [contender, what, schemas, output, ...(installedIn === undefined ? [] : [installedIn])],
    before: () => forget(output),
  });
  // Those that are compared with each other stand together, and none of them behind seconds of heavy writing.
  const runsOfSettled = command => {
    const settled = settledOf.get(command.mark);
    const known = cacheOf('known', command.mark);
    const change = changer(join(settled, 'mcp/tools', `${tools[size >> 1].item}.yaml`));
    const runSettled = (id, word, expect, before) => run(command, id, [word], settled, known, expect, before);
    return [
      runSettled(warmUp, 'generate', 'up to date'),
      // The same work for both: what an author waits for after saving a file.
      runSettled('check, one tool changed', 'check', `${size} tools`, change),
      runSettled('generate, one tool changed', 'generate', ' replaced', change),
      // The first run behind a change cannot yet know that it left nothing to do.
      runSettled('generate, nothing changed, first run', 'generate', 'up to date'),
      runSettled('check, warm', 'check', `${size} tools`),
      runSettled('generate, nothing changed', 'generate', 'up to date'),
    ];
  };
  const peerIds = ['json-schema-to-typescript', 'openapi-typescript', 'hey-api', 'openapi-mcp-generator'];
  const contenders = [
    { id: 'floor', args: [contender, 'floor', schemas, output], before: () => forget(output) },
    ...commands.map(command => {
      const cold = cacheOf('cold', command.mark);
      return run(command, 'generate, cold', ['generate'], pack, cold, ' created', () => {
        forget(cold);
        forgetFiles();
      });
    }),
    ...commands.map(command =>
      run(
        command,
        ...['generate, YAML in the cache', ['generate']],
        ...[pack, cacheOf('warm', command.mark), ' created', forgetFiles],
      ),
    ),
    ...commands.flatMap(command => runsOfSettled(command)),
    peer('types: ours', 'ours', printer),
    ...peerIds.flatMap(id => (peers.get(id) === undefined ? [] : [peer(`types: ${id}`, id, peers.get(id))])),
    peer('types: ts-morph', 'ts-morph'),
  ];
  if (!options.quick && peers.get(peerIds[0]) !== undefined)
    contenders.push(peer(`types: ${peerIds[0]}, formatted`, `${peerIds[0]}, formatted`, peers.get(peerIds[0])));
  for (const command of commands) {
    const [known, warm] = ['known', 'warm'].map(name => cacheOf(name, command.mark));
    const settled = settledOf.get(command.mark);
    const fill = [
      run(command, 'filling the caches', ['generate'], settled, known),
      run(command, 'and', ['check'], pack, warm),
    ];
    measure(fill, 1);
  }
  console.error(`measuring ${size} tools ...`);
  const runs = measure(contenders, roundsFor(size));
  forget(home);
  const [floor, check, checkChanged] = ['floor', 'check, warm', 'check, one tool changed'].map(id => runs.get(id));
  return contenders.flatMap(({ id }) => {
    if (id.startsWith(warmUp)) return [];
    const own = runs.get(id);
    const middle = key => median(own.map(one => one[key]));
    return {
      ...{
        size,
        group: `${size} tools`,
        id: id.replace('types: openapi-mcp', 'no types: openapi-mcp'),
        rounds: own.length,
      },
      ...{ ms: middle('ms'), cpuMs: middle('cpuMs'), rssMb: middle('rssMb') },
      ...{ ratio: ratio(own, floor, 'ms'), cpuRatio: ratio(own, floor, 'cpuMs') },
      ...{ ofCheck: ratio(own, check, 'ms'), cpuOfCheck: ratio(own, check, 'cpuMs') },
      ...{ ofChanged: ratio(own, checkChanged, 'ms'), cpuOfChanged: ratio(own, checkChanged, 'cpuMs') },
    };
  });
}

/** Each call changes a tool's text and its schema. */
function changer(path) {
  const text = readFileSync(path, 'utf8');
  let count = 0;
  return () => {
    count += 1;
    writeFileSync(
      path,
      text
        .replace('one or more', `${count + 1} or more`)
        .replace(/^parameters:$/m, `$&\n  extra${count}: {type: integer, description: Added, maximum: ${count}}`),
    );
  };
}

async function measureTsc() {
  const { pack, tools } = await makePack(join(folder, 'typed'), typedTools);
  measure([{ id: 'generate', args: [cli, 'generate', pack], env: { TOOLWRIGHT_CACHE: 'off' }, expect: 'created' }], 1);
  console.error(`measuring tsc over ${typedTools} tools ...`);
  const rounds = options.quick ? 2 : 5;
  return measureTypes({ folder: join(folder, 'tsc'), pack, tools, sdk: peers.get('zod on the SDK'), rounds });
}
