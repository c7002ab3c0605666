// The noun that every check of JSON Schemas takes: a schema, what it is for, and where its parts were written.
import type { Site } from '../diagnostics.js';
import type { Path } from '../document.js';
import type { Filling } from '../support/validator.js';

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
