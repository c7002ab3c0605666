// In: the surface of a server. Out: its snapshot, which another process can serve in its place.
import { taskPolicyOf } from '../../load/program.js';
import type { ComposedServer } from '../../packs/compose.js';
import type { Wire } from '../../packs/list-entries.js';
import type { ListName, Page, Surface } from '../../surface/surface.js';
import type { Snapshot } from './messages.js';

/** `composed` knows what lists do not say. */
export function takeSnapshot(surface: Surface, { server, resources }: ComposedServer): Snapshot {
  const tools = entriesOf(surface, 'tools');
  const scopes = tools.flatMap(({ name }) => {
    const needed = surface.tool(String(name))?.tool.definition.scopes ?? [];
    return needed.length === 0 ? [] : [[String(name), needed] as const];
  });
  const relayed = tools.flatMap(({ name }) => {
    const schema = surface.relayedInput(String(name));
    return schema === undefined ? [] : [[String(name), schema] as const];
  });
  const tasks = tools.flatMap(({ name }) => {
    const tool = surface.tool(String(name))?.tool;
    if (tool === undefined || taskPolicyOf(tool) === undefined) return [];
    const { task, effect, annotations, confirm } = tool.definition;
    const parts = { ...(effect && { effect }), ...(annotations && { annotations }), ...(confirm && { confirm }) };
    return [[String(name), { ...(task !== undefined && { task }), ...parts }] as const];
  });
  return {
    info: surface.info,
    instructions: surface.instructions,
    cache: surface.cache,
    requestHeaders: surface.requestHeaders,
    listsByCode: surface.listsByCode,
    hasRoutes: surface.route !== undefined,
    pageSize: server.definition.pageSize,
    lists: {
      tools,
      prompts: entriesOf(surface, 'prompts'),
      resources: entriesOf(surface, 'resources'),
      resourceTemplates: entriesOf(surface, 'resourceTemplates'),
    },
    relayed: Object.fromEntries(relayed),
    scopes: Object.fromEntries(scopes),
    tasks: Object.fromEntries(tasks),
    watchable: resources.flatMap(({ item: { definition } }) => {
      const address = definition.uri ?? definition.uriTemplate;
      return definition.subscribe === true && address !== undefined ? [address] : [];
    }),
  };
}

function entriesOf(surface: Surface, name: ListName): readonly Wire[] {
  const entries: Wire[] = [];
  let page: Page = surface.list(name);
  for (;;) {
    entries.push(...page.entries);
    if (page.nextCursor === undefined) return entries;
    page = surface.list(name, page.nextCursor);
  }
}

/** Of a server that could not be loaded yet. */
export function emptySnapshot(name: string): Snapshot {
  return {
    info: { name, version: '0.0.0' },
    instructions: '',
    requestHeaders: [],
    listsByCode: false,
    hasRoutes: false,
    lists: { tools: [], prompts: [], resources: [], resourceTemplates: [] },
    relayed: {},
    scopes: {},
    tasks: {},
    watchable: [],
  };
}
