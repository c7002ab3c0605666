// In: what stands in place of a handler (`http`, `sql`, `exec`, `mcp`), and `backends` of the pack. Out: which of them it is, the backend that
// it uses, and every text in it with the place where it stands: what may stand there is decided by `check`.
import type { BackendDefinition, HttpCall } from '../definitions.js';
import { asList, asMap, isMap, type Path } from '../document.js';
import { parseText, placeholdersOf } from './text.js';

const callKinds = ['http', 'sql', 'exec', 'mcp'] as const;
export type CallKind = (typeof callKinds)[number];

/** Which of them does the work of an item; undefined where code or static content does. */
export function callKindOf(definition: Readonly<Record<string, unknown>>): CallKind | undefined {
  return callKinds.find(kind => definition[kind] !== undefined);
}

/** A template of another server in parts: `{name}` is one segment, `{+name}` may be several. */
export type UriPart = string | { readonly name: string; readonly isWide: boolean };

/**
 * Reads the `name` of a forwarded resource.
 *
 * @example splitUri('theirs://{id}/x') // ['theirs://', { name: 'id', isWide: false }, '/x']
 */
export function splitUri(template: string): readonly UriPart[] {
  const parts: UriPart[] = [];
  let end = 0;
  for (const { 0: tag, 1: plus, 2: name = '', index } of template.matchAll(/\{(\+?)([^{}*:]+)\*?\}/g)) {
    if (index > end) parts.push(template.slice(end, index));
    parts.push({ name, isWide: plus !== '' });
    end = index + tag.length;
  }
  return end < template.length ? [...parts, template.slice(end)] : parts;
}

/** `GET /issue/{issueKey}` as an object. */
export function readHttpCall(value: unknown): HttpCall {
  if (typeof value !== 'string') return asMap(value) as HttpCall;
  const [method = 'GET', path = ''] = value.trim().split(/\s+/);
  return { method, path };
}

export type Backends = Readonly<Record<string, BackendDefinition>>;

/** Whether a backend serves calls of a kind. */
export function isOfKind({ type }: Pick<BackendDefinition, 'type'>, kind: CallKind): boolean {
  return kind === 'sql' ? type === 'sqlite' || type === 'postgres' || type === 'sql' : type === kind;
}

/**
 * The backend that a call names, or the only one of its kind; undefined where it needs none.
 *
 * @example findBackend('http', { path: '/x' }, { jira: { type: 'http', url } }) // { name: 'jira' }
 */
export function findBackend(kind: CallKind, call: unknown, backends: Backends): FoundBackend | undefined {
  const given = asMap(call)['backend'];
  if (kind === 'exec' || (kind === 'http' && given === undefined && asMap(call)['url'] !== undefined)) return undefined;
  const ofKind = Object.keys(backends).filter(name => {
    const one = backends[name];
    return one !== undefined && isOfKind(one, kind);
  });
  if (typeof given === 'string') {
    const definition = Object.hasOwn(backends, given) ? backends[given] : undefined;
    if (definition === undefined) return { problem: 'unknown', ofKind };
    return isOfKind(definition, kind) ? { name: given, definition } : { problem: 'type', ofKind };
  }
  const [only] = ofKind;
  const definition = only === undefined ? undefined : backends[only];
  if (only === undefined || definition === undefined) return { problem: 'none', ofKind };
  return ofKind.length > 1 ? { problem: 'several', ofKind } : { name: only, definition };
}

export type FoundBackend =
  | { readonly name: string; readonly definition: BackendDefinition; readonly problem?: never }
  | { readonly problem: 'unknown' | 'type' | 'none' | 'several'; readonly ofKind: readonly string[] };

/** Where a string stands. */
export type Place =
  | 'argument'
  | 'stdin'
  | 'cwd'
  | 'env'
  | 'path'
  | 'address'
  | 'query'
  | 'styled'
  | 'header'
  | 'cookie'
  | 'tree'
  | 'base'
  | 'database'
  | 'command'
  | 'setting'
  | 'addresses';

export interface PlacedText {
  readonly place: Place;
  /** From the definition of the item, or the manifest of the pack. */
  readonly path: Path;
  readonly text: string;
}

/** What may stand at a place: arguments, configuration, secrets; and what a lone argument may be. */
export interface PlaceRule {
  /** As the end of "... stands in". */
  readonly words: string;
  readonly takes: readonly ('argument' | 'config' | 'secret')[];
  readonly lone: 'scalar' | 'list' | 'anything';
}

export const placeRules: Readonly<Record<Place, PlaceRule>> = {
  argument: { words: 'an argument of a program', takes: ['argument'], lone: 'list' },
  stdin: { words: 'the input of a program', takes: ['argument'], lone: 'scalar' },
  cwd: { words: 'the folder of a program', takes: ['config'], lone: 'scalar' },
  env: { words: 'a variable of a program', takes: ['argument', 'config', 'secret'], lone: 'scalar' },
  path: { words: 'a path', takes: ['argument'], lone: 'list' },
  address: { words: 'a whole address', takes: ['argument'], lone: 'scalar' },
  query: { words: 'a query parameter', takes: ['argument'], lone: 'list' },
  styled: { words: 'a query parameter', takes: ['argument'], lone: 'anything' },
  header: { words: 'a header', takes: ['argument', 'config', 'secret'], lone: 'list' },
  cookie: { words: 'a cookie', takes: ['argument'], lone: 'scalar' },
  tree: { words: 'a body', takes: ['argument'], lone: 'anything' },
  base: { words: 'the address of a backend', takes: ['config'], lone: 'scalar' },
  database: { words: 'the address of a database', takes: ['config', 'secret'], lone: 'scalar' },
  command: { words: 'the command of a backend', takes: ['config'], lone: 'scalar' },
  setting: { words: 'a setting of a backend', takes: ['config'], lone: 'scalar' },
  addresses: { words: 'a list of addresses', takes: ['config'], lone: 'list' },
};

/** Of an item, without those of a statement: these have placeholders of their own. */
export function textsOfCall(kind: CallKind, call: unknown): readonly PlacedText[] {
  switch (kind) {
    case 'exec':
      return textsOfExec(call);
    case 'http':
      return textsOfHttp(call);
    case 'sql':
    case 'mcp':
      return [];
    default:
      return kind satisfies never;
  }
}

function textsOfExec(call: unknown): readonly PlacedText[] {
  if (!isMap(call)) return [];
  const { args, stdin, cwd, env } = call;
  const list: readonly unknown[] = Array.isArray(args) ? args : [];
  return [
    ...list.flatMap((one, index) =>
      isMap(one)
        ? textsBelow('argument', one['args'], ['exec', 'args', index, 'args'])
        : textsBelow('argument', one, ['exec', 'args', index]),
    ),
    ...textsBelow('stdin', stdin, ['exec', 'stdin']),
    ...textsBelow('cwd', cwd, ['exec', 'cwd']),
    ...textsBelow('env', env, ['exec', 'env']),
  ];
}

function textsOfHttp(call: unknown): readonly PlacedText[] {
  if (typeof call === 'string') return [{ place: 'path', path: ['http'], text: call }];
  if (!isMap(call)) return [];
  const { path, url, query, style, headers, cookies, body, form, multipart, file } = call;
  const isStyled = (name: string): boolean => isMap(style) && Object.hasOwn(style, name);
  const queries = Object.entries(isMap(query) ? query : {}).flatMap(([name, one]) =>
    textsBelow(isStyled(name) ? 'styled' : 'query', one, ['http', 'query', name]),
  );
  return [
    ...textsBelow('path', path, ['http', 'path']),
    ...textsBelow('address', url, ['http', 'url']),
    ...queries,
    ...textsBelow('header', headers, ['http', 'headers']),
    ...textsBelow('cookie', cookies, ['http', 'cookies']),
    ...(body === 'rest' ? [] : textsBelow('tree', body, ['http', 'body'])),
    ...textsBelow('tree', form, ['http', 'form']),
    ...textsBelow('tree', multipart, ['http', 'multipart']),
    ...textsBelow('tree', file, ['http', 'file']),
  ];
}

const fileSources = ['text', 'base64', 'resource'] as const;
const fileKeys: ReadonlySet<string> = new Set([...fileSources, 'filename', 'type']);

/** Whether an object in a multipart form is a file; any other one is data, and sent as JSON. */
export function isFilePart(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isMap(value) || !fileSources.some(key => Object.hasOwn(value, key))) return false;
  return Object.keys(value).every(key => fileKeys.has(key));
}

/** Of one entry of `backends`. */
export function textsOfBackend(backend: unknown, base: Path): readonly PlacedText[] {
  if (!isMap(backend)) return [];
  const { type, url, headers, command, cwd, env, allowAddresses, auth } = backend;
  const { clientCredentials, caller } = asMap(auth);
  const isDatabase = type === 'sqlite' || type === 'postgres' || type === 'sql';
  return [
    ...textsBelow(isDatabase ? 'database' : 'base', url, [...base, 'url']),
    ...textsBelow('header', headers, [...base, 'headers']),
    ...textsBelow('command', command, [...base, 'command']),
    ...textsBelow('cwd', cwd, [...base, 'cwd']),
    ...textsBelow('env', env, [...base, 'env']),
    ...textsBelow('addresses', allowAddresses, [...base, 'allowAddresses']),
    ...['tokenUrl', 'scope'].flatMap(key =>
      textsBelow('setting', asMap(clientCredentials)[key], [...base, 'auth', 'clientCredentials', key]),
    ),
    ...textsBelow('setting', asMap(caller)['audience'], [...base, 'auth', 'caller', 'audience']),
  ];
}

/** A key of `config` that `auth` names. `isSecret`: its value proves something. */
export interface AuthKey {
  readonly key: string;
  readonly path: Path;
  readonly isSecret: boolean;
}

export function authKeysOf(backend: unknown, base: Path): readonly AuthKey[] {
  const auth = asMap(asMap(backend)['auth']);
  const { bearer, basic, value, clientCredentials } = auth;
  const { id, secret } = asMap(clientCredentials);
  const [user, password] = Array.isArray(basic) ? (basic as readonly unknown[]) : [];
  const named: readonly (readonly [unknown, Path, boolean])[] = [
    [bearer, ['bearer'], true],
    [user, ['basic', 0], false],
    [password, ['basic', 1], true],
    [value, ['value'], true],
    [id, ['clientCredentials', 'id'], false],
    [secret, ['clientCredentials', 'secret'], true],
  ];
  return named.flatMap(([key, path, isSecret]) =>
    typeof key === 'string' ? [{ key, path: [...base, 'auth', ...path], isSecret }] : [],
  );
}

/** Words of the command of a server that count only if a key of `config` is set, and where the key is named. */
export function conditionsOf(backend: unknown, base: Path): readonly { readonly key: string; readonly path: Path }[] {
  return asList(asMap(backend)['command']).flatMap((word, index) => {
    const key = asMap(word)['if'];
    return typeof key === 'string' ? [{ key, path: [...base, 'command', index, 'if'] }] : [];
  });
}

/** Every string in a list or a map. */
function textsBelow(place: Place, value: unknown, path: Path): readonly PlacedText[] {
  if (typeof value === 'string') return [{ place, path, text: value }];
  if (Array.isArray(value)) return value.flatMap((one, index) => textsBelow(place, one, [...path, index]));
  if (isMap(value)) return Object.entries(value).flatMap(([key, one]) => textsBelow(place, one, [...path, key]));
  return [];
}

/** Settings that need not be set: what names them is left out then. */
const optionalPlaces: ReadonlySet<Place> = new Set(['addresses', 'command', 'env', 'cwd']);

/**
 * The keys of `config` that an item without code needs to do its work; none where it has code.
 *
 * @example configOfItem({ http: 'GET /x' }, { api: { type: 'http', url: '{config.API}' } }) // ['API']
 */
export function configOfItem(
  definition: Readonly<Record<string, unknown>>,
  backends: Backends = {},
): readonly string[] {
  const kind = callKindOf(definition);
  if (kind === undefined) return [];
  const found = findBackend(kind, definition[kind], backends);
  return configOfCall(kind, definition[kind], found?.problem === undefined ? found?.definition : undefined);
}

/** Its own, and those of its backend. */
function configOfCall(kind: CallKind, call: unknown, backend: unknown): readonly string[] {
  const ofBackend = textsOfBackend(backend, []).filter(({ place }) => !optionalPlaces.has(place));
  const texts = [...textsOfCall(kind, call), ...ofBackend];
  const placeholders = texts.flatMap(({ text }) => placeholdersOf(parseText(text).parts));
  const named = placeholders.flatMap(({ of, name }) => (of === 'config' ? [name] : []));
  return [...new Set([...named, ...authKeysOf(backend, []).map(({ key }) => key)])];
}
