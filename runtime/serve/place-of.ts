// Who called. In: a function of ours. Out: the place in somebody's code from which it was reached.
import type { AnyFunction } from './patch.js';

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
