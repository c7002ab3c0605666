// A5. In: the name of a package manager, and the folder it is to run in. Out: the user's own one, by its absolute path. A pack must never
// say which program that is: npx and npm scripts put node_modules/.bin first on PATH, and Windows looks into the working folder.
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { readUtf8 } from '../../runtime/load/read-file.js';
import { isMap } from '../../schema/document.js';

export type ProgramName = 'npm' | 'npx' | 'pnpm' | 'yarn' | 'bun';

/** Words to spawn, without any lookup of names. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** A script of Windows, which only its shell runs. */
  readonly isScript?: boolean;
}

/** As much of a machine as decides. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly execPath: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether it is a file that can be run. */
  isProgram(path: string): boolean;
  /** The `name` of a package.json; undefined where there is none. */
  packageName(file: string): string | undefined;
  realPath(path: string): string;
}

/** Where the packages of managers have their programs: behind a .cmd of Windows there is nothing else. */
const entries: Readonly<Partial<Record<ProgramName, string>>> = {
  npm: 'npm/bin/npm-cli.js',
  npx: 'npm/bin/npx-cli.js',
  pnpm: 'pnpm/bin/pnpm.cjs',
  yarn: 'yarn/bin/yarn.js',
};

/**
 * Undefined where the user has none.
 *
 * @example findProgram('npm', process.cwd()) // { file: '/usr/bin/node', args: ['/usr/lib/node_modules/npm/bin/npm-cli.js'] }
 */
export function findProgram(name: ProgramName, cwd: string, machine: Machine = thisMachine): Program | undefined {
  const { execPath, isProgram, platform } = machine;
  const path = pathsOf(machine);
  const byNode = (script: string): Program => ({ file: execPath, args: [script] });
  if (name === 'npm' || name === 'npx') {
    const around = npmAround(cwd, machine);
    const beside = ['node_modules', '../lib/node_modules'].map(way => path.join(path.dirname(execPath), way, 'npm'));
    for (const folder of around === undefined ? beside : [around, ...beside]) {
      const script = path.join(folder, 'bin', `${name}-cli.js`);
      if (isProgram(script)) return byNode(script);
    }
  }
  for (const folder of safeFolders(cwd, machine)) {
    if (platform !== 'win32') {
      const file = path.join(folder, name);
      if (isProgram(file)) return { file, args: [] };
      continue;
    }
    const [program, script] = ['exe', 'cmd'].map(extension => path.join(folder, `${name}.${extension}`));
    if (program !== undefined && isProgram(program)) return { file: program, args: [] };
    if (script === undefined || !isProgram(script)) continue;
    const entry = entries[name];
    const behind = entry === undefined ? undefined : path.join(folder, 'node_modules', entry);
    return behind !== undefined && isProgram(behind) ? byNode(behind) : { file: script, args: [], isScript: true };
  }
  return undefined;
}

/** The environment for such a program: what it starts by name is looked for in the same places. */
export function safeEnvironment(cwd: string, machine: Machine = thisMachine): NodeJS.ProcessEnv {
  const { env, platform } = machine;
  const others = Object.entries(env).filter(([key]) => !isPathKey(key, platform));
  const PATH = safeFolders(cwd, machine).join(pathsOf(machine).delimiter);
  return { ...Object.fromEntries(others), PATH, NoDefaultCurrentDirectoryInExePath: '1' };
}

/** The npm that runs us, where it is one: the variable may lead anywhere. */
function npmAround(cwd: string, machine: Machine): string | undefined {
  const { env, packageName, realPath } = machine;
  const path = pathsOf(machine);
  const given = env['npm_execpath'];
  if (given === undefined || !path.isAbsolute(given) || path.basename(given) !== 'npm-cli.js') return undefined;
  const real = realPath(given);
  const folder = path.dirname(path.dirname(real));
  if (packageName(path.join(folder, 'package.json')) !== 'npm') return undefined;
  const isOfProject = upwards(realPath(cwd), machine).some(
    way =>
      isInside(path.join(way, 'node_modules'), real, machine) ||
      (packageName(path.join(way, 'package.json')) !== undefined && isInside(way, real, machine)),
  );
  return isOfProject || isInside(realPath(cwd), real, machine) ? undefined : folder;
}

/** Of PATH: no relative or empty entries, not the working folder, nothing of a node_modules that belongs to it. */
function safeFolders(cwd: string, machine: Machine): readonly string[] {
  const { env, platform, realPath } = machine;
  const path = pathsOf(machine);
  const here = realPath(cwd);
  const modules = upwards(here, machine).map(folder => path.join(folder, 'node_modules'));
  const [, listed = ''] = Object.entries(env).find(([key]) => isPathKey(key, platform)) ?? [];
  return listed.split(path.delimiter).filter(folder => {
    if (!path.isAbsolute(folder)) return false;
    const real = realPath(folder);
    const isBin = [folder, real].some(one => /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(one));
    return !isBin && !isSame(real, here, machine) && !modules.some(one => isInside(one, real, machine));
  });
}

/** Windows has PATH under any spelling. */
function isPathKey(key: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? key.toUpperCase() === 'PATH' : key === 'PATH';
}

function pathsOf({ platform }: Machine): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

function upwards(start: string, machine: Machine): readonly string[] {
  const { dirname } = pathsOf(machine);
  const above = dirname(start);
  return above === start ? [start] : [start, ...upwards(above, machine)];
}

function isInside(folder: string, path: string, machine: Machine): boolean {
  const { relative, isAbsolute, sep } = pathsOf(machine);
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isSame(one: string, other: string, machine: Machine): boolean {
  return pathsOf(machine).relative(one, other) === '';
}

const thisMachine: Machine = {
  platform: process.platform,
  execPath: process.execPath,
  get env() {
    return process.env;
  },
  isProgram(path) {
    try {
      accessSync(path, /\.[cm]?js$/.test(path) ? constants.R_OK : constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  },
  packageName(file) {
    try {
      const data: unknown = JSON.parse(readUtf8(file));
      const name = isMap(data) ? (data['name'] ?? '') : undefined;
      return typeof name === 'string' ? name : undefined;
    } catch {
      return undefined;
    }
  },
  realPath(path) {
    try {
      return realpathSync.native(path);
    } catch {
      return path;
    }
  },
};
