// In: a server, and which of its tools a client should get. Out: the settings that switch the others off.
import type { Server, Tool } from '../../runtime/load/program.js';
import { type ComposedServer, composeServer, hasForeign } from '../../runtime/packs/compose.js';
import type { PackLookup } from '../../runtime/packs/look-up.js';
import { type OpenPack, toPack } from '../../runtime/packs/open-pack.js';
import { makePattern } from '../../schema/names.js';
import { workingFolder } from '../pack/pack-command.js';
import { type LoadedFolder, lookUpAround } from '../start/load-server.js';
import type { CommonFlags } from '../terminal/flags.js';
import { UsageError } from '../terminal/usage-error.js';

interface ToolFlags extends CommonFlags {
  readonly enable: readonly string[];
  readonly disable: readonly string[];
}

/** Which tools a client gets, as the settings that the runtime reads. */
export function settingsOf(loaded: LoadedFolder, server: Server, flags: ToolFlags): string {
  const { enable, disable } = flags;
  const cwd = workingFolder(flags);
  const items = [...settableTools(loaded, server, cwd).keys()];
  const formsOf = makeForms(loaded, server, cwd);
  const pick = (words: readonly string[]): ReadonlySet<string> => {
    const patterns = words.flatMap(word => word.split(',')).map(word => word.trim());
    for (const pattern of patterns)
      if (!items.some(makePattern(pattern)))
        throw new UsageError(`${server.item} has no tool "${pattern}" (it has ${items.join(', ')})`);
    const isMeant = (item: string): boolean => patterns.some(pattern => makePattern(pattern)(item));
    return new Set(items.filter(item => isMeant(item) || formsOf(item).some(isMeant)));
  };
  const on = enable.length === 0 ? new Set(items) : pick(enable);
  const off = pick(disable);
  const left = items.filter(item => !on.has(item) || off.has(item));
  return JSON.stringify({ tools: Object.fromEntries(left.map(item => [item, { enabled: false }])) });
}

/** X2: items that clients know by one name. Who switches off one of them means the tool, whatever the configuration makes of it. */
function makeForms(loaded: LoadedFolder, server: Server, cwd: string): (item: string) => readonly string[] {
  const composed = composeWhole(loaded, server, cwd);
  if (composed === undefined) return () => [];
  const { tools, pack: own, lookUp } = composed;
  const names = new Map<string, string>();
  const forms = new Map<string, string[]>();
  for (const { item, name, pack } of tools) {
    const settable = pack === own ? item.item : nameInOverlays(item.item, pack, lookUp);
    names.set(settable, name);
    forms.set(name, [...(forms.get(name) ?? []), settable]);
  }
  return item => forms.get(names.get(item) ?? '') ?? [];
}

/**
 * By the names of settings: those of other packs by their qualified names. What cannot be named could not be set. Undefined: a tool
 * whose definition is broken.
 */
export function settableTools(
  loaded: LoadedFolder,
  server: Server,
  cwd: string,
): ReadonlyMap<string, Tool | undefined> {
  const all = loaded.program?.tools ?? [];
  const own = server.tools.flatMap(one =>
    one.from === 'foreign' ? [] : [[one.item, all.find(({ item }) => item === one.item)] as const],
  );
  const composed = composeForeign(loaded, server, cwd);
  if (composed === undefined) return new Map(own);
  const { tools, pack, diagnostics, lookUp } = composed;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    loaded.say(errors);
    throw new UsageError(`the tools that ${server.item} takes from other packs are not known`);
  }
  const foreign = tools.filter(one => one.pack !== pack);
  return new Map([
    ...own,
    ...foreign.map(({ item, pack: from }) => [nameInOverlays(item.item, from, lookUp), item] as const),
  ]);
}

/** What a server is together with what it takes from other packs; undefined where it takes nothing, or its pack cannot be used. */
export function composeForeign(
  loaded: LoadedFolder,
  server: Server,
  cwd: string,
): (ComposedServer & { readonly lookUp: PackLookup }) | undefined {
  return hasForeign(server) ? composeWhole(loaded, server, cwd) : undefined;
}

/** The same of any server. */
export function composeWhole(
  loaded: LoadedFolder,
  server: Server,
  cwd: string,
): (ComposedServer & { readonly lookUp: PackLookup }) | undefined {
  const pack = toPack(loaded);
  if ('unusable' in pack) return undefined;
  const lookUp = lookUpAround(loaded, cwd);
  return { ...composeServer(pack, server, lookUp), lookUp };
}

function nameInOverlays(item: string, pack: OpenPack, lookUp: PackLookup): string {
  return pack === lookUp.builtin() ? item : `${pack.program.pack.name}/${item}`;
}
