// In: a surface and an era. Out: an SDK server whose lists and calls are the surface's own, byte for byte.
// No registerTool: the SDK would rebuild every list and schema. Still an McpServer, because only for one do the SDK's
// HTTP entries check x-mcp-header and scopes.
import {
  type InputRequests,
  inputRequired,
  McpServer,
  ProtocolErrorCode,
  type Result,
  type CallToolResult as SdkCallResult,
  ProtocolError as SdkError,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import { freezeDeep } from '../../schema/freeze.js';
import type { Client } from '../../schema/support/mcp/client.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { canElicit } from '../call/context/can-elicit.js';
import { type Hiding, hideCause } from '../call/failure.js';
import type { Asking, Outcome, PackHost, Request } from '../call/ports.js';
import { ProtocolError } from '../call/protocol-error.js';
import type { Wire } from '../packs/list-entries.js';
import { capabilityError } from '../protocol/call-port.js';
import { challengeFor } from '../protocol/caller.js';
import { toClient, unknownClient } from '../protocol/envelope.js';
import { type Era, listsByMethod } from '../protocol/handshake.js';
import type { Session } from '../protocol/ports.js';
import { toInputRequest } from '../protocol/questions.js';
import { openSession } from '../protocol/request.js';
import type { Change } from '../surface/surface.js';
import { type Blueprint, toCacheFields } from './blueprint.js';
import { paramsOf } from './params.js';
import { type Connection, callerOf, clientOf, openRequest } from './request.js';
import { Subscriptions, sendChange } from './subscriptions.js';

/** What a transport wants to do with a server, or know about it. */
export interface ServerHooks {
  readonly session?: Session;
  /** Puts something between the server and its transport. */
  wrap?(transport: Transport): Transport;
  /** The first call has come: this server is there to stay. */
  onFirstCall?(): void;
}

/** Serves one connection (stdio), one session (2025 over HTTP) or one request (2026 over HTTP). */
export class ManifestServer extends McpServer implements Connection {
  readonly isModern: boolean;
  readonly #blueprint: Blueprint;
  readonly #subscriptions: Subscriptions;
  readonly session: Session;
  #client: { readonly of: object; readonly value: Client } | undefined;
  readonly #hooks: ServerHooks;
  #isReady: boolean;
  #isCalled = false;

  constructor(blueprint: Blueprint, era: Era, hooks: ServerHooks = {}) {
    super(blueprint.info, blueprint.options);
    this.#blueprint = blueprint;
    this.#hooks = hooks;
    this.session = hooks.session ?? openSession(undefined);
    this.#subscriptions = new Subscriptions(blueprint.surface);
    this.isModern = era === 'modern';
    this.#isReady = this.isModern;
    const { server } = this;
    // After super(), which would install handlers of its own for each capability.
    server.registerCapabilities(blueprint.capabilities);
    server.oninitialized = () => {
      this.#isReady = true;
    };
    this.#handleLists();
    this.#handleCalls();
    if (!this.isModern) this.#handleSession();
  }

  override connect(transport: Transport): Promise<void> {
    return super.connect(this.#hooks.wrap?.(transport) ?? transport);
  }

  get client(): Client {
    const capabilities = this.server.getClientCapabilities();
    if (capabilities === undefined) return unknownClient;
    if (this.#client?.of === capabilities) return this.#client.value;
    // All calls of the connection share it, until the client introduces itself anew.
    const own = structuredClone(capabilities);
    this.#client = { of: capabilities, value: freezeDeep(toClient(this.server.getClientVersion(), own)) };
    return this.#client.value;
  }

  get logger(): string {
    return this.#blueprint.info.name;
  }

  get allowedHeaders(): readonly string[] {
    return this.#blueprint.surface.requestHeaders;
  }

  get notify(): Connection['notify'] {
    return this.#blueprint.notify;
  }

  onDropped(): void {
    this.#blueprint.rareReport.say('logs', 'a client does not read: logs and progress are dropped');
  }

  /** C11: what the SDK checks the headers of a call against. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    const served = this.#blueprint.surface.tool(name);
    return served?.bound?.input ?? served?.tool.inputSchema;
  }

  /** C14: a caller without the scopes of a tool learns which to get, unless an authorizer has looked already. */
  override resolveScopeChallenge: McpServer['resolveScopeChallenge'] = ({ request, authInfo }) => {
    const name = request.method === 'tools/call' ? request.params?.['name'] : undefined;
    if (typeof name !== 'string') return undefined;
    return challengeFor(this.#blueprint.surface.tool(name)?.tool.definition.scopes, callerOf(authInfo));
  };

  /** C9: tells the client, if it wants to know. In 2026 the SDK's listeners decide, in 2025 subscriptions do. */
  announce(change: Change): void {
    if (!this.#isReady || this.server.transport === undefined) return;
    if ('uri' in change && !this.isModern && !this.#subscriptions.has(change.uri)) return;
    // A client that went away meanwhile.
    sendChange(change, this.server, this.#blueprint.capabilities)?.catch(() => undefined);
  }

  #handleLists(): void {
    const { surface, listCache, capabilities } = this.#blueprint;
    for (const [method, name] of listsByMethod) {
      const kind = name === 'resourceTemplates' ? 'resources' : name;
      if (capabilities[kind] === undefined) continue;
      this.server.setRequestHandler(method, paramsOf.list, async ({ cursor }, ctx): Promise<Result> => {
        try {
          const isOpen = name === 'resources' && surface.listsByCode;
          const page = isOpen ? surface.listResources(cursor, openRequest(ctx, this)) : surface.list(name, cursor);
          const { entries, nextCursor } = await page;
          const relayed = name === 'tools' ? this.#relay(entries, clientOf(ctx, this)) : entries;
          return {
            [name]: relayed,
            ...(nextCursor !== undefined && { nextCursor }),
            ...(this.isModern && (relayed === entries ? listCache : { ...listCache, cacheScope: 'private' })),
          };
        } catch (cause) {
          throw this.#errorOf(cause, method);
        }
      });
    }
  }

  /** C6: clients that cannot ask their user see what tools take from them in addition. */
  #relay(entries: readonly Wire[], client: Client): readonly Wire[] {
    if (canElicit(client, 'form')) return entries;
    const { surface } = this.#blueprint;
    const all = entries.map(entry => {
      const inputSchema = surface.relayedInput(String(entry['name']));
      return inputSchema === undefined ? entry : { ...entry, inputSchema };
    });
    return all.every((entry, index) => entry === entries[index]) ? entries : all;
  }

  #handleCalls(): void {
    const { surface, capabilities } = this.#blueprint;
    const { server } = this;
    if (capabilities.tools !== undefined) {
      server.setRequestHandler('tools/call', paramsOf.named, ({ name, args }, ctx) => {
        const tool = surface.tool(name);
        return this.#run(`tools/call ${name}`, ctx, tool?.host, async request => {
          const outcome = await surface.callTool(name, args, request);
          if ('asking' in outcome) return toInputRequired(outcome.asking);
          const { result } = outcome;
          if (this.isModern) throwMissing(result);
          const sent = result as unknown as SdkCallResult;
          return result.structuredContent === undefined
            ? sent
            : server.projectCallToolResult(sent, tool?.tool.outputSchema);
        });
      });
    }
    if (capabilities.prompts !== undefined) {
      server.setRequestHandler('prompts/get', paramsOf.named, ({ name, args }, ctx) =>
        this.#run(`prompts/get ${name}`, ctx, surface.prompt(name)?.host, async request =>
          toResult(await surface.getPrompt(name, args, request), answer => ({ ...answer })),
        ),
      );
    }
    if (capabilities.resources !== undefined) {
      server.setRequestHandler('resources/read', paramsOf.uri, ({ uri }, ctx) =>
        this.#run(`resources/read ${uri}`, ctx, surface.resource(uri)?.host, async request =>
          toResult(await surface.readResource(uri, request), ({ contents, cache }) => ({
            contents,
            ...(this.isModern && toCacheFields(cache)),
          })),
        ),
      );
    }
    if (capabilities.completions !== undefined) {
      server.setRequestHandler('completion/complete', paramsOf.complete, (query, ctx) =>
        this.#run('completion/complete', ctx, undefined, async request => ({
          completion: { ...(await surface.complete(query, request)) },
        })),
      );
    }
  }

  /** What only sessions of 2025 have; the SDK answers -32601 to the rest. */
  #handleSession(): void {
    const { capabilities } = this.#blueprint;
    const { server } = this;
    server.setRequestHandler('logging/setLevel', paramsOf.level, ({ level }): Result => {
      this.session.logLevel = level;
      return {};
    });
    if (capabilities.resources?.subscribe !== true) return;
    server.setRequestHandler('resources/subscribe', paramsOf.uri, ({ uri }): Result => {
      try {
        this.#subscriptions.add(uri);
        return {};
      } catch (cause) {
        throw this.#errorOf(cause, `resources/subscribe ${uri}`);
      }
    });
    server.setRequestHandler('resources/unsubscribe', paramsOf.uri, ({ uri }): Result => {
      this.#subscriptions.delete(uri);
      return {};
    });
  }

  async #run(
    subject: string,
    ctx: ServerContext,
    host: PackHost | undefined,
    run: (request: Request) => Promise<Result>,
  ): Promise<Result> {
    const { calls } = this.#blueprint;
    const request = openRequest(ctx, this);
    if (!this.#isCalled) {
      this.#isCalled = true;
      this.#hooks.onFirstCall?.();
    }
    calls.begin();
    try {
      return await run(request);
    } catch (cause) {
      throw this.#errorOf(cause, subject, host);
    } finally {
      calls.end();
      request.end();
    }
  }

  #errorOf(cause: unknown, subject: string, host?: PackHost): SdkError {
    const { services } = this.#blueprint.surface;
    return toProtocolError(cause, { services, name: subject, redact: text => host?.settings.redact(text) ?? text });
  }
}

/** What a call came to, in the shape of its method, or its questions. */
function toResult<T>(outcome: Outcome<T>, shape: (answer: T) => Result): Result {
  return 'asking' in outcome ? toInputRequired(outcome.asking) : shape(outcome.result);
}

/** The questions as 2026-07-28 embeds them; for older clients the SDK sends each as a request. */
function toInputRequired({ questions, state }: Asking): Result {
  const inputRequests = Object.fromEntries(
    Object.entries(questions).map(([key, question]) => [key, toInputRequest(question)]),
  ) as InputRequests;
  return inputRequired({ inputRequests, requestState: state });
}

/** 2026-07-28 has its own error for a capability that the client lacks; a result would hide it. */
function throwMissing(result: CallToolResult): void {
  const error = capabilityError(result);
  if (error === undefined) return;
  throw new SdkError(error.code, error.message, error.data);
}

/** The error to answer with. What nobody foresaw is reported under an id, and the client gets only that. */
function toProtocolError(cause: unknown, hiding: Hiding): SdkError {
  if (cause instanceof SdkError) return cause;
  if (cause instanceof ProtocolError) return new SdkError(cause.code, cause.message, cause.data);
  const { id } = hideCause(cause, hiding);
  return new SdkError(ProtocolErrorCode.InternalError, `Internal error (${id})`);
}
