// From a document's syntax tree to plain data: what YAML allows and JSON does not is reported on the way.
// In: the root node. Out: the value, and what each alias stands for.

import { createRequire } from 'node:module';
import type { Alias, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { Span } from './lines.js';
import { depthLimit, type Report } from './report.js';

/** What aliases may add to the values that are written out. */
const expansionLimit = 100_000;

interface YamlValue {
  readonly value: unknown;
  readonly targets: ReadonlyMap<Alias, Node>;
}

/** An anchor that was met; `open` while the walk is still inside it. */
interface Anchor {
  readonly node: Node;
  value: unknown;
  size: number;
  height: number;
  open: boolean;
}

/** The text of a map's key, or undefined where it is not text. A plain key is what was typed: `1.10` is not `1.1`. */
export function keyText(key: unknown, targets: ReadonlyMap<Alias, Node>): string | undefined {
  const node = yaml().isAlias(key) ? targets.get(key) : key;
  if (!yaml().isScalar(node)) return undefined;
  if (node.type !== yaml().Scalar.PLAIN) return String(node.value);
  return node.source === undefined || node.source === '' ? undefined : node.source;
}

/** Only a plain `<<` merges; in quotes it is a key like others. */
export function isMergeKey(key: unknown): boolean {
  return yaml().isScalar(key) && key.type === yaml().Scalar.PLAIN && key.source === '<<';
}

export function spanOfNode(node: unknown): Span {
  const range = (node as Partial<Node> | null)?.range;
  return range ? { start: range[0], end: Math.max(range[1], range[0]) } : { start: 0, end: 0 };
}

/**
 * Reads one document in one walk, in document order, as anchors demand.
 *
 * @example toValue(document.contents, text, report).value
 */
export function toValue(root: Node, text: string, report: Report): YamlValue {
  const walk = new Walk(text, report);
  return { value: walk.read(root, 0), targets: walk.targets };
}

/** `{ description: a, b or a, c }` has the key `b or a` and others, all without a value. */
const commaHint = 'a comma inside { } begins a new key: text with a comma needs quotes';

class Walk {
  readonly targets = new Map<Alias, Node>();
  readonly #anchors = new Map<string, Anchor>();
  readonly #text: string;
  readonly #report: Report;
  /** Values met so far, those behind aliases included. */
  #size = 0;
  #expanded = 0;
  /** The deepest level met since the innermost open anchor. */
  #deepest = 0;
  #tooDeep = false;
  #reports = 0;

  constructor(text: string, report: Report) {
    this.#text = text;
    this.#report = (code, params, span, extras) => {
      this.#reports += 1;
      report(code, params, span, extras);
    };
  }

  read(node: unknown, depth: number): unknown {
    if (yaml().isAlias(node)) return this.#follow(node, depth);
    const name = yaml().isScalar(node) || yaml().isMap(node) || yaml().isSeq(node) ? node.anchor : undefined;
    if (name === undefined) return this.#readPlain(node, depth);

    const anchor: Anchor = { node: node as Node, value: undefined, size: 0, height: 0, open: true };
    this.#anchors.set(name, anchor);
    const sizeBefore = this.#size;
    const deepestBefore = this.#deepest;
    this.#deepest = depth;
    anchor.value = this.#readPlain(node, depth);
    anchor.size = this.#size - sizeBefore;
    anchor.height = this.#deepest - depth;
    anchor.open = false;
    this.#deepest = Math.max(this.#deepest, deepestBefore);
    return anchor.value;
  }

  #readPlain(node: unknown, depth: number): unknown {
    this.#size += 1;
    if (yaml().isScalar(node)) return this.#readScalar(node);
    if (!yaml().isMap(node) && !yaml().isSeq(node)) return null;
    if (!this.#descend(depth + 1, node)) return null;
    return yaml().isMap(node) ? this.#readMap(node, depth + 1) : this.#readList(node, depth + 1);
  }

  #readScalar(node: Scalar): unknown {
    const { value } = node;
    if (typeof value === 'string') {
      // Long texts behind aliases fill the memory as well as many values do.
      this.#size += Math.floor(value.length / 100);
      return value;
    }
    if (typeof value !== 'number') return value ?? null;
    if (Number.isFinite(value)) return value === 0 ? 0 : value;
    const span = spanOfNode(node);
    this.#report('parse/not-json', { text: this.#text.slice(span.start, span.end) }, span);
    return null;
  }

  #readList(node: YAMLSeq, depth: number): unknown[] {
    return node.items.map(item => this.read(item, depth));
  }

  #readMap(node: YAMLMap, depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    /** Keys that came by a merge: the map's own win over them. */
    let merged: Set<string> | undefined;
    let mergeKey: unknown;
    let firsts: ReadonlyMap<string, unknown> | undefined;
    for (const pair of node.items) {
      if (isMergeKey(pair.key)) {
        if (mergeKey !== undefined) this.#reportTwice('<<', pair.key, mergeKey, 'one << takes a list: <<: [*a, *b]');
        mergeKey = pair.key;
        merged ??= new Set();
        this.#merge(pair, { map, merged, depth });
        continue;
      }
      const key = this.#readKey(pair.key, depth);
      const value = this.read(pair.value, depth);
      if (key === undefined) continue;
      if (Object.hasOwn(map, key) && !merged?.delete(key)) {
        firsts ??= this.#firstKeys(node);
        this.#reportTwice(key, pair.key, firsts.get(key), node.flow && pair.value === null ? commaHint : undefined);
      } else map[key] = value;
    }
    return map;
  }

  #readKey(node: unknown, depth: number): string | undefined {
    // A key may have an anchor, and may be an alias; its value is of no use.
    if (yaml().isAlias(node) || (yaml().isScalar(node) && node.anchor !== undefined)) this.read(node, depth);
    if (yaml().isAlias(node) && !this.targets.has(node)) return undefined;
    const key = keyText(node, this.targets);
    const span = spanOfNode(node);
    if (key === undefined) {
      const braces = this.#text.startsWith('{{', span.start - 1);
      this.#report('parse/complex-key', {}, span.end > span.start ? span : { ...span, end: span.start + 1 }, {
        hint: braces ? 'text that starts with {{ needs quotes' : undefined,
      });
      return undefined;
    }
    if (key !== '__proto__') return key;
    this.#report('parse/forbidden-key', { key }, span);
    return undefined;
  }

  #merge(pair: Pair, into: { map: Record<string, unknown>; merged: Set<string>; depth: number }): void {
    const reportsBefore = this.#reports;
    const written = yaml().isSeq(pair.value) && pair.value.anchor === undefined ? pair.value.items : [pair.value];
    // What is merged stands on the level of the map itself.
    const values = written.flatMap(source => this.read(source, into.depth - 1));
    if (this.#reports > reportsBefore || this.#isStopped) return;
    for (const source of values) {
      if (typeof source !== 'object' || source === null || Array.isArray(source)) {
        const span = spanOfNode(pair.value);
        const reason = 'the merge key << needs a map or a list of maps';
        this.#report('parse/yaml', { reason }, span.end > span.start ? span : spanOfNode(pair.key));
        return;
      }
      for (const [key, part] of Object.entries(source)) {
        if (Object.hasOwn(into.map, key)) continue;
        into.map[key] = part;
        into.merged.add(key);
      }
    }
  }

  #follow(alias: Alias, depth: number): unknown {
    const anchor = this.#anchors.get(alias.source);
    const span = spanOfNode(alias);
    if (anchor === undefined) {
      this.#report('parse/unknown-alias', { name: alias.source }, span);
      return null;
    }
    if (anchor.open) {
      this.#report('parse/alias-cycle', { name: alias.source }, span);
      return null;
    }
    this.targets.set(alias, anchor.node);
    if (!this.#descend(depth + anchor.height, alias)) return null;
    if (this.#isStopped) return null;
    this.#size += anchor.size;
    this.#expanded += anchor.size;
    if (this.#expanded <= expansionLimit) return anchor.value;
    this.#report('parse/alias-bomb', { nodes: expansionLimit }, span);
    return null;
  }

  /** After one of the limits values are no longer complete: what they lack is no further mistake. */
  get #isStopped(): boolean {
    return this.#tooDeep || this.#expanded > expansionLimit;
  }

  /** Notes a level, and says whether it may be entered: the first that may not is reported. */
  #descend(depth: number, node: unknown): boolean {
    this.#deepest = Math.max(this.#deepest, depth);
    if (depth <= depthLimit) return true;
    if (!this.#tooDeep) this.#report('parse/too-deep', { limit: depthLimit }, spanOfNode(node));
    this.#tooDeep = true;
    return false;
  }

  #firstKeys(node: YAMLMap): ReadonlyMap<string, unknown> {
    const firsts = new Map<string, unknown>();
    for (const { key } of node.items) {
      const text = keyText(key, this.targets);
      if (text !== undefined && !firsts.has(text)) firsts.set(text, key);
    }
    return firsts;
  }

  #reportTwice(key: string, second: unknown, first: unknown, hint?: string): void {
    this.#report('parse/duplicate-key', { key }, spanOfNode(second), {
      hint,
      related: { span: spanOfNode(first), message: 'the first one is here' },
    });
  }
}

// The YAML library, loaded when the first YAML text is parsed: JSON packs and packs in a warm cache never pay for it.

/** Set by scripts/build.mjs: the library as one file, which is loaded three times as fast as its seventy. */
declare const __TOOLWRIGHT_YAML__: string | undefined;

type YamlLibrary = typeof import('yaml');

const require = createRequire(import.meta.url);
let library: YamlLibrary | undefined;

export function yaml(): YamlLibrary {
  library ??= require(typeof __TOOLWRIGHT_YAML__ === 'undefined' ? 'yaml' : __TOOLWRIGHT_YAML__) as YamlLibrary;
  return library;
}
