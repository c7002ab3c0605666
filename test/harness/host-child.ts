// Runs hosts of packs in processes of their own: what Node's loader does cannot be seen through the loader of a test runner.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { writeFiles } from './files.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the code of a test sees beside `pack`, its folder. */
const driver = `
export { load } from './runtime/load/load.js';
export { createPackHost } from './runtime/call/handlers/pack-host.js';
export { HandlerProblem } from './runtime/call/handler-problem.js';
export { hooksAreRegistered } from './runtime/call/handlers/register-hooks.js';
import { load } from './runtime/load/load.js';
import { createPackHost } from './runtime/call/handlers/pack-host.js';
export function open(pack, options = {}) {
  const loaded = load(pack);
  const reports = [];
  const report = text => reports.push(text);
  const opened = createPackHost(loaded.program, { env: {}, report, catalog: loaded.catalog, ...options });
  return { ...loaded, ...opened, reports };
}
/** What a promise comes to, as data. */
export async function outcome(promise) {
  try {
    return { value: await promise };
  } catch (error) {
    const { name, message, code, hint, diagnostic, text, stack, cause } = error;
    return { name, message, code, hint, text, stack, cause: cause?.message, at: diagnostic && [diagnostic.file, diagnostic.line, diagnostic.column].join(':') };
  }
}
`;

export interface HostBench {
  readonly folder: string;
  /** Writes a pack and returns its folder; names may lead into node_modules. */
  pack(name: string, files: Readonly<Record<string, string>>): string;
  /**
   * Runs code in a new process and returns what it passes to \`print\`. In scope: \`pack\`, \`open\`, \`outcome\`, \`print\`.
   */
  run(pack: string, code: string, flags?: readonly string[]): unknown;
  remove(): void;
}

/** Builds this package as it is published, into a folder where its dependencies are found. */
export async function openHostBench(name: string): Promise<HostBench> {
  const copy = join(root, 'node_modules/.cache/toolwright', `${name}-${process.pid}`);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright höst ')));
  mkdirSync(join(copy, 'dist'), { recursive: true });
  copyFileSync(join(root, 'package.json'), join(copy, 'package.json'));
  await build({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    splitting: true,
    stdin: { contents: driver, resolveDir: root, sourcefile: 'driver.js' },
    outdir: join(copy, 'dist/driver'),
    chunkNames: '[name]-[hash]',
    logLevel: 'warning',
  });
  await build({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    // As deep as scripts/build.mjs puts them.
    entryPoints: {
      'runtime/typescript-loader': 'runtime/call/handlers/typescript-loader.ts',
      'schema/support': 'schema/support.ts',
      'runtime/index': 'runtime/index.ts',
    },
    outdir: join(copy, 'dist'),
    logLevel: 'warning',
  });
  const entry = pathToFileURL(join(copy, 'dist/driver/stdin.js')).href;
  return {
    folder,
    pack(inside, files) {
      const path = join(folder, inside);
      writeFiles(path, { 'toolwright.yaml': '', ...files });
      return path;
    },
    run(pack, code, flags = []) {
      const script = join(folder, `run-${Math.random().toString(36).slice(2)}.mjs`);
      const head = `import { open, outcome, load, createPackHost, HandlerProblem, hooksAreRegistered } from ${JSON.stringify(entry)};
const pack = ${JSON.stringify(pack)};
const print = value => process.stdout.write(JSON.stringify(value) + '\\n');
`;
      writeFileSync(script, head + code);
      const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, script], {
        encoding: 'utf8',
        cwd: tmpdir(),
      });
      if (status !== 0) throw new Error(`exit ${status}\n${stdout}\n${stderr}`);
      const lines = stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as unknown);
      return lines.length === 1 ? lines[0] : lines;
    },
    remove() {
      rmSync(copy, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
