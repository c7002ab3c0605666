// In: a server with all that it takes from its packs. Out: everything that a built server is made of, as data: the stored program, and
// for each pack the modules and files that it names. Nothing is rendered, bundled or written yet.
import { resolve } from 'node:path';
import { wantedHandlers } from '../../runtime/call/handlers/find-handler.js';
import { missingOf, modulesOf } from '../../runtime/call/handlers/missing-handlers.js';
import { startsOf } from '../../runtime/load/find-pack.js';
import { type Folder, nodeFolder, normalizePath } from '../../runtime/load/folder.js';
import type { LoadOptions } from '../../runtime/load/load.js';
import type { Program, Prompt, Server } from '../../runtime/load/program.js';
import {
  type ComposedItem,
  type ComposedServer,
  composeServer,
  dependsOnOthers,
  packsOf,
  takenOf,
} from '../../runtime/packs/compose.js';
import { applyLock, readLock } from '../../runtime/packs/lock.js';
import { makeLookup, type PackLookup } from '../../runtime/packs/look-up.js';
import type { OpenPack } from '../../runtime/packs/open-pack.js';
import {
  type StoredLine,
  type StoredProgram,
  storePack,
  storeServer,
} from '../../runtime/server/stored/stored-program.js';
import { openPacks, type StoredPacks } from '../../runtime/server/stored/stored-source.js';
import { type HandledKind, kinds } from '../../schema/definitions.js';
import type { Diagnostic } from '../../schema/diagnostics.js';

/** What a built server has of one pack. */
export interface PackPlan {
  /** Tells its files from those of other packs; empty for the server's own. */
  readonly label: string;
  readonly folder: Folder;
  /** Only what the server lists. */
  readonly program: Program;
  /** By the path that a manifest names: the file that is it, relative to the pack. */
  readonly modules: ReadonlyMap<string, string>;
  /** Paths of files that resources and prompts send, relative to the pack, sorted. */
  readonly files: readonly string[];
}

export interface ServerPlan {
  readonly server: Server;
  readonly stored: StoredProgram;
  /** As the built server will open them, without code. */
  readonly opened: StoredPacks;
  /** The server's own first, then in the order of the stored program. */
  readonly packs: readonly PackPlan[];
}

export function planServer({ composed, others, builtin }: ComposedBuild): ServerPlan {
  const { server, pack: own } = composed;
  const keep = (pack: OpenPack, servers: readonly Server[]) =>
    storePack(pack.program, { servers, ...takenOf(pack, composed) }, declaredOf(pack));
  const stored: StoredProgram = {
    lists: { tool: linesOf(composed.tools), prompt: linesOf(composed.prompts), resource: linesOf(composed.resources) },
    ...keep(own, [server]),
    server: storeServer(server),
    others: others.map(({ reference, pack }) => ({
      ...(reference === undefined ? {} : { reference }),
      ...keep(pack, []),
    })),
    builtin: builtin === undefined ? [] : namesOf(builtin),
  };
  function linesOf(items: readonly ComposedItem<HandledKind>[]): readonly StoredLine[] {
    const all = [own, ...others.map(({ pack }) => pack)];
    return items.map(({ pack, item, name, when }) => {
      const line = [all.indexOf(pack), item.item, name] as const;
      return when === undefined ? line : [...line, when];
    });
  }
  const opened = openPacks(stored, { files: {}, others: [] });
  const labels = new Set<string>();
  const packs = [own, ...others.map(({ pack }) => pack)].map((pack, index) => {
    const { program } = (index === 0 ? opened.own : opened.others[index - 1]) ?? opened.own;
    return planPack(pack, program, index === 0 ? '' : labelFor(pack, labels));
  });
  return { server, stored, opened, packs };
}

function planPack({ program: whole, folder: given }: OpenPack, program: Program, label: string): PackPlan {
  const folder = given ?? nodeFolder(whole.pack.folder);
  const found = modulesOf(whole, folder);
  const wanted = wantedHandlers({ program }).flatMap(({ path }) => {
    const module = found.find(path);
    return module.found === 'module' ? [[path, module.path] as const] : [];
  });
  return {
    label,
    folder,
    program,
    modules: new Map(wanted.sort(([a], [b]) => (a < b ? -1 : 1))),
    files: [...new Set(filesOf(program))].sort(),
  };
}

function namesOf({ program: { servers, tools, prompts, resources } }: OpenPack): readonly string[] {
  return [...servers, ...tools, ...prompts, ...resources].map(({ kind, item }) => `${kind}:${item}`);
}

/** Two packages may hold packs of one name. */
function labelFor({ program }: OpenPack, taken: Set<string>): string {
  const name = program.pack.name.replaceAll('/', '.').replaceAll(/[^\w.-]/g, '_');
  let label = name;
  for (let number = 2; taken.has(label); number += 1) label = `${name}.${number}`;
  taken.add(label);
  return label;
}

function declaredOf({ catalog }: OpenPack): ReadonlyMap<string, string> {
  const texts = kinds.flatMap(kind =>
    (catalog?.[kind] ?? []).flatMap(({ name, declaration }) =>
      declaration?.description === undefined ? [] : [[`${kind}:${name}`, declaration.description] as const],
    ),
  );
  return new Map(texts);
}

function filesOf({ prompts, resources }: Program): readonly string[] {
  const named = [
    ...resources.flatMap(({ definition }) => definition.file ?? []),
    ...prompts.flatMap(({ definition }) => (definition.messages ?? []).flatMap(filesOfMessage)),
  ];
  return named.flatMap(path => normalizePath(path) ?? []);
}

function filesOfMessage({
  image,
  audio,
  resource,
}: NonNullable<Prompt['definition']['messages']>[number]): readonly string[] {
  return [image, audio, resource].flatMap(media => (typeof media === 'string' ? media : (media?.file ?? [])));
}

// In: a server and the packs around it. Out: all that it serves, and the other packs by the names that it uses; or diagnostics where
// something is missing, broken, or not what somebody accepted.

interface OtherPack {
  /** As the server names it; undefined: the built-in pack. */
  readonly reference: string | undefined;
  readonly pack: OpenPack;
}

export interface ComposedBuild {
  readonly composed: ComposedServer;
  readonly others: readonly OtherPack[];
  /** Whether the server uses it or not. */
  readonly builtin: OpenPack | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

interface ComposeOptions extends Pick<LoadOptions, 'cache'> {
  /** Where packs are looked for beside the pack itself. */
  readonly cwd: string;
  /** What is not as toolwright.lock has it is an error: a build is handed on, and nobody would notice what it lacks. */
  readonly frozen: boolean;
}

export function composeBuild(own: OpenPack, server: Server, { cwd, frozen, cache }: ComposeOptions): ComposedBuild {
  const { folder } = own.program.pack;
  const around = { starts: startsOf(folder, cwd), project: cwd, ...(cache === undefined ? {} : { cache }) };
  const used: OtherPack[] = [];
  const lookUp = makeLookup(around);
  const builtin = lookUp.builtin();
  const found = composeServer(own, server, noting(lookUp, used));
  if (!dependsOnOthers(server, own.program))
    return { composed: found, others: [], builtin, diagnostics: found.diagnostics };
  const { diagnostics: unaccepted } = applyLock(found, readLock(nodeFolder(folder)), frozen);
  const missing = packsOf(found)
    .filter(pack => pack !== own)
    .flatMap(pack => missingOf(pack, found));
  const told = frozen ? unaccepted.map(one => ({ ...one, severity: 'error' as const })) : unaccepted;
  return {
    composed: found,
    others: used,
    builtin,
    diagnostics: [...found.diagnostics, ...told, ...missing].map(placed),
  };

  /** Those of other packs have full paths already. */
  function placed(one: Diagnostic): Diagnostic {
    return { ...one, file: resolve(folder, one.file) };
  }
}

/** A lookup that remembers what was found. */
function noting(lookUp: PackLookup, used: OtherPack[]): PackLookup {
  const note = (reference: string | undefined, pack: OpenPack): void => {
    if (!used.some(one => one.reference === reference)) used.push({ reference, pack });
  };
  return {
    ...lookUp,
    pack(name) {
      const found = lookUp.pack(name);
      if ('program' in found) note(name, found);
      return found;
    },
    builtin() {
      const found = lookUp.builtin();
      if (found !== undefined) note(undefined, found);
      return found;
    },
  };
}
