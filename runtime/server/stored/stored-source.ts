// In: the stored packs of a built server and their code. Out: what a server is started with: its packs opened, a host for each, and
// its items under their final names.
import type { HandledKind } from '../../../schema/definitions.js';
import type { SettablePack } from '../../call/context/options.js';
import { HandlerProblem } from '../../call/handler-problem.js';
import { type HostOptions, type Hosts, keepHosts, type OpenHost, openHost } from '../../call/handlers/open-host.js';
import { type ImportedModule, pickExport, wrongExport } from '../../call/handlers/pick-export.js';
import type { Validate, Validators } from '../../call/ports.js';
import { messageOf } from '../../call/print-cause.js';
import type { Folder } from '../../load/folder.js';
import { definitionHash, type HandlerRef, type Program, type Server, type Tool } from '../../load/program.js';
import type { ComposedItem, ComposedServer, ItemOf } from '../../packs/compose.js';
import type { OpenPack } from '../../packs/open-pack.js';
import type { Composition, ServerSource } from '../open-server.js';
import { aboutServer } from '../surface-of.js';
import type { BundledCode, ImportModule, PackParts, ServerParts } from './parts.js';
import { filesFolder, noFiles } from './stored-folder.js';
import { openProgram, type StoredProgram } from './stored-program.js';

export interface StoredPacks {
  readonly own: OpenPack;
  /** In the order in which they are stored. */
  readonly others: readonly OpenPack[];
}

/** Whatever code there is, it is not run. */
export function openPacks(stored: StoredProgram, parts: Pick<ServerParts, 'files' | 'others'>): StoredPacks {
  const open = (one: StoredProgram | StoredProgram['others'][number], files: PackParts | undefined): OpenPack => {
    const folder = files === undefined ? noFiles : filesFolder(files);
    return { program: openProgram(one, folder.path === '' ? one.pack.name : folder.path), errors: [], folder };
  };
  return {
    own: open(stored, { ...parts, modules: {}, validators: {} }),
    others: stored.others.map((one, index) => open(one, parts.others[index])),
  };
}

/** A server that was built, as it is to be served now. */
export interface StoredServer {
  readonly stored: StoredProgram;
  readonly packs: StoredPacks;
  readonly server: Server;
}

export interface StoredComposition extends Composition {
  readonly composed: ComposedServer;
}

interface StoredHostOptions extends HostOptions {
  /** Validators for a definition that is not the one that was built; absent: definitions cannot change. */
  readonly compile?: ((tool: Tool) => Promise<Validators>) | undefined;
  /** X10: what runs handlers in threads, by the pack's place: 0 is the server's own, the others follow. */
  readonly threadsOf?: ((index: number) => HostOptions['threads']) | undefined;
}

/** `composeNow`: where definitions may have changed since. */
export function storedSource(
  { stored, packs, server }: StoredServer,
  parts: ServerParts,
  options: StoredHostOptions,
  composeNow: typeof composeStored = composeStored,
): ServerSource<StoredComposition> {
  const all = [packs.own, ...packs.others];
  return {
    hosts: openStoredHosts(packs, parts, options),
    packs: all,
    server: { pack: packs.own, server },
    settable: () => settablePacks(packs, stored),
    compose() {
      const composed = composeNow(packs, server, stored);
      return { composed, about: aboutServer(server), items: composed, packs: all, isComplete: composed.isComplete };
    },
  };
}

/** What a build has inside, as it was built. Throws where it has no server. */
export function openStoredServer(stored: StoredProgram, parts: Pick<ServerParts, 'files' | 'others'>): StoredServer {
  const packs = openPacks(stored, parts);
  const [server] = packs.own.program.servers;
  if (server === undefined) throw new Error('this build has no server');
  return { stored, packs, server };
}

/** What was composed when it was built. */
function composeStored({ own, others }: StoredPacks, server: Server, { lists }: StoredProgram): ComposedServer {
  const packs = [own, ...others];
  const served = { tools: pick('tool'), prompts: pick('prompt'), resources: pick('resource') };
  return { server, pack: own, ...served, missing: [], isComplete: true, diagnostics: [] };

  function pick<K extends HandledKind>(kind: K): readonly ComposedItem<K>[] {
    const known = packs.map(({ program }) => {
      const items: readonly ItemOf<K>[] = program[`${kind}s`];
      return new Map(items.map(item => [item.item, item]));
    });
    return lists[kind].flatMap(([index, itemName, name, when]) => {
      const [pack, item] = [packs[index], known[index]?.get(itemName)];
      return pack === undefined || item === undefined
        ? []
        : [{ item, pack, name, ...(when !== undefined && { when }) }];
    });
  }
}

/** Definitions of other packs are inside every build: only those of the server's own may change. */
function openStoredHosts(
  { own, others }: StoredPacks,
  parts: ServerParts,
  { compile, threadsOf, ...options }: StoredHostOptions,
): Hosts {
  return keepHosts(own, pack => {
    const { program, folder = noFiles } = pack;
    const index = [own, ...others].indexOf(pack);
    const around = { ...options, home: parts.folder, threads: threadsOf?.(index) };
    return openStoredHost(program, codeOf(parts, index), folder, pack === own ? { ...around, compile } : around);
  });
}

/** `index`: 0 is the server's own pack, the others follow. */
export function codeOf(parts: Pick<ServerParts, 'others'> & BundledCode, index: number): BundledCode {
  return index === 0 ? parts : (parts.others[index - 1] ?? noCode);
}

const noCode = { modules: {}, validators: {} };

/** What TOOLWRIGHT_OPTIONS may speak of: also tools of these packs that the server does not list. */
function settablePacks({ own, others }: StoredPacks, stored: StoredProgram): readonly SettablePack[] {
  return [own, ...others].map(({ program: { pack, tools } }, index) => {
    const { names, idleOptions } = (index === 0 ? stored : stored.others[index - 1]) ?? stored;
    const served = new Set(tools.map(({ item }) => item));
    const idle = names.tool
      .filter(item => !served.has(item))
      .map(item => {
        const options = idleOptions[item];
        return { item, definition: options === undefined ? {} : { options } };
      });
    return { pack, tools: [...tools, ...idle] };
  });
}

// In: one stored pack and the modules that were bundled with it. Out: the pack with its code, loaded on first use.

/**
 * Opens a built pack for running.
 *
 * @example const { host } = openStoredHost(program, parts, folder, { env: process.env, report: printReport });
 */
export function openStoredHost(
  program: Program,
  code: BundledCode,
  folder: Folder,
  options: StoredHostOptions,
): OpenHost {
  const { modules, validators } = code;
  const open = async (found: string | ImportModule): Promise<ImportedModule | undefined> =>
    typeof found === 'string' ? await code.load?.(found) : await found();
  const importOf = async ({ path }: HandlerRef): Promise<ImportedModule> => {
    const found = Object.hasOwn(modules, path) ? modules[path] : undefined;
    if (found === undefined) throw new HandlerProblem('generate/missing-handler', `${path} is not part of this build`);
    try {
      return (await open(found)) ?? {};
    } catch (cause) {
      const missing = missingPackage(cause);
      // Its stack is Node's own, and would be there with every call (N17).
      if (missing !== undefined)
        throw new HandlerProblem(
          'generate/unimportable',
          `${path} needs the package ${missing}, which is not bundled`,
          {
            hint: `run npm install ${missing} in the server's folder, or in one above it`,
          },
        );
      throw new HandlerProblem('generate/unimportable', `${path} cannot be loaded: ${messageOf(cause)}`, { cause });
    }
  };
  const loaded = new WeakMap<HandlerRef, unknown>();
  const loading = {
    async load(ref: HandlerRef) {
      const known = loaded.get(ref);
      if (known !== undefined) return known;
      const exports = await importOf(ref);
      const found = pickExport(exports, ref.export);
      if (typeof found !== 'function') throw wrongExport(ref, ref.path, exports, found);
      loaded.set(ref, found);
      return found;
    },
    find: async (ref: HandlerRef) => pickExport(await importOf(ref), ref.export),
    async validators(tool: Tool): Promise<Validators> {
      const found = Object.hasOwn(validators, tool.item) ? validators[tool.item] : undefined;
      const built = found === undefined ? undefined : await open(found);
      const isCurrent = options.compile === undefined || built?.['hash'] === definitionHash(tool);
      if (built !== undefined && isCurrent) return pickValidators(built, tool);
      if (options.compile !== undefined) return await options.compile(tool);
      throw new Error(`${tool.item} has no validators in this build`);
    },
  };
  return openHost(program, loading, folder, options);
}

/** @example missingPackage(error) // 'better-sqlite3' */
function missingPackage(error: unknown): string | undefined {
  const isMissing = error instanceof Error && 'code' in error && /MODULE_NOT_FOUND$/.test(String(error.code));
  const [, name] = isMissing ? (/^Cannot find (?:package|module) '([^'./][^']*)'/.exec(error.message) ?? []) : [];
  return name;
}

function pickValidators({ validateInput, validateOutput }: ImportedModule, tool: Tool): Validators {
  const input = validateInput as Validate;
  return tool.outputSchema === undefined ? { input } : { input, output: validateOutput as Validate };
}
