// The noun of editing somebody's configuration, and the proof that an edit did what it should and nothing else.

import { isDeepStrictEqual } from 'node:util';
import { isMap } from '../../schema/document.js';
import { own } from '../../schema/json-schema/keywords.js';
import { aroundMark } from '../edit/byte-order-mark.js';
import type { Client, ConfigFormat, EntryData } from './client.js';

/** Where servers are in a file, and which one is meant. */
export interface Target extends Pick<Client, 'path' | 'holds'> {
  readonly name: string;
}

/** Why a file is left as it is. */
export interface Refusal {
  readonly problem: string;
  /** What a person can do. */
  readonly hint?: string;
  /** 1-based; absent where the whole file is meant. */
  readonly line?: number;
  readonly column?: number;
}

export type Edited = { readonly text: string } | Refusal;

/** One way of writing files: how to read one, and how to put an entry in or take it out, leaving every other byte. */
export interface ConfigWriter<E = EntryData> {
  readonly format: ConfigFormat;
  /** An empty text is an empty map or list. */
  read(text: string, target: Target): { readonly value: unknown } | Refusal;
  /** `start`: what a file has besides that is made anew. */
  put(text: string, target: Target, entry: E, start: EntryData): string;
  take(text: string, target: Target): string;
}

export function isRefusal<T extends object>(result: T | Refusal): result is Refusal {
  return 'problem' in result;
}

/** Puts an entry in place of the one of that name, or after all others; the same text where it is there already. */
export function putEntry<E>(
  writer: ConfigWriter<E>,
  { text: whole, target, entry, start = {} }: { text: string; target: Target; entry: E; start?: EntryData },
): Edited {
  const edited = aroundMark<Refusal>(whole, text => {
    const read = writer.read(text, target);
    if (isRefusal(read)) return read;
    const wrong = refuseShape(read.value, target);
    if (wrong !== undefined) return wrong;
    if (isDeepStrictEqual(entryIn(read.value, target), entry)) return text;
    const expected = withEntry(withStart(text, read.value, start), target, entry);
    return proved(writer, writer.put(text, target, entry, start), target, expected);
  });
  return toEdited(edited);
}

/** Takes the entry out; the same text where there is none. */
export function takeEntry(writer: ConfigWriter, { text: whole, target }: { text: string; target: Target }): Edited {
  const edited = aroundMark<Refusal>(whole, text => {
    const read = writer.read(text, target);
    if (isRefusal(read)) return read;
    if (refuseShape(read.value, target) !== undefined || entryIn(read.value, target) === undefined) return text;
    return proved(writer, writer.take(text, target), target, withEntry(read.value, target, undefined));
  });
  return toEdited(edited);
}

function toEdited(edited: string | Refusal): Edited {
  return typeof edited === 'string' ? { text: edited } : edited;
}

/** The map or list that entries are in. */
export function containerIn(value: unknown, { path }: Target): unknown {
  return path.reduce((at, key) => (isMap(at) ? own(at, key) : undefined), value);
}

/** What a file has under the name. */
export function entryIn(value: unknown, target: Target): unknown {
  const { holds, name } = target;
  const container = containerIn(value, target);
  if (holds === 'map') return isMap(container) ? own(container, name) : undefined;
  return Array.isArray(container) ? container.find(one => isMap(one) && one['name'] === name) : undefined;
}

/** Nothing is written that does not read back as exactly what was meant. */
function proved<E>(writer: ConfigWriter<E>, text: string, target: Target, expected: unknown): string | Refusal {
  const again = writer.read(text, target);
  // Where no server is left, TOML has no place for their table.
  const filled = isRefusal(again) ? undefined : withContainer(again.value, target);
  if (isDeepStrictEqual(filled, withContainer(expected, target))) return text;
  return {
    problem: 'it is written in a way that cannot be edited safely; change it by hand (--print shows the entry)',
  };
}

function refuseShape(value: unknown, { path, holds }: Target): Refusal | undefined {
  let at = value;
  for (const [depth, key] of path.entries()) {
    if (!isMap(at)) return { problem: `${where(path.slice(0, depth))} is not a map` };
    if (!Object.hasOwn(at, key) || at[key] === null) return undefined;
    at = at[key];
  }
  const isRight = holds === 'map' ? isMap(at) : Array.isArray(at);
  return isRight ? undefined : { problem: `${where(path)} is not a ${holds}` };
}

function where(path: readonly string[]): string {
  return path.length === 0 ? 'the file' : `"${path.join('.')}"`;
}

function withStart(text: string, value: unknown, start: EntryData): unknown {
  return text.trim() === '' && isMap(value) ? { ...start, ...value } : value;
}

function withEntry(value: unknown, target: Target, entry: unknown): unknown {
  const [key, ...path] = target.path;
  if (key !== undefined) {
    const map = isMap(value) ? value : {};
    return { ...map, [key]: withEntry(map[key], { ...target, path }, entry) };
  }
  if (target.holds === 'map') {
    const { [target.name]: _, ...others } = isMap(value) ? value : {};
    return entry === undefined ? others : { ...others, [target.name]: entry };
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const isIt = (one: unknown): boolean => isMap(one) && one['name'] === target.name;
  if (entry === undefined) return list.filter(one => !isIt(one));
  return list.some(isIt) ? list.map(one => (isIt(one) ? entry : one)) : [...list, entry];
}

function withContainer(value: unknown, { path, holds }: Target): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value ?? (holds === 'map' ? {} : []);
  return isMap(value) ? { ...value, [key]: withContainer(value[key], { path: rest, holds, name: '' }) } : value;
}
