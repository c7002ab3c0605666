// Runs that end in the middle: at every single step (simulated) and by SIGKILL at random moments (real processes).
// Whatever the moment, each file is old or new, and the next run converges, even if the manifests changed meanwhile.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Disk, nodeDisk } from '../../../generator/compile/apply-disk.js';
import { updateFiles } from '../../../generator/compile/generate.js';
import { amount } from '../../harness/amount.js';
import { compileModule } from '../../harness/child-module.js';
import { unprivileged } from '../../harness/unprivileged.js';

let all = '';
beforeAll(() => {
  all = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright crash ünï-')));
});
afterAll(() => rmSync(all, { recursive: true, force: true }));

/** Version by version some files change, some stay, some come and some go. */
function textsOf(version: number, tools: number): ReadonlyMap<string, string> {
  const texts = new Map([['generated/index.js', `index ${version}\n`]]);
  for (let tool = 0; tool < tools; tool++) {
    if ((tool + version) % 5 === 0) continue;
    texts.set(`generated/tools/t${tool}.js`, `${tool} ${tool % 3 === 0 ? 'same' : version}\n`.repeat(50));
    texts.set(`generated/v${version % 2}/t${tool}.d.ts`, `types ${tool} ${version}\n`);
    if (tool % 10 === version) texts.set(`src/t${tool}.ts`, 'stub\n');
  }
  return texts;
}

function filesOf(version: number, tools: number) {
  return [...textsOf(version, tools)].map(([path, text]) => ({
    path,
    role: path.startsWith('src/') ? ('stub' as const) : ('generated' as const),
    inputs: `${version}`,
    sources: [],
    render: () => text,
  }));
}

function filesBelow(folder: string, prefix = ''): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = `${prefix}${entry.name}`;
    return entry.isDirectory() ? filesBelow(join(folder, entry.name), `${path}/`) : [path];
  });
}

const isOurs = (path: string): boolean => !/\.toolwright[.-][^/]*$/.test(path);

/** The files that are none of the versions: torn ones. */
function torn(pack: string, versions: readonly number[], tools: number): readonly string[] {
  const texts = versions.map(version => textsOf(version, tools));
  return filesBelow(pack)
    .filter(isOurs)
    .filter(path => !texts.some(one => one.get(path) === readFileSync(join(pack, path), 'utf8')));
}

/** Everything on disk, without handlers of earlier versions, which stay. */
function contents(pack: string): ReadonlyMap<string, string> {
  const paths = filesBelow(pack).filter(path => path.startsWith('generated/') && !path.endsWith('.toolwright.json'));
  return new Map(paths.sort().map(path => [path, readFileSync(join(pack, path), 'utf8')]));
}

function expected(version: number, tools: number): ReadonlyMap<string, string> {
  return new Map([...textsOf(version, tools)].filter(([path]) => path.startsWith('generated/')).sort());
}

const errorsOf = (found: readonly { readonly severity: string; readonly message: string }[]): readonly string[] =>
  found.filter(({ severity }) => severity === 'error').map(({ message }) => message);

describe('runs that end at every single step', () => {
  const tools = 6;

  /** Works up to a step, which it does by half; after it nothing reaches the disk, as if the process were gone. */
  function dyingDisk(steps: number): Disk & { readonly isDead: () => boolean } {
    let left = steps;
    const step = (half?: () => void): void => {
      if (left-- > 0) return;
      if (left === -1) half?.();
      throw new Error('killed');
    };
    return {
      ...nodeDisk,
      write(path, text) {
        step(() => nodeDisk.write(path, text.slice(0, text.length / 2)));
        nodeDisk.write(path, text);
      },
      rename(from, to) {
        step();
        nodeDisk.rename(from, to);
      },
      link(from, to) {
        step();
        nodeDisk.link(from, to);
      },
      remove(path) {
        step();
        nodeDisk.remove(path);
      },
      makeFolder(path) {
        step();
        nodeDisk.makeFolder(path);
      },
      removeFolder(path) {
        step();
        nodeDisk.removeFolder(path);
      },
      isDead: () => left < 0,
    };
  }

  async function run(pack: string, version: number, disk: Disk = nodeDisk): Promise<readonly string[]> {
    // The lock of the simulated victim names this process, which lives on.
    rmSync(join(pack, 'generated/.toolwright.lock'), { force: true });
    const options = { generated: 'generated', write: true, wait: 0, disk };
    return errorsOf((await updateFiles(filesOf(version, tools), pack, options)).diagnostics);
  }

  it('P11 a run that ends at any step leaves each file old or new, and the next run of the same or another version converges', async () => {
    let deaths = 0;
    for (let steps = 0; ; steps++) {
      const pack = join(all, `step ${steps}`);
      mkdirSync(pack);
      if (steps % 2 === 0) await run(pack, 1);
      const disk = dyingDisk(steps);
      await run(pack, 2, disk).catch((error: Error) => expect(error.message).toBe('killed'));
      expect(torn(pack, [1, 2], tools)).toEqual([]);
      // Half of them are killed once more, a little earlier or later, on the way to a third version.
      if (steps % 4 > 1) {
        const again = dyingDisk((steps * 7) % 60);
        await run(pack, 3, again).catch((error: Error) => expect(error.message).toBe('killed'));
        expect(torn(pack, [1, 2, 3], tools)).toEqual([]);
      }
      const last = steps % 3 === 0 ? 2 : 4;
      expect(await run(pack, last)).toEqual([]);
      expect(contents(pack)).toEqual(expected(last, tools));
      const ledger = readFileSync(join(pack, 'generated/.toolwright.json'), 'utf8');
      expect(await run(pack, last)).toEqual([]);
      expect(readFileSync(join(pack, 'generated/.toolwright.json'), 'utf8')).toBe(ledger);
      if (!disk.isDead()) break;
      deaths++;
    }
    expect(deaths).toBeGreaterThan(30);
  });
});

describe('runs in real processes', () => {
  const tools = 160;
  const children: ChildProcess[] = [];
  let script = '';

  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  beforeAll(() => {
    const folder = join(all, 'compiled');
    mkdirSync(folder);
    compileModule('generator/compile/generate.ts', folder);
    script = join(folder, 'child.mjs');
    // Reads the files, says that it is ready, and starts when told.
    const lines = [
      "import { existsSync, readFileSync } from 'node:fs';",
      "import { updateFiles } from './generator/compile/generate.js';",
      "import { nodeDisk } from './generator/compile/apply-disk.js';",
      'const [pack, input, hold] = process.argv.slice(2);',
      "const files = JSON.parse(readFileSync(input, 'utf8')).map(one => ({ ...one, render: () => one.text }));",
      // Stands still in the middle of its work until the file `hold` is there, holding the lock.
      'const rename = (from, to) => {',
      "  if (hold && to.endsWith('index.js')) {",
      "    process.send('holding');",
      '    while (!existsSync(hold)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);',
      '  }',
      '  nodeDisk.rename(from, to);',
      '};',
      "const options = { generated: 'generated', write: true, wait: 20000, disk: { ...nodeDisk, rename } };",
      "process.on('message', async () => {",
      '  const { diagnostics, applied } = await updateFiles(files, pack, options);',
      '  process.send({ diagnostics, applied: applied.length }, () => process.disconnect());',
      '});',
      "process.send('ready');",
    ];
    writeFileSync(script, `${lines.join('\n')}\n`);
    for (const version of [1, 2, 3]) {
      const stored = filesOf(version, tools).map(one => ({ ...one, text: one.render() }));
      writeFileSync(join(all, `${version}.json`), JSON.stringify(stored));
    }
  });

  async function start(pack: string, version: number, hold = '', user = {}): Promise<ChildProcess> {
    const child = spawn(process.execPath, [script, pack, join(all, `${version}.json`), hold], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      ...user,
    });
    children.push(child);
    await once(child, 'message');
    return child;
  }

  interface Result {
    readonly diagnostics: readonly { readonly code: string; readonly severity: string; readonly message: string }[];
    readonly applied: number;
  }

  async function finish(child: ChildProcess): Promise<Result> {
    const exit = once(child, 'exit');
    const answer = once(child, 'message');
    child.send('go');
    const [result] = (await answer) as [Result];
    await exit;
    return result;
  }

  it('P11 runs killed at random moments leave each file old or new, and the next run converges', async () => {
    const pack = join(all, 'killed');
    mkdirSync(pack);
    expect(await finish(await start(pack, 1))).toMatchObject({ diagnostics: [] });
    let seed = 20_240_607;
    let kills = 0;
    const journal = join(pack, 'generated/.toolwright.pending.json');
    for (let round = 0; round < amount(15); round++) {
      const victim = await start(pack, ((round + 1) % 3) + 1);
      const exit = once(victim, 'exit');
      victim.send('go');
      seed = (seed * 48_271) % 2_147_483_647;
      // Every third from the start, the others from the moment when writing begins.
      if (round % 3 > 0) while (victim.exitCode === null && !existsSync(journal)) await sleep(1);
      await sleep(seed % 40);
      victim.kill('SIGKILL');
      const [, signal] = await exit;
      if (signal === 'SIGKILL') kills++;
      expect(torn(pack, [1, 2, 3], tools)).toEqual([]);
      // Half of the time the manifests changed once more before anybody ran generate again.
      const next = round % 2 === 0 ? ((round + 1) % 3) + 1 : ((round + 2) % 3) + 1;
      const { diagnostics } = await updateFiles(filesOf(next, tools), pack, {
        generated: 'generated',
        write: true,
        wait: 0,
      });
      expect(errorsOf(diagnostics)).toEqual([]);
      expect(contents(pack)).toEqual(expected(next, tools));
    }
    expect(kills).toBeGreaterThan(0);
  }, 120_000);

  it('P11 two runs at once take turns, and the result is one version or the other as a whole', async () => {
    for (let round = 0; round < 3; round++) {
      const pack = join(all, `two ${round}`);
      mkdirSync(pack);
      const children = await Promise.all([start(pack, 1), start(pack, 2)]);
      const results = await Promise.all(children.map(finish));
      expect(results.flatMap(({ diagnostics }) => errorsOf(diagnostics))).toEqual([]);
      const found = contents(pack);
      const version = found.get('generated/index.js') === 'index 1\n' ? 1 : 2;
      expect(found).toEqual(expected(version, tools));
      expect(torn(pack, [1, 2], tools)).toEqual([]);
    }
  });

  it('P11 two equal runs at once refuse nothing and agree', async () => {
    const pack = join(all, 'same');
    mkdirSync(pack);
    const results = await Promise.all((await Promise.all([start(pack, 1), start(pack, 1)])).map(finish));
    expect(results.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
    expect(contents(pack)).toEqual(expected(1, tools));
  });

  it.skipIf(process.platform === 'win32')(
    'P11 a run on a read-only folder gives one message and loses nothing',
    async () => {
      const pack = join(all, 'read-only');
      mkdirSync(pack);
      await finish(await start(pack, 1));
      const folders = ['generated', 'generated/tools', 'generated/v1', 'src'].map(folder => join(pack, folder));
      for (const folder of [all, pack]) chmodSync(folder, 0o755);
      for (const folder of folders) chmodSync(folder, 0o555);
      const { diagnostics, applied } = await finish(await start(pack, 2, '', unprivileged));
      for (const folder of folders) chmodSync(folder, 0o755);
      expect(applied).toBe(0);
      expect(errorsOf(diagnostics)).toEqual(['"generated" cannot be written: permission denied (EACCES)']);
      expect(contents(pack)).toEqual(expected(1, tools));
    },
  );

  it('P11 a run that may not wait fails clearly while another one writes', async () => {
    const pack = join(all, 'busy');
    mkdirSync(pack);
    const go = join(all, 'go');
    const holder = await start(pack, 1, go);
    const exit = once(holder, 'exit');
    const holding = once(holder, 'message');
    holder.send('go');
    await holding;
    const before = contents(pack);
    const { diagnostics } = await updateFiles(filesOf(2, tools), pack, {
      generated: 'generated',
      write: true,
      wait: 30,
    });
    const after = contents(pack);
    writeFileSync(go, '');
    await exit;
    expect(errorsOf(diagnostics)).toEqual([expect.stringContaining(`process ${holder.pid}`)]);
    expect(after).toEqual(before);
    expect(contents(pack)).toEqual(expected(1, tools));
  });
});
