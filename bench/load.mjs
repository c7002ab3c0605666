// `npm run bench:load`: what loading and checking a pack costs, against the floor: reading the same files + yaml.parse alone.
// Options: see options.mjs.
import { mkdirSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTools, variants, writePack } from './make-pack.mjs';
import { measure, median, ratio } from './measure.mjs';
import { asBefore, askedRounds, commands, deliver, makeBenchFolder, options, roundsOf, sizesOf } from './options.mjs';
import { printRequirements, printTable, requirement } from './print.mjs';

const sizes = sizesOf([10, 100, 1000, 10_000]);
const [{ cli }] = commands;
const contender = fileURLToPath(new URL('contender.mjs', import.meta.url));
const layouts = ['per-item', 'combined'];
const formats = ['yaml', 'json'];

const folder = makeBenchFolder();

const columns = [
  ['', row => row.id],
  ['ms', row => row.ms.toFixed(0)],
  ['net', row => row.netMs.toFixed(0)],
  ['x floor', row => row.ratio.toFixed(2)],
  ['net x', row => row.netRatio.toFixed(2)],
  ['CPU ms', row => row.cpuMs.toFixed(0)],
  ['x floor', row => row.cpuRatio.toFixed(2)],
  ['RSS MB', row => row.rssMb.toFixed(0)],
  ['x floor', row => row.rssRatio.toFixed(2)],
  ['growth', row => (row.growth === undefined ? '' : row.growth.toFixed(1))],
];

const start = performance.now();
const boot = measureBoot(askedRounds === undefined ? (options.quick ? 15 : 31) : Math.max(15, roundsFor(0)));
const rows = sizes.flatMap(size => groupsOf(size).flatMap(group => measureGroup(size, group)));
const requirements = [...judge(rows, boot), ...asBefore(rows, () => 1.1)];
console.log(printTable(columns, rows, titleOf));
console.log(`\nNode's own boot: ${boot.node.toFixed(0)} ms; toolwright --version: ${boot.version.toFixed(0)} ms.`);
console.log(
  '"net" is without that boot; ratios are medians of the ratios within each round; growth is net, from a tenth.',
);
console.log(`\nMust hold:\n${printRequirements(requirements)}`);
const seconds = ((performance.now() - start) / 1000).toFixed(0);
console.log(`\n${seconds} s, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}`);
deliver({ boot, rows, requirements });

function titleOf({ size, layout, variant, rounds }) {
  const what = variant === 'values' ? 'with defaults and examples' : 'no defaults, no examples';
  return `${size.toLocaleString('en')} tools, ${layout}, ${what} (${rounds} rounds)`;
}

function roundsFor(size) {
  return roundsOf(size < 10_000 ? 5 : 2);
}

function measureBoot(rounds) {
  const contenders = [
    { id: 'node', args: ['-e', '0'] },
    { id: 'version', args: [cli, '--version'] },
  ];
  const runs = measure(contenders, rounds);
  const [node, version] = [runs.get('node'), runs.get('version')];
  return {
    rounds,
    node: median(node.map(({ ms }) => ms)),
    version: median(version.map(({ ms }) => ms)),
    ratio: ratio(version, node, 'ms'),
    cpuRatio: ratio(version, node, 'cpuMs'),
  };
}

/** The blocks of the table. Values are of interest where their number is, and the largest packs take minutes. */
function groupsOf(size) {
  return variants
    .flatMap(variant => layouts.map(layout => ({ variant, layout })))
    .filter(({ variant, layout }) => variant === 'plain' || (layout === 'per-item' && size >= 1000 && size < 10_000));
}

function measureGroup(size, { variant, layout }) {
  const home = join(folder, `${size}-${variant}`);
  const tools = makeTools(size, variant);
  const [yaml, json] = formats.map(format => writePack(home, tools, { layout, format }));
  const cold = join(home, 'cold');
  const forget = () => rmSync(cold, { recursive: true, force: true });
  const expect = `${size} tools`;
  const check = (command, id, pack, cache, before) => ({
    id: `${id}${command.mark}`,
    args: [command.cli, 'check', pack],
    env: { TOOLWRIGHT_CACHE: cache },
    before,
    expect,
  });
  const warmOf = ({ mark }) => join(home, `warm${mark}`);
  const contenders = [
    { id: 'floor: yaml.parse', args: [contender, 'yaml.parse', yaml] },
    ...(size === 1000 && layout === 'per-item' ? [{ id: 'checkPack()', args: [contender, 'checkPack', yaml] }] : []),
    ...commands.map(command => check(command, 'check, cold cache', yaml, cold, forget)),
    ...commands.map(command => check(command, 'check, warm cache', yaml, warmOf(command))),
    { id: 'JSON: JSON.parse', args: [contender, 'JSON.parse', json] },
    ...commands.map(command => check(command, 'JSON: check', json, cold, forget)),
  ];
  for (const command of commands) {
    mkdirSync(warmOf(command), { recursive: true });
    measure([check(command, 'filling the cache', yaml, warmOf(command))], 1);
  }
  console.error(`measuring ${size} tools, ${layout}, ${variant} ...`);
  const runs = measure(contenders, roundsFor(size));
  rmSync(home, { recursive: true, force: true });
  const floor = runs.get('floor: yaml.parse');
  return contenders.map(({ id }) => {
    const own = runs.get(id);
    const middle = key => median(own.map(run => run[key]));
    return {
      ...{ size, layout, variant, id, rounds: own.length, group: `${size} tools, ${layout}, ${variant}` },
      ...{ ms: middle('ms'), netMs: middle('ms') - boot.node, cpuMs: middle('cpuMs'), rssMb: middle('rssMb') },
      ratio: ratio(own, floor, 'ms'),
      netRatio: ratio(own, floor, 'ms', boot.node),
      cpuRatio: ratio(own, floor, 'cpuMs'),
      rssRatio: ratio(own, floor, 'rssMb'),
    };
  });
}

/** The requirements of the loader, each with what was measured; `met` is undefined where the sizes were left out. */
function judge(all, { ratio: version, cpuRatio }) {
  const find = (size, layout, variant, id) =>
    all.find(row => row.size === size && row.layout === layout && row.variant === variant && row.id === id);
  const against = (text, limit, id, variant = 'plain') => {
    const row = find(1000, 'per-item', variant, id);
    const check = find(1000, 'per-item', variant, 'check, cold cache');
    if (row === undefined) return requirement(`1,000 per-item tools: ${text}`, limit);
    const ofCheck = row === check ? '' : `; of check, cold cache: ${(row.ms / check.ms).toFixed(2)}`;
    const note = `net ${row.netRatio.toFixed(2)}, CPU ${row.cpuRatio.toFixed(2)}${ofCheck}`;
    return requirement(`1,000 per-item tools: ${text}`, limit, row.ratio, note);
  };
  const growths = ['check, cold cache', 'check, warm cache', 'JSON: check'].flatMap(id =>
    layouts.flatMap(layout =>
      sizes.map(size => {
        const [row, tenth] = [find(size, layout, 'plain', id), find(size / 10, layout, 'plain', id)];
        if (row === undefined || tenth === undefined) return undefined;
        row.growth = row.netMs / tenth.netMs;
        const cpu = `CPU ${(row.cpuMs / tenth.cpuMs).toFixed(1)}`;
        return { growth: row.growth, note: `${size / 10} -> ${size} ${layout}, ${id}; net of boot; ${cpu}` };
      }),
    ),
  );
  const worst = growths.filter(one => one !== undefined).sort((a, b) => b.growth - a.growth)[0];
  return [
    against('check, against the floor', 1.5, 'check, cold cache'),
    against('checkPack(), against the floor', 1.5, 'checkPack()'),
    against('with defaults and examples', 2.5, 'check, cold cache', 'values'),
    against('second run, unchanged YAML', 0.3, 'check, warm cache'),
    against('JSON pack', 0.3, 'JSON: check'),
    requirement('growth N -> 10 N, the worst', 11, worst?.growth, worst?.note),
    requirement('toolwright --version, against node -e 0', 1.3, version, `CPU ${cpuRatio.toFixed(2)}`),
  ];
}
