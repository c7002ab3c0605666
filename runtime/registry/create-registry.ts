// In: a pack in any form. Out: a registry of its tools: the pack loaded, its host opened, a surface over both.
import { resolve } from 'node:path';
import { diagnose, startOf } from '../../schema/diagnostics.js';
import { didYouMean } from '../../schema/nearest.js';
import { printLine } from '../../schema/print/line.js';
import type { Environment } from '../context/config.js';
import { composeSurface } from '../create-server/compose-surface.js';
import { environment, workingFolder } from '../create-server/environment.js';
import { offeredTools } from '../create-server/offered-tools.js';
import { operatorSettings, reportOrThrow } from '../create-server/operator-settings.js';
import type { Hosts } from '../handlers/keep-hosts.js';
import { openHosts } from '../handlers/open-hosts.js';
import type { Folder } from '../load/folder.js';
import type { Program, Server } from '../load/program.js';
import { compose } from '../packs/compose.js';
import { startsOf } from '../packs/find-pack.js';
import { makeLookup } from '../packs/look-up.js';
import {
  DefinitionError,
  describeErrors,
  isLoaded,
  type OpenPack,
  openPack,
  type PackSource,
  refusedPatches,
} from '../packs/open-pack.js';
import { printReport } from '../serve/print-report.js';
import { surfaceOf } from '../surface/serve-program.js';
import type { Surface } from '../surface/surface.js';
import { makeRegistry } from './make-registry.js';
import type { Registry } from './registry.js';

/**
 * How a pack is opened for code.
 *
 * @example await createRegistry('packs/jira', { env: { JIRA_TOKEN: token }, app: { jira: fakeJira } });
 */
export interface RegistryOptions {
  /** For `config` and TOOLWRIGHT_*; default: the environment of the process. */
  readonly env?: Environment | undefined;
  /** Folders of patches for texts and policy; later ones win. */
  readonly overlays?: readonly (string | Folder)[] | undefined;
  /** In place of what `context:` builds, for tests; it is not disposed of. */
  readonly app?: unknown;
  /** Only the tools of this server, as it names them. Default: the pack's one server, else all tools of the pack. */
  readonly server?: string | undefined;
  /** Only tools of this mode, and those without modes. */
  readonly mode?: string | undefined;
  /** For the operator: warnings, and causes of unexpected errors. Default: stderr. */
  readonly report?: ((text: string) => void) | undefined;
  /** Refuses JSON in a string where the schema wants no string; default: as the server says. */
  readonly strictArguments?: boolean | undefined;
  /** Messages of unexpected errors are part of results, as in tests. */
  readonly showCauses?: boolean | undefined;
}

export async function openRegistry(source: PackSource, options: RegistryOptions): Promise<Registry> {
  const { surface, close } = await openSurface(source, options);
  return makeRegistry(surface, close);
}

/** What tests may set beyond what programs set. */
export interface SurfaceOptions extends RegistryOptions {
  /** Imports the modules of the pack itself in place of Node, such as a test runner. */
  readonly importModule?: ((path: string) => Promise<object>) | undefined;
}

export interface OpenSurface {
  readonly surface: Surface;
  /** Disposes of what the packs have built. */
  close(): Promise<void>;
}

/** The server of a pack in this process, started: what runs at start has run. */
export async function openSurface(source: PackSource, options: SurfaceOptions): Promise<OpenSurface> {
  const { env = environment(), report = printReport } = options;
  // Of all packs of the server they are the same folders.
  const overlays = (options.overlays ?? []).map(one => (typeof one === 'string' ? resolve(workingFolder(), one) : one));
  const pack = openPack(source, { cwd: workingFolder(), overlays });
  if (overlays.length > 0 && isLoaded(source)) {
    throw new TypeError('Overlays are part of loading: give them to loadPack, or pass the folder of the pack');
  }
  if ('unusable' in pack) throw new DefinitionError('The pack cannot be loaded:', pack.unusable);
  const { program } = pack;
  const refused = refusedPatches(pack);
  if (refused.length > 0) throw new DefinitionError('The overlays cannot be used:', refused);
  const leftOut = describeErrors(pack);
  if (leftOut !== undefined) report(leftOut);
  const { app, importModule } = options;
  const hosts = openHosts(pack, { env, report, importModule, ...(app === undefined ? {} : { app }) });
  const own = hosts.open(pack);
  reportOrThrow('The configuration cannot be used:', own.problems, report);
  const server = pickServer(program, options.server);
  try {
    if (server !== undefined) await own.startServer(server);
    const surface = makeSurface({ pack, server, hosts }, { ...options, overlays, env, report });
    await hosts.startTools(offeredTools(surface).map(({ served }) => served));
    return { surface, close: () => hosts.close() };
  } catch (error) {
    await hosts.close();
    throw error;
  }
}

interface Opened {
  readonly pack: OpenPack;
  readonly server: Server | undefined;
  readonly hosts: Hosts;
}

function makeSurface(
  { pack, server, hosts }: Opened,
  options: RegistryOptions & { readonly env: Environment; readonly report: (text: string) => void },
): Surface {
  const { report, mode, strictArguments, showCauses = false, env, overlays } = options;
  const settings = { report, mode, strictArguments, showCauses };
  const { program } = pack;
  if (server !== undefined) {
    const { folder } = program.pack;
    const lookUp = makeLookup({ starts: startsOf(folder, workingFolder()), project: folder, overlays });
    const composed = compose(pack, server, lookUp);
    const { tools, prompts, resources, diagnostics, isComplete } = composed;
    if (!isComplete)
      throw new DefinitionError(
        'The registry cannot be made:',
        diagnostics.filter(({ severity }) => severity === 'error'),
      );
    for (const one of diagnostics) report(printLine(one));
    const packs = [...new Set([pack, ...[...tools, ...prompts, ...resources].map(item => item.pack)])];
    for (const one of packs) hosts.open(one);
    reportOrThrow('The configuration cannot be used:', hosts.problems(), report);
    const operator = operatorSettings(
      env,
      packs.map(one => one.program),
      report,
    );
    return surfaceOf(composed, hosts.of, { ...settings, ...operator });
  }
  const { name, version } = program.pack;
  const host = hosts.of(pack);
  const choose = <T extends { readonly server?: string }>(items: readonly T[]) =>
    items.filter(item => item.server === undefined).map(item => ({ item, host }));
  return composeSurface(
    { tools: choose(program.tools), prompts: choose(program.prompts), resources: choose(program.resources) },
    { ...settings, info: { name, version }, instructions: '' },
    operatorSettings(env, [program], report),
  );
}

/** A pack with one server is most often that server. */
function pickServer({ servers, pack }: Program, wanted: string | undefined): Server | undefined {
  if (wanted === undefined) return servers.length === 1 ? servers[0] : undefined;
  const found = servers.find(({ item }) => item === wanted);
  if (found !== undefined) return found;
  const hint = didYouMean(
    wanted,
    servers.map(({ item }) => item),
  );
  const params = { pack: pack.name, kind: 'server', item: wanted };
  throw new DefinitionError('The registry cannot be made:', [
    diagnose('pack/unknown-item', params, startOf('options.server'), { hint }),
  ]);
}
