// In: a composed server and the code of its packs. Out: the surface of that server.
import type { OptionEntry } from '../../schema/definitions.js';
import type { CallServices, PackHost, ServedPrompt, ServedResource, ServedTool } from '../call/ports.js';
import type { Server, Tool } from '../load/program.js';
import type { ComposedServer } from '../packs/compose.js';
import type { OpenPack } from '../packs/open-pack.js';
import { createSurface } from './create-surface.js';
import { checkMode } from './served-items.js';
import type { ServerInfo, Surface } from './surface.js';

/** What the operator decides, and what calls share. */
export interface ServeSettings extends Pick<CallServices, 'seal' | 'showCauses' | 'roots' | 'running' | 'report'> {
  /** M36: `--mode`. */
  readonly mode?: string | undefined;
  /** W88: the operator's settings of a tool; absent: the defaults of its definition. */
  readonly optionsOf?: ((tool: Tool) => Readonly<Record<string, unknown>>) | undefined;
  /** In place of what the server's definition says. */
  readonly strictArguments?: boolean | undefined;
  readonly mayGrow?: boolean | undefined;
  /** In place of the items as their packs have them: mocks. */
  readonly stage?: Stage | undefined;
}

export interface Stage {
  tool(served: ServedTool): ServedTool;
  prompt(served: ServedPrompt): ServedPrompt;
  resource(served: ServedResource): ServedResource;
}

/**
 * The surface of a server as it was composed. Items with mistakes are not part of their program, and so they are not served.
 *
 * @example
 * const settings = { seal, showCauses: false, report: text => console.error(text) };
 * const surface = surfaceOf(compose(pack, server, lookUp), () => host, settings);
 */
export function surfaceOf(
  composed: Pick<ComposedServer, 'server' | 'tools' | 'prompts' | 'resources'>,
  hostOf: (pack: OpenPack) => PackHost,
  settings: ServeSettings,
): Surface {
  const { server } = composed;
  const { definition } = server;
  const { optionsOf = defaultOptions, strictArguments, report, mode, stage = asTheyAre } = settings;
  const tools = composed.tools.map(({ item, name, pack }) =>
    stage.tool({ tool: item, name, host: hostOf(pack), options: optionsOf(item) }),
  );
  const prompts = composed.prompts.map(({ item, name, pack }) =>
    stage.prompt({ prompt: item, name, host: hostOf(pack) }),
  );
  const resources = composed.resources.map(({ item, pack }) => stage.resource({ resource: item, host: hostOf(pack) }));
  const wrongMode = checkMode(mode, [
    ...tools.map(({ tool }) => tool.definition),
    ...prompts.map(({ prompt }) => prompt.definition),
    ...resources.map(({ resource }) => resource.definition),
  ]);
  if (wrongMode !== undefined) report(wrongMode);
  return createSurface({
    ...settings,
    info: serverInfo(server),
    instructions: server.instructions,
    cache: definition.cache,
    pageSize: definition.pageSize,
    strictArguments: strictArguments ?? definition.strictArguments,
    tools,
    prompts,
    resources,
  });
}

const asTheyAre: Stage = { tool: served => served, prompt: served => served, resource: served => served };

/** What clients learn about a server before they ask anything. */
function serverInfo({ name, title, description, version, definition }: Server): ServerInfo {
  const { websiteUrl, icons } = definition;
  return {
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(description === '' ? {} : { description }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(icons === undefined ? {} : { icons: icons.map(icon => ({ ...icon })) }),
  };
}

const noOptions: Readonly<Record<string, unknown>> = Object.freeze({});

function defaultOptions({ definition }: Tool): Readonly<Record<string, unknown>> {
  // Most tools have none, and there may be thousands of them.
  if (definition.options === undefined) return noOptions;
  const entries = Object.entries(definition.options);
  const hasDefault = ([, option]: readonly [string, OptionEntry]): boolean => Object.hasOwn(option, 'default');
  return Object.fromEntries(entries.filter(hasDefault).map(([name, option]) => [name, option.default]));
}
