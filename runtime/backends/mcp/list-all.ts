// In: a connection. Out: everything that its server offers, all pages of every list.
import { asList, isMap } from '../../../schema/document.js';
import { ProtocolProblem } from '../../call/protocol-problem.js';
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

/** A server whose lists never end is broken. */
const mostPages = 1000;

export async function listEverything(connection: Connection, call: CallScope): Promise<Offer> {
  const { capabilities = {}, serverInfo = {}, instructions } = connection.facts ?? {};
  const list = (
    capability: string,
    method: string,
    member: string,
  ): Promise<readonly unknown[]> | readonly unknown[] =>
    isMap(capabilities[capability]) ? listPages(connection, call, method, member) : [];
  const [tools, prompts, resources, resourceTemplates] = await Promise.all([
    list('tools', 'tools/list', 'tools'),
    list('prompts', 'prompts/list', 'prompts'),
    list('resources', 'resources/list', 'resources'),
    list('resources', 'resources/templates/list', 'resourceTemplates'),
  ]);
  return { tools, prompts, resources, resourceTemplates, instructions, serverInfo, capabilities };
}

export function listTools(connection: Connection, call: CallScope): Promise<readonly unknown[]> {
  return listPages(connection, call, 'tools/list', 'tools');
}

async function listPages(
  connection: Connection,
  call: CallScope,
  method: string,
  member: string,
): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  const seen = new Set<unknown>();
  let cursor: unknown;
  for (let page = 0; page < mostPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    // Nothing is asked in a list, so that nothing is parked.
    const sent = new UpstreamCall(connection, call, new Map(), 'mcp:list');
    const result = await sent.send(method, id => requestParams(connection, call, params, id)).catch(orNone);
    for (const one of asList(result[member])) all.push(one);
    cursor = result['nextCursor'];
    // Some servers end a list with null or an empty string.
    if (typeof cursor !== 'string' || cursor === '') return all;
    if (seen.has(cursor)) throw new UpstreamFailure('UPSTREAM_INVALID', `${method} gives the same cursor twice`);
    seen.add(cursor);
  }
  throw new UpstreamFailure('UPSTREAM_INVALID', `${method} has more than ${mostPages} pages`);
}

/** Servers that have resources need not have templates. */
function orNone(error: unknown): Params {
  if (error instanceof ProtocolProblem && error.code === wireCodes.methodNotFound) return {};
  throw error;
}
