// In: what a module exports and a name. Out: that export, or why there is none that can be called.
import { diagnose, startOf } from '../../../schema/diagnostics.js';
import { didYouMean } from '../../../schema/nearest.js';
import type { HandlerRef } from '../../load/program.js';
import { HandlerProblem } from '../handler-problem.js';

export type ImportedModule = Readonly<Record<string, unknown>>;

/**
 * One export of a module. CommonJS modules have theirs in the default export.
 *
 * @example pickExport({ default: { run } }, 'run') // run
 */
export function pickExport(exports: ImportedModule, name: string): unknown {
  const own = Object.hasOwn(exports, name) ? exports[name] : undefined;
  const whole = exports['default'];
  if (typeof own === 'function' || typeof whole !== 'object' || whole === null) return own;
  const inner = Object.hasOwn(whole, name) ? (whole as ImportedModule)[name] : undefined;
  return inner ?? own;
}

export function wrongExport(ref: HandlerRef, path: string, exports: ImportedModule, found: unknown): HandlerProblem {
  const names = exportedNamesOf(exports).filter(name => typeof pickExport(exports, name) === 'function');
  const near = didYouMean(ref.export, names);
  const known = names.length === 0 ? 'it exports no function' : `it exports ${names.join(', ')}`;
  const hint = found === undefined ? (near ?? known) : `it is ${describe(found)}, not a function; ${known}`;
  const diagnostic = diagnose('generate/missing-export', { path, name: ref.export }, startOf(path), { hint });
  return new HandlerProblem(diagnostic.code, diagnostic.message, { hint, diagnostic });
}

/** Of a CommonJS module also what is in its whole. */
function exportedNamesOf(exports: ImportedModule): readonly string[] {
  const { default: whole } = exports;
  const inner = typeof whole === 'object' && whole !== null ? Object.keys(whole) : [];
  return [...new Set([...Object.keys(exports), ...inner])];
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
