// In: a definition written in code. Out: the same as plain data, with a reference in place of each function, so that
// it can be validated and linked like a manifest; and the functions by reference.

import { type Diagnostic, diagnose, type Site } from '../../../schema/diagnostics.js';
import type { Path } from '../../../schema/document.js';
import { depthLimit } from '../../../schema/parse/report.js';
import { isPlainObject } from '../../call/plain-json.js';

/** A function of the caller, of whatever kind: handlers, completions, initialize. */
export type CodeFunction = (...values: never[]) => unknown;

/** The functions of one server, by the path that stands for them in its data. */
export interface Functions {
  has(path: string): boolean;
  get(path: string): CodeFunction | undefined;
  /** Gives the function a path that no other one had. */
  add(one: CodeFunction): string;
  delete(path: string): void;
}

export function makeFunctions(): Functions {
  const known = new Map<string, CodeFunction>();
  let last = 0;
  return {
    has: path => known.has(path),
    get: path => known.get(path),
    add(one) {
      last += 1;
      const path = `code/${last}.js`;
      known.set(path, one);
      return path;
    },
    delete: path => known.delete(path),
  };
}

/** Where a manifest would name a module, code has the function itself. `*` is any key. */
const handlerPlaces = ['handler', 'initialize', 'initialize.handler', 'arguments.*.complete', 'complete.*', 'list'];

/** What code may hold and a manifest cannot is a diagnostic; `siteOf` tells the place of a path. */
export function toData(
  value: unknown,
  functions: Functions,
  siteOf: (path: Path) => Site,
): { readonly data: unknown; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const open = new Set<object>();
  return { data: copy(value, []), diagnostics };

  function copy(one: unknown, path: Path): unknown {
    switch (typeof one) {
      case 'string':
      case 'boolean':
      case 'undefined':
        return one;
      case 'number':
        return Number.isFinite(one) ? one : refuse(String(one), path);
      case 'function':
        return isHandlerPlace(path) ? functions.add(one as CodeFunction) : refuse('a function', path);
      case 'object':
        return one === null ? null : copyObject(one, path);
      default:
        return refuse(typeof one, path);
    }
  }

  function copyObject(one: object, path: Path): unknown {
    if (open.has(one)) return refuse('an object that contains itself', path);
    if (path.length > depthLimit) {
      diagnostics.push(diagnose('parse/too-deep', { limit: depthLimit }, siteOf(path.slice(0, 8))));
      return undefined;
    }
    open.add(one);
    const copied = Array.isArray(one) ? one.map((entry, at) => copy(entry, [...path, at])) : copyMap(one, path);
    open.delete(one);
    return copied;
  }

  function copyMap(one: object, path: Path): unknown {
    if (!isPlainObject(one)) return refuse(`an object of the class ${one.constructor?.name ?? '?'}`, path);
    const entries = Object.entries(one).map(([key, entry]) => [key, copy(entry, [...path, key])] as const);
    if (Object.hasOwn(one, '__proto__')) {
      diagnostics.push(diagnose('parse/forbidden-key', { key: '__proto__' }, siteOf(path)));
    }
    // Code leaves out by undefined what a manifest leaves out by not writing it.
    return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
  }

  function refuse(text: string, path: Path): undefined {
    diagnostics.push(diagnose('parse/not-json', { text }, siteOf(path)));
    return undefined;
  }
}

function isHandlerPlace(path: Path): boolean {
  return handlerPlaces.some(place => {
    const steps = place.split('.');
    return steps.length === path.length && steps.every((step, index) => step === '*' || step === path[index]);
  });
}
