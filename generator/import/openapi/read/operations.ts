// Paths and what can be done there. In: `paths`. Out: operations, and a diagnostic for each that is left out.
import { isMap } from '../../../../schema/document.js';
import type { ApiMethod, ApiOperation, ApiServer } from '../api.js';
import { readAnswers } from './answers.js';
import { readBody, readOldBody } from './bodies.js';
import { declareParameters, joinDeclared, readParameters } from './parameters.js';
import { type PathTemplate, readPath } from './path-template.js';
import {
  asPlacedMap,
  Broken,
  type Declared,
  followMap,
  isExtension,
  isYes,
  mapAt,
  membersOf,
  type PlacedMap,
  partsOf,
  type Reader,
  textOf,
  textsOf,
} from './reader.js';
import type { SecurityReader } from './security.js';
import { noServers, readHost, readServers } from './servers.js';

const methods: ReadonlyMap<string, ApiMethod> = new Map(
  (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const).map(method => [method.toLowerCase(), method]),
);

/** Keys of a path that are not operations. */
const otherKeys: ReadonlySet<string> = new Set(['$ref', 'summary', 'description', 'servers', 'parameters']);

/** What holds for operations that do not say it themselves. */
interface Defaults {
  readonly root: PlacedMap;
  readonly security: SecurityReader;
  readonly servers: readonly ApiServer[];
  readonly ofDocument: ApiOperation['security'];
}

export function readOperations(reader: Reader, root: PlacedMap, security: SecurityReader): readonly ApiOperation[] {
  const paths = mapAt(reader, root, 'paths');
  if (paths === undefined) return [];
  const servers = reader.version === '2.0' ? readHost(reader, root) : readServers(reader, root);
  const defaults: Defaults = {
    root,
    security,
    servers: servers.length === 0 ? noServers(root.pointer) : servers,
    ofDocument: security.read(root) ?? [],
  };
  const found: ApiOperation[] = [];
  for (const [path, placed] of membersOf(paths)) {
    if (isExtension(path)) continue;
    const item = readItem(reader, placed, path);
    if (item !== undefined) found.push(...readPathItem(reader, item, path, defaults));
  }
  return found;
}

function readItem(reader: Reader, placed: { value: unknown; pointer: string }, path: string): PlacedMap | undefined {
  const written = asPlacedMap(reader, placed, path);
  if (written === undefined) return undefined;
  const item = followMap(reader, written, path);
  if (item === undefined) leaveOut(reader, written.pointer, path, 'its reference cannot be followed');
  if (item === undefined || item.pointer === written.pointer) return item;
  // What stands beside the reference belongs to the path, too.
  const own = Object.entries(written.value).filter(([key]) => key !== '$ref' && !Object.hasOwn(item.value, key));
  return own.length === 0 ? item : { value: { ...item.value, ...Object.fromEntries(own) }, pointer: item.pointer };
}

function readPathItem(reader: Reader, item: PlacedMap, path: string, defaults: Defaults): readonly ApiOperation[] {
  const shared = declareParameters(reader, item, path);
  const found: ApiOperation[] = [];
  for (const [key, placed] of partsOf(item)) {
    if (otherKeys.has(key) || isExtension(key)) continue;
    if (key === 'additionalOperations') {
      leaveOutOthers(reader, item, path);
      continue;
    }
    const method = methods.get(key.toLowerCase());
    const place = `${key.toUpperCase()} ${path}`;
    const isKnown = method !== undefined || key === 'trace' || key === 'query';
    if (!isKnown && !looksLikeOperation(placed.value)) continue;
    if (!isMap(placed.value)) {
      const what = placed.value === null ? 'nothing is written there' : 'it has to be a map';
      leaveOut(reader, placed.pointer, place, what);
      continue;
    }
    const operation = { value: placed.value, pointer: placed.pointer };
    if (method === undefined) {
      leaveOut(reader, placed.pointer, place, `requests have no method ${key.toUpperCase()}`);
      continue;
    }
    const read = readOperation(reader, { operation, item, path, method, shared, defaults });
    if (read instanceof Broken) leaveOut(reader, placed.pointer, place, read.reason);
    else found.push(read);
  }
  return found;
}

function looksLikeOperation(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('responses' in value || 'operationId' in value);
}

/** 3.2: operations of other methods, by name. */
function leaveOutOthers(reader: Reader, item: PlacedMap, path: string): void {
  const others = mapAt(reader, item, 'additionalOperations');
  for (const [method, placed] of others === undefined ? [] : membersOf(others))
    if (!isExtension(method))
      leaveOut(reader, placed.pointer, `${method} ${path}`, `requests have no method ${method}`);
}

function leaveOut({ library }: Reader, pointer: string, place: string, reason: string): void {
  library.report('import/left-out', { place, reason }, { pointer, side: 'key' });
}

interface Found {
  readonly operation: PlacedMap;
  readonly item: PlacedMap;
  readonly path: string;
  readonly method: ApiMethod;
  readonly shared: readonly Declared[] | Broken;
  readonly defaults: Defaults;
}

function readOperation(reader: Reader, found: Found): ApiOperation | Broken {
  const { operation, item, method, shared, defaults } = found;
  const { value, pointer } = operation;
  const own = declareParameters(reader, operation, found.path);
  if (shared instanceof Broken) return shared;
  if (own instanceof Broken) return own;
  const declared = joinDeclared(shared, own);
  const template = readPath(found.path, declared);
  if (template instanceof Broken) return template;
  const body = readBody(reader, operation);
  if (body instanceof Broken) return body;
  const typesOf = (key: string): readonly string[] => textsOf(value[key] ?? defaults.root.value[key]);
  const { answer, errors } = readAnswers(reader, operation, typesOf('produces'));
  return {
    method,
    path: template.path,
    pointer,
    operationId: textOf(value.operationId)?.trim(),
    summary: textOf(value.summary) ?? textOf(item.value.summary),
    description: textOf(value.description) ?? textOf(item.value.description),
    tags: textsOf(value.tags),
    isDeprecated: isYes(value.deprecated),
    parameters: parametersOf(reader, declared, template, pointer),
    body: body ?? readOldBody(reader, declared, { consumes: typesOf('consumes'), pointer }),
    answer,
    errors,
    security: defaults.security.read(operation) ?? defaults.ofDocument,
    servers: serversOf(reader, found),
  };
}

function parametersOf(
  reader: Reader,
  declared: readonly Declared[],
  { path, reserved }: PathTemplate,
  pointer: string,
): ApiOperation['parameters'] {
  const found = readParameters(reader, declared, { path, pointer });
  return reserved.length === 0
    ? found
    : found.map(one => (one.in === 'path' && reserved.includes(one.name) ? { ...one, allowReserved: true } : one));
}

function serversOf(reader: Reader, { operation, item, defaults }: Found): readonly ApiServer[] {
  if (reader.version === '2.0')
    return operation.value.schemes === undefined ? defaults.servers : readHost(reader, defaults.root, operation.value);
  for (const owner of [operation, item]) {
    const own = readServers(reader, owner);
    if (own.length > 0) return own;
  }
  return defaults.servers;
}
