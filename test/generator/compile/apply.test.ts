// Generated files on a real disk: what is written, what is left alone, and what happens when the disk refuses.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { apply } from '../../../generator/compile/apply.js';
import { type Disk, nodeDisk } from '../../../generator/compile/apply-disk.js';
import { type Updated, type UpdateOptions, updateFiles } from '../../../generator/compile/generate.js';
import type { GeneratedFile } from '../../../generator/compile/plan.js';
import { reconcile } from '../../../generator/compile/reconcile.js';
import { takeSnapshot } from '../../../generator/compile/snapshot.js';
import { writeFiles } from '../../harness/files.js';

let all = '';
let pack = '';
let count = 0;

beforeAll(() => {
  all = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright apply ünï-')));
});
afterAll(() => rmSync(all, { recursive: true, force: true }));
beforeEach(() => {
  pack = join(all, `pack ${count++} ✓`);
  mkdirSync(pack);
});

type Texts = Readonly<Record<string, string>>;

/** Below generated/ a generated file, elsewhere a stub. */
function toFiles(texts: Texts, generated = 'generated'): readonly GeneratedFile[] {
  return Object.entries(texts).map(([path, text]) => ({
    path,
    role: path.startsWith(`${generated}/`) ? 'generated' : 'stub',
    inputs: `from:${text}`,
    sources: [],
    render: () => text,
  }));
}

function run(texts: Texts, options: Partial<UpdateOptions> = {}): Promise<Updated> {
  const generated = options.generated ?? 'generated';
  return updateFiles(toFiles(texts, generated), pack, { write: true, wait: 100, ...options, generated });
}

function put(path: string, text: string): void {
  writeFiles(pack, { [path]: text });
}

const read = (path: string): string => readFileSync(join(pack, path), 'utf8');

/** Every file of the pack but the ledger, with its text. */
function tree(folder = pack, prefix = ''): Texts {
  const found = readdirSync(folder, { withFileTypes: true }).flatMap((entry): [string, string][] => {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) return Object.entries(tree(join(folder, entry.name), `${path}/`));
    return entry.name === '.toolwright.json' ? [] : [[path, readFileSync(join(folder, entry.name), 'utf8')]];
  });
  return Object.fromEntries(found);
}

/** Another one for every write, rename or link; reading leaves it. */
function stamp(path: string): readonly bigint[] {
  const { ino, mtimeNs, ctimeNs } = statSync(join(pack, path), { bigint: true });
  return [ino, mtimeNs, ctimeNs];
}

const codes = ({ diagnostics }: Pick<Updated, 'diagnostics'>): readonly string[] =>
  diagnostics.map(({ code, file }) => `${code} ${file}`);

/** As a run of this process would have it. */
function lockOfOurs(): string {
  const stat = process.platform === 'linux' ? readFileSync('/proc/self/stat', 'utf8') : '';
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return JSON.stringify({ pid: process.pid, host: hostname(), started });
}

/** The first line says who made it. */
const known = (): readonly string[] => Object.keys(JSON.parse(read('generated/.toolwright.json'))).slice(1);

function failing(code: string, when: Partial<Record<keyof Disk, (path: string) => boolean>>): Disk {
  const guard = (name: keyof Disk, path: string): void => {
    if (when[name]?.(path)) throw Object.assign(new Error(`${code}: ${path}`), { code });
  };
  return {
    ...nodeDisk,
    write(path, text) {
      guard('write', path);
      nodeDisk.write(path, text);
    },
    rename(from, to) {
      guard('rename', to);
      nodeDisk.rename(from, to);
    },
    link(from, to) {
      guard('link', to);
      nodeDisk.link(from, to);
    },
    remove(path) {
      guard('remove', path);
      nodeDisk.remove(path);
    },
    makeFolder(path) {
      guard('makeFolder', path);
      nodeDisk.makeFolder(path);
    },
  };
}

const base: Texts = {
  'generated/index.js': 'index 1\n',
  'generated/tools/get-issue.js': 'get 1\n',
  'generated/tools/ünï code.js': 'uni 1\n',
  'src/tools/get issue.ts': 'stub 1\n',
};

describe('`updateFiles`', () => {
  it('P11 a run creates folders and files, and a second one touches nothing', async () => {
    const { diagnostics, applied } = await run(base);
    expect(diagnostics).toEqual([]);
    expect(applied.map(({ op }) => op)).toEqual(['create', 'create', 'create', 'create']);
    expect(tree()).toEqual(base);
    expect(known()).toEqual(Object.keys(base).sort());
    const paths = ['generated', 'generated/tools', 'src/tools', 'generated/.toolwright.json', 'generated/index.js'];
    const before = paths.map(stamp);
    const second = await run(base);
    expect(second.applied).toEqual([]);
    expect(second.operations.every(({ op }) => op === 'keep')).toBe(true);
    expect(paths.map(stamp)).toEqual(before);
  });

  it('P11 a run replaces what changed and nothing else', async () => {
    await run(base);
    const untouched = stamp('generated/index.js');
    put('src/tools/get issue.ts', 'mine\n');
    const next = { ...base, 'generated/tools/get-issue.js': 'get 2\n', 'src/tools/get issue.ts': 'stub 2\n' };
    const { applied } = await run(next);
    expect(applied.map(({ op, path }) => `${op} ${path}`)).toEqual(['replace generated/tools/get-issue.js']);
    expect(tree()).toEqual({ ...next, 'src/tools/get issue.ts': 'mine\n' });
    expect(stamp('generated/index.js')).toEqual(untouched);
  });

  it('Q3 fix-N2 a run replaces a stub that nobody touched, also with the line ends of Windows, and no other', async () => {
    await run(base);
    const path = 'src/tools/get issue.ts';
    const second = await run({ ...base, [path]: 'stub 2\n' });
    expect(second.applied.map(({ op, path: at }) => `${op} ${at}`)).toEqual([`replace ${path}`]);
    expect(read(path)).toBe('stub 2\n');
    put(path, 'stub 2\r\n');
    expect((await run({ ...base, [path]: 'stub 2\n' })).applied).toEqual([]);
    expect(read(path)).toBe('stub 2\r\n');
    await run({ ...base, [path]: 'stub 3\n' });
    expect(read(path)).toBe('stub 3\n');
    put(path, 'stub 3 \n');
    await run({ ...base, [path]: 'stub 4\n' });
    expect(read(path)).toBe('stub 3 \n');
    // Text of ours again, so that it is renewed again.
    put(path, 'stub 4\n');
    await run({ ...base, [path]: 'stub 5\n' });
    expect(read(path)).toBe('stub 5\n');
  });

  it('Q3 a run knows untouched stubs without a ledger, and with one of an earlier version', async () => {
    const path = 'src/tools/get issue.ts';
    for (const ledger of [undefined, `{\n  ${JSON.stringify(path)}: {"stub":true}\n}\n`]) {
      await run(base);
      if (ledger === undefined) rmSync(join(pack, 'generated/.toolwright.json'));
      else put('generated/.toolwright.json', ledger);
      expect(codes(await run(base))).toEqual([]);
      await run({ ...base, [path]: 'stub 2\n' });
      expect(read(path)).toBe('stub 2\n');
      await run(base);
      expect(tree()).toEqual(base);
    }
  });

  it('Q3 a run leaves a stub alone that is changed between the look at it and the writing', async () => {
    await run(base);
    const path = 'src/tools/get issue.ts';
    const { operations: ops } = await run({ ...base, [path]: 'stub 2\n' }, { write: false });
    put(path, 'mine\n');
    const { diagnostics } = await apply(ops, pack, { generated: 'generated' });
    expect(codes({ diagnostics })).toEqual([`generate/changed-meanwhile ${path}`]);
    expect(read(path)).toBe('mine\n');
  });

  it('Q3 a run leaves a stub alone that an editor saves while it is written, or while the editor keeps it locked', async () => {
    const path = 'src/tools/get issue.ts';
    const save = (): void => put(path, 'mine\n');
    const locked = (): never => {
      save();
      throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
    };
    let attempts = 0;
    const disks: readonly Disk[] = [
      {
        ...nodeDisk,
        write(to, text) {
          if (text === 'stub 2\n') save();
          nodeDisk.write(to, text);
        },
      },
      {
        ...nodeDisk,
        rename: (from, to) => (to.endsWith('.ts') && attempts++ === 0 ? locked() : nodeDisk.rename(from, to)),
      },
    ];
    for (const disk of disks) {
      rmSync(join(pack, path), { force: true });
      await run(base);
      const found = await run({ ...base, [path]: 'stub 2\n' }, { disk });
      expect(codes(found)).toEqual([`generate/changed-meanwhile ${path}`]);
      expect(tree()).toEqual({ ...base, [path]: 'mine\n' });
    }
  });

  it('Q3 a run deletes a stub that nobody touched with its folder once its item is gone', async () => {
    await run(base);
    const { applied, diagnostics } = await run({ 'generated/index.js': 'index 1\n' });
    expect(codes({ diagnostics })).toEqual([]);
    expect(applied.map(({ op, path }) => `${op} ${path}`)).toContain('delete src/tools/get issue.ts');
    expect(tree()).toEqual({ 'generated/index.js': 'index 1\n' });
    expect(existsSync(join(pack, 'src'))).toBe(false);
  });

  it('P11 a run deletes what is gone and the folders that this empties, only below generated/', async () => {
    await run({ ...base, 'generated/prompts/deep/a.js': 'a' });
    put('generated/tools/mine.txt', 'mine');
    put('src/tools/get issue.ts', 'written\n');
    const { diagnostics } = await run({ 'generated/index.js': 'index 1\n' });
    expect(diagnostics.map(({ code }) => code)).toEqual(['generate/leftover-stub']);
    expect(tree()).toEqual({
      'generated/index.js': 'index 1\n',
      'generated/tools/mine.txt': 'mine',
      'src/tools/get issue.ts': 'written\n',
    });
    expect(existsSync(join(pack, 'generated/prompts'))).toBe(false);
    const last = await run({});
    expect(codes(last)).toEqual(['generate/leftover-stub src/tools/get issue.ts']);
    expect(known()).toEqual(['src/tools/get issue.ts']);
  });

  it('P11 a run leaves an edited file alone, writes the rest, and accepts the file again once the edit is undone', async () => {
    await run(base);
    put('generated/index.js', 'mine\n');
    const next = { ...base, 'generated/index.js': 'index 2\n', 'generated/tools/get-issue.js': 'get 2\n' };
    const refused = await run(next);
    expect(codes(refused)).toEqual(['generate/edited generated/index.js']);
    expect(tree()).toEqual({ ...next, 'generated/index.js': 'mine\n' });
    put('generated/index.js', 'index 1\n');
    expect(codes(await run(next))).toEqual([]);
    expect(tree()).toEqual(next);
    put('generated/index.js', 'mine\n');
    expect(codes(await run(next, { force: true }))).toEqual([]);
    expect(tree()).toEqual(next);
  });

  it('P11 a run leaves the bytes of a checkout with CRLF as they are', async () => {
    await run(base);
    for (const path of Object.keys(base)) put(path, read(path).replaceAll('\n', '\r\n'));
    put('generated/.toolwright.json', read('generated/.toolwright.json').replaceAll('\n', '\r\n'));
    const { applied, diagnostics } = await run(base);
    expect([applied, diagnostics]).toEqual([[], []]);
    expect(read('generated/index.js')).toBe('index 1\r\n');
    await run({ ...base, 'generated/index.js': 'index 2\n' });
    expect(read('generated/index.js')).toBe('index 2\n');
  });

  it('P11 a run rebuilds a ledger that is lost, broken or in conflict', async () => {
    await run(base);
    const whole = read('generated/.toolwright.json');
    const broken = [undefined, '', '{', '<<<<<<< HEAD\n{}\n=======\n[]\n>>>>>>> x\n', whole.slice(0, 150), 'null'];
    for (const text of broken) {
      if (text === undefined) rmSync(join(pack, 'generated/.toolwright.json'));
      else put('generated/.toolwright.json', text);
      expect(codes(await run(base))).toEqual([]);
      expect(read('generated/.toolwright.json')).toBe(whole);
    }
  });

  it('P11 a run replaces empty files and files that a merge left in conflict', async () => {
    await run(base);
    put('generated/index.js', 'a\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\nb\n');
    put('generated/tools/get-issue.js', '');
    expect(codes(await run(base))).toEqual([]);
    expect(tree()).toEqual(base);
  });

  it('P11 a run works with the pack itself as the generated folder, and with a deep one', async () => {
    const deep = { 'out put/ü/x.js': 'x' };
    expect(codes(await run(deep, { generated: 'out put/ü' }))).toEqual([]);
    expect(tree()).toEqual(deep);
    const files = [{ path: 'a.js', role: 'generated', inputs: 'a', sources: [], render: () => 'a' }] as const;
    expect((await updateFiles(files, pack, { generated: '', write: true })).diagnostics).toEqual([]);
    expect((await updateFiles([], pack, { generated: '', write: true })).applied.map(({ path }) => path)).toEqual([
      'a.js',
    ]);
    expect(tree()).toEqual(deep);
  });
});

describe('obstacles on the disk', () => {
  it('P11 a run reports a folder in the place of a file and writes the rest', async () => {
    put('generated/index.js/x', 'mine');
    put('src/tools/get issue.ts/x', 'mine');
    expect(codes(await run(base))).toEqual([
      'read/not-a-file generated/index.js',
      'read/not-a-file src/tools/get issue.ts',
    ]);
    expect(tree()).toMatchObject({ 'generated/index.js/x': 'mine', 'generated/tools/get-issue.js': 'get 1\n' });
    expect(known()).toEqual(['generated/tools/get-issue.js', 'generated/tools/ünï code.js']);
    rmSync(join(pack, 'generated/index.js'), { recursive: true });
    expect(codes(await run(base))).toEqual(['read/not-a-file src/tools/get issue.ts']);
  });

  it('P11 a run reports a file in the place of a folder once, whatever was meant to be in it', async () => {
    put('generated/tools', 'mine');
    expect(codes(await run(base))).toEqual(['generate/not-a-folder generated/tools']);
    expect(tree()).toEqual({
      'generated/index.js': 'index 1\n',
      'generated/tools': 'mine',
      'src/tools/get issue.ts': 'stub 1\n',
    });
    for (const folder of ['generated', 'src']) rmSync(join(pack, folder), { recursive: true });
    put('generated', 'mine');
    put('src', 'mine');
    expect(codes(await run(base))).toEqual(['generate/not-a-folder generated', 'generate/not-a-folder src']);
    expect(read('generated')).toBe('mine');
  });

  it('P11 a run reports a folder in the place of the lock and writes nothing', async () => {
    put('generated/.toolwright.lock/x', 'mine');
    expect(codes(await run(base))).toEqual(['generate/write-failed generated/.toolwright.lock']);
    expect(tree()).toEqual({ 'generated/.toolwright.lock/x': 'mine' });
  });

  it('P11 a run reports a folder in the place of the ledger and writes nothing', async () => {
    put('generated/.toolwright.json/x', 'mine');
    expect(codes(await run(base))).toEqual(['read/not-a-file generated/.toolwright.json']);
    expect(existsSync(join(pack, 'generated/index.js'))).toBe(false);
  });

  it('P11 a run neither follows nor replaces links out of the pack', async () => {
    const outside = join(all, `outside ${count}`);
    mkdirSync(outside);
    writeFileSync(join(outside, 'index.js'), 'index 1\n');
    mkdirSync(join(pack, 'generated'));
    symlinkSync(outside, join(pack, 'generated/tools'));
    symlinkSync(join(outside, 'index.js'), join(pack, 'generated/index.js'));
    symlinkSync(outside, join(pack, 'src'));
    expect(codes(await run(base, { force: true }))).toEqual([
      'resolve/path-escape generated/index.js',
      'resolve/path-escape generated/tools',
      'resolve/path-escape src',
    ]);
    expect(readdirSync(outside)).toEqual(['index.js']);
    rmSync(join(pack, 'generated'), { recursive: true });
    symlinkSync(outside, join(pack, 'generated'));
    expect(codes(await run(base))).toEqual(['resolve/path-escape generated', 'resolve/path-escape src']);
    expect(readdirSync(outside)).toEqual(['index.js']);
  });

  it('P11 a run does not follow a link out of the pack that appears after the snapshot', async () => {
    const outside = join(all, `outside ${count}`);
    mkdirSync(outside);
    const files = toFiles(base);
    const ops = reconcile(files, new Map(Object.entries(base)), takeSnapshot(pack, 'generated', files));
    mkdirSync(join(pack, 'generated'));
    symlinkSync(outside, join(pack, 'generated/tools'));
    const { diagnostics } = await apply(ops, pack, { generated: 'generated' });
    expect(codes({ diagnostics })).toEqual(['resolve/path-escape generated/tools']);
    expect(readdirSync(outside)).toEqual([]);
    expect(known()).toEqual(['generated/index.js', 'src/tools/get issue.ts']);
  });

  it('P11 a run follows links inside the pack and reports links to nothing', async () => {
    put('real/tools/get-issue.js', 'get 1\n');
    mkdirSync(join(pack, 'generated'));
    symlinkSync('../real/tools', join(pack, 'generated/tools'));
    symlinkSync('nowhere', join(pack, 'generated/index.js'));
    expect(codes(await run(base))).toEqual(['read/not-a-file generated/index.js']);
    expect(read('real/tools/ünï code.js')).toBe('uni 1\n');
    rmSync(join(pack, 'generated/tools'));
    symlinkSync('tools', join(pack, 'generated/tools'));
    expect(codes(await run(base))).toEqual([
      'read/not-a-file generated/index.js',
      'generate/not-a-folder generated/tools',
    ]);
  });

  it('P11 a run accepts a handler that is a link or in a linked folder', async () => {
    const outside = join(all, `outside ${count}`);
    mkdirSync(join(outside, 'tools'), { recursive: true });
    writeFileSync(join(outside, 'tools/get issue.ts'), 'mine');
    symlinkSync(outside, join(pack, 'src'));
    expect(codes(await run(base))).toEqual([]);
    expect(readFileSync(join(outside, 'tools/get issue.ts'), 'utf8')).toBe('mine');
  });

  it.skipIf(process.platform === 'win32')(
    'P11 a run reports a pipe in the place of a file and does not hang',
    async () => {
      mkdirSync(join(pack, 'generated'));
      expect(spawnSync('mkfifo', [join(pack, 'generated/index.js')]).status).toBe(0);
      expect(codes(await run(base))).toEqual(['read/not-a-file generated/index.js']);
    },
  );
});

describe('changes between looking and writing', () => {
  function planned(texts: Texts) {
    const files = toFiles(texts);
    return reconcile(files, new Map(Object.entries(texts)), takeSnapshot(pack, 'generated', files));
  }

  it('P11 files that change between looking and writing are left alone and not remembered as ours', async () => {
    await run(base);
    const { 'generated/tools/get-issue.js': _, ...rest } = base;
    const ops = planned({ ...rest, 'generated/index.js': 'index 2\n', 'generated/new.js': 'n', 'src/b.ts': 'stub' });
    put('generated/index.js', 'mine');
    put('generated/tools/get-issue.js', 'mine');
    put('generated/new.js', 'mine');
    put('src/b.ts', 'mine');
    const { diagnostics, applied } = await apply(ops, pack, { generated: 'generated' });
    expect(codes({ diagnostics })).toEqual([
      'generate/changed-meanwhile generated/index.js',
      'generate/changed-meanwhile generated/new.js',
      'generate/changed-meanwhile generated/tools/get-issue.js',
    ]);
    expect(applied.map(({ path }) => path)).toEqual(['src/b.ts']);
    expect(['generated/index.js', 'generated/tools/get-issue.js', 'generated/new.js', 'src/b.ts'].map(read)).toEqual(
      Array(4).fill('mine'),
    );
    expect(known()).not.toContain('generated/new.js');
    expect(known()).toContain('generated/tools/get-issue.js');
  });

  it('P11 files that changed to what would be written, or were deleted, are not a problem', async () => {
    await run(base);
    const ops = planned({ ...base, 'generated/index.js': 'index 2\n', 'generated/tools/get-issue.js': 'get 2\n' });
    put('generated/index.js', 'index 2\n');
    rmSync(join(pack, 'generated/tools'), { recursive: true });
    const { diagnostics } = await apply(ops, pack, { generated: 'generated' });
    expect(diagnostics).toEqual([]);
    expect(read('generated/tools/get-issue.js')).toBe('get 2\n');
  });

  it('P12 a handler that appears at the last moment is not replaced', async () => {
    const ops = planned(base);
    const disk: Disk = {
      ...nodeDisk,
      link(from, to) {
        if (to.endsWith('.ts')) writeFileSync(to, 'mine');
        nodeDisk.link(from, to);
      },
    };
    const { diagnostics } = await apply(ops, pack, { generated: 'generated', disk });
    expect(codes({ diagnostics })).toEqual(['generate/changed-meanwhile src/tools/get issue.ts']);
    expect(tree()).toEqual({ ...base, 'src/tools/get issue.ts': 'mine' });
  });
});

describe('disks that refuse', () => {
  const next: Texts = {
    'generated/index.js': 'index 2\n',
    'generated/tools/get-issue.js': 'get 2\n',
    'generated/tools/new.js': 'new 2\n',
    'src/tools/get issue.ts': 'stub 2\n',
    'src/tools/new.ts': 'stub 2\n',
  };

  it('P11 a full disk gives one message and leaves every file old or new, and the next run writes the rest', async () => {
    await run(base);
    const before = tree();
    for (let space = 0; space < 9; space++) {
      rmSync(pack, { recursive: true });
      mkdirSync(pack);
      await run(base);
      let left = space;
      const disk = failing('ENOSPC', { write: () => left-- <= 0 });
      const result = await run(next, { disk });
      if (left < 0) {
        expect(result.diagnostics.map(({ code }) => code)).toContain('generate/write-failed');
        expect(result.diagnostics.length).toBeLessThan(3);
        expect(result.diagnostics[0]?.message).toContain('no space is left on the disk (ENOSPC)');
      }
      for (const [path, text] of Object.entries(tree())) {
        if (!path.includes('.toolwright')) expect([before[path], next[path]]).toContain(text);
      }
      // Nobody is told that something was written which was not.
      const told = result.operations.filter(
        ({ op, role }) => (op === 'create' || op === 'replace') && role !== 'ledger',
      );
      expect(told.map(({ path }) => [path, tree()[path]])).toEqual(told.map(({ path }) => [path, next[path]]));
      // The manifests changed before somebody made room: the half-done run must not look like an edit.
      const third = { ...next, 'generated/index.js': 'index 3\n', 'generated/tools/get-issue.js': 'get 3\n' };
      expect(codes(await run(third))).toEqual([]);
      expect(tree()).toEqual(third);
    }
  });

  it('P11 a read-only folder gives one message, and the other folders are written', async () => {
    await run(base);
    const disk = failing('EACCES', { write: path => path.includes('/tools/') });
    const { diagnostics } = await run(next, { disk });
    expect(codes({ diagnostics })).toEqual([
      'generate/write-failed generated/tools',
      'generate/write-failed src/tools',
    ]);
    expect(diagnostics[0]?.message).toBe('"generated/tools" cannot be written: permission denied (EACCES)');
    expect(read('generated/index.js')).toBe('index 2\n');
    expect(known()).not.toContain('generated/tools/new.js');
    const whole = failing('EROFS', { write: () => true, makeFolder: () => true });
    expect(codes(await run({ ...next, 'generated/index.js': 'index 3\n' }, { disk: whole }))).toEqual([
      'generate/write-failed generated',
    ]);
    expect(codes(await run(next))).toEqual([]);
    expect(tree()).toEqual(next);
  });

  it('P11 a file that cannot be replaced or deleted stays, and stays in the ledger', async () => {
    await run(base);
    const disk = failing('EBUSY', {
      rename: path => path.endsWith('index.js'),
      remove: path => path.endsWith('code.js'),
    });
    expect(codes(await run(next, { disk }))).toEqual([
      'generate/write-failed generated/index.js',
      'generate/write-failed generated/tools/ünï code.js',
    ]);
    expect(known()).toEqual(Object.keys({ ...base, ...next }).sort());
    expect(tree()).toEqual({
      ...next,
      'generated/index.js': 'index 1\n',
      'generated/tools/ünï code.js': 'uni 1\n',
    });
    expect(codes(await run(next))).toEqual([]);
  });

  it('P11 a run works on a disk without hard links', async () => {
    const disk = failing('EPERM', { link: () => true });
    expect(codes(await run(base, { disk }))).toEqual([]);
    expect(tree()).toEqual(base);
  });

  it('P11 an error that does not come from the system is thrown as a bug', async () => {
    const disk = { ...nodeDisk, write: () => expect.fail('bug') };
    await expect(run(base, { disk })).rejects.toThrow('bug');
  });
});

describe('leftovers of killed runs', () => {
  it('P11 a run removes temporary files of killed runs, even if there is nothing else to do', async () => {
    await run(base);
    put('generated/tools/.toolwright-999999-3.tmp', 'half');
    put('src/tools/.toolwright-999999-4.tmp', 'half');
    put('src/tools/.toolwright-mine.tmp', 'mine');
    await run(base);
    expect(tree()).toEqual({ ...base, 'src/tools/.toolwright-mine.tmp': 'mine' });
  });

  const ended = (): number => spawnSync(process.execPath, ['-e', '']).pid;

  it('P11 a run takes over the lock of a dead process at once', async () => {
    const dead = [
      { pid: ended(), host: hostname() },
      // The number is in use again, by a process that started at another time.
      { pid: process.pid, host: hostname(), started: '1' },
    ];
    for (const holder of dead) {
      put('generated/.toolwright.lock', JSON.stringify(holder));
      expect(codes(await run({ 'generated/a.js': `${holder.pid}` }, { wait: 0 }))).toEqual([]);
      expect(tree()).toEqual({ 'generated/a.js': `${holder.pid}` });
    }
  });

  it('P11 a run takes over a lock whose holder it cannot ask about after the wait', async () => {
    for (const text of ['', '{', 'null', JSON.stringify({ pid: 1, host: `not ${hostname()}` })]) {
      put('generated/.toolwright.lock', text);
      expect(codes(await run({ 'generated/a.js': `after ${text}` }, { wait: 50 }))).toEqual([]);
      expect(existsSync(join(pack, 'generated/.toolwright.lock'))).toBe(false);
    }
  });

  it('P11 a run waits for a lock that is in use, then says who holds it and writes nothing', async () => {
    const lock = lockOfOurs();
    put('generated/.toolwright.lock', lock);
    const result = await run(base, { wait: 50 });
    expect(codes(result)).toEqual(['generate/locked generated/.toolwright.lock']);
    expect(new Set(result.operations.filter(({ role }) => role !== 'ledger').map(({ op }) => op))).toEqual(
      new Set(['refuse']),
    );
    expect(result.diagnostics[0]?.message).toContain(`process ${process.pid}`);
    expect(tree()).toEqual({ 'generated/.toolwright.lock': lock });
    const late = run(base, { wait: 5000 });
    setTimeout(() => rmSync(join(pack, 'generated/.toolwright.lock')), 60);
    expect(codes(await late)).toEqual([]);
    expect(tree()).toEqual(base);
  });

  it('P11 a run that cannot get the lock refuses each file because of the lock', async () => {
    put('generated/.toolwright.lock', lockOfOurs());
    mkdirSync(join(pack, 'a/handler.ts'), { recursive: true });
    const { operations: ops } = await run({ ...base, 'a/handler.ts': 'stub\n' }, { wait: 50 });
    const why = ops.flatMap(op => (op.op === 'refuse' ? [`${op.path}: ${op.diagnostic.code}`] : []));
    expect(why).toEqual(
      ['a/handler.ts: read/not-a-file', ...Object.keys(base).map(path => `${path}: generate/locked`)].sort(),
    );
  });

  it('P11 a run that was overtaken by another one looks and renders again', async () => {
    await run(base);
    const next = { ...base, 'generated/index.js': 'index 3\n' };
    const seen: string[] = [];
    const overtaken = toFiles(next).map((file): GeneratedFile => {
      const render = async () => {
        seen.push(file.path);
        // Between the first look at the disk and the lock, another run writes every file.
        if (seen.length === 1) await run({ ...base, 'generated/index.js': 'index 2\n', 'generated/more.js': '' });
        return String(await file.render());
      };
      return { ...file, render };
    });
    expect(codes(await updateFiles(overtaken, pack, { generated: 'generated', write: true }))).toEqual([]);
    expect(seen).toEqual(['generated/index.js', 'generated/index.js']);
    expect(tree()).toEqual(next);
  });

  it('P11 two runs in one process take turns', async () => {
    const runs = Array.from({ length: 6 }, (_, index) =>
      run({ 'generated/a.js': `a ${index}`, 'generated/b.js': `b ${index}` }, { wait: 5000 }),
    );
    expect((await Promise.all(runs)).flatMap(codes)).toEqual([]);
    const { 'generated/a.js': a, 'generated/b.js': b, ...rest } = tree();
    expect([a?.slice(2), rest]).toEqual([b?.slice(2), {}]);
  });
});
