// Every operation, decided without a disk: the snapshots are written by hand.
import { describe, expect, it } from 'vitest';
import { bookkeepingOf, hashText, inputsKey, parseLedgers, printLedger } from '../../../generator/compile/ledger.js';
import type { GeneratedFile } from '../../../generator/compile/plan.js';
import {
  diagnosticsOf,
  type FileOp,
  isChange,
  isCurrent,
  type ReconcileOptions,
  reconcile,
} from '../../../generator/compile/reconcile.js';
import type { DiskEntry, Snapshot } from '../../../generator/compile/snapshot.js';
import { diagnose, startOf } from '../../../schema/diagnostics.js';
import { version } from '../../../schema/version.js';

const ledgerPath = 'generated/.toolwright.json';

interface TextFile {
  readonly path: string;
  readonly role: GeneratedFile['role'];
  readonly inputs: string;
  readonly sources: readonly string[];
  /** Undefined: nothing may ask for it. */
  readonly text?: string;
  render(): string;
}

function file(path: string, text: string, more: Partial<TextFile> = {}): TextFile {
  return { path, role: 'generated', inputs: `from-${text}`, sources: [], text, render: () => text, ...more };
}

const stub = (path: string, text: string): TextFile => file(path, text, { role: 'stub' });

function unrendered(path: string, inputs: string, role: GeneratedFile['role'] = 'generated'): TextFile {
  const render = (): string => {
    throw new Error(`${path} was rendered`);
  };
  return { path, role, inputs, sources: [], render };
}

interface Scene {
  readonly disk?: Readonly<Record<string, string | DiskEntry>>;
  readonly ledger?: string;
  readonly journal?: string;
  readonly strays?: readonly string[];
}

function snapshot({ disk = {}, ledger, journal, strays = [] }: Scene): Snapshot {
  const files = Object.entries(disk).map(([path, found]): [string, DiskEntry] => [
    path,
    typeof found === 'string' ? { type: 'file', hash: hashText(found) } : found,
  ]);
  const known = parseLedgers([ledger, journal], 'generated');
  return { generated: 'generated', known, ledger, journal, files: new Map(files), strays };
}

/** The ledger after the files were written to an empty disk. */
function ledgerAfter(files: readonly TextFile[]): string {
  const op = run(files, {}).at(-1);
  return op?.op === 'create' ? op.text : '';
}

function run(files: readonly TextFile[], scene: Scene, options?: ReconcileOptions): readonly FileOp[] {
  const texts = files.flatMap(({ path, text }) => (text === undefined ? [] : [[path, text] as const]));
  return reconcile(files, new Map(texts), snapshot(scene), options);
}

const short = (ops: readonly FileOp[]): readonly string[] =>
  ops.map(op => {
    const said = (op.op === 'keep' || op.op === 'refuse') && op.diagnostic ? ` ${op.diagnostic.code}` : '';
    return `${op.op} ${op.path}${said}`;
  });

/** All but the ledger's. */
const shortFiles = (ops: readonly FileOp[]): readonly string[] => short(ops.filter(({ role }) => role !== 'ledger'));

const a = 'generated/a.js';
const old = file(a, 'old\n');
const now = file(a, 'new\n');

describe('`reconcile` of generated files', () => {
  it('P11 `reconcile` creates what is absent, the ledger last', () => {
    const ops = run([now, file('generated/.first.js', '1')], {});
    expect(short(ops)).toEqual(['create generated/.first.js', `create ${a}`, `create ${ledgerPath}`]);
    expect(ops[1]).toMatchObject({ text: 'new\n', role: 'generated' });
    expect(ops.every(isChange)).toBe(true);
  });

  it('P11 `reconcile` keeps a file with equal inputs without rendering it', () => {
    const scene = { disk: { [a]: 'old\n' }, ledger: ledgerAfter([old]) };
    const ops = run([unrendered(a, 'from-old\n')], scene);
    expect(short(ops)).toEqual([`keep ${a}`, `keep ${ledgerPath}`]);
    expect(ops.some(isChange)).toBe(false);
    expect(isCurrent(old, snapshot(scene))).toBe(true);
    expect(isCurrent(now, snapshot(scene))).toBe(false);
    expect(isCurrent(old, snapshot({ ...scene, disk: {} }))).toBe(false);
  });

  it('P11 `reconcile` keeps a file that is what would be written, whatever the ledger says', () => {
    for (const ledger of [undefined, '', '[]', '{"generated/a.js": 1}', 'garbage', ledgerAfter([old])]) {
      const scene = { disk: { [a]: 'new\n' }, ...(ledger === undefined ? {} : { ledger }) };
      expect(shortFiles(run([now], scene))).toEqual([`keep ${a}`]);
      expect(run([now], scene).at(-1)).toMatchObject({ role: 'ledger', text: ledgerAfter([now]) });
    }
  });

  it('P11 `reconcile` treats CRLF as LF', () => {
    const scene = { disk: { [a]: 'one\r\ntwo\r\n' }, ledger: ledgerAfter([file(a, 'one\ntwo\n')]) };
    expect(shortFiles(run([file(a, 'one\ntwo\n')], scene))).toEqual([`keep ${a}`]);
    const replaced = run([file(a, 'one\r\nthree\n')], scene)[0];
    expect(replaced).toMatchObject({ op: 'replace', text: 'one\nthree\n' });
  });

  it('P11 `reconcile` replaces a file whose text is what it wrote', () => {
    const ops = run([now], { disk: { [a]: 'old\n' }, ledger: ledgerAfter([old]) });
    expect(short(ops)).toEqual([`replace ${a}`, `replace ${ledgerPath}`]);
    expect(ops[0]).toMatchObject({ text: 'new\n', seen: hashText('old\n') });
  });

  it('P11 `reconcile` refuses an edited file and remembers what it was', () => {
    const scene = { disk: { [a]: 'mine\n' }, ledger: ledgerAfter([old]) };
    const ops = run([now], scene);
    expect(short(ops)).toEqual([`refuse ${a} generate/edited`, `keep ${ledgerPath}`]);
    expect(diagnosticsOf(ops)).toMatchObject([{ severity: 'error', file: a, line: 1 }]);
    expect(ops.some(isChange)).toBe(true);
    expect(shortFiles(run([old], scene))).toEqual([`refuse ${a} generate/edited`]);
  });

  it('P11 `reconcile` refuses a file that it never wrote', () => {
    expect(short(run([now], { disk: { [a]: 'mine\n' } }))).toEqual([
      `refuse ${a} generate/foreign`,
      `create ${ledgerPath}`,
    ]);
    expect(ledgerAfter([])).toBe('{}\n');
  });

  it('P11 `reconcile` replaces edited and foreign files with force, and remembers them', () => {
    for (const ledger of ['{}\n', ledgerAfter([old])]) {
      const ops = run([now], { disk: { [a]: 'mine\n' }, ledger }, { force: true });
      expect(short(ops)).toEqual([`replace ${a}`, `replace ${ledgerPath}`]);
      expect(ops[0]).toMatchObject({ seen: hashText('mine\n') });
      expect(ops[1]).toMatchObject({ text: ledgerAfter([now]) });
    }
  });

  it('P11 `reconcile` replaces empty files and files in conflict', () => {
    const wreck: DiskEntry = { type: 'file', hash: hashText(''), isWreck: true };
    expect(shortFiles(run([now], { disk: { [a]: wreck } }))).toEqual([`replace ${a}`]);
  });

  it('P11 `reconcile` refuses what is not a file, even with force, and does not forget it', () => {
    const problem: DiskEntry = { type: 'problem', diagnostic: diagnose('read/not-a-file', { path: a }, startOf(a)) };
    const scene = { disk: { [a]: problem }, ledger: ledgerAfter([old]) };
    expect(short(run([now], scene, { force: true }))).toEqual([`refuse ${a} read/not-a-file`, `keep ${ledgerPath}`]);
  });

  it('P11 `reconcile` refuses files outside the pack, at their source', () => {
    for (const path of ['../x.js', '/x.js', 'generated/../../x.js', 'C:/x.js', './x.js', '', 'generated\\x.js']) {
      const ops = run([file(path, 'x', { sources: ['mcp/tools/x.yaml'], role: 'stub' })], {});
      expect(ops[0]).toMatchObject({
        op: 'refuse',
        diagnostic: { code: 'resolve/path-escape', file: 'mcp/tools/x.yaml' },
      });
      expect(ops.at(-1)).toMatchObject({ text: '{}\n' });
    }
  });

  it('P11 `reconcile` throws on what only a bug can cause', () => {
    expect(() => run([old, now], {})).toThrow('two files');
    expect(() => run([file('src/a.js', '')], {})).toThrow('src/a.js');
  });
});

describe('`reconcile` of stubs', () => {
  const path = 'src/tools/a.ts';

  it('P12 `reconcile` creates an absent stub and records it', () => {
    const ops = run([stub(path, 'text')], {});
    expect(short(ops)).toEqual([`create ${path}`, `create ${ledgerPath}`]);
    const line = `{"stub":"${hashText('text')}","inputs":"from-text"}`;
    expect(ops.at(-1)).toMatchObject({
      text: `{\n  "toolwright": {"version":"${version}"},\n  "${path}": ${line}\n}\n`,
    });
  });

  it('P12 `reconcile` keeps a stub that is a link unread and unrendered, even with force', () => {
    for (const force of [false, true]) {
      const ops = run([unrendered(path, '', 'stub')], { disk: { [path]: { type: 'file' } } }, { force });
      expect(shortFiles(ops)).toEqual([`keep ${path}`]);
      expect(ops.at(-1)).toMatchObject({
        text: `{\n  "toolwright": {"version":"${version}"},\n  "${path}": {"stub":true}\n}\n`,
      });
    }
  });

  it('P12 Q3 `reconcile` keeps an edited stub, even with force, and renders it once for each change of its inputs', () => {
    const written = ledgerAfter([stub(path, 'one')]);
    const disk = { [path]: 'mine' };
    const same = run([unrendered(path, 'from-one', 'stub')], { disk, ledger: written }, { force: true });
    expect(short(same)).toEqual([`keep ${path}`, `keep ${ledgerPath}`]);
    const next = run([stub(path, 'two')], { disk, ledger: written }, { force: true });
    expect(short(next)).toEqual([`keep ${path}`, `replace ${ledgerPath}`]);
    expect(next.some(isChange)).toBe(false);
    const ledger = ledgerAfter([stub(path, 'two')]);
    expect(next.at(-1)).toMatchObject({ text: ledger });
    expect(isCurrent(unrendered(path, 'from-two', 'stub'), snapshot({ disk, ledger }))).toBe(true);
  });

  it('Q3 `reconcile` replaces a stub that is as it was written, which `--check` takes for a change', () => {
    const scene = { disk: { [path]: 'one' }, ledger: ledgerAfter([stub(path, 'one')]) };
    const ops = run([stub(path, 'two')], scene);
    expect(short(ops)).toEqual([`replace ${path}`, `replace ${ledgerPath}`]);
    expect(ops[0]).toMatchObject({ text: 'two', seen: hashText('one') });
    expect(ops[0] !== undefined && isChange(ops[0])).toBe(true);
  });

  it('Q3 `reconcile` knows a stub by either side of a ledger with a merge conflict', () => {
    const lines = [ledgerAfter([stub(path, 'one')]), ledgerAfter([stub(path, 'two')])].map(text =>
      text.split('\n').at(-3),
    );
    const ledger = `{\n<<<<<<< ours\n${lines[0]}\n=======\n${lines[1]}\n>>>>>>> theirs\n}\n`;
    for (const disk of ['one', 'two']) {
      expect(shortFiles(run([stub(path, 'three')], { disk: { [path]: disk }, ledger }))).toEqual([`replace ${path}`]);
      expect(shortFiles(run([], { disk: { [path]: disk }, ledger }))).toEqual([`delete ${path}`]);
    }
    expect(shortFiles(run([stub(path, 'three')], { disk: { [path]: 'mine' }, ledger }))).toEqual([`keep ${path}`]);
  });

  it('Q3 `reconcile` deletes an untouched stub whose item is gone, but not under another spelling', () => {
    const ledger = ledgerAfter([stub(path, 'one')]);
    expect(shortFiles(run([], { disk: { [path]: 'one' }, ledger }))).toEqual([`delete ${path}`]);
    const spelled = { type: 'file', hash: hashText('one'), spelled: 'src/tools/A.ts' } as const;
    expect(shortFiles(run([], { disk: { [path]: spelled }, ledger }))).toEqual([`keep ${path} generate/leftover-stub`]);
  });

  it('Q3 `reconcile` takes nothing but modules for stubs of its own, whatever the ledger says', () => {
    for (const other of ['package.json', '.env', 'mcp/tools/a.yaml']) {
      const ledger = `{"${other}": {"stub":"${hashText('x')}","inputs":"i"}}`;
      expect(shortFiles(run([], { disk: { [other]: 'x' }, ledger }))).toEqual([`keep ${other} generate/leftover-stub`]);
    }
  });

  it('P15 `reconcile` warns each time about an edited stub whose item is gone, and never deletes it', () => {
    const scene = { disk: { [path]: 'mine' }, ledger: ledgerAfter([stub(path, '')]) };
    const ops = run([], scene, { force: true });
    expect(short(ops)).toEqual([`keep ${path} generate/leftover-stub`, `keep ${ledgerPath}`]);
    expect(diagnosticsOf(ops)).toMatchObject([{ severity: 'warning', file: path }]);
    expect(ops.some(isChange)).toBe(false);
  });

  it('P15 `reconcile` forgets a stub once the author has deleted it', () => {
    const ops = run([], { ledger: ledgerAfter([stub(path, '')]) });
    expect(ops).toMatchObject([{ op: 'replace', role: 'ledger', text: '{}\n' }]);
  });
});

describe('`reconcile` of leftovers', () => {
  it('P11 `reconcile` deletes an unedited file that nothing names any more', () => {
    const ops = run([], { disk: { [a]: 'old\n' }, ledger: ledgerAfter([old]) });
    expect(short(ops)).toEqual([`delete ${a}`, `replace ${ledgerPath}`]);
    expect(ops.at(-1)).toMatchObject({ text: '{}\n' });
  });

  it('P11 `reconcile` keeps an edited leftover with a warning and forgets it, even with force', () => {
    const ops = run([], { disk: { [a]: 'mine\n' }, ledger: ledgerAfter([old]) }, { force: true });
    expect(short(ops)).toEqual([`refuse ${a} generate/edited-leftover`, `replace ${ledgerPath}`]);
    expect(ops.at(-1)).toMatchObject({ text: '{}\n' });
    expect(diagnosticsOf(ops)).toMatchObject([{ severity: 'warning' }]);
  });

  it('P11 `reconcile` ignores entries of a ledger that point out of the generated folder', () => {
    const entry = `{"hash":"${hashText('x')}","inputs":"i"}`;
    const paths = [
      'src/mine.ts',
      '../x',
      '/etc/x',
      'generated/../src/mine.ts',
      'generatedx/a',
      ledgerPath,
      '__proto__',
    ];
    const ledger = `{${paths.map(path => `${JSON.stringify(path)}: ${entry}`).join(',')}}`;
    const ops = run([], { disk: Object.fromEntries(paths.map(path => [path, 'x'])), ledger });
    expect(short(ops)).toEqual([`replace ${ledgerPath}`]);
  });

  it('P11 `reconcile` deletes temporary files of killed runs without failing a check', () => {
    const stray = 'generated/.toolwright-1-2.tmp';
    const ops = run([old], { disk: { [a]: 'old\n' }, ledger: ledgerAfter([old]), strays: [stray] });
    expect(short(ops)).toEqual([`delete ${stray}`, `keep ${a}`, `keep ${ledgerPath}`]);
    expect(ops.some(isChange)).toBe(false);
  });

  it('P11 `reconcile` moves a file to a name that differs in case on a disk that ignores case', () => {
    const [before, after] = ['generated/tools/Get.js', 'generated/tools/get.js'];
    const found = { type: 'file', hash: hashText('old\n') } as const;
    const disk = { [before]: found, [after]: { ...found, spelled: before } };
    const ops = run([file(after, 'old\n')], { disk, ledger: ledgerAfter([file(before, 'old\n')]) });
    expect(shortFiles(ops)).toEqual([`delete ${before}`, `create ${after}`]);
  });
});

describe('the ledger', () => {
  const b = file('generated/b.js', 'b\n');

  it('P11 the ledger is sorted, has one line per path, and is the same for shuffled files', () => {
    const many = Array.from({ length: 200 }, (_, index) => file(`generated/tools/t${index}.js`, `${index}`));
    const paths = ['generated/ü b.js', 'generated/Z.js', 'generated/__proto__', 'generated/constructor'];
    const all = [...many, ...paths.map(path => file(path, path)), stub('src/x.ts', '')];
    const text = ledgerAfter(all);
    for (let round = 1; round < 6; round++) {
      const order = (path: string): string => hashText(`${round} ${path}`);
      const shuffled = [...all].sort((x, y) => (order(x.path) < order(y.path) ? -1 : 1));
      expect(shuffled).not.toEqual(all);
      expect(ledgerAfter(shuffled)).toBe(text);
    }
    const lines = text.split('\n').slice(2, -2);
    expect(lines).toHaveLength(all.length);
    expect(Object.keys(JSON.parse(text)).slice(1)).toEqual(all.map(({ path }) => path).sort());
    expect([...parseLedgers([text], 'generated').keys()].sort()).toEqual(all.map(({ path }) => path).sort());
  });

  it('P11 a ledger with conflict markers of git still knows both sides', () => {
    const [ours, theirs] = [ledgerAfter([old, b]), ledgerAfter([file(a, 'their\n'), b])];
    const side = (text: string): string => text.split('\n')[2] ?? '';
    const ledger = `{\n<<<<<<< HEAD\n${side(ours)}\n=======\n${side(theirs)}\n>>>>>>> other\n${ours.split('\n')[3]}\n}\n`;
    for (const text of ['old\n', 'their\n']) {
      expect(shortFiles(run([now, b], { disk: { [a]: text, 'generated/b.js': 'b\n' }, ledger }))).toEqual([
        `replace ${a}`,
        'keep generated/b.js',
      ]);
    }
    expect(shortFiles(run([now], { disk: { [a]: 'mine\n' }, ledger }))).toEqual([`refuse ${a} generate/edited`]);
    expect(run([now, b], { ledger }).at(-1)).toMatchObject({ text: ledgerAfter([now, b]) });
  });

  it('P11 a ledger that only remembers other inputs is not a change for a check', () => {
    const ops = run([file(a, 'old\n', { inputs: 'v2' })], { disk: { [a]: 'old\n' }, ledger: ledgerAfter([old]) });
    expect(ops.at(-1)).toMatchObject({ op: 'replace', isMinor: true });
    expect(ops.some(isChange)).toBe(false);
    const lost = run([old, b], { disk: { [a]: 'old\n', 'generated/b.js': 'b\n' }, ledger: ledgerAfter([old]) });
    expect(lost.filter(isChange)).toMatchObject([{ op: 'replace', role: 'ledger' }]);
  });

  it('P11 the ledger and the journal of a killed run both say what is ours', () => {
    const journal = printLedger(new Map([[a, { role: 'generated', hash: hashText('half\n'), inputs: 'h' }]]));
    for (const text of ['old\n', 'half\n']) {
      const ops = run([now], { disk: { [a]: text }, ledger: ledgerAfter([old]), journal });
      expect(short(ops)).toEqual([
        `replace ${a}`,
        `delete ${bookkeepingOf('generated').journal}`,
        `replace ${ledgerPath}`,
      ]);
    }
    expect(shortFiles(run([unrendered(a, 'h')], { disk: { [a]: 'half\n' }, journal }))[0]).toBe(`keep ${a}`);
    expect(shortFiles(run([], { disk: { [a]: 'half\n' }, journal }))[0]).toBe(`delete ${a}`);
  });

  it('P11 the ledger stores long inputs as a hash and short ones as they are', () => {
    expect(inputsKey('abc-1.2')).toBe('abc-1.2');
    expect(inputsKey('x'.repeat(1000))).toMatch(/^[0-9a-f]{32}$/);
    expect(inputsKey('')).toMatch(/^[0-9a-f]{32}$/);
  });

  it('P11 `hashText` distinguishes bytes that are not UTF-8', () => {
    const text = hashText(Buffer.from([0x61, 0xff, 0x0d, 0x0a]));
    expect(text).toBe(hashText(Buffer.from([0x61, 0xff, 0x0a])));
    expect(text).not.toBe(hashText(Buffer.from([0x61, 0xfe, 0x0a])));
    expect(hashText('ü\r\n')).toBe(hashText(Buffer.from('ü\n')));
  });

  it('P11 the ledger may be at the top of the pack', () => {
    expect(bookkeepingOf('').ledger).toBe('.toolwright.json');
  });
});
