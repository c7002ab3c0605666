// Folders in which tests write packs with the built command, as people do: real processes, paths with spaces and Unicode.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openCommands, type Ran } from '../harness/commands.js';
import { readTree, writeFiles } from '../harness/files.js';

const root = join(import.meta.dirname, '../..');
export const command = join(root, 'dist/cli/main.js');

export interface AuthorWorld {
  readonly folder: string;
  /** Writes files into a new folder, and says where it is. */
  make(files: Readonly<Record<string, string>>): string;
  run(cwd: string, ...args: readonly string[]): Ran;
  remove(): void;
}

export function makeAuthorWorld(): AuthorWorld {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright author ünï-'));
  const commands = openCommands();
  let count = 0;
  return {
    folder,
    make(files) {
      count += 1;
      const path = join(folder, `päck ${count}`);
      mkdirSync(path);
      writeFiles(path, files);
      return path;
    },
    run: (cwd, ...args) => commands.runSync(args, { cwd, env: environment(folder) }),
    remove() {
      rmSync(folder, { recursive: true, force: true });
      commands.close();
    },
  };
}

function environment(home: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([key]) => !/^(npm_|NODE_OPTIONS$|VITEST|TOOLWRIGHT)/i.test(key),
  );
  return {
    ...Object.fromEntries(inherited),
    TOOLWRIGHT_CACHE: join(home, 'cache'),
    TOOLWRIGHT_NO_INSTALL: '1',
    NO_COLOR: '1',
  };
}

/** What `npm install` would do for a pack that asks for this package and for a compiler, without its downloads. */
export function linkDependencies(pack: string): void {
  const modules = join(pack, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  mkdirSync(join(modules, '@types'));
  symlinkSync(root, join(modules, 'toolwright'));
  symlinkSync(command, join(modules, '.bin/toolwright'));
  for (const name of ['typescript', '@types/node']) symlinkSync(join(root, 'node_modules', name), join(modules, name));
}

/** Runs the commands of a script of package.json and of what comes before it, as npm does, without npm and its shell. */
export function runScript(pack: string, script: string, world: AuthorWorld): Ran {
  const { scripts } = JSON.parse(readFileSync(join(pack, 'package.json'), 'utf8'));
  const lines = [scripts[`pre${script}`], scripts[script]].filter(line => line !== undefined).join(' && ');
  let last: Ran = { status: null, stdout: '', stderr: `there is no script "${script}"` };
  for (const line of lines.split(' && ')) {
    const [program, ...words] = line.split(' ');
    if (program !== 'toolwright') return { ...last, stderr: `what is ${line}?` };
    last = world.run(pack, ...words);
    if (last.status !== 0) return last;
  }
  return last;
}

/** Runs a script of package.json with a real npm. */
export function npmRun(pack: string, script: string, world: AuthorWorld): Ran {
  return npm(['run', '--silent', script], pack, world);
}

/** Makes the package that would be published, scripts included. */
export function npmPack(pack: string, world: AuthorWorld): Ran {
  return npm(['pack', '--silent'], pack, world);
}

function npm(args: readonly string[], cwd: string, world: AuthorWorld): Ran {
  const beside = join(dirname(process.execPath), 'npm');
  const program = existsSync(beside) ? beside : 'npm';
  return spawnSync(program, args, { cwd, env: environment(world.folder), encoding: 'utf8', input: '' });
}

/** Every file by its path, without those of the compiler and of npm. */
export function filesOf(folder: string, ...skipped: readonly string[]): Readonly<Record<string, string>> {
  const all = Object.entries(readTree(folder));
  return Object.fromEntries(all.filter(([path]) => !skipped.some(one => path.startsWith(`${one}/`))));
}
