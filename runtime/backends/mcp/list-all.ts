// In: a connection. Out: everything that its server offers, all pages of every list.
import { asList, isMap } from '../../../schema/document.js';
import { ProtocolError } from '../../call/protocol-error.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { CallScope } from '../ports.js';
import type { Connection } from './connection.js';
import { requestParams } from './request-params.js';
import { UpstreamCall } from './upstream-call.js';
import { type Params, wireCodes } from './wire.js';

/** As the server lists it. */
export interface Offer {
  readonly tools: readonly unknown[];
  readonly prompts: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly resourceTemplates: readonly unknown[];
  readonly instructions: string | undefined;
  readonly serverInfo: Params;
  readonly capabilities: Params;
}

/** A list that broke off: what came before is in the offer. */
export interface BrokenList {
  readonly method: string;
  readonly problem: unknown;
}

/** The offer of a server that may not keep to the protocol. */
export interface PartialOffer {
  readonly offer: Offer;
  readonly broken: readonly BrokenList[];
}

export interface ListLimits {
  /** Of one list. */
  readonly items: number;
  /** Characters of all lists together, as JSON. */
  readonly characters: number;
  /** The lists begin. */
  connected?(version: string): void;
  /** After each page, with what the list has so far. */
  listed?(method: string, count: number): void;
}

/** A server whose lists never end is broken. */
const mostPages = 1000;

const lists = [
  ['tools', 'tools', 'tools/list'],
  ['prompts', 'prompts', 'prompts/list'],
  ['resources', 'resources', 'resources/list'],
  ['resourceTemplates', 'resources', 'resources/templates/list'],
] as const satisfies readonly (readonly [member: keyof Offer, capability: string, method: string])[];

export async function listEverything(connection: Connection, call: CallScope): Promise<Offer> {
  const { offer, broken } = await list(connection, call, () => undefined);
  const [first] = broken;
  if (first !== undefined) throw first.problem;
  return offer;
}

/** The same of a server that nobody knows yet: one list that fails says nothing about the others. */
export function listWhatWorks(connection: Connection, call: CallScope, limits: ListLimits): Promise<PartialOffer> {
  const counts = new Map<string, number>();
  let characters = 0;
  limits.connected?.(connection.facts?.version ?? '');
  return list(connection, call, (method, member, result) => {
    // Servers that have resources need not have templates; whatever else they say that they have must be there.
    if (result === undefined && method === 'resources/templates/list') return;
    const entries = result?.[member];
    if (!Array.isArray(entries)) throw new UpstreamFailure('UPSTREAM_INVALID', `its answer has no list of ${member}`);
    const count = (counts.get(method) ?? 0) + entries.length;
    counts.set(method, count);
    characters += JSON.stringify(entries).length;
    if (count > limits.items)
      throw new UpstreamFailure('UPSTREAM_TOO_LARGE', `it has more than ${limits.items} entries`);
    if (characters > limits.characters)
      throw new UpstreamFailure('UPSTREAM_TOO_LARGE', `the lists have more than ${limits.characters} characters`);
    limits.listed?.(method, count);
  });
}

/** Looks at a page before it counts; what it throws ends the list. Undefined: the server does not know the method. */
type LookAt = (method: string, member: string, result: Params | undefined) => void;

async function list(connection: Connection, call: CallScope, lookAt: LookAt): Promise<PartialOffer> {
  const { capabilities = {}, serverInfo = {}, instructions } = connection.facts ?? {};
  const broken: BrokenList[] = [];
  const entries = lists.map(async ([member, capability, method]) => {
    const all: unknown[] = [];
    if (!isMap(capabilities[capability])) return all;
    try {
      await listPages(connection, call, method, result => {
        lookAt(method, member, result);
        for (const one of asList(result?.[member])) all.push(one);
      });
    } catch (problem) {
      broken.push({ method, problem });
    }
    return all;
  });
  const [tools = [], prompts = [], resources = [], resourceTemplates = []] = await Promise.all(entries);
  const offer = { tools, prompts, resources, resourceTemplates, instructions, serverInfo, capabilities };
  return { offer, broken };
}

export async function listTools(connection: Connection, call: CallScope): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  await listPages(connection, call, 'tools/list', result => {
    for (const one of asList(result?.['tools'])) all.push(one);
  });
  return all;
}

async function listPages(
  connection: Connection,
  call: CallScope,
  method: string,
  take: (result: Params | undefined) => void,
): Promise<void> {
  const seen = new Set<unknown>();
  let cursor: unknown;
  for (let page = 0; page < mostPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    // Nothing is asked in a list, so that nothing is parked.
    const sent = new UpstreamCall(connection, call, new Map(), 'mcp:list');
    const result = await sent.send(method, id => requestParams(connection, call, params, id)).catch(orNone);
    take(result);
    if (result === undefined) return;
    cursor = result['nextCursor'];
    // Some servers end a list with null or an empty string.
    if (typeof cursor !== 'string' || cursor === '') return;
    if (seen.has(cursor)) throw new UpstreamFailure('UPSTREAM_INVALID', `${method} gives the same cursor twice`);
    seen.add(cursor);
  }
  throw new UpstreamFailure('UPSTREAM_INVALID', `${method} has more than ${mostPages} pages`);
}

function orNone(error: unknown): undefined {
  if (error instanceof ProtocolError && error.code === wireCodes.methodNotFound) return undefined;
  throw error;
}
