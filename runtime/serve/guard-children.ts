// Keeps children off the protocol's pipes: one that would inherit stdout gets stderr, one that would read stdin nothing.
import childProcess from 'node:child_process';
import { isMap } from '../../schema/document.js';
import { type AnyFunction, type Patch, replace, type Tell } from './patch.js';

const synchronous = ['spawnSync', 'execSync', 'execFileSync'];

export function guardChildren(tell: Tell): readonly Patch[] {
  const safe = (options: unknown, entry: AnyFunction): unknown => {
    if (!isMap(options) || options['stdio'] === undefined) return options;
    const stdio = safeStdio(options['stdio']);
    if (stdio === options['stdio']) return options;
    const { file } = options;
    tell(typeof file === 'string' ? `a child process (${file})` : 'a child process', entry);
    return { ...options, stdio };
  };
  return [
    // What spawn, fork, exec and execFile all come to.
    replace(childProcess.ChildProcess.prototype, 'spawn', original => {
      const spawn = function (this: unknown, options: unknown): unknown {
        return Reflect.apply(original, this, [safe(options, spawn)]);
      };
      return spawn;
    }),
    ...synchronous.map(name =>
      replace(childProcess, name, original => {
        const run = (...args: unknown[]): unknown =>
          Reflect.apply(
            original,
            childProcess,
            args.map(argument => safe(argument, run)),
          );
        return run;
      }),
    ),
  ];
}

/**
 * The same value where nothing in it leads to the protocol. Threads get its text (guard-workers.ts), so that it uses nothing from
 * outside.
 */
export function safeStdio(stdio: unknown): unknown {
  if (stdio === 'inherit') return ['ignore', 2, 2];
  if (!Array.isArray(stdio)) return stdio;
  const entries = stdio.map((entry: unknown, index) => {
    const isStream = typeof entry === 'object' && entry !== null && 'fd' in entry;
    const fd = entry === 'inherit' && index < 3 ? index : isStream ? entry.fd : entry;
    if (fd === 0) return 'ignore';
    return fd === 1 ? 2 : entry;
  });
  return entries.every((entry, index) => entry === stdio[index]) ? stdio : entries;
}
