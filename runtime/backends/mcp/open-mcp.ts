// B4. Another MCP server as a backend. In: its command or address. Out: calls of its tools, prompts and resources, in which progress, logs,
// questions, cancellation and errors pass through. All calls share one process or connection, which is there from the first call on.
import { printWords } from '../../../schema/backend/reach.js';
import type { McpBackendDefinition } from '../../../schema/definitions.js';
import { asList } from '../../../schema/document.js';
import type { Command, McpBackend } from '../../../schema/support/mcp/backends.js';
import type { PromptResult, ResourceContents } from '../../../schema/support/mcp/content.js';
import { readRoots } from '../../call/context/roots.js';
import { messageOf } from '../../call/print-cause.js';
import { longestTimer } from '../../call/time-limit.js';
import { Gate, Turns } from '../../call/turns.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import { prepareCommand, type ReadyCommand } from '../exec/prepare-command.js';
import { createSender, type Sender } from '../http/sender.js';
import type { BackendScope, CallScope, OpenBackend } from '../ports.js';
import type { Asked, Connection } from './connection.js';
import { type Exchanges, exchange } from './exchange.js';
import { fillCommand } from './fill-command.js';
import { openHttpLink } from './http-link.js';
import type { Link, LinkEvents, Sender as Whom } from './link.js';
import { type ListLimits, listEverything, listWhatWorks, type Offer, type PartialOffer } from './list-all.js';
import { listen, spread } from './news.js';
import { OperatorLines } from './operator-lines.js';
import { ParamHeaders } from './param-headers.js';
import { openStdioLink } from './stdio-link.js';
import { Upstream } from './upstream.js';
import type { Parked } from './upstream-call.js';
import { type Params, wireCodes } from './wire.js';

export interface OpenMcpBackend extends OpenBackend<McpBackend> {
  /** What would be sent and where, without secrets. Nothing is started. */
  preview(request: { readonly method: string; readonly params: object }): string;
  /** Everything that the server offers, all pages of it. */
  listAll(call: CallScope): Promise<Offer>;
  /** The same, with the lists that fail as values. It fails where there is no connection. */
  listWhatWorks(call: CallScope, limits: ListLimits): Promise<PartialOffer>;
}

const defaultTimeoutMs = 60_000;
const defaultBytes = 64 * 1024 * 1024;
const defaultQueue = 100;
/** Callers with connections of their own; the one that was not used for longest makes room. */
const mostCallers = 1000;

/**
 * Opens a backend of type `mcp`. Nothing runs before the first call.
 *
 * @example
 * const play = openMcp('play', { type: 'mcp', command: ['npx', '-y', '@playwright/mcp'] }, scope);
 * await play.of(call).callTool('browser_click', { ref: 'e1' });
 */
export function openMcp(
  name: string,
  definition: McpBackendDefinition,
  scope: BackendScope,
  sender: Sender | undefined = openSender(name, definition, scope),
): OpenMcpBackend {
  const { limits = {}, auth } = definition;
  const { timeoutMs = defaultTimeoutMs, bytes: mostBytes = defaultBytes, concurrency, queue = defaultQueue } = limits;
  const lines = new OperatorLines(name, scope);
  const upstreams = new Map<string, Upstream>();
  const isCallers = auth !== undefined && 'caller' in auth;
  let isClosed = false;

  const open = (events: LinkEvents, whom: Whom | undefined): Link => {
    if (sender === undefined)
      return openStdioLink({ name, command: commandOf(name, definition, scope), scope, mostBytes, lines, events });
    if (whom === undefined) throw new UpstreamFailure('UPSTREAM_UNREACHABLE', `${name} is opened by a call`);
    return openHttpLink({ name, sender, mostBytes, opener: { request: whom.request }, hasNews: !isCallers, events });
  };

  const create = (): Upstream =>
    new Upstream({
      name,
      timeoutMs,
      isProcess: sender === undefined,
      firstEra: sender === undefined ? 'legacy' : 'modern',
      redact: text => scope.settings.redact(text),
      events: {
        notified: (method, params, callers) => spread(method, params, callers, { notify: scope.notify, lines }),
        asked: (connection, question, refusal) => answerAlone(connection, question, refusal, scope),
      },
      open,
      opened(connection, facts, whom) {
        const isNews = facts.era === 'modern' && scope.notify !== undefined && !isCallers;
        if (isNews) listen(connection, facts, whom === undefined ? undefined : { request: whom.request });
      },
    });

  const shared: Exchanges = {
    name,
    parked: new Map() as Parked,
    turns: concurrency === undefined ? undefined : new Turns(name, [new Gate(concurrency)], queue),
    paramHeaders: new ParamHeaders(),
    upstreamOf({ request }) {
      if (isClosed) throw new UpstreamFailure('UPSTREAM_UNREACHABLE', `${name} was closed`, { retryable: false });
      // Where the caller's own token is sent, a session is the caller's own, too.
      const key = isCallers ? request.principal || (request.auth?.token ?? '') : '';
      const upstream = upstreams.get(key) ?? create();
      if (isCallers || !upstreams.has(key)) touch(upstreams, key, upstream);
      return upstream;
    },
  };

  return {
    of: call => clientFor(shared, call),
    async listAll(call) {
      return listEverything(await shared.upstreamOf(call).connect(call), call);
    },
    async listWhatWorks(call, limits) {
      return listWhatWorks(await shared.upstreamOf(call).connect(call), call, limits);
    },
    preview({ method, params }) {
      const { command, url = '' } = definition;
      const where = command === undefined ? `POST ${url}` : `stdin of ${printWords(command).join(' ')}`;
      return scope.settings.redact(`${where}\n${JSON.stringify({ method, params }, undefined, 2)}`);
    },
    async close() {
      isClosed = true;
      await Promise.all([...upstreams.values()].map(upstream => upstream.close()));
      sender?.close();
    },
  };
}

/** The newest is the last. */
function touch(upstreams: Map<string, Upstream>, key: string, upstream: Upstream): void {
  upstreams.delete(key);
  upstreams.set(key, upstream);
  const [oldest] = upstreams;
  if (upstreams.size <= mostCallers || oldest === undefined) return;
  upstreams.delete(oldest[0]);
  void oldest[1].close();
}

/** For one call: requests are counted, so that the same one is known in every round. */
function clientFor(shared: Exchanges, call: CallScope): McpBackend {
  let count = 0;
  const ask = (method: string, params: Params): Promise<Params> => {
    const nth = count;
    count += 1;
    return exchange(shared, call, nth, method, params);
  };
  return {
    callTool: <Result>(name: string, args: object = {}) =>
      ask('tools/call', { name, arguments: args }) as Promise<unknown> as Promise<Result>,
    getPrompt: (name, args = {}) =>
      ask('prompts/get', { name, arguments: args }) as Promise<unknown> as Promise<PromptResult>,
    async readResource(uri) {
      const { contents } = await ask('resources/read', { uri });
      return { contents: asList(contents) as readonly ResourceContents[] };
    },
  };
}

/** A server that asks while nobody calls it. It may want to know folders at its start: those of the operator. */
function answerAlone(connection: Connection, { id, method }: Asked, refusal: string, { env }: BackendScope): void {
  if (method === 'roots/list') connection.answer(id, { roots: readRoots(env['TOOLWRIGHT_ROOTS']) });
  else if (method === 'elicitation/create' || method === 'sampling/createMessage')
    connection.refuse(id, wireCodes.internalError, refusal);
  else connection.refuse(id, wireCodes.methodNotFound, `Method not found: ${method}`);
}

/** Limits are kept here, where it is known which bytes and which time are a call's. */
function openSender(name: string, definition: McpBackendDefinition, scope: BackendScope): Sender | undefined {
  const { url, auth, headers, allowAddresses } = definition;
  if (url === undefined) return undefined;
  const parts = { ...(auth && { auth }), ...(headers && { headers }), ...(allowAddresses && { allowAddresses }) };
  return createSender(name, { url, ...parts, limits: { timeoutMs: longestTimer } }, scope);
}

function commandOf(name: string, definition: McpBackendDefinition, scope: BackendScope): ReadyCommand {
  const filled = fillDefinition(name, definition, scope);
  if (filled.command === '') throw new UpstreamFailure('BAD_VALUE', `${name} has neither a command nor an address`);
  return prepareCommand(filled, scope);
}

function fillDefinition(name: string, definition: McpBackendDefinition, { settings }: BackendScope): Command {
  try {
    return fillCommand(definition, settings.values);
  } catch (error) {
    throw new UpstreamFailure('BAD_VALUE', `${name} cannot be started: ${messageOf(error)}`);
  }
}
