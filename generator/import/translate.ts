// Items of a source refer to each other by the names that the source gives them; the pack may have other names for them. In: a definition
// and the names. Out: the definition as the pack would say it.

import { handledKinds, keyOf } from '../../schema/definitions.js';
import { asMap, isMap, setOwn } from '../../schema/document.js';
import type { RecordedKind } from './record/record.js';

/** By kind: names of the source that are others in the pack. */
export type Names = ReadonlyMap<RecordedKind, ReadonlyMap<string, string>>;

/** @example translate({ $ref: 'schema:issue' }, 'schema', new Map([['schema', new Map([['issue', 'ticket']])]])) // { $ref: 'schema:ticket' } */
export function translate(definition: unknown, kind: RecordedKind, names: Names): unknown {
  if ([...names.values()].every(({ size }) => size === 0)) return definition;
  if (kind === 'server') return translateServer(definition, names);
  const settings = names.get('config');
  return visit(definition, []);

  function visit(value: unknown, path: readonly string[]): unknown {
    if (typeof value === 'string') return translateText(value, path);
    if (Array.isArray(value)) return value.map(one => visit(one, path));
    if (!isMap(value)) return value;
    const next: Record<string, unknown> = {};
    // The keys of a condition are settings.
    const isCondition = path.length === 1 && path[0] === 'when';
    for (const [key, one] of Object.entries(value))
      setOwn(next, isCondition ? (settings?.get(key) ?? key) : key, visit(one, [...path, key]));
    return next;
  }

  function translateText(text: string, path: readonly string[]): string {
    const key = path.at(-1);
    const isCall = path.length === 2 && (path[0] === 'http' || path[0] === 'mcp' || path[0] === 'sql');
    if (key === 'backend' && isCall) return names.get('backend')?.get(text) ?? text;
    if (key === '$ref' && text.startsWith('schema:')) {
      const other = names.get('schema')?.get(text.slice('schema:'.length));
      return other === undefined ? text : `schema:${other}`;
    }
    if (settings === undefined || settings.size === 0) return text;
    const isWordIf = path.length === 2 && path[0] === 'command' && key === 'if';
    if (kind === 'backend' && (path[0] === 'auth' || isWordIf)) return settings.get(text) ?? text;
    if (kind !== 'backend' && path[0] !== 'http' && path[0] !== 'mcp') return text;
    return text.replaceAll(/\{config\.([A-Za-z0-9_]+)\}/g, (whole, name: string) => {
      const other = settings.get(name);
      return other === undefined ? whole : `{config.${other}}`;
    });
  }
}

/** Its lists have names, and entries with a name and a condition. */
function translateServer(definition: unknown, names: Names): unknown {
  const next: Record<string, unknown> = { ...asMap(definition) };
  for (const kind of handledKinds) {
    const list = next[keyOf(kind)];
    const others = names.get(kind);
    if (!Array.isArray(list) || others === undefined) continue;
    next[keyOf(kind)] = list.map((one: unknown) => {
      if (typeof one === 'string') return others.get(one) ?? one;
      const { name } = asMap(one);
      return typeof name === 'string' && others.has(name) ? { ...asMap(one), name: others.get(name) } : one;
    });
  }
  return next;
}
