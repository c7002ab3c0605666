// In: the headers of a request of 2026-07-28 and its body. Out: whether they say the same, as clients must see to (C11).
// Only yes is sure: a no goes to the SDK, which answers with the reason.
import { isMap } from '../../schema/document.js';
import { modernVersion } from './handshake.js';

/** Names are asked for in lower case; what a client sent twice comes joined, or not at all. */
export interface HeaderReader {
  get(name: string): string | null;
}

/** An argument that is sent as a header too: `x-mcp-header` in the schema of a tool. */
export interface ParamHeader {
  readonly path: readonly string[];
  /** In lower case, with its prefix. */
  readonly header: string;
  readonly isInteger: boolean;
}

const keyword = 'x-mcp-header';
const encodedValue = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;
const decimal = /^-?\d+(\.\d+)?$/;

/** Whether the headers that every request has name its version, its method and, where there is one, its name. */
export function nameRequest(headers: HeaderReader, method: string, name: string | undefined): boolean {
  if (headers.get('mcp-protocol-version') !== modernVersion || headers.get('mcp-method') !== method) return false;
  if (name === undefined) return true;
  const given = headers.get('mcp-name');
  return given === name ? !given.startsWith('=?') : given !== null && decode(given) === name;
}

/** Whether every argument that must be in a header is there, and the same. */
export function repeatArguments(headers: HeaderReader, wanted: readonly ParamHeader[], args: unknown): boolean {
  return wanted.every(({ path, header, isInteger }) => {
    let value = args;
    for (const key of path) {
      if (Array.isArray(value)) return false;
      value = isMap(value) ? value[key] : undefined;
    }
    if (value === undefined || value === null) return true;
    const given = headers.get(header);
    const text = given === null ? undefined : decode(given);
    if (text === undefined) return false;
    switch (typeof value) {
      case 'string':
        return text === value;
      case 'boolean':
        return text === String(value);
      case 'number':
        // 7 and 7.0 are one number; a number where the schema wants a string is compared as it is written.
        if (!Number.isSafeInteger(value)) return false;
        return isInteger && decimal.test(text) ? Number(text) === value : text === String(value);
      default:
        return false;
    }
  });
}

/** What a value in a header stands for: texts that no header can carry come in base64. Undefined: it is malformed. */
function decode(value: string): string | undefined {
  if (!value.startsWith('=?base64?')) return value;
  const [, encoded] = encodedValue.exec(value) ?? [];
  if (encoded === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), character => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Those of a tool; undefined where the schema has one at a place that the SDK must judge. */
export function findParamHeaders(schema: unknown): readonly ParamHeader[] | undefined {
  const found: ParamHeader[] = [];
  collect(schema, [], found);
  // One below `items`, `anyOf` or the like was not counted, and neither was one in an example or a default.
  return countMentions(schema) === found.length ? found : undefined;
}

function collect(schema: unknown, path: readonly string[], found: ParamHeader[]): void {
  if (!isMap(schema)) return;
  const name = schema[keyword];
  const type = schema['type'];
  if (path.length > 0 && typeof name === 'string' && ['string', 'integer', 'boolean'].includes(String(type))) {
    found.push({ path, header: `mcp-param-${name.toLowerCase()}`, isInteger: type === 'integer' });
  }
  const { properties } = schema;
  if (!isMap(properties)) return;
  for (const [key, child] of Object.entries(properties)) collect(child, [...path, key], found);
}

function countMentions(schema: unknown): number {
  return (JSON.stringify(schema) ?? '').split(`"${keyword}"`).length - 1;
}
