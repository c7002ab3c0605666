// In: the definition of an item, and the backends of its pack. Out: what it reaches when it is called, in words, before anything runs: a host, a
// database, a program, another server. As it was written: settings stay placeholders, so that no secret can be in it.
import type { BackendDefinition } from '../definitions.js';
import { asList, asMap, asText, isMap } from '../document.js';
import { type Backends, callKindOf, findBackend, readHttpCall } from './calls.js';

/**
 * Where a backend is.
 *
 * @example placeOf({ type: 'mcp', command: ['npx', '-y', '@playwright/mcp'] }) // 'npx -y @playwright/mcp'
 */
function placeOf(backend: BackendDefinition): string {
  if (backend.type === 'mcp') {
    const words = printWords(asList(backend.command));
    return words.length === 0 ? asText(backend.url) : words.join(' ');
  }
  return asText(backend.url);
}

/** What is done there: the end of a sentence that begins with the item. */
const verbs = { http: 'requests', sql: 'queries', exec: 'runs', mcp: 'forwards to' } as const;

/**
 * @example reachOf({ http: 'GET /issue/{key}' }, { jira: { type: 'http', url: 'https://jira.example.com' } })
 * // 'requests GET https://jira.example.com/issue/{key}'
 */
export function reachOf(definition: Readonly<Record<string, unknown>>, backends: Backends = {}): string | undefined {
  const kind = callKindOf(definition);
  if (kind === undefined) return undefined;
  const call = definition[kind];
  if (kind === 'exec') return `${verbs.exec} ${printProgram(asMap(call))}`;
  const found = findBackend(kind, call, backends);
  const place = found === undefined || found.problem !== undefined ? '' : placeOf(found.definition);
  if (kind !== 'http') return `${verbs[kind]} ${place}`;
  const { method = 'GET', path = '', url = '' } = readHttpCall(call);
  return `${verbs.http} ${method} ${found === undefined ? url : `${place}${path}`}`;
}

/** The program and its arguments. */
function printProgram({ command, args, cwd }: Readonly<Record<string, unknown>>): string {
  return [asText(command), ...printWords(asList(args)), ...(cwd === undefined ? [] : [`in ${asText(cwd)}`])].join(' ');
}

/** Those that are not always there stand in brackets. */
export function printWords(words: readonly unknown[]): readonly string[] {
  return words.map(one => (isMap(one) ? `[${asList(one['args']).map(String).join(' ')}]` : String(one)));
}

/** Everything that a pack reaches through its backends, by name. */
export function reachesOf(backends: Backends = {}): readonly string[] {
  return Object.entries(backends).map(([name, one]) => `${name}: ${one.type} ${placeOf(one)}`);
}
