// What every stage says about an author's mistakes: plain records, never exceptions.
// In: a code of the catalogue, its parameters and a site. Out: a Diagnostic.
import type { Severity } from './codes/entry.js';
import { type Code, type CodeParams, codes } from './codes.js';

export type { Severity } from './codes/entry.js';

/** 1-based lines and UTF-16 columns; the end is exclusive. */
export interface Range {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A place in a file; `file` is relative to the pack, with forward slashes. */
export interface Site extends Range {
  readonly file: string;
}

export interface Related extends Site {
  readonly message: string;
}

export interface Diagnostic extends Site {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly related?: readonly Related[];
}

/** What a stage returns: what it could make of its input, and what is wrong with it. */
export interface Outcome<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}

export interface DiagnosticExtras {
  /** Where something better can be said of this one than what always helps. */
  readonly hint?: string | undefined;
  readonly related?: readonly Related[];
  /** Only where one code is an error in one place and a warning in another (raw schemas are read leniently). */
  readonly severity?: Severity;
}

/**
 * Builds the diagnostic of one mistake.
 *
 * @example diagnose('parse/duplicate-key', { key: 'name' }, document.site(['name'], 'key'))
 */
export function diagnose<C extends Code>(
  code: C,
  params: CodeParams<C>,
  site: Site,
  extras: DiagnosticExtras = {},
): Diagnostic {
  const entry = codes[code];
  // The catalogue types each message by its own parameters; indexing by a generic code loses that link.
  const message = (entry.message as (params: CodeParams<C>) => string)(params);
  return {
    code,
    severity: extras.severity ?? entry.severity,
    message,
    file: site.file,
    line: site.line,
    column: site.column,
    endLine: site.endLine,
    endColumn: site.endColumn,
    hint: extras.hint ?? hintOf(entry.fix),
    ...(extras.related === undefined || extras.related.length === 0 ? {} : { related: extras.related }),
  };
}

/** What helps, as hints are written: `Remove one of them.` becomes `remove one of them`. */
function hintOf(fix: string): string {
  const sentence = fix.indexOf('. ') < 0 ? fix.replace(/\.$/, '') : fix;
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** Appends without `push(...found)`, which exhausts the stack where a file has a hundred thousand mistakes. */
export function addAll(into: Diagnostic[], found: Iterable<Diagnostic>): void {
  for (const one of found) into.push(one);
}

/** The first character of a file: for mistakes that have no better place. */
export function startOf(file: string): Site {
  return { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
}

const order = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** By file, then position, then code, then message, in code-point order; exact repetitions are dropped. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const sorted = [...diagnostics].sort(
    (a, b) =>
      order(a.file, b.file) ||
      order(a.line, b.line) ||
      order(a.column, b.column) ||
      order(a.code, b.code) ||
      order(a.message, b.message),
  );
  return sorted.filter((one, index) => {
    const before = sorted[index - 1];
    return !(
      before !== undefined &&
      before.file === one.file &&
      before.line === one.line &&
      before.column === one.column &&
      before.code === one.code &&
      before.message === one.message
    );
  });
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(diagnostic => diagnostic.severity === 'error');
}

/** Positions move while somebody edits: a mistake is known again by what it says and where it lies. */
export function keyOfDiagnostic({ code, file, message }: Pick<Diagnostic, 'code' | 'file' | 'message'>): string {
  return JSON.stringify([code, file, message]);
}
