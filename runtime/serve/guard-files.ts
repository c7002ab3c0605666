// Keeps the functions of node:fs off fd 1, by number and by name.
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AnyFunction, type Patch, replace, type Tell } from './patch.js';

const stdoutPaths: ReadonlySet<string> = new Set([
  '/dev/stdout',
  '/dev/fd/1',
  '/proc/self/fd/1',
  '/proc/thread-self/fd/1',
  `/proc/${process.pid}/fd/1`,
]);

/** Their first argument is a descriptor, or also a path. */
const writers = ['write', 'writeSync', 'writev', 'writevSync'];
const fileWriters = ['writeFile', 'writeFileSync', 'appendFile', 'appendFileSync'];
const openers = ['open', 'openSync'];
const promisedWriters = ['writeFile', 'appendFile'];

export function guardFiles(tell: Tell): readonly Patch[] {
  const redirect =
    (owner: string, name: string, isStdout: (value: unknown) => boolean, instead: unknown) =>
    (original: AnyFunction): AnyFunction => {
      const made = function (this: unknown, ...args: unknown[]): unknown {
        if (!isStdout(args[0])) return Reflect.apply(original, this, args);
        tell(`${owner}.${name}`, made);
        return Reflect.apply(original, this, [instead, ...args.slice(1)]);
      };
      return made;
    };
  const isEither = (value: unknown): boolean => value === 1 || isStdoutPath(value);
  return [
    ...writers.map(name =>
      replace(
        fs,
        name,
        redirect('fs', name, value => value === 1, 2),
      ),
    ),
    ...fileWriters.map(name => replace(fs, name, redirect('fs', name, isEither, 2))),
    ...openers.map(name => replace(fs, name, redirect('fs', name, isStdoutPath, '/dev/stderr'))),
    // createWriteStream goes through open, write and close.
    ...[...promisedWriters, 'open'].map(name =>
      replace(fs.promises, name, redirect('fs.promises', name, isStdoutPath, '/dev/stderr')),
    ),
    replace(fs, 'closeSync', original => (fd: unknown) => (fd === 1 ? undefined : Reflect.apply(original, fs, [fd]))),
    replace(fs, 'close', original => (fd: unknown, done: unknown) => {
      if (fd !== 1) return Reflect.apply(original, fs, done === undefined ? [fd] : [fd, done]);
      if (typeof done === 'function') process.nextTick(() => done(null));
      return undefined;
    }),
  ];
}

function isStdoutPath(value: unknown): boolean {
  if (typeof value === 'string') return stdoutPaths.has(value);
  if (value instanceof URL) return value.protocol === 'file:' && stdoutPaths.has(fileURLToPath(value));
  return value instanceof Uint8Array && value.length < 64 && stdoutPaths.has(Buffer.from(value).toString());
}
