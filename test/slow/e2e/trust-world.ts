// A project that somebody wrote to do harm, with a dependency of the same make, and the real command run in it. Every change of
// any file around is seen, and so is every line of theirs that runs: it leaves a mark.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCommands } from '../../harness/commands.js';

const command = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** Must never be in any output. */
export const secret = 'SECRET-OF-THE-USER';

/** A text, or what makes the file at a path. */
export type TrapFile = string | ((path: string) => void);
export type TrapFiles = Readonly<Record<string, TrapFile>>;

/** What an attempt needs to know of the pack that it is written into. */
export interface Trap {
  /** The folder of the pack. */
  readonly pack: string;
  /** A folder of the user that is none of the pack's business; `up` is the way to it from the pack. */
  readonly outside: string;
  readonly up: string;
  /** JavaScript that leaves a mark when it runs, as a module of either kind. */
  mark(name: string): string;
  /** A shell script that does. */
  script(name: string): string;
  /** An address that notes who asks. */
  readonly url: string;
}

export interface Attempt {
  readonly title: string;
  files(trap: Trap): TrapFiles;
  /** Merged into package.json. */
  readonly packageJson?: (trap: Trap) => object;
  /** Each command gets a process of its own, as people run it. */
  readonly isAlone?: true;
}

export interface Run {
  readonly code: number | null;
  readonly output: string;
}

export interface World {
  readonly project: string;
  /** In a process of its own, with the real npm. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Run>;
  /**
   * In the process that commands of this world share: what theirs would run in it leaves its mark as well.
   * Where no file of the attempt is one that npm reads, something that costs less stands in for npm.
   */
  runShared(args: readonly string[]): Promise<Run>;
  /** Everything that is there, without what the command keeps for itself. */
  snapshot(): ReadonlyMap<string, string>;
  /** What ran, and what asked for the address. */
  marks(): readonly string[];
  remove(): Promise<void>;
}

const victims = {
  'secret.md': `${secret}\n`,
  'secret.yaml': `description: ${secret}\n`,
  'secret.json': `{"type": "object", "description": "${secret}", "name": "${secret}", "extends": "${secret}"}`,
  'toolwright.yaml': `name: ${secret}\n${secret}: 1\n`,
  'package.json': `{"name": "${secret}"}`,
  'tools/t.yaml': `description: ${secret}\n${secret}: 1\n`,
  'servers/s.yaml': `description: ${secret}\n`,
  'tsconfig.json': `{"compilerOptions": {"${secret}": true}}`,
  'index.js': '// of the user\n',
  'stub.ts': '// of the user\n',
};

export async function makeWorld(attempt: Attempt): Promise<World> {
  const root = mkdtempSync(join(tmpdir(), 'toolwright-trust-'));
  const [project, outside, marks, cache, home] = ['project', 'outside', 'marks', 'cache', 'home'].map(name =>
    join(root, name),
  ) as [string, string, string, string, string];
  for (const folder of [marks, cache, home]) mkdirSync(folder, { recursive: true });
  writeAll(outside, victims);
  const asked: string[] = [];
  const { server, url } = await listen(path => asked.push(path));
  const packs = [
    [project, 'evil-project'],
    [join(project, 'node_modules/@evil/pack'), '@evil/pack'],
  ] as const;
  let isForNpm = attempt.packageJson !== undefined;
  for (const [pack, name] of packs) {
    const trap: Trap = {
      pack,
      outside,
      up: relative(pack, outside),
      mark: mark => markCode(join(marks, mark)),
      script: mark => `#!/bin/sh\ntouch '${join(marks, mark)}'\n`,
      url,
    };
    const manifest = { name, version: '1.0.0', type: 'module', ...attempt.packageJson?.(trap) };
    const dependencies = name === '@evil/pack' ? {} : { dependencies: { '@evil/pack': '1.0.0' } };
    const files = attempt.files(trap);
    isForNpm ||= Object.keys(files).some(file => readByNpm.test(file));
    writeAll(pack, {
      'package.json': JSON.stringify({ ...manifest, ...dependencies }),
      'toolwright.yaml': '',
      'mcp/tools/t.yaml': 'description: A tool.\n',
      'mcp/servers/s.yaml': `description: A server.\n${name === '@evil/pack' ? '' : 'tools: [t, evil/pack/*]\n'}`,
      ...files,
    });
  }
  const commands = openCommands();
  const PATH = process.env['PATH'] ?? '';
  const env = { PATH, HOME: home, TOOLWRIGHT_CACHE: cache };
  const shared = isForNpm ? env : { ...env, npm_execpath: standInForNpm(root, join(marks, 'npm')) };
  return {
    project,
    run: (args, more = {}) => run(args, project, { ...env, ...more }),
    async runShared(args) {
      const { status, stdout, stderr } = await commands.run(args, { cwd: project, env: shared });
      return { code: status, output: stdout + stderr };
    },
    // What npm keeps for itself is the user's, too: check --publish asks it what it would pack.
    snapshot: () => snapshot(root, new Set([cache, marks, join(home, '.npm')])),
    marks: () => [...readdirSync(marks), ...asked],
    async remove() {
      commands.close();
      await new Promise(done => server.close(done));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** What npm looks at, in order to say which files it would pack. Links it leaves out. */
const readByNpm = /^(?:package\.json|\.npmrc|\.npmignore|node_modules(?:\/.*)?)$/;

/** An npm that knows one command, `check --publish` needs no other; another one leaves a mark. */
function standInForNpm(root: string, mark: string): string {
  const script = `if (process.argv.slice(2).join(' ') !== 'pack --dry-run --json --ignore-scripts') {
  require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');
}
console.log('[{"files": [{"path": "package.json"}]}]');\n`;
  writeAll(join(root, 'npm'), { 'package.json': '{"name": "npm"}', 'bin/npm-cli.js': script });
  return join(root, 'npm/bin/npm-cli.js');
}

/** Works in both kinds of modules and in strict code. */
function markCode(path: string): string {
  const text = JSON.stringify(path);
  return `globalThis.process.getBuiltinModule('node:fs').writeFileSync(${text}, 'ran');\n`;
}

async function listen(note: (path: string) => void): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    note(`${request.method} ${request.url}`);
    response.end('{}');
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}

async function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<Run> {
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text;
    });
  const code = await new Promise<number | null>(done => child.once('close', done));
  return { code, output };
}

function writeAll(folder: string, files: TrapFiles): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'function') {
      rmSync(path, { recursive: true, force: true });
      content(path);
    } else writeFileSync(path, content);
  }
}

/** Links are told, never followed. */
function snapshot(folder: string, skipped: ReadonlySet<string>): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  const visit = (path: string): void => {
    if (skipped.has(path)) return;
    const stats = lstatSync(path);
    const shown = relative(folder, path);
    if (stats.isSymbolicLink()) seen.set(shown, `link ${readlinkSync(path)}`);
    else if (stats.isDirectory()) {
      seen.set(shown, 'folder');
      for (const name of readdirSync(path)) visit(join(path, name));
    } else if (stats.isFile()) {
      seen.set(shown, `${stats.mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`);
    } else seen.set(shown, 'other');
  };
  visit(folder);
  return seen;
}

export function linkTo(target: string): TrapFile {
  return path => symlinkSync(target, path);
}

/** The paths that are not as they were. */
export function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter(path => before.get(path) !== after.get(path)).sort();
}
