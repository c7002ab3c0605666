// What the parts of the converter share: what they know of the document, and what they write into.
import type { JsonSchemaObject } from '../../../schema/json-schema/keywords.js';
import type { Place } from './schema-place.js';

/** What the converter needs to know of the document. */
export interface Converting {
  /** 2.0 and 3.0: what stands beside a `$ref` means nothing. */
  readonly isAloneWithRef: boolean;
  /** The pointer that a reference leads to; undefined where it leads nowhere. */
  follow(ref: string, at: Place): string | undefined;
  /** The value at a pointer that `follow` gave. */
  valueAt(pointer: string): unknown;
  ignored(at: Place, what: string, reason: string): void;
  isOddFormat(format: string): boolean;
  /** What was converted already: aliases of YAML may make one schema stand in many places. */
  readonly known: WeakMap<object, JsonSchemaObject>;
}

/** A schema that is being made. */
export type Made = Record<string, unknown>;

/** What cannot be said by a keyword, people and models can still read. */
export function addNote(made: Made, note: string | undefined): void {
  if (note === undefined) return;
  const { description } = made;
  made['description'] = typeof description === 'string' ? `${description}\n\n${note}` : note;
}

/** True and false are often written in quotes. */
export function readSwitch(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value;
}

export function printShort(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
