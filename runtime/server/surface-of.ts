// In: what a server serves, under its final names, and the code of its packs. Out: its surface.

import type { When } from '../../schema/definitions.js';
import { type Options, readOptions } from '../call/context/options.js';
import type { CallServices, PackHost, ServedPrompt, ServedResource, ServedTool } from '../call/ports.js';
import { holds } from '../load/conditions.js';
import type { Server } from '../load/program.js';
import type { ComposedItem } from '../packs/compose.js';
import type { OpenPack } from '../packs/open-pack.js';
import { createSurface, type SurfaceInput } from '../surface/create-surface.js';
import { checkMode } from '../surface/served-items.js';
import type { Surface } from '../surface/surface.js';

/** What clients learn about a server before they ask anything, and what holds for all of its calls. */
export type AboutServer = Pick<
  SurfaceInput,
  'info' | 'instructions' | 'cache' | 'pageSize' | 'strictArguments' | 'requestHeaders'
>;

/** Items in the order in which clients see them. */
export interface ServedItems {
  readonly tools: readonly (ComposedItem<'tool'> & Pick<ServedTool, 'handler'>)[];
  readonly prompts: readonly ComposedItem<'prompt'>[];
  readonly resources: readonly ComposedItem<'resource'>[];
  /** X2: whose configuration conditions of its lists speak of. */
  readonly pack?: OpenPack | undefined;
}

/** What the operator decides, and what calls share. */
export interface ServeSettings extends Pick<CallServices, 'seal' | 'showCauses' | 'roots' | 'running' | 'report'> {
  /** M36: `--mode`. */
  readonly mode?: string | undefined;
  /** W88: the operator's settings of a tool; absent: the defaults of its definition. */
  readonly optionsOf?: Options['optionsOf'] | undefined;
  /** In place of what the server's definition says. */
  readonly strictArguments?: boolean | undefined;
  readonly mayGrow?: boolean | undefined;
  readonly route?: Surface['route'];
  readonly openTasks?: SurfaceInput['openTasks'];
  /** In place of the items as their packs have them: mocks. */
  readonly stage?: Stage | undefined;
}

export interface Stage {
  tool(served: ServedTool): ServedTool;
  prompt(served: ServedPrompt): ServedPrompt;
  resource(served: ServedResource): ServedResource;
}

/** Items with mistakes are not part of their program, and so they are not served. */
export function surfaceOf(
  about: AboutServer,
  items: ServedItems,
  hostOf: (pack: OpenPack) => PackHost,
  settings: ServeSettings,
): Surface {
  const {
    optionsOf = readOptions(undefined, []).optionsOf,
    strictArguments,
    report,
    mode,
    stage = asTheyAre,
  } = settings;
  const isLeftOut = ({ when }: { readonly when?: readonly When[] | undefined }): boolean => {
    const { pack } = items;
    if (when === undefined || pack === undefined) return false;
    const { values } = hostOf(pack).settings;
    return !when.some(one => holds(one, pack.program.pack.config, values));
  };
  const tools = items.tools.map(({ item, name, pack, handler, when }) =>
    stage.tool({
      tool: item,
      name,
      host: hostOf(pack),
      options: optionsOf(item),
      ...(isLeftOut({ when }) && { isLeftOut: true }),
      ...(handler === undefined ? {} : { handler }),
    }),
  );
  const prompts = items.prompts.map(({ item, name, pack, when }) =>
    stage.prompt({ prompt: item, name, host: hostOf(pack), ...(isLeftOut({ when }) && { isLeftOut: true }) }),
  );
  const resources = items.resources.map(({ item, pack, when }) =>
    stage.resource({ resource: item, host: hostOf(pack), ...(isLeftOut({ when }) && { isLeftOut: true }) }),
  );
  const wrongMode = checkMode(mode, [
    ...tools.map(({ tool }) => tool.definition),
    ...prompts.map(({ prompt }) => prompt.definition),
    ...resources.map(({ resource }) => resource.definition),
  ]);
  if (wrongMode !== undefined) report(wrongMode);
  return createSurface({
    ...settings,
    ...about,
    strictArguments: strictArguments ?? about.strictArguments,
    tools,
    prompts,
    resources,
  });
}

/** Of a server that a manifest defines. */
export function aboutServer({ name, title, description, version, instructions, definition }: Server): AboutServer {
  const { websiteUrl, icons, cache, pageSize, strictArguments, http } = definition;
  return {
    info: {
      name,
      version,
      ...(title === undefined ? {} : { title }),
      ...(description === '' ? {} : { description }),
      ...(websiteUrl === undefined ? {} : { websiteUrl }),
      ...(icons === undefined ? {} : { icons: icons.map(icon => ({ ...icon })) }),
    },
    instructions,
    cache,
    pageSize,
    strictArguments,
    requestHeaders: http?.headers,
  };
}

const asTheyAre: Stage = { tool: served => served, prompt: served => served, resource: served => served };
