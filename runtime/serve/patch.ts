// Replaces functions of Node's own modules and streams, and puts them back.
import { syncBuiltinESMExports } from 'node:module';

export interface Patch {
  undo(): void;
}

// biome-ignore lint/complexity/noBannedTypes: Node's functions come in every shape
export type AnyFunction = Function;

/** Tells, once, who used stdout; `entry` is the replaced function, whose caller is to blame. */
export type Tell = (what: string, entry: AnyFunction) => void;

/**
 * Puts a function of its own in place of `owner[name]`; where there is none, nothing happens.
 *
 * @example replace(fs, 'writeSync', original => (fd, ...rest) => original(fd === 1 ? 2 : fd, ...rest))
 */
export function replace(owner: object, name: string, make: (original: AnyFunction) => AnyFunction): Patch {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== 'function') return { undo: () => undefined };
  const made = make(original);
  // Name, length, and what util.promisify looks for.
  for (const key of Reflect.ownKeys(original)) {
    const property = Object.getOwnPropertyDescriptor(original, key);
    if (key !== 'prototype' && property?.configurable) Object.defineProperty(made, key, property);
  }
  Object.defineProperty(owner, name, { configurable: true, enumerable: true, writable: true, value: made });
  return {
    undo() {
      if (before === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, before);
    },
  };
}

/** Makes `import { writeSync } from 'node:fs'` see what was replaced. */
export function syncModules(): void {
  syncBuiltinESMExports();
}

/** ` at file:line:column` of the caller of `entry`, Node's own code left out; empty where nobody can be named. */
export function placeOf(entry: AnyFunction): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, entry);
  Error.stackTraceLimit = limit;
  const frame = holder.stack?.split('\n').find(line => /^\s+at /.test(line) && !/[ (]node:/.test(line));
  // Names of functions and of folders may have blanks in them, so that only the start of a path tells them apart.
  const place = frame?.match(/(?:\(|at (?:async )?)(?:file:\/\/)?((?:\/|[A-Z]:[\\/]).*:\d+:\d+)\)?$/)?.[1];
  return place === undefined ? '' : ` at ${place}`;
}
