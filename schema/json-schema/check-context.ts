// What the rules share: the schema under check, where its references lead, and where findings go.
import type { Code, CodeParams } from '../codes.js';
import type { Diagnostic, DiagnosticExtras, Severity, Site } from '../diagnostics.js';
import type { Path } from '../document.js';
import type { Filling } from '../support/validator.js';
import type { Dialect } from './keywords.js';
import type { RefIndex } from './refs.js';
import { listNodes, type Walk } from './walk.js';

/** `shared`: a schema of its own, which others refer to. */
export type SchemaRole = 'input' | 'output' | 'shared';

/** `raw`: as the author wrote it, read as leniently as real clients do; `shorthand`: expanded from parameters. */
export type SchemaStyle = 'raw' | 'shorthand';

/** Which shared schemas there are. */
export interface SharedNames {
  has(name: string): boolean;
  /** What to do about a name that none has. */
  suggest(name: string): string | undefined;
}

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
  /** The shared schemas that it may refer to. */
  readonly sharedNames?: SharedNames;
  /** What of it was taken from shared schemas, which are checked where they are written. */
  readonly shared?: {
    /** Names in `$defs` -> names of the schemas. */
    readonly keys: ReadonlyMap<string, string>;
    readonly isRoot: boolean;
  };
}

/** The schemas in it that its author wrote there: those that it shares with others are looked at once, where they are written. */
export function listOwnNodes({ schema, shared }: Pick<SchemaSource, 'schema' | 'shared'>, dialect: Dialect): Walk {
  return shared?.isRoot === true ? { nodes: [], keywords: new Set() } : listNodes(schema, dialect, [], shared?.keys);
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
