// In: what a person wants to look at. Out: a server or an existing pack; or what is known of one that is not installed.

import { nodeFolder } from '../../runtime/load/folder.js';
import { builtinPack } from '../../runtime/load/own-package.js';
import { makeIsBuiltIn } from '../../runtime/load/resolve.js';
import { findByName } from '../../runtime/packs/find-pack.js';
import type { RemotePack } from '../../runtime/packs/pack-summary.js';
import { findProject } from '../../runtime/packs/package-manager.js';
import { type PackageRegistry, packKeyword, remotePack } from '../../runtime/packs/remote-packs.js';
import { packageOfPack, packOf, parseName } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import { noSuchPack, suggestServer } from '../pack/find-pack.js';
import { findPackAround, type PackFlags, workingFolder } from '../pack/pack-command.js';
import { type LoadedFolder, loadFolder } from '../start/load-server.js';
import { UsageError } from '../terminal/usage-error.js';

export interface InspectFlags extends PackFlags {
  /** Ask the registry about packs that are not installed. */
  readonly remote?: boolean;
}

export type Inspected =
  /** Without an item: the whole pack. */
  | { readonly loaded: LoadedFolder; readonly item?: string | undefined }
  | { readonly pack: string; readonly remote: RemotePack; readonly item?: string | undefined };

/** `[pack:|server:]name`. Without a name: the pack around, or its server where it has one. */
export async function findInspected(typed: string | undefined, flags: InspectFlags): Promise<Inspected> {
  const cwd = workingFolder(flags);
  const around = findPackAround(cwd);
  if (typed === undefined) {
    const loaded = loadFolder(around, flags);
    const [only, ...others] = loaded.catalog.server;
    return { loaded, item: others.length === 0 ? only?.name : undefined };
  }
  const [, prefix, rest] = /^(pack|server):(.*)$/s.exec(typed) ?? [];
  const wanted = rest ?? typed;
  const parsed = parseName(wanted);
  // A pack may have a name that no item can have.
  const asPack = parseName(`${wanted}/any`);
  if ('problem' in parsed && 'problem' in asPack)
    throw new UsageError(`"${wanted}" is not a valid name: ${parsed.problem}`);
  const server = prefix === 'pack' || 'problem' in parsed ? undefined : serverNamed(parsed.name);
  const isBare = !wanted.includes('/');
  const pack = prefix === 'server' || 'problem' in asPack || (isBare && server !== undefined) ? undefined : packNamed();
  if (server !== undefined && pack !== undefined)
    throw new UsageError(`"${wanted}" is ambiguous: write pack:${wanted} or server:${wanted}`);
  if (server !== undefined) return server;
  if (pack !== undefined) return pack;
  return await findAbroad();

  function serverNamed(name: Parameters<typeof packOf>[0]): Inspected | undefined {
    const inPack = packOf(name);
    if (inPack === undefined) {
      const own = loadFolder(around, flags);
      if (hasServer(own, name.item)) return { loaded: own, item: name.item };
      if (!makeIsBuiltIn(nodeFolder)('server', name.item)) return undefined;
      return { loaded: loadFolder(builtinPack(), flags, 'builtin'), item: name.item };
    }
    const loaded = installed(inPack);
    return loaded !== undefined && hasServer(loaded, name.item) ? { loaded, item: name.item } : undefined;
  }

  function packNamed(): Inspected | undefined {
    const loaded = installed(wanted);
    return loaded === undefined ? undefined : { loaded };
  }

  function installed(pack: string): LoadedFolder | undefined {
    const found = findByName(pack, cwd);
    if (!('folder' in found)) return undefined;
    return loadFolder(found.folder, flags, found.folder === around ? 'own' : 'foreign', pack);
  }

  /** W53: names of packs that are not installed can be read; else the answer says what is missing. */
  async function findAbroad(): Promise<Inspected> {
    const inPack = 'name' in parsed ? packOf(parsed.name) : undefined;
    const item = 'name' in parsed ? parsed.name.item : '';
    const candidates: readonly (readonly [string, string | undefined])[] = [
      ...(prefix === 'server' || 'problem' in asPack ? [] : [[wanted, undefined] as const]),
      ...(prefix === 'pack' || inPack === undefined ? [] : [[inPack, item] as const]),
    ];
    for (const [pack, server] of candidates) {
      const remote = await readRemote(packageOfPack(pack), cwd, flags);
      if (remote !== undefined) return { pack, remote, item: server };
    }
    const [missing = wanted] = candidates[0] ?? [];
    const found = findByName(missing, cwd);
    if (prefix === 'pack' && !('folder' in found)) throw noSuchPack(missing, found, cwd);
    const loaded = inPack === undefined ? loadFolder(around, flags) : installed(inPack);
    const isPlain = isBare && 'plainPackage' in found;
    const isListed = prefix !== 'server' && findProject(cwd)?.listed.has(packageOfPack(missing)) === true;
    // A name without a slash is nobody's business to install, unless package.json lists it.
    if ((isBare || loaded?.manifest !== undefined) && !isPlain && !isListed) {
      const names = loaded?.catalog.server.map(({ name }) => name) ?? [];
      const hint = didYouMean(item, names) ?? suggestServer(wanted, cwd);
      const what = prefix === 'server' ? 'server' : 'server or pack';
      const list = loaded?.manifest && ` (${loaded.manifest.name} has ${names.join(', ') || 'no servers'})`;
      throw new UsageError(`there is no ${what} "${wanted}"${hint === undefined ? '' : `: ${hint}`}${list ?? ''}`);
    }
    throw noSuchPack(missing, 'folder' in found ? { missing: true } : found, cwd, wanted);
  }
}

function hasServer({ catalog }: LoadedFolder, item: string): boolean {
  return catalog.server.some(({ name }) => name === item);
}

/** What `list --remote` has learnt is used; the registry itself is asked only where somebody wants that. */
async function readRemote(name: string, cwd: string, flags: InspectFlags): Promise<RemotePack | undefined> {
  const mayAsk = flags.remote === true;
  const { withCache } = await import('../list/remote-cache.js');
  const nobody: PackageRegistry = {
    search: () => Promise.reject(new Error('not looked up')),
    view: () => Promise.reject(new Error('not looked up')),
  };
  try {
    if (mayAsk) {
      const { npmRegistry, sayAsking } = await import('../programs/npm-client.js');
      return await remotePack(npmRegistry(cwd, flags.quiet ? {} : { asking: sayAsking }), name);
    }
    const kept = withCache(nobody, { project: cwd, refresh: false, now: Date.now() });
    const found = (await kept.search(packKeyword)).find(one => one.name === name);
    return found === undefined ? undefined : await remotePack(kept, name, found.version);
  } catch (error) {
    if (mayAsk)
      throw new UsageError(`the registry could not be reached: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}
