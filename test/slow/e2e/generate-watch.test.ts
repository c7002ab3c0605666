// `toolwright generate --watch` in a real process: one line per change, the right files, and a clean end.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';

const command = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

interface Watch {
  readonly pack: string;
  /** Writes files and waits for the line that the change gives; all that was printed for it. */
  change(files: Readonly<Record<string, string | undefined>>): Promise<string>;
  /** Does something else and waits for its line. */
  after(act: () => void): Promise<string>;
  read(path: string): string;
  /** Everything printed so far that nobody waited for. */
  rest(): string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const running: Watch[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The last line of what one run prints. */
const statusLine = /^(?:ok|failed:) .*\(\d+ ms\)\n/m;

async function start(files: Readonly<Record<string, string>>): Promise<{ watch: Watch; first: string }> {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'toolwright watch é-')));
  folders.push(folder);
  const pack = join(folder, 'my pack');
  const write = (path: string, text: string | undefined): void => {
    mkdirSync(dirname(join(pack, path)), { recursive: true });
    if (text === undefined) rmSync(join(pack, path));
    else writeFileSync(join(pack, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [command, 'generate', '--watch'], {
    cwd: pack,
    env: { ...process.env, NO_COLOR: '1', TOOLWRIGHT_CACHE: join(folder, 'cache') },
  });
  let printed = '';
  let errors = '';
  let wake = (): void => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
    wake();
  });
  const ended = new Promise<number | null>(resolve => {
    child.on('exit', code => {
      resolve(code);
      wake();
    });
  });
  const until = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) {
      if (child.exitCode !== null) throw new Error(`the watch ended with ${child.exitCode}:\n${printed}${errors}`);
      await new Promise<void>(resolve => {
        wake = resolve;
      });
    }
  };
  const nextRun = async (): Promise<string> => {
    await until(() => statusLine.test(printed));
    const { index = 0, 0: line = '' } = statusLine.exec(printed) ?? {};
    const text = printed.slice(0, index + line.length);
    printed = printed.slice(index + line.length);
    return text;
  };
  const after: Watch['after'] = act => {
    act();
    return nextRun();
  };
  const watch: Watch = {
    pack,
    after,
    change: changed =>
      after(() => {
        for (const [path, text] of Object.entries(changed)) write(path, text);
      }),
    read: path => readFileSync(join(pack, path), 'utf8'),
    rest: () => printed,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
  running.push(watch);
  const first = await nextRun();
  await until(() => errors.includes('watching'));
  return { watch, first };
}

const base = {
  'package.json': '{ "type": "module" }\n',
  'tsconfig.json': '{ "compilerOptions": { "module": "nodenext" } }\n',
  'toolwright.yaml': 'config: { TOKEN: { type: string } }\n',
  'mcp/tools/a.yaml': 'description: { file: docs/a.md }\ninputSchema: { file: schemas/a.json }\n',
  'mcp/tools/b.yaml': 'description: B.\nparameters: { x: string }\n',
  'docs/a.md': 'The first text.\n',
  'schemas/a.json': '{ "type": "object", "properties": { "y": { "type": "string" } } }\n',
};

describe('`toolwright generate --watch`', () => {
  it('P10 `generate --watch` notices every input, direct or not, and prints one line with what was done and why', async () => {
    const { watch, first } = await start(base);
    expect(first).toMatch(
      /^ok create src\/tools\/a\.ts, create src\/tools\/b\.ts, create generated\/.*, and \d+ more \(\d+ ms\)\n$/,
    );
    expect(existsSync(join(watch.pack, 'src/tools/a.ts'))).toBe(true);

    const manifest = await watch.change({ 'mcp/tools/b.yaml': 'description: B.\nparameters: { x: integer }\n' });
    expect(manifest).toMatch(
      /^ok replace generated\/tools\.d\.ts, .*tools\/b\.mjs <- mcp\/tools\/b\.yaml \(\d+ ms\)\n$/,
    );
    expect(watch.read('generated/tools.d.ts')).toContain('readonly x: number;');

    expect(await watch.change({ 'docs/a.md': 'The second text.\n' })).toMatch(
      /^ok replace src\/tools\/a\.ts, .* <- docs\/a\.md /,
    );
    expect(watch.read('generated/tools.d.ts')).toContain('The second text.');

    const schema = '{ "type": "object", "properties": { "z": { "type": "boolean" } } }\n';
    expect(await watch.change({ 'schemas/a.json': schema })).toMatch(/^ok replace .* <- schemas\/a\.json /);
    expect(watch.read('generated/tools.d.ts')).toContain('readonly z?: boolean | undefined;');

    const pack = await watch.change({ 'toolwright.yaml': 'config: { OTHER: { type: integer, default: 1 } }\n' });
    expect(pack).toMatch(/^ok replace generated\/config\.d\.ts, .* <- toolwright\.yaml /);
    expect(watch.read('generated/config.d.ts')).toContain('readonly OTHER: number;');

    // It decides how the next handler is written.
    const options = '{ "compilerOptions": { "module": "nodenext", "noUnusedParameters": true } }\n';
    expect(await watch.change({ 'tsconfig.json': options })).toMatch(
      /^ok replace src\/tools\/a\.ts, replace src\/tools\/b\.ts <- tsconfig\.json /,
    );
    expect(await watch.change({ 'mcp/tools/c.yaml': 'description: C.\nparameters: { x: string }\n' })).toMatch(
      /^ok .* <- mcp\/tools\/c\.yaml /,
    );
    expect(watch.read('src/tools/c.ts')).toContain('(async (_args, ctx) =>');

    // An edited handler stays, one that nobody touched goes with its item.
    expect(await watch.change({ 'mcp/tools/c.yaml': undefined })).toMatch(/^ok delete src\/tools\/c\.ts, /);
    const edited = `${watch.read('src/tools/b.ts')}// mine\n`;
    const gone = await watch.change({ 'src/tools/b.ts': edited, 'mcp/tools/b.yaml': undefined });
    expect(gone).toMatch(/\[generate\/(orphan-stub|leftover-stub)\]/);
    // Whichever of the two changes is noticed first.
    expect(gone).toMatch(/^ok .* <- .*(?:mcp\/tools\/b\.yaml|src\/tools\/b\.ts)/m);
    expect(existsSync(join(watch.pack, 'generated/tools/b.mjs'))).toBe(false);
    expect(existsSync(join(watch.pack, 'src/tools/b.ts'))).toBe(true);

    expect(await watch.stop()).toBe(0);
    // The other of the two changes, if it came too late for the same run.
    expect(watch.rest()).toMatch(/^(?:[\s\S]*\[generate\/orphan-stub\][\s\S]*\nok \d+ kept <- .*\n)?$/);
  });

  it('P10 `generate --watch` notices an atomic save and a new folder of files', async () => {
    const { watch } = await start(base);
    const saved = await watch.after(() => {
      const path = join(watch.pack, 'mcp/tools/b.yaml');
      writeFileSync(`${path}.tmp`, 'description: Saved.\n');
      renameSync(`${path}.tmp`, path);
    });
    expect(saved).toMatch(/^ok replace .* <- mcp\/tools\/b\.yaml \(/);
    expect(watch.read('generated/tools.d.ts')).toContain('Saved.');

    const added = await watch.change({ 'mcp/prompts/p.yaml': 'description: P.\ntype: handler\n' });
    expect(added).toMatch(/^ok .* <- mcp\/prompts\/p\.yaml \(/);
    expect(watch.read('src/prompts/p.ts')).toContain('prompts.p(');
    expect(await watch.stop('SIGINT')).toBe(0);
    expect(watch.rest()).toBe('');
  });

  it('P10 `generate --watch` keeps watching a folder that another one replaces', async () => {
    const { watch } = await start(base);
    for (const round of [1, 2, 3]) {
      const now = join(watch.pack, 'mcp');
      const other = join(watch.pack, `../other${round}`);
      cpSync(now, other, { recursive: true });
      writeFileSync(join(other, 'tools/b.yaml'), `description: Replaced ${round}.\n`);
      // Of the burst of events the watcher may see all, some or none.
      renameSync(now, join(watch.pack, `../old${round}`));
      renameSync(other, now);
      await vi.waitFor(() => expect(watch.read('generated/tools.d.ts')).toContain(`Replaced ${round}.`), 20_000);
      await sleep(1000);
      writeFileSync(join(watch.pack, 'mcp/tools/b.yaml'), `description: Edited ${round}.\n`);
      await vi.waitFor(() => expect(watch.read('generated/tools.d.ts')).toContain(`Edited ${round}.`), 20_000);
    }
    expect(await watch.stop()).toBe(0);
  });

  it('P10 `generate --watch` notices when a file of a replaced folder disappears', async () => {
    const { watch } = await start(base);
    const now = join(watch.pack, 'mcp');
    for (const round of [1, 2]) {
      const other = join(watch.pack, `../other${round}`);
      cpSync(now, other, { recursive: true });
      writeFileSync(join(other, 'tools/c.yaml'), `description: Came ${round}.\n`);
      renameSync(now, join(watch.pack, `../old${round}`));
      renameSync(other, now);
      await vi.waitFor(() => expect(watch.read('generated/tools.d.ts')).toContain(`Came ${round}.`), 20_000);
      await sleep(1000);
      rmSync(join(now, 'tools/c.yaml'));
      await vi.waitFor(() => expect(watch.read('generated/tools.d.ts')).not.toContain('Came'), 5000);
    }
    expect(await watch.stop()).toBe(0);
  });

  it('P10 `generate --watch` notices a file that is missing in a replaced folder, and ignores one that is only touched', async () => {
    const { watch } = await start({ ...base, 'mcp/tools/c.yaml': 'description: Going.\n' });
    const now = join(watch.pack, 'mcp');
    const gone = await watch.after(() => {
      const other = join(watch.pack, '../other');
      cpSync(now, other, { recursive: true });
      rmSync(join(other, 'tools/c.yaml'));
      renameSync(now, join(watch.pack, '../old'));
      renameSync(other, now);
    });
    expect(gone).toMatch(/^ok delete src\/tools\/c\.ts, /);
    expect(existsSync(join(watch.pack, 'src/tools/c.ts'))).toBe(false);
    expect(watch.read('generated/tools.d.ts')).not.toContain('Going.');
    await sleep(1000);
    const path = join(now, 'tools/b.yaml');
    writeFileSync(path, readFileSync(path));
    const edited = await watch.change({ 'mcp/tools/a.yaml': 'description: Edited.\n' });
    expect(edited).toMatch(/ <- mcp\/tools\/a\.yaml \(/);
    expect(await watch.stop()).toBe(0);
  });

  it('P10 `generate --watch` reports a broken manifest, keeps the last files and recovers when it is fixed', async () => {
    const { watch } = await start(base);
    const before = watch.read('generated/tools.d.ts');
    const broken = await watch.change({ 'mcp/tools/b.yaml': 'description: [\n' });
    expect(broken).toContain('[parse/yaml]');
    expect(broken).toMatch(/^failed: 1 error <- mcp\/tools\/b\.yaml /m);
    expect(watch.read('generated/tools.d.ts')).toBe(before);

    const mended = await watch.change({ 'mcp/tools/b.yaml': 'description: Mended.\n' });
    expect(mended).toMatch(/^ok replace .* <- mcp\/tools\/b\.yaml /);
    expect(watch.read('generated/tools.d.ts')).toContain('Mended.');

    const gone = await watch.change({ 'toolwright.yaml': undefined });
    expect(gone).toContain('[discover/no-manifest]');
    expect(await watch.change({ 'toolwright.yaml': '' })).toMatch(/^ok replace generated\/config\.d\.ts/);
    expect(await watch.stop()).toBe(0);
  });

  it('P15 `generate --watch` reports a mistake in a handler and its end, and ignores plain edits', async () => {
    const { watch } = await start(base);
    const wrong = await watch.change({ 'src/tools/b.ts': 'export const something = 1;\n' });
    expect(wrong).toContain('[generate/missing-export]');
    expect(wrong).toMatch(/^failed: 1 error <- src\/tools\/b\.ts /m);
    const mended = await watch.change({ 'src/tools/b.ts': 'export default () => 1;\n' });
    expect(mended).toMatch(/^ok \d+ kept <- src\/tools\/b\.ts /);
    // Counted as generate does: without the ledger.
    const { stdout } = spawnSync(process.execPath, [command, 'generate'], { cwd: watch.pack, encoding: 'utf8' });
    const [, count = ''] = /\((\d+) files\)/.exec(stdout) ?? [];
    expect(mended).toContain(`ok ${count} kept <-`);
    // The next line is that of the manifest: edits that change nothing, and what a compiler writes, give none.
    const next = await watch.change({
      'src/tools/b.ts': 'export default () => 2;\n',
      'dist/tools/b.js.map': '{}',
      'mcp/tools/b.yaml': 'description: Changed.\n',
    });
    expect(next).toMatch(/^ok replace .* <- mcp\/tools\/b\.yaml, src\/tools\/b\.ts /);
    writeFileSync(join(watch.pack, 'dist/tools/b.js.map'), '{ }');
    writeFileSync(join(watch.pack, 'src/tools/b.ts'), 'export default () => 3;\n');
    expect(await watch.change({ 'docs/a.md': 'Another.\n' })).toMatch(/^ok replace .* <- docs\/a\.md/);
    expect(watch.rest()).toBe('');
    expect(await watch.stop()).toBe(0);
  });

  it('P16 `generate --watch` ignores the JavaScript stubs that it writes', async () => {
    const { 'tsconfig.json': _, ...files } = base;
    const { watch } = await start(files);
    expect(watch.read('src/tools/b.js')).toContain('@type');
    const added = await watch.change({ 'mcp/prompts/p.yaml': 'description: P.\ntype: handler\n' });
    expect(added).toMatch(/ <- mcp\/prompts\/p\.yaml /);
    const changed = await watch.change({ 'mcp/tools/b.yaml': 'description: Changed.\n' });
    expect(changed).toMatch(/^ok replace .* <- mcp\/tools\/b\.yaml \(\d+ ms\)\n$/);
    expect(await watch.stop()).toBe(0);
    expect(watch.rest()).toBe('');
  });
});
