// Keeps the functions of node:fs off the protocol's pipes: off fd 1, by number and by name, and from reading fd 0.
import fs from 'node:fs';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type AnyFunction, type Patch, replace, type Tell } from './patch.js';

const stdoutPaths: ReadonlySet<string> = new Set([
  '/dev/stdout',
  '/dev/fd/1',
  '/proc/self/fd/1',
  '/proc/thread-self/fd/1',
  `/proc/${process.pid}/fd/1`,
]);

/** Their first argument is a descriptor; of the second group, also a path. */
const writers = ['write', 'writeSync', 'writev', 'writevSync'];
const fileWriters = ['writeFile', 'writeFileSync', 'appendFile', 'appendFileSync'];

/** Not `read` itself: Node reads stdin by it where that is a file. */
const readers = ['readSync', 'readvSync', 'readFile', 'readFileSync'];

export function guardFiles(tell: Tell): readonly Patch[] {
  /** What takes the place of a function where its first argument is stdout. */
  const redirect =
    (isStdout: (value: unknown) => boolean, instead: (args: unknown[], original: AnyFunction) => unknown) =>
    (owner: object, prefix: string, name: string): Patch =>
      replace(owner, name, original => {
        const made = function (this: unknown, ...args: unknown[]): unknown {
          if (!isStdout(args[0])) return Reflect.apply(original, this, args);
          tell(`${prefix}.${name}`, made);
          return instead(args, original);
        };
        return made;
      });
  const isEither = (value: unknown): boolean => value === 1 || isStdoutPath(value);
  const toStderr = ([, ...rest]: unknown[], original: AnyFunction): unknown =>
    Reflect.apply(original, fs, [2, ...rest]);
  const promised =
    (write: AnyFunction) =>
    ([, ...rest]: unknown[]): Promise<void> =>
      new Promise((resolve, reject) => {
        Reflect.apply(write, fs, [2, ...rest, (error: unknown) => (error ? reject(error) : resolve())]);
      });
  let nothing: number | undefined;
  // Taken before they are replaced.
  const { writeFile: write, appendFile: append } = fs;
  return [
    ...writers.map(name => redirect(value => value === 1, toStderr)(fs, 'fs', name)),
    ...fileWriters.map(name => redirect(isEither, toStderr)(fs, 'fs', name)),
    redirect(isStdoutPath, promised(write))(fs.promises, 'fs.promises', 'writeFile'),
    redirect(isStdoutPath, promised(append))(fs.promises, 'fs.promises', 'appendFile'),
    // Nothing is opened: what is then written to 1 is sent on by the above. createWriteStream does the same.
    redirect(isStdoutPath, () => 1)(fs, 'fs', 'openSync'),
    redirect(isStdoutPath, args => settle(args.at(-1), 1))(fs, 'fs', 'open'),
    redirect(isStdoutPath, ([, ...rest], original) => Reflect.apply(original, fs.promises, ['/dev/stderr', ...rest]))(
      fs.promises,
      'fs.promises',
      'open',
    ),
    // The next file that is opened would get its number.
    replace(
      fs,
      'closeSync',
      original => (fd: unknown) => (isStandard(fd) ? undefined : Reflect.apply(original, fs, [fd])),
    ),
    replace(fs, 'close', original => (...args: unknown[]) => {
      return isStandard(args[0]) ? settle(args[1]) : Reflect.apply(original, fs, args);
    }),
    // What the client has sent is for nobody else.
    ...readers.map(name =>
      replace(fs, name, original => (...args: unknown[]) => {
        const [first, ...rest] = args;
        if (first !== 0 && !isStdinPath(first)) return Reflect.apply(original, fs, args);
        nothing ??= fs.openSync(devNull, 'r');
        return Reflect.apply(original, fs, [nothing, ...rest]);
      }),
    ),
  ];
}

function isStandard(fd: unknown): boolean {
  return fd === 0 || fd === 1 || fd === 2;
}

function isStdinPath(value: unknown): boolean {
  return value === '/dev/stdin' || value === '/dev/fd/0' || value === '/proc/self/fd/0';
}

/** Calls back as the functions of fs do: later. */
function settle(callback: unknown, value?: unknown): void {
  if (typeof callback === 'function') process.nextTick(() => callback(null, value));
}

function isStdoutPath(value: unknown): boolean {
  if (typeof value === 'string') return stdoutPaths.has(value);
  if (value instanceof URL) return value.protocol === 'file:' && stdoutPaths.has(fileURLToPath(value));
  return value instanceof Uint8Array && value.length < 64 && stdoutPaths.has(Buffer.from(value).toString());
}
