// The noun between parse and everything after it: a value, and where each part of it was written.
import type { Site } from './diagnostics.js';

/** Map keys and list indexes from a document's root to one of its parts. */
export type Path = readonly (string | number)[];

export type Format = 'yaml' | 'json';

/** One file as read: text without its BOM, and the hash of its bytes. */
export interface SourceFile {
  /** Relative to the pack, with forward slashes. */
  readonly path: string;
  readonly format: Format;
  readonly text: string;
  readonly hash: string;
}

/** One YAML document of a file, or the value of a JSON file. */
export interface Document {
  readonly file: string;
  readonly value: unknown;
  /**
   * Where `path` was written: its key or its value. Follows aliases and merge keys to what the author can edit.
   * A path that does not exist gives its nearest ancestor that does. Positions are computed on first use.
   */
  site(path: Path, side?: 'key' | 'value'): Site;
  /** The `nth` (0-based) occurrence of `text` inside the string at `path`, or the whole string where it cannot be told. */
  find(path: Path, text: string, nth?: number): Site;
  /** The scalar at `path` as the author typed it (`1.10`, `yes`), or undefined where it is no scalar. */
  source(path: Path): string | undefined;
}
