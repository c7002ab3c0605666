// In: the tools, prompts and resources of one server. Out: its surface: lists, calls, prompts, resources, completions.

import type { CacheHints } from '../../schema/definitions.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { renderMentions } from '../../schema/template/template.js';
import { bindParameters } from '../call/bound-arguments.js';
import { relayedInput } from '../call/context/relay.js';
import type {
  CallServices,
  Outcome,
  PackHost,
  Request,
  ServedPrompt,
  ServedResource,
  ServedTool,
} from '../call/ports.js';
import { ToolError } from '../call/tool-error.js';
import { taskPolicyOf } from '../load/program.js';
import { printInstructions, promptEntry, resourceEntry, toolEntry, type Wire } from '../packs/list-entries.js';
import type { TaskSurface } from '../tasks/surface.js';
import type { Tasks } from '../tasks/tasks.js';
import { callTool } from './call-tool.js';
import { makeChangeListeners } from './change-listeners.js';
import { completeFrom, findCompletion, hasCompletions, noCompletion } from './complete.js';
import { type GetPrompt, makeGetPrompt } from './get-prompt.js';
import { listByCode } from './list-resources.js';
import { openOnce } from './open-once.js';
import { makePagedList, PagedLists } from './paged-list.js';
import { clipName, ResourceNotFound, unknownName } from './problems.js';
import { readResource } from './read-resource.js';
import { isOffered, makePromptTable, makeResourceTable, makeToolTable, type ToolTable } from './served-items.js';
import type { ListName, Route, ServerInfo, Surface } from './surface.js';

export interface SurfaceInput extends Pick<CallServices, 'seal' | 'showCauses' | 'roots' | 'running' | 'report'> {
  readonly info: ServerInfo;
  /** Of the server's definition; guidelines of tools may be added to them. */
  readonly instructions: string;
  readonly cache?: CacheHints | undefined;
  /** Absent: lists have one page. */
  readonly pageSize?: number | undefined;
  readonly strictArguments?: boolean | undefined;
  /** Of the server's definition. */
  readonly requestHeaders?: readonly string[] | undefined;
  readonly route?: Route | undefined;
  /** T1: what keeps tasks; asked for only if a tool runs as one. */
  readonly openTasks?: OpenTasks | undefined;
  readonly tools: readonly ServedTool[];
  readonly prompts: readonly ServedPrompt[];
  readonly resources: readonly ServedResource[];
  /** M36: only items in this mode, and those without modes. */
  readonly mode?: string | undefined;
  /** Items may be added later, so that clients must know of every kind even if there is nothing of it yet. */
  readonly mayGrow?: boolean | undefined;
}

/** T1: opens the tasks of a server. */
export type OpenTasks = (surface: TaskSurface) => Promise<Tasks>;

/**
 * Makes the surface of one server. Whatever can be made once is made when it is first needed, and again only after
 * items were added or removed.
 *
 * @example
 * const surface = createSurface({ info, instructions: '', tools, prompts: [], resources: [], seal, showCauses: false, report });
 * surface.list('tools').entries[0]?.['name'] // 'get-issue'
 */
export function createSurface(input: SurfaceInput): Surface {
  const { cache, pageSize, requestHeaders = [], mode, mayGrow = false } = input;
  const tools = makeToolTable(input.tools.map(withBound), served => isOffered(served.tool, served, mode));
  const prompts = makePromptTable(input.prompts, served => isOffered(served.prompt, served, mode));
  const resources = makeResourceTable(input.resources, served => isOffered(served.resource, served, mode));
  const offered = {
    prompts: prompts.offered,
    get resources() {
      return resources.offered;
    },
  };
  const services = makeServices(input, tools);
  const { general } = services;
  const info = withTexts(input.info, general.render);
  const getters = new Map<string, GetPrompt>();
  const lists = new PagedLists(entriesOf, pageSize);
  const { onChange, announce } = makeChangeListeners(input.report);
  let instructions: string | undefined;

  function entriesOf(name: ListName): readonly Wire[] {
    switch (name) {
      case 'tools':
        return [...tools.offered.values()].map(served => toolEntry(served, services.of(served.host).render));
      case 'prompts':
        return [...prompts.offered.values()].map(served => promptEntry(served, services.of(served.host).render));
      case 'resources':
      case 'resourceTemplates': {
        const key = name === 'resources' ? 'uri' : 'uriTemplate';
        const listed = resources.offered.filter(({ resource }) => resource.definition[key] !== undefined);
        return listed.map(served => resourceEntry(served, services.of(served.host).render));
      }
      default:
        return name satisfies never;
    }
  }

  /** Texts of every kind may mention the tool that came or went. */
  function toolsChanged(): void {
    lists.forget();
    instructions = undefined;
    announce({ list: 'tools' });
  }

  function listChanged(list: 'prompts' | 'resources'): void {
    lists.forget(list === 'resources' ? ['resources', 'resourceTemplates'] : [list]);
    announce({ list });
  }

  const { openTasks } = input;
  const hasTasks = openTasks !== undefined && [...tools.offered.values()].some(({ tool }) => taskPolicyOf(tool));

  const surface: Surface = {
    route: input.route,
    tasks: hasTasks ? openOnce(() => openTasks(surface)) : undefined,
    info,
    get instructions() {
      instructions ??= printInstructions(
        input.instructions,
        [...tools.offered.values()].map(({ tool, name, host }) => ({
          tool,
          name,
          render: services.of(host).render,
        })),
        general.render,
      );
      return instructions;
    },
    cache,
    services: general,
    requestHeaders,
    offers: {
      get tools() {
        return mayGrow || tools.offered.size > 0;
      },
      get prompts() {
        return mayGrow || prompts.offered.size > 0;
      },
      get resources() {
        return mayGrow || resources.offered.length > 0;
      },
      get completions() {
        return mayGrow || hasCompletions(offered);
      },
      get subscribe() {
        return mayGrow || resources.offered.some(({ resource }) => resource.definition.subscribe === true);
      },
    },
    list: (name, cursor) => lists.page(name, cursor),
    get listsByCode() {
      return resources.offered.some(({ resource }) => resource.definition.list !== undefined);
    },
    async listResources(cursor, request) {
      const byCode = resources.offered.filter(({ resource }) => resource.definition.list !== undefined);
      const more = byCode.map(served => {
        const own = services.of(served.host);
        return listByCode(served, resourceEntry(served, own.render), request, own);
      });
      const entries = [...entriesOf('resources'), ...(await Promise.all(more)).flat()];
      return makePagedList('resources', entries, pageSize)(cursor);
    },
    relayedInput(name) {
      const served = tools.offered.get(name);
      return served && relayedInput(served);
    },
    tool: name => tools.offered.get(name),
    prompt: name => prompts.offered.get(name),
    resource: uri => resources.find(uri)?.served,
    // Not async: each call would pay for one more promise.
    callTool(name, args, request) {
      const served = tools.offered.get(name);
      if (served === undefined) return Promise.reject(unknownName('tool', name, tools.offered.keys()));
      return callTool(served, args, request, services.of(served.host));
    },
    async getPrompt(name, args, request) {
      const served = prompts.offered.get(name);
      if (served === undefined) throw unknownName('prompt', name, prompts.offered.keys());
      const get = getters.get(name) ?? makeGetPrompt(served);
      getters.set(name, get);
      const { host } = served;
      return await get(args, {
        request,
        services: services.of(host),
        toolName: item => toolName(tools, item, host),
      });
    },
    async readResource(uri, request) {
      const found = resources.find(uri);
      if (found === undefined) throw new ResourceNotFound(clipName(uri));
      return await readResource(uri, found, request, services.of(found.served.host));
    },
    async complete(query, request) {
      const { source, host, owner } = findCompletion(query, offered);
      if (source === undefined) return noCompletion;
      const { argument, context: others } = query;
      return await completeFrom(source, { host, owner, argument, others, request, services: services.of(host) });
    },
    addTool(served) {
      tools.add(withBound(served));
      toolsChanged();
    },
    removeTool(name) {
      const isRemoved = tools.remove(name);
      if (isRemoved) toolsChanged();
      return isRemoved;
    },
    addPrompt(served) {
      prompts.add(served);
      listChanged('prompts');
    },
    removePrompt(name) {
      const isRemoved = prompts.remove(name);
      getters.delete(name);
      if (isRemoved) listChanged('prompts');
      return isRemoved;
    },
    addResource(served) {
      resources.add(served);
      listChanged('resources');
    },
    removeResource(address) {
      const isRemoved = resources.remove(address);
      if (isRemoved) listChanged('resources');
      return isRemoved;
    },
    onChange,
    announce,
  };
  return surface;
}

/** A description may mention tools, as instructions may. */
function withTexts(info: ServerInfo, render: (text: string) => string): ServerInfo {
  return info.description === undefined ? info : { ...info, description: render(info.description).trim() };
}

/** What calls share: for what belongs to no pack, and of each pack, because a name means an item of the caller's own pack first. */
function makeServices(
  { seal, showCauses, roots, running, strictArguments = false, report }: SurfaceInput,
  tools: ToolTable,
): { readonly general: CallServices; of(host: PackHost): CallServices } {
  const made = new Map<PackHost, CallServices>();
  return { general: make(undefined), of };

  function of(host: PackHost): CallServices {
    const services = made.get(host) ?? make(host);
    made.set(host, services);
    return services;
  }

  function make(host: PackHost | undefined): CallServices {
    return {
      ...{ seal, showCauses, strictArguments, report, running, ...(roots === undefined ? {} : { roots }) },
      render: text => renderMentions(text, item => toolName(tools, item, host)),
      async call(name, args, request) {
        const item = tools.named(name, host);
        // X2: what is offered under the name of an item may be another form of it.
        const isOffered = item !== undefined && tools.offered.get(item.name) === item;
        const served = isOffered ? item : tools.offered.get(name);
        if (served === undefined) throw unknownName('tool', name, tools.offered.keys());
        checkScopes(served, request);
        return withoutQuestions(await callTool(served, args, request, of(served.host)), served);
      },
    };
  }
}

/** The final wire name of a tool that a string of a pack mentions; its item name where the server does not have it. */
function toolName(tools: ToolTable, name: string, host: PackHost | undefined): string {
  return tools.named(name, host)?.name ?? name.slice(name.lastIndexOf('/') + 1);
}

/** The transport has looked at the tool that the client named, and only at that one. */
function checkScopes({ tool, name }: ServedTool, { isRemote, auth }: Request): void {
  const { scopes = [] } = tool.definition;
  if (isRemote !== true || scopes.every(scope => auth?.scopes.includes(scope))) return;
  throw new ToolError(`${name} needs the scopes ${scopes.join(', ')}, which the caller does not have`, {
    code: 'INSUFFICIENT_SCOPE',
    status: 403,
    suggestedFix: `Get an access token with the scopes ${scopes.join(' ')}.`,
    meta: { scopes },
  });
}

/** Nobody can be asked inside a call: a tool that asks there has an error for a result already. */
function withoutQuestions(outcome: Outcome<CallToolResult>, { name }: ServedTool): CallToolResult {
  if ('result' in outcome) return outcome.result;
  const text = `${name} asks a question, which a call from another tool cannot answer`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** X14: with what the operator has set, which stays as it is while the server runs. */
function withBound(served: ServedTool): ServedTool {
  const { tool, name, host, bound = bindParameters(name, tool, host.settings.values) } = served;
  return bound === undefined ? served : { ...served, bound };
}
