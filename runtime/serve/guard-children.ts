// Keeps children off the protocol's pipes: one that would inherit stdout gets stderr, one that would read stdin nothing.
import childProcess from 'node:child_process';
import workerThreads from 'node:worker_threads';
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
function safeStdio(stdio: unknown): unknown {
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

// Keeps worker threads off fd 1: each one that code starts runs our guard before anything else.

export function guardWorkers(): readonly Patch[] {
  return [
    replace(workerThreads, 'Worker', original => wrapWorker(original, printGuard(guardThread, safeStdio, wrapWorker))),
  ];
}

// The text of the functions below is what threads get, so that they use nothing but their arguments and what Node has.

/** No file of ours: a server in a single file has none. */
function printGuard(...parts: readonly AnyFunction[]): string {
  return `((...parts) => parts[0](...parts))(${parts.map(part => part.toString()).join(', ')});`;
}

function wrapWorker(original: AnyFunction, guard: string): AnyFunction {
  const words = ['--import', `data:text/javascript,${encodeURIComponent(guard)}`];
  return new Proxy(original, {
    construct(target, args: unknown[], newTarget: AnyFunction) {
      const [file, options = {}, ...rest] = args;
      if (typeof options !== 'object' || options === null) return Reflect.construct(target, args, newTarget) as object;
      const { eval: isCode, execArgv = process.execArgv } = options as { eval?: unknown; execArgv?: unknown };
      // Node runs what --import names before a file, but not before code.
      const first =
        isCode && typeof file === 'string'
          ? `${/^\s*(['"])use strict\1/.exec(file)?.[0] ?? ''};${guard}\n${file}`
          : file;
      const isPlain = isCode || !Array.isArray(execArgv) || execArgv.includes(words[1]);
      const second = isPlain ? options : { ...options, execArgv: [...words, ...execArgv] };
      return Reflect.construct(target, [first, second, ...rest], newTarget) as object;
    },
  });
}

/** Runs in the thread. It gives no hint: in a pool there would be one of each thread. Its words may reach a child process (fork hands them on), whose stdout is its own. */
function guardThread(self: AnyFunction, safe: typeof safeStdio, wrap: typeof wrapWorker): void {
  const threads = process.getBuiltinModule('node:worker_threads');
  if (threads.isMainThread) return;
  const fs = process.getBuiltinModule('node:fs');
  const childProcess = process.getBuiltinModule('node:child_process');
  const put = (owner: object, name: string, change: (args: unknown[]) => unknown[]): void => {
    const original = Reflect.get(owner, name) as AnyFunction;
    Reflect.set(owner, name, function (this: unknown, ...args: unknown[]): unknown {
      return Reflect.apply(original, this, change(args));
    });
  };
  const descriptors = ['write', 'writeSync', 'writev', 'writevSync'];
  const files = ['writeFile', 'writeFileSync', 'appendFile', 'appendFileSync'];
  for (const name of [...descriptors, ...files]) {
    put(fs, name, ([first, ...rest]) => {
      const isStdout = first === 1 || (files.includes(name) && (first === '/dev/stdout' || first === '/dev/fd/1'));
      return isStdout ? [2, ...rest] : [first, ...rest];
    });
  }
  const options = (given: unknown): unknown => {
    if (typeof given !== 'object' || given === null || !('stdio' in given) || given.stdio === undefined) return given;
    const stdio = safe(given.stdio);
    return stdio === given.stdio ? given : { ...given, stdio };
  };
  put(childProcess.ChildProcess.prototype, 'spawn', args => args.map(options));
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) put(childProcess, name, args => args.map(options));
  const guard = `((...parts) => parts[0](...parts))(${[self, safe, wrap].map(part => part.toString()).join(', ')});`;
  Reflect.set(threads, 'Worker', wrap(threads.Worker, guard));
  process.getBuiltinModule('node:module').syncBuiltinESMExports();
}
