// What generate remembers between runs: a run with nothing to do is not repeated, and whatever is touched is noticed.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openGenerateCache } from '../cli/generate-cache.js';
import { openParseCache } from '../cli/parse-cache.js';
import { parseSections, printSections } from '../cli/section-texts.js';
import { knownHashOf, type RunResult, recallRun, recordRun } from '../cli/settled-run.js';
import { findUntouched, watchRun } from '../cli/stamps.js';
import { generateAndApply } from '../generator/generate.js';

/** Longer than the ticks of any clock that this could run on. */
const aWhile = 150;

let home: string;
let pack: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toolwright-settled-'));
  pack = join(home, 'pack');
  vi.stubEnv('TOOLWRIGHT_CACHE', join(home, 'cache'));
  put('toolwright.yaml', 'name: demo/pack\nversion: 1.0.0\ndescription: A pack\n');
  put('package.json', '{"type": "module"}\n');
  put('tsconfig.json', '{}\n');
  put('mcp/tools/get-issue.yaml', 'description: Gets it.\nparameters:\n  key: {type: string}\n');
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(join(pack, path, '..'), { recursive: true });
  writeFileSync(join(pack, path), text);
}

async function run(): Promise<RunResult> {
  const known = recallRun(pack, 'build')?.known;
  const recording = recordRun(pack, 'build', known);
  const memory = openGenerateCache(pack, 'build');
  if (recording === undefined || memory === undefined) throw new Error('the cache is off');
  const cache = openParseCache(pack);
  const result = await generateAndApply(recording.folder, {
    ...memory.options,
    cache,
    ...(known === undefined ? {} : { knownHash: path => knownHashOf(pack, path, known) }),
  });
  cache.save();
  memory.save();
  recording.keep(result);
  return result;
}

function findSettled(where: string, build: string): RunResult | undefined {
  return recallRun(where, build)?.settled;
}

/** Two runs, a while after the last change: the second has nothing to do. */
async function settle(): Promise<RunResult> {
  await run();
  await sleep(aWhile);
  return run();
}

function shown({ ok, operations, diagnostics }: RunResult): unknown {
  return { ok, operations: operations.map(({ op, path, role }) => ({ op, path, role })), diagnostics };
}

describe('a settled run', () => {
  it('P11 is remembered with its result', async () => {
    const result = await settle();
    const settled = findSettled(pack, 'build');
    expect(result.operations.length).toBeGreaterThan(5);
    expect(settled === undefined ? undefined : shown(settled)).toEqual(shown(result));
  });

  it('P11 counts only for the same build, and not where the cache is off', async () => {
    await settle();
    expect(findSettled(pack, 'another')).toBeUndefined();
    vi.stubEnv('TOOLWRIGHT_CACHE', 'off');
    expect([findSettled(pack, 'build'), recordRun(pack, 'build')]).toEqual([undefined, undefined]);
  });

  it('P11 is none after files were made, and is one right after the next run and after files were replaced', async () => {
    await run();
    expect(findSettled(pack, 'build')).toBeUndefined();
    await run();
    expect(findSettled(pack, 'build')).toBeDefined();
    put('mcp/tools/get-issue.yaml', 'description: Gets it now.\nparameters:\n  key: {type: string}\n');
    expect((await run()).operations.some(({ op }) => op === 'replace')).toBe(true);
    const settled = findSettled(pack, 'build');
    expect(settled === undefined ? undefined : shown(settled)).toEqual(shown(await generateAndApply(pack)));
  });

  it.each<readonly [string, () => void]>([
    ['a manifest', () => appendFileSync(join(pack, 'mcp/tools/get-issue.yaml'), '# x\n')],
    ['a new manifest', () => put('mcp/tools/other.yaml', 'description: Other.\n')],
    ['toolwright.yaml', () => appendFileSync(join(pack, 'toolwright.yaml'), '# x\n')],
    ['tsconfig.json', () => put('tsconfig.json', '{ }\n')],
    ['package.json, gone', () => unlinkSync(join(pack, 'package.json'))],
    ['a handler', () => appendFileSync(join(pack, 'src/tools/get-issue.ts'), '// x\n')],
    ['a handler, gone', () => unlinkSync(join(pack, 'src/tools/get-issue.ts'))],
    ['a second handler', () => put('src/tools/other.ts', 'export {};\n')],
    ['a generated file, with as many bytes', () => flip('generated/index.js')],
    ['a generated file, gone', () => unlinkSync(join(pack, 'generated/index.js'))],
    ['the ledger', () => flip('generated/.toolwright.json')],
    ['a file of a killed run', () => put('generated/tools/.toolwright-1-1.tmp', '')],
    ['the journal of a killed run', () => put('generated/.toolwright.pending.json', '{}\n')],
  ])('P11 ends with %s', async (_, touch) => {
    await settle();
    expect(findSettled(pack, 'build')).toBeDefined();
    touch();
    expect(findSettled(pack, 'build')).toBeUndefined();
  });

  it('P11 survives a cache that is damaged', async () => {
    await settle();
    const [name = ''] = readdirSync(join(home, 'cache/settled-4'));
    for (const text of ['', '{}', '[]', '{"build":"build"}', '{"build":"build","stamps":[],"operations":1}']) {
      writeFileSync(join(home, 'cache/settled-4', name), text);
      expect(findSettled(pack, 'build')).toBeUndefined();
    }
    for (const text of ['', '[]', '{"hashes":{"generated/index.js":[1]},"widened":{"a":{"line":"x"}}}']) {
      for (const cached of readdirSync(join(home, 'cache/generated-4')))
        writeFileSync(join(home, 'cache/generated-4', cached), text);
      expect((await run()).operations.every(({ op }) => op === 'keep')).toBe(true);
    }
  });
});

describe('what a run looked at', () => {
  it.each(['a file', 'a folder'])('P11 is not taken for what is put in its place meanwhile: %s', async what => {
    put('one/x.yaml', 'a: 1\n');
    put('two/x.yaml', 'a: 2\n');
    await sleep(aWhile);
    const watch = watchRun();
    const folder = watch.open(pack);
    if (what === 'a file') folder.read('one/x.yaml', 100);
    else folder.list('one');
    renameSync(join(pack, 'one'), join(pack, 'old'));
    renameSync(join(pack, 'two'), join(pack, 'one'));
    expect(findUntouched(watch.stamps().stamps)).toBeUndefined();
  });

  it('P11 counts for the same Node only', async () => {
    await settle();
    expect(findSettled(pack, 'build')).toBeDefined();
    vi.stubGlobal('process', Object.create(process, { version: { value: 'v99.0.0' } }));
    expect(findSettled(pack, 'build')).toBeUndefined();
    vi.unstubAllGlobals();
  });

  it('P11 survives a cache whose parts are damaged', async () => {
    const result = shown(await settle());
    const [name = ''] = readdirSync(join(home, 'cache/settled-4'));
    const file = join(home, 'cache/settled-4', name);
    const whole = readFileSync(file, 'utf8');
    const changes: readonly ((stored: Record<string, unknown>) => void)[] = [
      stored => Object.assign(stored, { operations: [] }),
      stored => Object.assign(stored, { operations: [null] }),
      stored => Object.assign(stored, { operations: [{ op: 'keep', path: 1, role: 'stub' }] }),
      stored => Object.assign(stored, { diagnostics: [null] }),
      stored => Object.assign(stored, { diagnostics: [{ code: 'parse/yaml', message: null }] }),
    ];
    for (const change of changes) {
      const stored = JSON.parse(whole) as Record<string, unknown>;
      change(stored);
      writeFileSync(file, JSON.stringify(stored));
      expect(findSettled(pack, 'build')).toBeUndefined();
      expect(shown(await run())).toEqual(result);
    }
  });
});

describe('remembered declarations and hashes', () => {
  it('P13 give the same declarations and map as without them', async () => {
    await settle();
    put('mcp/tools/get-issue.yaml', '# one line more\ndescription: Gets it now.\nparameters:\n  key: {type: string}\n');
    put('mcp/tools/another.yaml', 'description: Another.\n');
    await run();
    const remembered = ['index.js', 'tools.d.ts', 'tools.d.ts.map'].map(read);
    rmSync(join(pack, 'generated'), { recursive: true });
    await generateAndApply(pack);
    expect(['index.js', 'tools.d.ts', 'tools.d.ts.map'].map(read)).toEqual(remembered);
  });

  it('P13 are not believed where they are damaged', async () => {
    await settle();
    const before = ['tools.d.ts', 'tools.d.ts.map'].map(read);
    const damages: readonly ((text: string) => string)[] = [
      text => text.replace(/\[\[\d+,/g, '[["x",'),
      text => text.replace(/\[\[\d+,/g, '[[-1,'),
      text => text.replace(/\[\[(\d+),/g, '[[9$1,'),
      text => text.replace(/\[\[[^\]]*\]/g, '[[]'),
      text => text.replace(/\["mcp[^\]]*\]/g, '[1]'),
      text => text.slice(0, -10),
      text => text.replace('{', '['),
      text => text.replaceAll('\n', ' '),
      () => '',
    ];
    for (const damage of damages) {
      for (const cached of readdirSync(join(home, 'cache/sections-2'))) {
        const path = join(home, 'cache/sections-2', cached);
        const text = readFileSync(path, 'utf8');
        expect(damage(text)).not.toBe(text);
        writeFileSync(path, damage(text));
      }
      unlinkSync(join(pack, 'generated/tools.d.ts'));
      await run();
      expect(['tools.d.ts', 'tools.d.ts.map'].map(read)).toEqual(before);
    }
  });

  it('P13 are not believed where what they tell is damaged', () => {
    const types = { text: 'a', sources: [], head: '', start: [0, 0, 0], tail: '', end: [0, 0, 0] } as const;
    const text = printSections({ key: { types, diagnostics: [] } });
    const readAll = (stored: string) => {
      const { places, read: readOne } = parseSections(stored) ?? {};
      return Object.values(places as object).map(place => readOne?.(place));
    };
    expect(readAll(text)).toEqual([{ types, diagnostics: [] }]);
    expect(readAll(text.replace('[]]}', '[null]]}'))).toEqual([undefined]);
  });

  it('P13 that a type says less than its schema is told on every run, also without a cache', async () => {
    const schema = 'inputSchema: { type: object, properties: { a: { not: { type: string } } } }\n';
    put('mcp/tools/get-issue.yaml', `description: Gets it.\n${schema}`);
    const told = ({ diagnostics }: RunResult) => diagnostics.map(({ code, line }) => [code, line]);
    expect(told(await run())).toEqual([['generate/widened', 2]]);
    expect(told(await settle())).toEqual([['generate/widened', 2]]);
    expect(findSettled(pack, 'build')?.diagnostics.length).toBe(1);
    expect(told(await generateAndApply(pack))).toEqual([['generate/widened', 2]]);
  });

  it('P11 never hide that a generated file was edited', async () => {
    await settle();
    flip('generated/index.js');
    const { diagnostics } = await run();
    expect(diagnostics.map(({ code, file }) => `${code} ${file}`)).toEqual(['generate/edited generated/index.js']);
  });

  it('P11 survive a run that a mistake ends, but not what was edited before it', async () => {
    await settle();
    const tool = readFileSync(join(pack, 'mcp/tools/get-issue.yaml'), 'utf8');
    flip('generated/index.js');
    put('mcp/tools/get-issue.yaml', 'description: [\n');
    await sleep(aWhile);
    expect((await run()).ok).toBe(false);
    const known = recallRun(pack, 'build')?.known;
    const hashAt = (path: string) => (known === undefined ? 'none' : knownHashOf(pack, path, known));
    expect(hashAt('generated/tools.d.ts')).toMatch(/^[0-9a-f]{32}$/);
    expect(hashAt('generated/index.js')).toBeUndefined();
    put('mcp/tools/get-issue.yaml', tool);
    const { diagnostics } = await run();
    expect(diagnostics.map(({ code, file }) => `${code} ${file}`)).toEqual(['generate/edited generated/index.js']);
  });
});

/** Another text of the same length. */
function flip(path: string): void {
  const text = readFileSync(join(pack, path), 'utf8');
  writeFileSync(join(pack, path), `${text.slice(0, -2)}${text.at(-2) === 'x' ? 'y' : 'x'}\n`);
}

function read(name: string): string {
  return readFileSync(join(pack, 'generated', name), 'utf8');
}
