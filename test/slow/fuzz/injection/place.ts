// What all places of a request have in common: a tool, what is given, and how what arrived is read back. `take` removes what belongs to the
// place: everything that is left must be as it is for a harmless value.
import { strict as assert } from 'node:assert';
import type { Values } from './values.js';
import type { Target, WireRequest } from './wire.js';

/** A request in its parts, to take from. */
export interface Parsed {
  method: string;
  target: Target;
  segments: string[];
  query: (readonly [string, string])[];
  headers: (readonly [string, string])[];
  body: Buffer;
  readonly request: WireRequest;
}

export interface HttpPlace {
  readonly tool: object;
  /** Arguments, from harmless ones on. */
  readonly plain: Readonly<Record<string, unknown>>;
  make(values: Values): Record<string, unknown>;
  /** Whether each value arrived as it was given. */
  take(parsed: Parsed, args: Readonly<Record<string, unknown>>): boolean;
  /** Whether there is a reason for which it may not be sent. */
  mayRefuse(args: Readonly<Record<string, unknown>>): boolean;
}

export const anything = (...names: readonly string[]): object => ({
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, {}])),
    required: names,
    additionalProperties: false,
  },
});
const scalar = { type: ['string', 'number', 'boolean'] };
export const scalars = (...names: readonly string[]): object => ({
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, scalar])),
    required: names,
    additionalProperties: false,
  },
});

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const isDots = (text: string): boolean => /^\.{1,2}(?:;|$)/.test(text);

/** Somewhere in it. */
export function hasText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, one]) => (!Array.isArray(value) && test(key)) || hasText(one, test));
}

export function takeQuery(parsed: Parsed, isMine: (name: string) => boolean): (readonly [string, string])[] {
  const mine = parsed.query.filter(([name]) => isMine(name));
  parsed.query = parsed.query.filter(([name]) => !isMine(name));
  return mine;
}

export function takeHeader(parsed: Parsed, wanted: string): string | undefined {
  const mine = parsed.headers.filter(([name]) => name === wanted);
  parsed.headers = parsed.headers.filter(([name]) => name !== wanted);
  assert(mine.length <= 1, `the header ${wanted} twice`);
  return mine[0]?.[1];
}

export function takeBody(parsed: Parsed): Buffer {
  const { body } = parsed;
  parsed.body = Buffer.alloc(0);
  return body;
}

const jsonOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** JSON text is compared as the texts of members in order, so that no way of making objects can hide one. */
export function isSameJson(given: unknown, arrived: Buffer): boolean {
  return (
    JSON.stringify(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(arrived))) ===
    JSON.stringify(jsonOf(given))
  );
}

export function hasKey(value: unknown, test: (key: string) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, one]) => (!Array.isArray(value) && test(key)) || hasKey(one, test));
}
