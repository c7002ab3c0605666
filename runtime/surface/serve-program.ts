// In: a server of a pack and the pack's code. Out: the surface of that server.
import type { OptionEntry } from '../../schema/definitions.js';
import type { Desk, PackHost, ServedPrompt, ServedResource, ServedTool } from '../call/ports.js';
import type { Listed, Program, Server, Tool } from '../load/program.js';
import { createSurface } from './create-surface.js';
import { checkMode } from './offered-items.js';
import type { ServerInfo, Surface } from './surface.js';

/** What the operator decides, and what calls share. */
export interface ServeSettings extends Pick<Desk, 'seal' | 'showCauses' | 'roots' | 'report'> {
  /** M36: `--mode`. */
  readonly mode?: string | undefined;
  /** W88: the operator's settings of a tool; absent: the defaults of its definition. */
  readonly optionsOf?: ((tool: Tool) => Readonly<Record<string, unknown>>) | undefined;
  /** In place of what the server's definition says. */
  readonly strictArguments?: boolean | undefined;
  readonly mayGrow?: boolean | undefined;
}

/**
 * The surface of a server as its definition lists it. Items with mistakes are no part of the program, and so they are
 * not served; what other packs have is reported and left out.
 *
 * @example
 * const surface = surfaceOf(program, server, host, { seal, showCauses: false, report: text => console.error(text) });
 */
export function surfaceOf(program: Program, server: Server, host: PackHost, settings: ServeSettings): Surface {
  const { definition } = server;
  const { optionsOf = defaultOptions, strictArguments, report, mode } = settings;
  const tools = pick(program.tools, server.tools, report).map(
    ([tool, name]): ServedTool => ({ tool, name, host, options: optionsOf(tool) }),
  );
  const prompts = pick(program.prompts, server.prompts, report).map(
    ([prompt, name]): ServedPrompt => ({ prompt, name, host }),
  );
  const resources = pick(program.resources, server.resources, report).map(
    ([resource]): ServedResource => ({ resource, host }),
  );
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

/** What clients are told about a server before they ask anything. */
function serverInfo({ name, title, version, definition }: Server): ServerInfo {
  const { websiteUrl, icons } = definition;
  return {
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(icons === undefined ? {} : { icons: icons.map(icon => ({ ...icon })) }),
  };
}

/** The items of a list with their final names, in its order. */
function pick<T extends { readonly item: string }>(
  items: readonly T[],
  listed: readonly Listed[],
  report: (text: string) => void,
): readonly (readonly [T, string])[] {
  const byItem = new Map(items.map(one => [one.item, one]));
  return listed.flatMap(line => {
    if (line.from === 'foreign') {
      const { publisher, pack, item } = line.reference;
      const name = [publisher, pack, item].filter(part => part !== undefined).join('/');
      report(`${name} is left out: items of other packs are not served yet`);
      return [];
    }
    const found = byItem.get(line.item);
    return found === undefined ? [] : [[found, line.name] as const];
  });
}

function defaultOptions({ definition }: Tool): Readonly<Record<string, unknown>> {
  const entries = Object.entries(definition.options ?? {});
  const hasDefault = ([, option]: readonly [string, OptionEntry]): boolean => Object.hasOwn(option, 'default');
  return Object.fromEntries(entries.filter(hasDefault).map(([name, option]) => [name, option.default]));
}
