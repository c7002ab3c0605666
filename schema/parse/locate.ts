// Where the parts of a document were written, for every format alike; asked for only where something is wrong. See locate-json.ts for JSON.
// In: the syntax tree of YAML. Out: the place of its root, which leads to all others.

import type { Alias, Node, Pair, Scalar, YAMLMap } from 'yaml';
import type { Span } from './lines.js';
import type { YamlDocument } from './yaml.js';
import { isMergeKey, keyText, spanOfNode, yaml } from './yaml-value.js';

/** One written value. Aliases and merge keys are already followed: it is where the text stands. */
export interface Place {
  readonly span: Span;
  /** The key before it; list items and roots have none. */
  readonly key: Span | undefined;
  /** What is between the quotes, or below the header of a block; lists and maps have none. */
  readonly scalar: { readonly raw: Span; readonly inner: Span; readonly value: unknown } | undefined;
  child(step: string | number): Place | undefined;
  /** The first key of a map. */
  firstKey(): Span | undefined;
}

// The places of a YAML document: a view of its syntax tree that sees through aliases and merge keys.
// In: a document of readYaml and its text. Out: the place of its root.

interface Context {
  readonly text: string;
  readonly targets: ReadonlyMap<Alias, Node>;
  /** The pairs of a map by key, once one was looked for: files may have as many mistakes as keys. */
  readonly pairs: Map<YAMLMap, ReadonlyMap<string, Pair>>;
}

/**
 * Where the parts of a YAML document stand.
 *
 * @example locateYaml(document, text).child('name')?.key
 */
export function locateYaml(document: YamlDocument, text: string): Place {
  return makePlace(document.root, undefined, { text, targets: document.targets, pairs: new Map() });
}

function makePlace(written: unknown, key: Span | undefined, context: Context): Place {
  const node = resolve(written, context);
  return {
    span: spanOfValue(node, context.text),
    key,
    scalar: yaml().isScalar(node) ? scalarOf(node, context.text) : undefined,
    child: step => childOf(node, step, context),
    firstKey: () => (yaml().isMap(node) && node.items[0] !== undefined ? spanOfNode(node.items[0].key) : undefined),
  };
}

function resolve(node: unknown, { targets }: Context): unknown {
  return yaml().isAlias(node) ? targets.get(node) : node;
}

function childOf(node: unknown, step: string | number, context: Context): Place | undefined {
  if (yaml().isSeq(node)) {
    const item = Object.hasOwn(node.items, step) && /^\d+$/.test(String(step)) ? node.items[Number(step)] : undefined;
    return item === undefined ? undefined : makePlace(item, undefined, context);
  }
  if (!yaml().isMap(node)) return undefined;
  const pair = findPair(node, String(step), context);
  return pair === undefined ? undefined : makePlace(pair.value, spanOfNode(pair.key), context);
}

/** A map's own keys win over merged ones, wherever they stand; of merged maps the first wins. */
function findPair(map: YAMLMap, key: string, context: Context): Pair | undefined {
  const own = ownPairs(map, context).get(key);
  if (own !== undefined) return own;
  for (const pair of map.items) {
    if (!isMergeKey(pair.key)) continue;
    const merged = resolve(pair.value, context);
    for (const written of yaml().isSeq(merged) ? merged.items : [merged]) {
      const source = resolve(written, context);
      const found = yaml().isMap(source) ? findPair(source, key, context) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function ownPairs(map: YAMLMap, { pairs, targets }: Context): ReadonlyMap<string, Pair> {
  const known = pairs.get(map);
  if (known !== undefined) return known;
  const own = new Map<string, Pair>();
  for (const pair of map.items) {
    const key = isMergeKey(pair.key) ? undefined : keyText(pair.key, targets);
    if (key !== undefined && !own.has(key)) own.set(key, pair);
  }
  pairs.set(map, own);
  return own;
}

/** A value without its trailing line breaks and comments. Nothing written is an empty span, or the dash of a list item. */
function spanOfValue(node: unknown, text: string): Span {
  const { start } = spanOfNode(node);
  const end = endOfValue(node, text);
  if (end > start) return { start, end };
  const before = text.slice(0, start).trimEnd().length;
  return text[before - 1] === '-' ? { start: before - 1, end: before } : { start, end: start };
}

function endOfValue(node: unknown, text: string): number {
  const { start, end } = spanOfNode(node);
  const last = yaml().isCollection(node) && node.flow !== true ? node.items.at(-1) : undefined;
  if (last === undefined) return start + text.slice(start, end).trimEnd().length;
  if (!yaml().isPair(last)) return spanOfValue(last, text).end;
  const valueEnd = endOfValue(last.value, text);
  return valueEnd > spanOfNode(last.value).start ? valueEnd : spanOfNode(last.key).end;
}

function scalarOf(node: Scalar, text: string): NonNullable<Place['scalar']> {
  const { start, end: rangeEnd } = spanOfNode(node);
  const raw = { start, end: endOfValue(node, text) };
  const { value } = node;
  switch (node.type) {
    case yaml().Scalar.QUOTE_DOUBLE:
    case yaml().Scalar.QUOTE_SINGLE:
      return { raw, inner: { start: start + 1, end: raw.end - 1 }, value };
    case yaml().Scalar.BLOCK_FOLDED:
    case yaml().Scalar.BLOCK_LITERAL: {
      const header = text.indexOf('\n', start);
      const body = header === -1 || header >= rangeEnd ? raw.end : header + 1;
      return { raw, inner: { start: body, end: Math.max(rangeEnd, body) }, value };
    }
    default:
      return { raw, inner: raw, value };
  }
}
