// What generate remembers between runs: a run with nothing to do is not repeated, and whatever is touched is noticed.
import {
  appendFileSync,
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
import { generateRemembered, type RunResult } from '../../cli/generate/generate.js';
import { findUntouched, noteLooks } from '../../cli/memory/file-fingerprint.js';
import { openMemory } from '../../cli/memory/memory.js';
import { generate } from '../../generator/compile/generate.js';
import { writeFiles } from '../harness/files.js';

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
  writeFiles(pack, { [path]: text });
}

function run(): Promise<RunResult> {
  return generateRemembered(pack, {}, 'build');
}

function findSettled(by = 'build'): RunResult | undefined {
  return openMemory(pack, by).recallResult('generate') as RunResult | undefined;
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

describe('remembered runs', () => {
  it('P11 a run with nothing to do is remembered with its result', async () => {
    const result = await settle();
    const settled = findSettled();
    expect(result.operations.length).toBeGreaterThan(5);
    expect(settled === undefined ? undefined : shown(settled)).toEqual(shown(result));
  });

  it('P11 a remembered run counts only for the same build, and not when the cache is off', async () => {
    await settle();
    expect(findSettled('another')).toBeUndefined();
    vi.stubEnv('TOOLWRIGHT_CACHE', 'off');
    expect(findSettled()).toBeUndefined();
    expect((await run()).operations.every(({ op }) => op === 'keep')).toBe(true);
    expect(findSettled()).toBeUndefined();
  });

  it('P11 a run that created files is not remembered, but the next one and a run that replaced files are', async () => {
    await run();
    expect(findSettled()).toBeUndefined();
    await run();
    expect(findSettled()).toBeDefined();
    put('mcp/tools/get-issue.yaml', 'description: Gets it now.\nparameters:\n  key: {type: string}\n');
    expect((await run()).operations.some(({ op }) => op === 'replace')).toBe(true);
    const settled = findSettled();
    expect(settled === undefined ? undefined : shown(settled)).toEqual(
      shown(await generate(pack, { write: true, build: 'build' })),
    );
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
  ])('P11 a remembered run ends with a change: %s', async (_, touch) => {
    await settle();
    expect(findSettled()).toBeDefined();
    touch();
    expect(findSettled()).toBeUndefined();
  });
});

describe('fingerprints of a run', () => {
  it.each(['a file', 'a folder'])('P11 a remembered run notices that %s was replaced while it looked', async what => {
    put('one/x.yaml', 'a: 1\n');
    put('two/x.yaml', 'a: 2\n');
    await sleep(aWhile);
    const looks = noteLooks();
    const folder = looks.open(pack);
    if (what === 'a file') folder.read('one/x.yaml', 100);
    else folder.list('one');
    renameSync(join(pack, 'one'), join(pack, 'old'));
    renameSync(join(pack, 'two'), join(pack, 'one'));
    expect(findUntouched(looks.fingerprints() ?? {})).toBeUndefined();
  });

  it('P11 a remembered run counts only for the same version of Node', async () => {
    await settle();
    expect(findSettled()).toBeDefined();
    vi.stubGlobal('process', Object.create(process, { version: { value: 'v99.0.0' } }));
    expect(findSettled()).toBeUndefined();
    vi.unstubAllGlobals();
  });
});

describe('remembered declarations', () => {
  it('P13 remembered declarations give the same declarations and map as a run without them', async () => {
    await settle();
    put('mcp/tools/get-issue.yaml', '# one line more\ndescription: Gets it now.\nparameters:\n  key: {type: string}\n');
    put('mcp/tools/another.yaml', 'description: Another.\n');
    await run();
    const remembered = ['index.js', 'tools.d.ts', 'tools.d.ts.map'].map(read);
    rmSync(join(pack, 'generated'), { recursive: true });
    await generate(pack, { write: true, build: 'build' });
    expect(['index.js', 'tools.d.ts', 'tools.d.ts.map'].map(read)).toEqual(remembered);
  });

  it('P13 damaged declarations in the cache are not used', async () => {
    await settle();
    const before = ['tools.d.ts', 'tools.d.ts.map'].map(read);
    const [name = ''] = readdirSync(join(home, 'cache/memory-1'));
    const file = join(home, 'cache/memory-1', name);
    const damages: readonly ((text: string) => string)[] = [
      text => text.replaceAll('interface', 'interfere'),
      text => text.replaceAll('"head":"', '"head":"A'),
      text => text.replaceAll('"start":[', '"start":[9'),
      text => text.replaceAll('mcp/tools/get-issue.yaml', 'mcp/tools/get-other.yaml'),
      text => text.replaceAll('"types"', '"typos"'),
      text => text.slice(0, -10),
      text => text.replaceAll('{', '['),
      text => text.replaceAll('\n', ' '),
      () => '',
    ];
    for (const damage of damages) {
      const text = readFileSync(file, 'utf8');
      expect(damage(text)).not.toBe(text);
      writeFileSync(file, damage(text));
      unlinkSync(join(pack, 'generated/tools.d.ts'));
      await run();
      expect(['tools.d.ts', 'tools.d.ts.map'].map(read)).toEqual(before);
    }
  });

  it('P13 `generate` reports on every run that a type says less than its schema, even without a cache', async () => {
    const schema = 'inputSchema: { type: object, properties: { a: { not: { type: string } } } }\n';
    put('mcp/tools/get-issue.yaml', `description: Gets it.\n${schema}`);
    const told = ({ diagnostics }: RunResult) =>
      diagnostics.filter(({ severity }) => severity === 'info').map(({ code, line }) => [code, line]);
    expect(told(await run())).toEqual([['generate/widened', 2]]);
    expect(told(await settle())).toEqual([['generate/widened', 2]]);
    expect(findSettled()?.diagnostics.map(({ code }) => code)).toContain('generate/widened');
    expect(told(await generate(pack, { write: true, build: 'build' }))).toEqual([['generate/widened', 2]]);
  });

  it('P11 a remembered run does not hide that a generated file was edited', async () => {
    await settle();
    flip('generated/index.js');
    const { diagnostics } = await run();
    expect(diagnostics.map(({ code, file }) => `${code} ${file}`)).toContain('generate/edited generated/index.js');
  });

  it('P11 a remembered run does not hide what was edited before a run that ended with a mistake', async () => {
    await settle();
    const tool = readFileSync(join(pack, 'mcp/tools/get-issue.yaml'), 'utf8');
    flip('generated/index.js');
    put('mcp/tools/get-issue.yaml', 'description: [\n');
    await sleep(aWhile);
    expect((await run()).ok).toBe(false);
    put('mcp/tools/get-issue.yaml', tool);
    const { diagnostics } = await run();
    expect(diagnostics.map(({ code, file }) => `${code} ${file}`)).toContain('generate/edited generated/index.js');
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
