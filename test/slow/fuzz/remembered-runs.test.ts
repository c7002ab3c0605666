// Runs of generate that remember against runs that do not: whatever is done to a pack, in whatever order and however
// quickly, both find the same mistakes and leave the same files.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { checkRemembered } from '../../../cli/check/check.js';
import { generateRemembered, type RunResult } from '../../../cli/generate/generate.js';
import { build } from '../../../cli/memory/build-id.js';
import { openMemory, shortName } from '../../../cli/memory/memory.js';
import { generate } from '../../../generator/compile/generate.js';
import { checkPack } from '../../../runtime/packs/check.js';
import { amount } from '../../harness/amount.js';
import { writeFiles } from '../../harness/files.js';
import { makeRandom, type Random } from '../../harness/random.js';

const seeds = amount(4);
const stepsEach = 25;

let home: string;
let pack: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toolwright-remembered-'));
  pack = join(home, 'pack');
  vi.stubEnv('TOOLWRIGHT_CACHE', join(home, 'cache'));
  put('toolwright.yaml', 'name: demo/pack\nversion: 1.0.0\nconfig:\n  TOKEN: {type: string}\n');
  put('package.json', '{"type": "module"}\n');
  put('tsconfig.json', '{}\n');
  put('docs/text.md', 'A text.\n');
  for (const name of ['one', 'two', 'three', 'four']) put(`mcp/tools/${name}.yaml`, toolText(name, 0));
  put('mcp/prompts/ask.yaml', 'description: Asks.\ntext: "Hello {{name}}"\narguments:\n  name: {}\n');
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  writeFiles(pack, { [path]: text });
}

function toolText(name: string, number: number): string {
  return `description: Tool ${name} ${number}.\nparameters:\n  key: {type: string}\n  p${number}: {type: integer}\n`;
}

function namesIn(folder: string): readonly string[] {
  const path = join(pack, folder);
  return existsSync(path) ? readdirSync(path).filter(name => statSync(join(path, name)).isFile()) : [];
}

/** One character becomes another; size and modification time stay. */
function flip(path: string): void {
  const full = join(pack, path);
  const text = readFileSync(full, 'utf8');
  const at = text.search(/[a-z](?=\.|: )/);
  const { atime, mtime } = statSync(full);
  writeFileSync(full, `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`);
  utimesSync(full, atime, mtime);
}

function edit(folder: string, random: Random, change: (path: string) => void): void {
  const name = random.pick(namesIn(folder));
  if (name !== undefined) change(`${folder}/${name}`);
}

const touches: Readonly<Record<string, (random: Random) => void>> = {
  'a tool, rewritten': random =>
    edit('mcp/tools', random, path => put(path, toolText(path.slice(10, -5), random.below(1000)))),
  'a comment above': random =>
    edit('mcp/tools', random, path => put(path, `# up\n${readFileSync(join(pack, path), 'utf8')}`)),
  'one character': random => edit('mcp/tools', random, flip),
  'a broken tool': random => edit('mcp/tools', random, path => appendFileSync(join(pack, path), '  bad: [\n')),
  'an unknown key': random => edit('mcp/tools', random, path => appendFileSync(join(pack, path), 'descripton: x\n')),
  'a schema with a mistake': random =>
    edit('mcp/tools', random, path => put(path, 'description: D.\nparameters:\n  a: {type: string, pattern: "("}\n')),
  'a wider type': random =>
    edit('mcp/tools', random, path =>
      put(path, 'description: D.\ninputSchema: { type: object, properties: { a: { not: { type: string } } } }\n'),
    ),
  'a number with too many digits': random =>
    edit('mcp/tools', random, path => put(path, 'description: D.\n_meta: {demo/id: 9007199254740993}\n')),
  'another dialect': random =>
    edit('mcp/tools', random, path =>
      put(path, 'description: D.\ninputSchema: {$schema: "http://json-schema.org/draft-07/schema#", type: object}\n'),
    ),
  'a mention': random =>
    edit('mcp/tools', random, path => put(path, 'description: "See {{tool:two}}."\nrequires: {TOKEN: required}\n')),
  'a text in a file': random => edit('mcp/tools', random, path => put(path, 'description: {file: docs/text.md}\n')),
  'the text': random => put('docs/text.md', `Text ${random.below(100)}.\n`),
  'an output': random =>
    edit('mcp/tools', random, path => put(path, 'description: D.\nresult: envelope\noutput: {title: string}\n')),
  'a new tool': random => put(`mcp/tools/new-${random.below(9)}.yaml`, toolText('new', random.below(9))),
  'a tool, gone': random => edit('mcp/tools', random, path => rmSync(join(pack, path))),
  'a combined file': random => put('mcp/tools.yaml', `five: {description: Five ${random.below(9)}.}\n`),
  'no combined file': () => rmSync(join(pack, 'mcp/tools.yaml'), { force: true }),
  'other config': random =>
    put('toolwright.yaml', `name: demo/pack\nversion: 1.0.${random.below(9)}\nconfig:\n  TOKEN: {type: string}\n`),
  'no config': () => put('toolwright.yaml', 'name: demo/pack\nversion: 1.0.0\n'),
  'a handler of something else': random =>
    edit('src/tools', random, path =>
      put(path, "import { tools } from '../../generated/index.js';\nexport default tools.nobody(async () => 1);\n"),
    ),
  'a handler without exports': random => edit('src/tools', random, path => put(path, 'export {};\n')),
  'a plain handler': random =>
    edit('src/tools', random, path => put(path, `export default async () => ${random.below(100)};\n`)),
  'a handler, gone': random => edit('src/tools', random, path => rmSync(join(pack, path))),
  'an edited file': random => edit('generated/tools', random, flip),
  'a generated file, gone': random => edit('generated/tools', random, path => rmSync(join(pack, path))),
  'edited types': () => existsSync(join(pack, 'generated/tools.d.ts')) && flip('generated/tools.d.ts'),
  'no generated folder': () => rmSync(join(pack, 'generated'), { recursive: true, force: true }),
  'no ledger': () => rmSync(join(pack, 'generated/.toolwright.json'), { force: true }),
  'a file of a killed run': () => put('generated/.toolwright-1-1.tmp', 'x'),
  nothing: () => {},
};

function shown({ ok, operations, diagnostics }: RunResult): unknown {
  return { ok, operations: operations.map(({ op, path, role }) => `${op} ${role} ${path}`), diagnostics };
}

function treeOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length)).sort();
  return Object.fromEntries(paths.map(path => [path, readFileSync(join(folder, path), 'utf8')]));
}

interface Outcome {
  readonly result: unknown;
  readonly tree: unknown;
}
let last: { readonly state: string; readonly outcome: Outcome } | undefined;

/** The same run in a copy of the pack, without any memory: of the same files it makes the same. */
async function expected(): Promise<Outcome> {
  const folders = readdirSync(pack, { recursive: true, withFileTypes: true }).filter(entry => !entry.isFile());
  const paths = folders.map(({ parentPath, name }) => join(parentPath, name)).sort();
  const state = JSON.stringify([pack, paths, treeOf(pack)]);
  if (last?.state !== state) last = { state, outcome: await runWithoutMemory() };
  return last.outcome;
}

async function runWithoutMemory(): Promise<Outcome> {
  const copy = join(home, 'copy', 'pack');
  rmSync(copy, { recursive: true, force: true });
  cpSync(pack, copy, { recursive: true });
  const result = shown(await generate(copy, { build, write: true }));
  return { result, tree: treeOf(copy) };
}

function recall(): unknown {
  return openMemory(pack).recallResult('generate');
}

async function runOnce(): Promise<Outcome> {
  const result = await generateRemembered(pack);
  return { result: shown(result), tree: treeOf(pack) };
}

it.each(Array.from({ length: seeds }, (_, seed) => seed + 1))(
  'P11 P13 a run that remembers does the same as one that does not, seed %i',
  async seed => {
    const random = makeRandom(seed);
    const done: string[] = [];
    for (let step = 0; step < stepsEach; step += 1) {
      const name = random.pick(Object.keys(touches)) ?? '';
      done.push(name);
      touches[name]?.(random);
      // Often several at once, and at times long enough for stamps to count.
      if (random.below(3) === 0) continue;
      if (random.below(4) === 0) await sleep(120);
      for (const _ of ['now', 'again', 'and again']) {
        const wanted = await expected();
        expect(await runOnce(), done.join(', ')).toEqual(wanted);
        // The same memory serves both commands.
        expect(await checkRemembered(pack, []), done.join(', ')).toEqual(await checkPack(pack));
      }
    }
  },
  300_000,
);

it('P11 the run after a change is settled at once and does not hide a second change within the same tick', async () => {
  await runOnce();
  for (let round = 0; round < 20; round += 1) {
    put('mcp/tools/one.yaml', toolText('one', 100 + round));
    await runOnce();
    expect(recall()).toBeDefined();
    const path = ['mcp/tools/one.yaml', 'generated/tools.d.ts', 'src/tools/one.ts'][round % 3] ?? '';
    const before = readFileSync(join(pack, path), 'utf8');
    flip(path);
    expect(recall()).toBeUndefined();
    put(path, before);
    await runOnce();
  }
}, 60_000);

it('P11 P15 a tool that did not change is checked again when what it names is gone', async () => {
  put('mcp/tools/one.yaml', 'description: "See {{tool:two}}."\nrequires: {TOKEN: required}\n');
  await runOnce();
  put('mcp/tools/three.yaml', toolText('three', 3));
  await runOnce();
  put('toolwright.yaml', 'name: demo/pack\nversion: 1.0.0\n');
  rmSync(join(pack, 'mcp/tools/two.yaml'));
  const { diagnostics } = await generateRemembered(pack);
  const found = diagnostics.map(({ code, file, line }) => `${code} ${file}:${line}`);
  expect(found).toEqual(['link/unknown-tool mcp/tools/one.yaml:1', 'link/unknown-requirement mcp/tools/one.yaml:2']);
});

/** As if the second of two changes had come within one tick of the clock: what is remembered has its stamp. */
function forgeStamp(path: string): void {
  const full = join(pack, path);
  const { size, mtimeMs, ctimeMs, ino } = statSync(full);
  const memory = openMemory(pack);
  const key = `run:${shortName('generate')}`;
  const [name, fingerprints, result] = memory.get(key) as [string, Record<string, string>, unknown];
  const [, ...found] = (fingerprints[full] ?? '').split(' ');
  expect(found).not.toEqual([]);
  const forged = [`${size}-${mtimeMs}-${ctimeMs}-${ino}`, ...found].join(' ');
  memory.set(key, [name, { ...fingerprints, [full]: forged }, result]);
  memory.save();
}

it.each<readonly [string, string, () => void]>([
  ['a manifest', 'mcp/tools/one.yaml', () => flip('mcp/tools/one.yaml')],
  ['a generated file', 'generated/tools.d.ts', () => flip('generated/tools.d.ts')],
  ['the ledger', 'generated/.toolwright.json', () => flip('generated/.toolwright.json')],
  ['a folder', 'generated/tools', () => put('generated/tools/.toolwright-1-1.tmp', '')],
])('P11 what had just changed is compared by content, not only by its timestamp: %s', async (_, path, touch) => {
  await runOnce();
  put('mcp/tools/one.yaml', toolText('one', 7));
  // However long the run takes to start, this is no stamp to trust.
  const soon = new Date(Date.now() + 60_000);
  utimesSync(join(pack, 'mcp/tools/one.yaml'), soon, soon);
  await runOnce();
  touch();
  forgeStamp(path);
  expect(recall()).toBeUndefined();
});
