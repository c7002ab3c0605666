// In: a folder and the name of a server. Out: the server as data: from the pack in the folder, an installed one, or the
// built-in one. Names are resolved as on the command line; nothing is installed or run.
import { resolve } from 'node:path';
import { packOf, parseName, type QualifiedName } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import { startsOf } from '../load/find-pack.js';
import type { Folder } from '../load/folder.js';
import { type LoadedPack, type LoadOptions, load } from '../load/load.js';
import { builtinPack } from '../load/own-package.js';
import { findByName } from './find-pack.js';
import { type InspectedServer, inspectLoaded, onlyTagged } from './inspect.js';
import { makeLookup } from './look-up.js';
import { DefinitionError, toPack } from './open-pack.js';
import { findProject, installCommand } from './package-manager.js';

export interface InspectOptions extends Pick<LoadOptions, 'overlays'> {
  /** Only items with this tag. */
  readonly tag?: string | undefined;
}

interface Meant {
  readonly loaded: LoadedPack;
  readonly item: string | undefined;
}

export function inspectWhere(where: string | Folder, name?: string, options: InspectOptions = {}): InspectedServer {
  const cwd = resolve(typeof where === 'string' ? where : where.path);
  const { overlays = [], tag } = options;
  const { loaded, item } = find(where, cwd, name, overlays);
  const pack = toPack(loaded);
  if ('unusable' in pack) throw new DefinitionError('The pack cannot be used:', pack.unusable);
  const { pack: about } = pack.program;
  const names = loaded.servers.map(server => server.item);
  const wanted = item ?? (names.length === 1 ? names[0] : undefined);
  const list = names.length === 0 ? 'no servers' : names.join(', ');
  if (wanted === undefined) throw new Error(`Which server? ${about.name} has ${list}`);
  const server = loaded.servers.find(one => one.item === wanted);
  if (server === undefined) {
    const hint = didYouMean(wanted, names);
    throw new Error(
      `There is no server ${JSON.stringify(wanted)}${hint === undefined ? '' : `: ${hint}`} (${about.name} has ${list})`,
    );
  }
  const lookUp = makeLookup({ starts: startsOf(about.folder, cwd), project: cwd, overlays });
  const inspected = inspectLoaded(loaded, pack, server, lookUp);
  return tag === undefined ? inspected : onlyTagged(inspected, tag);
}

function find(where: string | Folder, cwd: string, name: string | undefined, overlays: Overlays): Meant {
  const own = load(where, { overlays });
  if (name === undefined) return { loaded: own, item: undefined };
  const parsed = parseName(name);
  if ('problem' in parsed) throw new Error(`${JSON.stringify(name)} is not a valid server name: ${parsed.problem}`);
  const { item } = parsed.name;
  const pack = packOf(parsed.name);
  if (pack === undefined) {
    const isOwn = own.servers.some(server => server.item === item);
    const builtin = isOwn ? undefined : load(builtinPack(), { overlays, overlayNames: 'builtin' });
    const isBuiltIn = builtin?.servers.some(server => server.item === item) === true;
    return { loaded: isBuiltIn && builtin !== undefined ? builtin : own, item };
  }
  if (pack === own.manifest?.name) return { loaded: own, item };
  return { loaded: loadInstalled(parsed.name, pack, cwd, overlays), item };
}

type Overlays = NonNullable<LoadOptions['overlays']>;

function loadInstalled({ item }: QualifiedName, pack: string, cwd: string, overlays: Overlays): LoadedPack {
  const found = findByName(pack, cwd);
  if ('folder' in found) return load(found.folder, { overlays, overlayNames: 'foreign', calledAs: pack });
  if ('plainPackage' in found) throw new Error(`The package for ${pack} has no toolwright.yaml: it is not a pack`);
  const command = installCommand(pack, findProject(cwd));
  throw new Error(`The pack ${pack}, which should have the server ${item}, is not installed: ${command}`);
}
