// In: a loaded pack and what was typed. Out: the server that is meant. Where none was named, the first in `servers:` of toolwright.yaml
// is the default (N18); for a call, the first one that has the tool.

import type { Program, Server } from '../../runtime/load/program.js';
import { type ComposedServer, composeServer, type ItemOf } from '../../runtime/packs/compose.js';
import { type OpenPack, toPack } from '../../runtime/packs/open-pack.js';
import { didYouMean } from '../../schema/nearest.js';
import { makeUriMatcher } from '../../schema/uri-template-match.js';
import { UsageError } from '../terminal/usage-error.js';
import { type LoadedFolder, lookUpAround } from './load-server.js';

export interface Choosing {
  /** The command that was typed, for a server. */
  line(server: string): string;
  /** Hears which of several was chosen, and how to choose another. */
  note(text: string): void;
  /** Of `call`: the tool, and where other packs are looked for. */
  readonly tool?: { readonly typed: string; readonly cwd: string } | undefined;
}

/** Undefined where it is there but broken, which has been said. */
export function chooseServer(
  item: string | undefined,
  loaded: LoadedFolder,
  { servers, pack }: Program,
  choosing: Choosing,
): Server | undefined {
  const names = loaded.catalog.server.map(({ name }) => name);
  const list = names.length === 0 ? `${pack.name} has no servers` : `${pack.name} has ${names.join(', ')}`;
  if (item !== undefined) {
    if (!names.includes(item)) {
      const hint = didYouMean(item, names);
      throw new UsageError(`there is no server "${item}"${hint === undefined ? '' : `: ${hint}`} (${list})`);
    }
    const found = servers.find(one => one.item === item);
    if (found?.definition.enabled === false) throw new UsageError(`the server "${item}" is disabled`);
    return found;
  }
  if (names.length === 0) {
    throw new UsageError(
      `${pack.name} has no servers: write ${pack.root}/servers/main.yaml with one line, such as "description: My server"`,
    );
  }
  const usable = servers.filter(({ definition }) => definition.enabled !== false);
  if (usable.length === 0 && servers.length > 0) throw new UsageError(`every server is disabled (${list})`);
  const isListed = loaded.manifest?.declarations.server !== undefined;
  if (choosing.tool !== undefined && usable.length > 1) {
    const found = serverWithTool(choosing.tool, loaded, usable, choosing);
    if (found !== undefined) return found;
  }
  return isListed ? chooseDefault(names, servers, choosing) : chooseOnly(usable, list, choosing);
}

function chooseOnly(usable: readonly Server[], list: string, { line }: Choosing): Server | undefined {
  const [only] = usable;
  if (only === undefined || usable.length === 1) return only;
  const all = usable.map(({ item }) => item).join(', ');
  const hint = `name it, as in ${line(only.item)}; or write "servers: [${all}]" into toolwright.yaml: the first is the default`;
  throw new UsageError(`which server? ${list}\n  hint: ${hint}`);
}

/** The first that is switched on. Another one in place of a broken default would be a surprise. */
function chooseDefault(
  names: readonly string[],
  servers: readonly Server[],
  { line, note }: Choosing,
): Server | undefined {
  const isOff = (name: string): boolean => servers.some(one => one.item === name && one.definition.enabled === false);
  const [first, second] = names.filter(name => !isOff(name));
  const found = servers.find(one => one.item === first);
  if (second !== undefined) {
    const what =
      found === undefined
        ? `the default server "${first}" is broken`
        : `using the server "${first}", the first one under "servers:" in toolwright.yaml`;
    note(`${what}; for another: ${line(second)}`);
  }
  return found;
}

/** The first in order that has it; undefined where a pack is missing that may have it. */
function serverWithTool(
  { typed, cwd }: NonNullable<Choosing['tool']>,
  loaded: LoadedFolder,
  usable: readonly Server[],
  { line, note }: Choosing,
): Server | undefined {
  const own = toPack(loaded);
  if ('unusable' in own) return undefined;
  const lookUp = lookUpAround(loaded, cwd);
  const all = usable.map(server => ({ server, composed: composeServer(own, server, lookUp) }));
  const having = all.filter(({ server, composed }) => hasTool(typed, server, own, composed));
  const [first, second] = having;
  if (first !== undefined && second !== undefined)
    note(`calling ${typed} on the server "${first.server.item}"; for another: ${line(second.server.item)}`);
  if (first !== undefined || all.some(({ composed }) => !composed.isComplete)) return first?.server;
  const names = [...new Set(all.flatMap(({ composed }) => composed.tools.map(({ name }) => name)))];
  const hint = didYouMean(typed, names);
  const list = names.length === 0 ? 'they have none' : `they have ${names.join(', ')}`;
  const servers = usable.map(({ item }) => item).join(', ');
  throw new UsageError(`no server has a tool "${typed}"${hint === undefined ? '' : `: ${hint}`} (${servers}; ${list})`);
}

/** Broken tools are listed by the server and no part of what is composed. */
function hasTool(typed: string, server: Server, own: OpenPack, composed: ComposedServer): boolean {
  const isOwn = server.tools.some(one => one.from === 'own' && isCalled(typed, one.item, own.program));
  const { tools, prompts, resources } = composed;
  const isIt = ({ name, item, pack }: ComposedServer['tools' | 'prompts' | 'resources'][number]): boolean =>
    name === typed || isCalled(typed, item.item, pack.program);
  return isOwn || [...tools, ...prompts, ...resources].some(isIt) || resources.some(one => isAddress(typed, one.item));
}

function isAddress(typed: string, { definition: { uri, uriTemplate } }: ItemOf<'resource'>): boolean {
  return uri === typed || (uriTemplate !== undefined && makeUriMatcher(uriTemplate)(typed) !== undefined);
}

/** By item name, as the author knows it, or by the qualified name of another pack's item. */
export function isCalled(typed: string, item: string, { pack }: Program): boolean {
  return item === typed || `${pack.name}/${item}` === typed;
}
