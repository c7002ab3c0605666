// A surface in memory for the tests of serving: what a tool does is a function of its arguments and the request.
import type { Outcome, Request, ServedPrompt, ServedResource, ServedTool } from '../../../runtime/call/ports.js';
import { ProtocolError, protocolCodes } from '../../../runtime/call/protocol-error.js';
import type { Wire } from '../../../runtime/packs/list-entries.js';
import type {
  Change,
  ListName,
  Page,
  PromptAnswer,
  ResourceAnswer,
  Surface,
} from '../../../runtime/surface/surface.js';
import type { CacheHints } from '../../../schema/definitions.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';

type Args = Readonly<Record<string, unknown>>;
export type Run = (args: Args, request: Request) => Outcome<CallToolResult> | Promise<Outcome<CallToolResult>>;

export interface FixtureTool {
  readonly run: Run;
  readonly inputSchema?: Wire;
  readonly outputSchema?: Wire;
  readonly scopes?: readonly string[];
  /** Members of its list entry besides name and schemas. */
  readonly entry?: Wire;
}

export interface FixtureResource {
  readonly read: (request: Request) => Outcome<ResourceAnswer> | Promise<Outcome<ResourceAnswer>>;
  readonly subscribe?: boolean;
}

export interface Fixture {
  readonly tools?: Readonly<Record<string, FixtureTool>>;
  readonly prompts?: Readonly<
    Record<string, (args: Args, request: Request) => Outcome<PromptAnswer> | Promise<Outcome<PromptAnswer>>>
  >;
  readonly resources?: Readonly<Record<string, FixtureResource>>;
  readonly instructions?: string;
  readonly cache?: CacheHints;
  readonly pageSize?: number;
}

export interface FixtureSurface extends Surface {
  /** What was reported to the operator. */
  readonly reports: string[];
}

/** A result with one text. */
export function said(text: string): Outcome<CallToolResult> {
  return { result: { content: [{ type: 'text', text }] } };
}

function own<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** The parts of a served item that serving looks at. */
function served<T>(parts: object): T {
  return {
    host: { settings: { values: {}, redact: (text: string) => text.replaceAll('s3cret', '***') } },
    ...parts,
  } as T;
}

export function makeSurface(fixture: Fixture): FixtureSurface {
  const { tools = {}, prompts = {}, resources = {}, pageSize = 1000 } = fixture;
  const reports: string[] = [];
  const listeners = new Set<(change: Change) => void>();
  const added = new Map<string, FixtureTool>(Object.entries(tools));
  const lists: Readonly<Record<ListName, () => Wire[]>> = {
    tools: () =>
      [...added].map(([name, { inputSchema = { type: 'object' }, outputSchema, entry }]) => ({
        name,
        ...entry,
        inputSchema,
        ...(outputSchema && { outputSchema }),
      })),
    prompts: () => Object.keys(prompts).map(name => ({ name })),
    resources: () => Object.keys(resources).map(uri => ({ uri, name: uri })),
    resourceTemplates: () => [],
  };
  const unknown = (what: string): never => {
    throw new ProtocolError(protocolCodes.invalidParams, `Unknown ${what}`);
  };
  const surface: FixtureSurface = {
    reports,
    info: { name: 'fixture', version: '1.2.3', title: 'Fixture', description: 'For tests.' },
    instructions: fixture.instructions ?? '',
    cache: fixture.cache,
    requestHeaders: [],
    listsByCode: false,
    listResources: async cursor => surface.list('resources', cursor),
    services: { report: (text: string) => void reports.push(text) } as unknown as Surface['services'],
    offers: {
      tools: true,
      prompts: Object.keys(prompts).length > 0,
      resources: Object.keys(resources).length > 0,
      completions: Object.keys(prompts).length > 0,
      subscribe: Object.values(resources).some(({ subscribe }) => subscribe === true),
    },
    list(name, cursor): Page {
      const all = lists[name]();
      const start = cursor === undefined ? 0 : Number(cursor);
      if (!Number.isInteger(start)) return unknown('cursor');
      const next = start + pageSize;
      return { entries: all.slice(start, next), ...(next < all.length && { nextCursor: String(next) }) };
    },
    relayedInput: () => undefined,
    tool(name) {
      const tool = added.get(name);
      if (tool === undefined) return undefined;
      const { inputSchema = { type: 'object' }, outputSchema, scopes } = tool;
      return served<ServedTool>({ name, tool: { inputSchema, outputSchema, definition: { scopes } } });
    },
    prompt: name => (own(prompts, name) ? served<ServedPrompt>({ name }) : undefined),
    resource(uri) {
      const resource = own(resources, uri);
      return resource && served<ServedResource>({ resource: { definition: { subscribe: resource.subscribe } } });
    },
    callTool: async (name, args, request) =>
      await (added.get(name) ?? unknown(`tool: ${name}`)).run(args as Args, request),
    getPrompt: async (name, args, request) =>
      await (own(prompts, name) ?? (() => unknown(`prompt: ${name}`)))(args as Args, request),
    readResource: async (uri, request) =>
      await (own(resources, uri) ?? { read: () => unknown(`resource: ${uri}`) }).read(request),
    complete: async ({ argument }) => ({ values: [`${argument.value}!`], total: 1, hasMore: false }),
    addTool({ name }) {
      added.set(name, { run: () => said('added') });
      surface.announce({ list: 'tools' });
    },
    removeTool(name) {
      const existed = added.delete(name);
      if (existed) surface.announce({ list: 'tools' });
      return existed;
    },
    addPrompt: () => unknown('addPrompt'),
    removePrompt: () => false,
    addResource: () => unknown('addResource'),
    removeResource: () => false,
    onChange(listen) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    announce(change) {
      for (const listen of listeners) listen(change);
    },
  };
  return surface;
}
