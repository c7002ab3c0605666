// In: a surface. Out: the registry of its tools; what is added and removed later is seen at once.
import type { JsonSchema } from '../../../schema/definitions.js';
import { didYouMean } from '../../../schema/nearest.js';
import { messageOf } from '../../call/print-cause.js';
import type { Surface } from '../../surface/surface.js';
import { type OfferedTool, offeredTools } from '../offered-tools.js';
import { aiSdkTools } from './ai-sdk.js';
import { fail, invoke } from './invoke.js';
import { providerNames } from './provider-names.js';
import { anthropicTools, openAiResponsesTools, openAiTools } from './provider-tools.js';
import type { InvokeOptions, InvokeResult, Registry, ToolEntry } from './registry.js';
import { validateArguments } from './validate-arguments.js';

/** The tools at one moment, and every name that leads to one. */
interface Table {
  readonly tools: readonly ToolEntry[];
  /** C6: the same with what models bring back where nobody can ask the user. */
  readonly forModels: readonly ToolEntry[];
  readonly providerNames: ReadonlyMap<string, string>;
  /** Wire names by whatever else a tool is called. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** `close` runs once, after the last call. */
export function makeRegistry(surface: Surface, close: () => Promise<void>): Registry {
  let table: Table | undefined;
  let lastId = 0;
  let closing: Promise<void> | undefined;
  const running = new Map<AbortController, Promise<unknown>>();
  const stopListening = surface.onChange(change => {
    if ('list' in change && change.list === 'tools') table = undefined;
  });
  const now = (): Table => {
    table ??= makeTable(surface);
    return table;
  };
  const nameOf = (tool: string): string => now().providerNames.get(tool) ?? tool;

  const registry: Registry = {
    list: () => now().tools,
    toolName,
    async validate(name, args) {
      try {
        const tool = findTool(name);
        return typeof tool === 'string' ? await validateArguments(surface, tool, args) : tool;
      } catch (error) {
        surface.services.report(`arguments for ${String(name)} could not be checked: ${messageOf(error)}`);
        return fail('UNEXPECTED_ERROR', `The arguments for ${String(name)} could not be checked`, 500);
      }
    },
    async invoke(name, args, options) {
      try {
        const tool = findTool(name);
        return typeof tool === 'string' ? await run(tool, args, options ?? {}) : tool;
      } catch (error) {
        // Only options that throw when they are read lead here.
        return fail('UNEXPECTED_ERROR', `The call could not be made: ${messageOf(error)}`, 500);
      }
    },
    anthropic: () => anthropicTools(now().forModels, nameOf),
    openai: () => openAiTools(now().forModels, nameOf),
    openaiResponses: () => openAiResponsesTools(now().forModels, nameOf),
    aiSdk: (options = {}) => {
      const { tools, forModels } = now();
      return aiSdkTools(options.elicit === undefined ? forModels : tools, registry, nameOf, options);
    },
    close: shutDown,
    [Symbol.asyncDispose]: shutDown,
  };
  return registry;

  function toolName(name: string): string | undefined {
    const { providerNames: byWireName, aliases } = now();
    return byWireName.has(name) ? name : aliases.get(name);
  }

  function findTool(name: unknown): string | (InvokeResult & { readonly ok: false }) {
    if (closing !== undefined) return fail('CLOSED', 'The registry is closed', 503);
    if (typeof name !== 'string') return fail('UNKNOWN_TOOL', 'A tool name must be a string', 404);
    const found = toolName(name);
    if (found !== undefined) return found;
    const hint = didYouMean(name, now().providerNames.keys());
    return fail(
      'UNKNOWN_TOOL',
      `There is no tool ${JSON.stringify(name)}${hint === undefined ? '' : `: ${hint}`}`,
      404,
    );
  }

  async function run(tool: string, args: unknown, given: InvokeOptions): Promise<InvokeResult> {
    const options = { ...given };
    const { signal } = options;
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal?.reason);
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    lastId += 1;
    const { requestId } = options;
    const id = typeof requestId === 'string' || typeof requestId === 'number' ? requestId : lastId;
    const call = invoke(surface, { tool, args, id, signal: controller.signal, options });
    running.set(controller, call);
    try {
      return await call;
    } finally {
      running.delete(controller);
      signal?.removeEventListener('abort', abort);
    }
  }

  function shutDown(): Promise<void> {
    closing ??= (async () => {
      stopListening();
      for (const controller of running.keys()) controller.abort();
      await Promise.all(running.values());
      await close();
    })();
    return closing;
  }
}

function makeTable(surface: Surface): Table {
  const tools = offeredTools(surface).map(toEntry);
  const names = providerNames(tools.map(({ name }) => name));
  const aliases = new Map<string, string>();
  const items = new Map<string, ToolEntry[]>();
  for (const tool of tools) {
    const group = items.get(tool.item);
    if (group === undefined) items.set(tool.item, [tool]);
    else group.push(tool);
  }
  // An item that several packs have names none of them.
  for (const [item, [first, second]] of items) {
    if (first !== undefined && second === undefined) aliases.set(item, first.name);
  }
  for (const [wireName, providerName] of names) aliases.set(providerName, wireName);
  const forModels = tools.map(tool => {
    const inputSchema = surface.relayedInput(tool.name);
    return inputSchema === undefined ? tool : { ...tool, inputSchema };
  });
  return { tools, forModels, providerNames: names, aliases };
}

function toEntry({ entry, served }: OfferedTool): ToolEntry {
  const { title, description, inputSchema, outputSchema, annotations } = entry;
  return {
    name: served.name,
    item: served.tool.item,
    ...(typeof title === 'string' ? { title } : {}),
    description: typeof description === 'string' ? description : '',
    inputSchema: inputSchema as JsonSchema,
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as JsonSchema }),
    ...(annotations === undefined ? {} : { annotations: annotations as Readonly<Record<string, unknown>> }),
  };
}
