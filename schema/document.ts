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
  /** The `nth` (0-based) occurrence of `text` inside the string at `path`, or the whole string where the place is unknown. */
  find(path: Path, text: string, nth?: number): Site;
  /** The scalar at `path` as the author typed it (`1.10`, `yes`), or undefined where it is not a scalar. */
  source(path: Path): string | undefined;
}

/** Finds positions relative to one part of a document, such as one definition of a combined file. */
export type Locator = Pick<Document, 'site' | 'find' | 'source'>;

/** The same positions, asked for by paths relative to `base`. */
export function within(locator: Locator, base: Path): Locator {
  return base.length === 0 ? locator : relocate(locator, path => [...base, ...path]);
}

/** The same positions, asked for by other paths; `written` says which path is meant. */
export function relocate(locator: Locator, written: (path: Path) => Path): Locator {
  return {
    site: (path, side) => locator.site(written(path), side),
    find: (path, text, nth) => locator.find(written(path), text, nth),
    source: path => locator.source(written(path)),
  };
}

/** `parameters.city.enum[2]`, for messages. */
export function printPath(path: Path): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

/** @example printPointer(['inputSchema', 'a/b']) // '/inputSchema/a~1b' */
export function printPointer(path: Path): string {
  return path.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A map of a manifest, as opposed to a list, a scalar or nothing. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A map that has something. */
export function isFilled(value: unknown): value is Readonly<Record<string, unknown>> {
  return isMap(value) && Object.keys(value).length > 0;
}

/** The map that a value is; an empty one for anything else. */
export function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return isMap(value) ? value : {};
}

/** The list that a value is; an empty one for anything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The string that a value is; an empty one for anything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A map without some of its keys. */
export function omitKeys(map: object, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}

/** Sets a property of its own, also where the name is `__proto__`. */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (target as Record<string, unknown>)[key] = value;
  }
}

/** The JSON pointer of a value inside `root` as a path: a step into a list becomes a number. */
export function pathOfPointer(pointer: string, root: unknown): Path {
  let here = root;
  return pointer
    .split('/')
    .slice(1)
    .map(raw => {
      const step = raw.replaceAll('~1', '/').replaceAll('~0', '~');
      const inList = Array.isArray(here);
      here = typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[step] : undefined;
      return inList ? Number(step) : step;
    });
}
