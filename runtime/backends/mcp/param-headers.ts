// Servers of 2026 may want arguments repeated in headers (`x-mcp-header` in a tool's schema), for those who route by them. In: the tools
// of a server, once it has refused a request without them. Out: the headers of a call.
import { isMap } from '../../../schema/document.js';
import type { CallScope } from '../ports.js';
import type { Connection } from './connection.js';
import { listTools } from './list-all.js';
import type { Params } from './wire.js';

interface ParamHeader {
  readonly path: readonly string[];
  readonly header: string;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export class ParamHeaders {
  readonly #byTool = new Map<string, readonly ParamHeader[]>();

  /** Undefined for all that has none, as far as is known. */
  of(method: string, { name, arguments: args }: Params): Readonly<Record<string, string>> | undefined {
    if (this.#byTool.size === 0 || method !== 'tools/call' || typeof name !== 'string') return undefined;
    const wanted = this.#byTool.get(name);
    if (wanted === undefined) return undefined;
    const headers: [string, string][] = [];
    for (const { path, header } of wanted) {
      let value: unknown = args;
      for (const key of path) value = isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
      const text = textOf(value);
      if (text !== undefined) headers.push([`mcp-param-${header}`, headerValue(text)]);
    }
    return Object.fromEntries(headers);
  }

  async learn(connection: Connection, call: CallScope): Promise<void> {
    this.#byTool.clear();
    for (const tool of await listTools(connection, call)) {
      if (!isMap(tool) || typeof tool['name'] !== 'string') continue;
      const found = findHeaders(tool['inputSchema'], []);
      if (found.length > 0) this.#byTool.set(tool['name'], found);
    }
  }
}

/** They may stand at properties, and at properties of these. */
function findHeaders(schema: unknown, path: readonly string[]): readonly ParamHeader[] {
  if (!isMap(schema) || path.length > 20) return [];
  const { 'x-mcp-header': header, properties } = schema;
  const own = typeof header === 'string' && token.test(header) && path.length > 0 ? [{ path, header }] : [];
  if (!isMap(properties)) return own;
  return [...own, ...Object.entries(properties).flatMap(([key, member]) => findHeaders(member, [...path, key]))];
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

/**
 * A value that a header cannot have as it is goes as base64.
 *
 * @example headerValue('Zürich') // '=?base64?WsO8cmljaA==?='
 */
export function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
