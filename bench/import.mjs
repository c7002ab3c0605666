// `npm run bench:import`: what importing all of GitHub's API costs, against the floor: parsing the same document and upgrading it to
// OpenAPI 3.1 with another library, and no more. Options: --quick, --assert, --rounds n, --against, --json, see options.mjs.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { stringify } from 'yaml';
import { installPeer } from './install-peer.mjs';
import { measure, median, ratio } from './measure.mjs';
import { asBefore, commands, deliver, makeBenchFolder, roundsOf } from './options.mjs';
import { printRequirements, printTable, requirement } from './print.mjs';

const documents = installPeer('import-documents', ['@octokit/openapi@23.0.2', '@scalar/openapi-upgrader@0.1.11']);
if (documents === undefined) throw new Error('the document and the upgrader cannot be installed from the npm registry');
const document = join(documents, 'node_modules/@octokit/openapi/generated/api.github.com.json');
const rounds = roundsOf(9);
const folder = makeBenchFolder();

/** The same document as its authors also publish it. */
const yamlDocument = join(folder, 'github.yaml');
writeFileSync(
  yamlDocument,
  stringify(JSON.parse(readFileSync(document, 'utf8')), { lineWidth: 0, aliasDuplicateObjects: false }),
);

const floor = 'floor: JSON.parse and upgrade';
const items = 'items alone, in memory';
const files = 'writing the same files, and no more';
const whole = 'import into a new folder';
const yamlFloor = 'floor of YAML: parse and upgrade';
const yamlWhole = 'import of YAML into a new folder';

/** What a row is compared with. */
const floorOf = id => (id.includes('YAML') ? yamlFloor : floor);

const contenders = [
  { id: floor, args: [writeFloor('json', 'JSON.parse'), document], expect: 'upgraded' },
  { id: yamlFloor, args: [writeFloor('yaml', 'parse'), yamlDocument], expect: 'upgraded' },
  // As the command sets it for itself.
  { id: items, args: ['--interrupt-budget=1000000', await bundleItems(), document], expect: 'tools' },
  ...commands.flatMap(({ cli, mark }) => [
    {
      id: `import --dry-run${mark}`,
      args: [cli, 'import', document, '--into', join(folder, 'dry'), '--dry-run'],
      expect: 'Nothing is written',
    },
    newFolder(whole, document, cli, mark),
    again('import again, nothing has changed', cli, mark),
    newFolder(yamlWhole, yamlDocument, cli, mark),
  ]),
  {
    id: files,
    args: [writeCopier(), join(folder, 'new'), join(folder, 'copy')],
    before: () => rmSync(join(folder, 'copy'), { recursive: true, force: true }),
    expect: 'copied',
  },
];

const columns = [
  ['', row => row.id],
  ['ms', row => row.ms.toFixed(0)],
  ['CPU ms', row => row.cpuMs.toFixed(0)],
  ['x floor', row => row.cpuRatio.toFixed(2)],
  ['RSS MB', row => row.rssMb.toFixed(0)],
];

measure(contenders, 1);
const runs = measure(contenders, rounds);
const rows = contenders.map(({ id }) => {
  const own = runs.get(id);
  const middle = key => median(own.map(run => run[key]));
  const numbers = { ms: middle('ms'), cpuMs: middle('cpuMs'), rssMb: middle('rssMb') };
  return { id, group: 'GitHub', rounds: own.length, ...numbers, cpuRatio: ratio(own, runs.get(floorOf(id)), 'cpuMs') };
});
const requirements = [
  ...[items, whole, yamlWhole].map(id =>
    requirement(`${id}, CPU against the floor`, 1.5, rows.find(row => row.id === id)?.cpuRatio),
  ),
  ...asBefore(rows, () => 1.1),
];
const size = (readFileSync(document).length / 2 ** 20).toFixed(1);
console.log(printTable(columns, rows, () => `All of GitHub (${size} MiB of JSON), ${rounds} rounds`));
console.log(`\nWhole processes, Node's start included; medians, and medians of the ratios within each round.`);
console.log(`\nMust hold:\n${printRequirements(requirements)}`);
console.log(`\nNode ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}`);
deliver({ rows, requirements });

function newFolder(id, from, cli, mark) {
  const into = join(folder, `${from === document ? 'new' : 'yaml'}${mark.replace(/\W/g, '')}`);
  return {
    id: `${id}${mark}`,
    args: [cli, 'import', from, '--into', into],
    before: () => rmSync(into, { recursive: true, force: true }),
    expect: 'files written',
  };
}

/** The folder that the contender before it has made. */
function again(id, cli, mark) {
  const into = join(folder, `new${mark.replace(/\W/g, '')}`);
  return { id: `${id}${mark}`, args: [cli, 'import', document, '--into', into], expect: 'as it was imported' };
}

function writeFloor(format, parse) {
  const path = join(folder, `floor-${format}.mjs`);
  const yaml = format === 'yaml' ? `import { parse } from ${JSON.stringify(import.meta.resolve('yaml'))};\n` : '';
  const library = join(documents, 'load.mjs');
  writeFileSync(
    path,
    `${yaml}import { readFileSync } from 'node:fs';
import { load } from ${JSON.stringify(library)};
const { upgrade } = await load('@scalar/openapi-upgrader');
upgrade(${parse}(readFileSync(process.argv[2], 'utf8')), '3.1');
console.log('upgraded');
`,
  );
  return path;
}

/** What the system takes for so many files, however they are written. */
function writeCopier() {
  const path = join(folder, 'copy.mjs');
  writeFileSync(
    path,
    `import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
const [from, to] = process.argv.slice(2);
for (const { name, parentPath, path } of readdirSync(from, { recursive: true, withFileTypes: true }).filter(one => one.isFile())) {
  const file = join(parentPath ?? path, name);
  const target = join(to, file.slice(from.length));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, readFileSync(file), { flag: 'wx' });
}
console.log('copied');
`,
  );
  return path;
}

/** Reading and converting alone, as the command does it, from the sources. */
async function bundleItems() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const outfile = join(folder, 'items.mjs');
  const contents = `import { readFileSync } from 'node:fs';
import { importApi } from './generator/import/openapi/import-api.ts';
import { readApi } from './generator/import/openapi/read/read-api.ts';
const file = process.argv[2];
const { api } = readApi({ file, text: readFileSync(file, 'utf8') });
console.log(importApi(api).items.filter(({ kind }) => kind === 'tool').length, 'tools');
`;
  const stdin = { contents, resolveDir: root, loader: 'ts' };
  // Some packages that are bundled call require.
  const js = `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);`;
  const options = {
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
    logLevel: 'error',
    banner: { js },
  };
  await build({ ...options, stdin, outfile });
  return outfile;
}
