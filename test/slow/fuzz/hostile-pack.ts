// Packs on disk that mean harm, and the real command run on them with its memory measured.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openCommands } from '../../harness/commands.js';

/** Commands that take little memory share a process; one that took this many megabytes is not used again. */
const mostShared = 80;

/** A text, bytes, or what makes the file at a path. */
export type HostileFile = string | Uint8Array | ((path: string) => void);
export type HostileFiles = Readonly<Record<string, HostileFile>>;

export interface HostileRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What its process took at most, which began with `mostShared` or less. */
  readonly megabytes: number;
  /** The codes in a text report, each once, in order. */
  readonly codes: readonly string[];
}

export interface HostilePlace {
  /** A folder outside of every pack; the files in it hold `secret`. */
  readonly outside: string;
  write(files: HostileFiles): string;
  run(pack: string, args: readonly string[], format?: string): HostileRun;
  remove(): void;
}

/** Must never be in any output. */
export const secret = 'SECRET-OF-ANOTHER-FOLDER';

export function makeHostilePlace(): HostilePlace {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-hostile-'));
  const outside = join(folder, 'outside');
  const secrets = {
    'secret.yaml': `${secret}: 1\n`,
    'secret.json': `{"${secret}": 1, "name": "${secret}"}`,
    'secret.md': `${secret} {{tool:${secret}}}\n`,
    'toolwright.yaml': `name: ${secret}\n${secret}: 1\n`,
    'tools.yaml': `${secret}: {${secret}: 1}\n`,
    'tools/secret.yaml': `${secret}: 1\n`,
  };
  writeAll(outside, secrets);
  let commands = openCommands();
  let packs = 0;
  return {
    outside,
    write(files) {
      packs += 1;
      const path = join(folder, `pack-${packs}`);
      writeAll(
        path,
        Object.keys(files).some(file => file.startsWith('toolwright.yaml'))
          ? files
          : { 'toolwright.yaml': '', ...files },
      );
      return path;
    },
    run(pack, args, format = 'text') {
      const env = { ...process.env, TOOLWRIGHT_CACHE: join(folder, 'cache') };
      const ran = commands.runSync([...args, '--format', format], { cwd: pack, env });
      const { megabytes = Infinity } = commands;
      if (megabytes > mostShared) {
        commands.close();
        commands = openCommands();
      }
      const codes = [...ran.stdout.matchAll(/ {2}\[([a-z-]+\/[a-z-]+)\]$/gm)].map(([, code = '']) => code);
      return { ...ran, megabytes, codes: [...new Set(codes)] };
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
      commands.close();
    },
  };
}

function writeAll(folder: string, files: HostileFiles): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'function') content(path);
    else writeFileSync(path, content);
  }
}

export function linkTo(target: string): HostileFile {
  return path => symlinkSync(target, path);
}

/** A file of this size that takes no space on disk; it reads as NUL bytes. */
export function sparse(bytes: number): HostileFile {
  return path => {
    const descriptor = openSync(path, 'w');
    ftruncateSync(descriptor, bytes);
    closeSync(descriptor);
  };
}

/** A pipe that nobody writes to. */
export const pipe: HostileFile = path => void execFileSync('sh', ['-c', 'mkfifo "$0"', path]);

/** A socket that a program left behind. */
export const socket: HostileFile = path => {
  const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script, path]);
};

export function repeat(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('');
}

export function mapOf<T>(count: number, make: (index: number) => readonly [string, T]): Readonly<Record<string, T>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));
}
