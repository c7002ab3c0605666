// What the rules share: the schema under check, where its references lead, and where findings go.
import type { Code, CodeParams } from '../codes.js';
import type { Diagnostic, DiagnosticExtras, Severity, Site } from '../diagnostics.js';
import type { Path } from '../document.js';
import type { Filling } from '../support/validator.js';
import type { Dialect } from './keywords.js';
import type { RefIndex } from './refs.js';

export type SchemaRole = 'input' | 'output';

/** `raw`: as the author wrote it, read as leniently as real clients do; `shorthand`: expanded from parameters. */
export type SchemaStyle = 'raw' | 'shorthand';

export interface SchemaSource {
  /** The schema that clients see, so expanded where it was written as shorthand. */
  readonly schema: unknown;
  readonly role: SchemaRole;
  readonly style: SchemaStyle;
  /** What calls do with its defaults. */
  readonly filling: Filling;
  /** Of the item, for messages. */
  readonly name: string;
  /** Where the author wrote what is at `path` in `schema`. */
  site(path: Path, side?: 'key' | 'value'): Site;
  /** The scalar at `path` as the author typed it (`1.10`, `007`); undefined where nobody knows. */
  typed?(path: Path): string | undefined;
}

export interface CheckContext {
  readonly source: SchemaSource;
  readonly dialect: Dialect;
  readonly diagnostics: readonly Diagnostic[];
  /** Built on first use: most schemas have no reference at all. */
  refs(): RefIndex;
  report<C extends Code>(code: C, params: CodeParams<C>, at: Place, extras?: DiagnosticExtras): void;
}

export interface Place {
  readonly path: Path;
  readonly side?: 'key' | 'value';
}

/** Real servers get away with these, so raw schemas are only warned; the shorthand is ours and has no such past. */
export function lenientSeverity(source: SchemaSource): Severity {
  return source.style === 'shorthand' ? 'error' : 'warning';
}
