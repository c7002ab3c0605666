// In: snapshots of a server, one after the other, and who runs its calls. Out: one surface that clients stay connected to; they
// hear of a list only when it is really another one (C9).

import type { JsonSchema } from '../../../schema/definitions.js';
import { startOf } from '../../../schema/diagnostics.js';
import type { Locator } from '../../../schema/document.js';
import { equal } from '../../../schema/support/values.js';
import type { PackHost, Request, Seal, ServedPrompt, ServedResource, ServedTool } from '../../call/ports.js';
import type { Wire } from '../../packs/list-entries.js';
import { makeChangeListeners } from '../../surface/change-listeners.js';
import type { OpenTasks } from '../../surface/create-surface.js';
import { openOnce } from '../../surface/open-once.js';
import { PagedLists } from '../../surface/paged-list.js';
import { makeResourceFinder } from '../../surface/read-resource.js';
import type { ListName, Page, Surface } from '../../surface/surface.js';
import type { Method, Snapshot } from './messages.js';
import { sendRoute } from './route-messages.js';

export interface LiveSurface extends Surface {
  /** Serves another snapshot from now on; gives the lists that clients were notified of. */
  replace(next: Snapshot): readonly ChangedList[];
}

export type ChangedList = 'tools' | 'prompts' | 'resources';

export interface LivePorts {
  /** Runs one call wherever handlers run now. */
  run(method: Method, params: readonly unknown[], request: Request): Promise<unknown>;
  report(text: string): void;
  /** T1: what keeps tasks, and what seals those that ask before they begin: both outlive the processes that run handlers. */
  readonly tasks?: { readonly open: OpenTasks; readonly seal: Seal } | undefined;
}

const changes: readonly (readonly [ListName, ChangedList])[] = [
  ['tools', 'tools'],
  ['prompts', 'prompts'],
  ['resources', 'resources'],
  ['resourceTemplates', 'resources'],
];

export function createLiveSurface(first: Snapshot, { run, report, tasks: keeping }: LivePorts): LiveSurface {
  let now = index(first);
  const { onChange, announce } = makeChangeListeners(report);

  const route = sendRoute(run);
  const tasks = keeping && openOnce(() => keeping.open(surface));
  const surface: LiveSurface = {
    get tasks() {
      return Object.keys(now.snapshot.tasks).length === 0 ? undefined : tasks;
    },
    get route() {
      return now.snapshot.hasRoutes ? route : undefined;
    },
    get info() {
      return now.snapshot.info;
    },
    get instructions() {
      return now.snapshot.instructions;
    },
    get requestHeaders() {
      return now.snapshot.requestHeaders;
    },
    get cache() {
      return now.snapshot.cache;
    },
    services: {
      seal: keeping?.seal ?? { close: () => refuse(), open: () => refuse() },
      strictArguments: false,
      showCauses: true,
      report,
      render: text => text,
      call: () => Promise.reject(new Error('tools are called where handlers run')),
    },
    // Whatever kind there is none of yet may be written next, and clients ask only once what a server has.
    offers: { tools: true, prompts: true, resources: true, completions: true, subscribe: true },
    list: (name, cursor) => now.lists.page(name, cursor),
    get listsByCode() {
      return now.snapshot.listsByCode;
    },
    listResources: (cursor, request) => run('listResources', [cursor], request) as Promise<Page>,
    relayedInput: name => (Object.hasOwn(now.snapshot.relayed, name) ? now.snapshot.relayed[name] : undefined),
    tool: name => now.tools().get(name),
    prompt: name => now.prompts().get(name),
    resource: uri => now.resource(uri),
    callTool: (name, args, request) => run('callTool', [name, args], request) as ReturnType<Surface['callTool']>,
    getPrompt: (name, args, request) => run('getPrompt', [name, args], request) as ReturnType<Surface['getPrompt']>,
    readResource: (uri, request) => run('readResource', [uri], request) as ReturnType<Surface['readResource']>,
    complete: (query, request) => run('complete', [query], request) as ReturnType<Surface['complete']>,
    addTool: () => refuse(),
    removeTool: () => refuse(),
    addPrompt: () => refuse(),
    removePrompt: () => refuse(),
    addResource: () => refuse(),
    removeResource: () => refuse(),
    onChange,
    announce,
    replace(next) {
      const before = now.snapshot;
      now = index(next);
      const isOther = (name: ListName): boolean =>
        !equal(before.lists[name], next.lists[name]) ||
        (name === 'tools' && !(equal(before.relayed, next.relayed) && equal(before.tasks, next.tasks)));
      const told = [...new Set(changes.flatMap(([name, list]) => (isOther(name) ? [list] : [])))];
      for (const list of told) announce({ list });
      // No client watches this address; but transports forget what they have printed, so that new clients read new texts.
      if (told.length === 0) announce({ uri: '' });
      return told;
    },
  };
  return surface;
}

function refuse(): never {
  throw new Error('this surface only passes calls on');
}

interface Indexed {
  readonly snapshot: Snapshot;
  readonly lists: PagedLists;
  tools(): ReadonlyMap<string, ReturnType<typeof remoteTool>>;
  prompts(): ReadonlyMap<string, ReturnType<typeof remotePrompt>>;
  resource(uri: string): ReturnType<typeof remoteResource> | undefined;
}

/** Everything is made when it is first asked for: most snapshots are replaced before that. */
function index(snapshot: Snapshot): Indexed {
  const { lists, pageSize, watchable } = snapshot;
  const tools = lazy(() => new Map(lists.tools.map(entry => [String(entry['name']), remoteTool(entry, snapshot)])));
  const prompts = lazy(() => new Map(lists.prompts.map(entry => [String(entry['name']), remotePrompt(entry)])));
  const find = lazy(() =>
    makeResourceFinder([...lists.resources, ...lists.resourceTemplates].map(entry => remoteResource(entry, watchable))),
  );
  return {
    snapshot,
    lists: new PagedLists(name => lists[name], pageSize),
    tools,
    prompts,
    resource: uri => find()(uri)?.served,
  };
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const nowhere = startOf('');
const at: Locator = { site: () => nowhere, find: () => nowhere, source: () => undefined };
const elsewhere = (): Promise<never> => Promise.reject(new Error('handlers run in another process'));

/** Secrets are taken out where calls run. */
const host: PackHost = {
  program: {
    pack: { name: '', version: '', folder: '', root: '', generated: '', handlers: '', dist: '', config: {}, at },
    servers: [],
    tools: [],
    prompts: [],
    resources: [],
    schemas: [],
  },
  settings: { values: {}, redact: text => text },
  load: elsewhere,
  validators: elsewhere,
  app: elsewhere,
  initialize: elsewhere,
  close: () => Promise.resolve(),
};

/** Items as transports ask for them: schemas, scopes, subscriptions. Their code is in another process. */
function remoteItem(name: string) {
  return { item: name, name, description: '', file: '', at };
}

function remoteTool(entry: Wire, { scopes, tasks }: Snapshot): ServedTool {
  const name = String(entry['name']);
  const needed = Object.hasOwn(scopes, name) ? scopes[name] : undefined;
  const { inputSchema, outputSchema } = entry;
  return {
    tool: {
      ...remoteItem(name),
      kind: 'tool',
      definition: { ...(needed && { scopes: needed }), ...(Object.hasOwn(tasks, name) ? tasks[name] : {}) },
      inputSchema: inputSchema as JsonSchema,
      ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as JsonSchema }),
      // Calls are checked where they run.
      filling: { input: 'never', output: 'never' },
      inputSite: () => nowhere,
      handler: { path: '', export: '' },
    },
    name,
    host,
    options: {},
  };
}

function remotePrompt(entry: Wire): ServedPrompt {
  const name = String(entry['name']);
  return {
    prompt: { ...remoteItem(name), kind: 'prompt', definition: {}, type: 'handler', arguments: [] },
    name,
    host,
  };
}

function remoteResource(entry: Wire, watchable: readonly string[]): ServedResource {
  const { uri, uriTemplate } = entry;
  const address = String(uri ?? uriTemplate);
  const definition = {
    ...(uri === undefined ? { uriTemplate: address } : { uri: address }),
    subscribe: watchable.includes(address),
  };
  return { resource: { ...remoteItem(String(entry['name'])), kind: 'resource', definition, variables: [] }, host };
}
