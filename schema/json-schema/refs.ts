// In: one schema document. Out: where each of its references leads. Nothing outside the document is ever looked at.
import type { Path } from '../document.js';
import { type Dialect, dataKeywords, isSchemaObject, type JsonSchemaObject, own } from './keywords.js';

export type RefKeyword = '$ref' | '$recursiveRef' | '$dynamicRef';

/** The keywords that refer, by dialect; the others are ignored there. */
export const refKeywords: Readonly<Record<Dialect, readonly RefKeyword[]>> = {
  'draft-07': ['$ref'],
  '2019-09': ['$ref', '$recursiveRef'],
  '2020-12': ['$ref', '$dynamicRef'],
};

/** What a reference to a shared schema begins with. */
export const sharedPrefix = 'schema:';

/**
 * The name in a reference to a shared schema.
 *
 * @example sharedName('schema:issue') // 'issue'
 */
export function sharedName(ref: unknown): string | undefined {
  return typeof ref === 'string' && ref.startsWith(sharedPrefix) ? ref.slice(sharedPrefix.length) : undefined;
}

export type RefTarget =
  | { readonly kind: 'found'; readonly path: Path; readonly schema: JsonSchemaObject | boolean }
  /** Right by the specification, but ajv, which makes our validators, does not find anchors there. */
  | { readonly kind: 'unsupported'; readonly path: Path }
  | { readonly kind: 'dangling' }
  | { readonly kind: 'remote' };

/** An `$id` or anchor that ajv refuses: given twice, or of a wrong form. */
export interface IdMistake {
  readonly path: Path;
  readonly keyword: string;
  readonly reason: string;
}

export interface RefIndex {
  readonly idMistakes: readonly IdMistake[];
  /** Where a reference written in the schema `from` leads. */
  resolve(ref: string, from: JsonSchemaObject, keyword?: RefKeyword): RefTarget;
}

interface Place {
  readonly schema: JsonSchemaObject;
  readonly path: Path;
  /** The URI of the innermost resource (a schema with `$id`) around it. */
  readonly base: string;
}

interface Pending extends Place {
  /** Where ajv does not find ids and anchors: inside prefixItems, and below names with a percent escape. */
  readonly hidden: boolean;
}

interface Anchor extends Pending {
  readonly keyword: string;
}

// Schemas without an absolute $id get a URI of their own, so that relative ones have something to resolve against.
const documentUri = 'schema://document/';
const percentEscape = /%[0-9a-f]{2}/i;
const anchorForm = /^[A-Za-z_][-A-Za-z0-9._]*$/;
const mapKeywords: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'properties',
  'patternProperties',
  'dependencies',
  'dependentSchemas',
]);
const listKeywords: ReadonlySet<string> = new Set(['items', 'allOf', 'anyOf', 'oneOf', 'prefixItems']);

/**
 * Collects the ids and anchors of a document.
 *
 * @example indexRefs(schema).resolve('#/$defs/issue', schema) // { kind: 'found', path: ['$defs', 'issue'], ... }
 */
export function indexRefs(root: JsonSchemaObject): RefIndex {
  const resources = new Map<string, Pending>();
  const anchors = new Map<string, Anchor>();
  const bases = new Map<JsonSchemaObject, string>();
  const idMistakes: IdMistake[] = [];

  const addId = (place: Pending): string => {
    const id = own(place.schema, '$id');
    if (typeof id !== 'string') return place.base;
    const [uri = '', fragment = ''] = splitRef(id);
    const base = uri === '' ? place.base : resolveUri(uri, place.base);
    if (fragment !== '') addAnchor({ ...place, base }, '$id', fragment);
    if (uri === '') return base;
    if (resources.has(base) && place.schema !== root) {
      idMistakes.push({ path: place.path, keyword: '$id', reason: `is given twice (${JSON.stringify(id)})` });
    } else {
      resources.set(base, { ...place, base });
    }
    return base;
  };

  const addAnchor = (place: Pending, keyword: string, name: string): void => {
    const key = `${place.base}#${name}`;
    const known = anchors.get(key);
    if (keyword !== '$id' && !anchorForm.test(name)) {
      idMistakes.push({ path: place.path, keyword, reason: 'must be a letter followed by letters, digits, - . _' });
    } else if (known !== undefined) {
      const reason = `gives the name ${JSON.stringify(name)} to a second schema`;
      idMistakes.push({ path: place.path, keyword, reason });
    } else {
      anchors.set(key, { ...place, keyword });
    }
  };

  const waiting: Pending[] = [{ schema: root, path: [], base: documentUri, hidden: false }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { schema, path } = place;
    const base = addId(place);
    if (!bases.has(schema)) bases.set(schema, base);
    if (path.length === 0 && !resources.has(base)) resources.set(base, { ...place, base });
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = own(schema, keyword);
      if (typeof name === 'string') addAnchor({ ...place, base }, keyword, name);
    }
    for (const child of childrenOf({ ...place, base }).reverse()) waiting.push(child);
  }

  const rootBase = bases.get(root) ?? documentUri;
  const resolve = (ref: string, from: JsonSchemaObject, keyword: RefKeyword = '$ref'): RefTarget => {
    const base = bases.get(from) ?? rootBase;
    const [uri = '', fragment = ''] = splitRef(ref);
    const resource = resources.get(uri === '' ? base : resolveUri(uri, base));
    if (resource === undefined) return { kind: 'remote' };
    if (fragment === '' || fragment.startsWith('/')) {
      const target = followPointer(resource, fragment);
      return resource.hidden && target.kind === 'found' ? { kind: 'unsupported', path: target.path } : target;
    }
    const anchor = anchors.get(`${resource.base}#${fragment}`);
    if (anchor === undefined) return { kind: 'dangling' };
    if (!isReachable(anchor, keyword)) return { kind: 'unsupported', path: anchor.path };
    return { kind: 'found', path: anchor.path, schema: anchor.schema };
  };

  return { idMistakes, resolve };
}

/** ajv finds dynamic anchors as it compiles, others in a search that leaves out the root. */
function isReachable(anchor: Anchor, keyword: RefKeyword): boolean {
  if (keyword === '$dynamicRef') return anchor.keyword === '$dynamicAnchor';
  return !anchor.hidden && anchor.path.length > 0;
}

// Like ajv it looks for ids also under keywords that nobody knows, since references may lead there.
function childrenOf(place: Pending): Pending[] {
  const children: Pending[] = [];
  const add = (value: unknown, keys: Path, hidden: boolean): void => {
    if (isSchemaObject(value))
      children.push({ schema: value, path: [...place.path, ...keys], base: place.base, hidden });
  };
  for (const [keyword, value] of Object.entries(place.schema)) {
    if (dataKeywords.has(keyword)) continue;
    if (Array.isArray(value)) {
      const hidden = place.hidden || keyword === 'prefixItems';
      if (!listKeywords.has(keyword)) continue;
      for (const [index, member] of value.entries()) add(member, [keyword, index], hidden);
    } else if (mapKeywords.has(keyword)) {
      if (isSchemaObject(value)) {
        for (const [name, member] of Object.entries(value))
          add(member, [keyword, name], place.hidden || percentEscape.test(name));
      }
    } else {
      add(value, [keyword], place.hidden);
    }
  }
  return children;
}

function splitRef(ref: string): readonly [string, string] {
  const hash = ref.indexOf('#');
  return hash === -1 ? [ref, ''] : [ref.slice(0, hash), ref.slice(hash + 1)];
}

function resolveUri(uri: string, base: string): string {
  try {
    const url = new URL(uri, base);
    url.hash = '';
    return url.href;
  } catch {
    // Not even a URI, or relative to a urn: only an equal text can match.
    return uri;
  }
}

/** The keys of a JSON pointer in a URI fragment, or undefined where its escapes are broken. */
export function pointerKeys(fragment: string): readonly string[] | undefined {
  if (fragment === '') return [];
  try {
    return fragment
      .slice(1)
      .split('/')
      .map(part => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined;
  }
}

function followPointer(resource: Place, fragment: string): RefTarget {
  let value: unknown = resource.schema;
  const path: (string | number)[] = [...resource.path];
  const keys = pointerKeys(fragment);
  if (keys === undefined) return { kind: 'dangling' };
  for (const key of keys) {
    if (Array.isArray(value) && /^(?:0|[1-9][0-9]*)$/.test(key)) {
      value = value[Number(key)];
      path.push(Number(key));
    } else if (isSchemaObject(value)) {
      value = own(value, key);
      path.push(key);
    } else {
      return { kind: 'dangling' };
    }
  }
  return isSchemaObject(value) || typeof value === 'boolean'
    ? { kind: 'found', path, schema: value }
    : { kind: 'dangling' };
}

/** The JSON pointer of a path, as it stands in a `$ref`. */
export function printPointer(path: Path): string {
  return `#${path.map(key => `/${encodeKey(String(key).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
}

/** Half a character has no place in a URI, and encodeURI throws on it; written like this, two keys still differ. */
function encodeKey(key: string): string {
  return key
    .split(/(\p{Surrogate})/u)
    .map((part, index) => (index % 2 === 1 ? `%u${part.charCodeAt(0).toString(16)}` : encodeURI(part)))
    .join('')
    .replaceAll('#', '%23')
    .replaceAll('?', '%3F');
}
