// In: a pack in any form. Out: a registry of its tools: the pack loaded, its host opened, a surface over both.
import { diagnose, startOf } from '../../../schema/diagnostics.js';
import { didYouMean } from '../../../schema/nearest.js';
import { printLine } from '../../../schema/print/diagnostics.js';
import type { Environment } from '../../call/context/config.js';
import { openHosts } from '../../call/handlers/open-hosts.js';
import { startsOf } from '../../load/find-pack.js';
import type { Folder } from '../../load/folder.js';
import { listOverlays, withSettings } from '../../load/overlay.js';
import type { Program, Server } from '../../load/program.js';
import {
  DefinitionError,
  describeErrors,
  isLoaded,
  openPack,
  type PackSource,
  refusedPatches,
} from '../../packs/open-pack.js';
import { printReport } from '../../serve/print-report.js';
import type { Surface } from '../../surface/surface.js';
import { environment, workingFolder } from '../environment.js';
import { type Composition, openServer, type TaskKeeper } from '../open-server.js';
import { type PackComposition, packSource, wholePackSource } from '../pack-source.js';
import { reportProblems } from '../report-problems.js';
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
  /** T2: what keeps tasks; absent: nothing does. */
  readonly tasks?: TaskKeeper | undefined;
}

export interface OpenSurface {
  readonly surface: Surface;
  /** Disposes of what the packs have built. */
  close(): Promise<void>;
}

/** The server of a pack in this process, started: what runs at start has run. */
export async function openSurface(source: PackSource, options: SurfaceOptions): Promise<OpenSurface> {
  const { env = environment(), report = printReport, app, importModule, tasks } = options;
  const cwd = workingFolder();
  // Of all packs of the server they are the same folders.
  const patches = withSettings(listOverlays(env, options.overlays ?? [], cwd), env, cwd);
  const pack = openPack(source, { cwd, overlays: patches });
  if (patches.length > 0 && isLoaded(source)) {
    throw new TypeError("Overlays are part of loading: pass them to loadPack, or pass the pack's folder here");
  }
  if ('unusable' in pack) throw new DefinitionError('The pack cannot be loaded:', pack.unusable);
  const refused = refusedPatches(pack);
  if (refused.length > 0) throw new DefinitionError('The overlays cannot be used:', refused);
  const leftOut = describeErrors(pack);
  if (leftOut !== undefined) report(leftOut);
  const hosts = openHosts(pack, { env, report, importModule, ...(app === undefined ? {} : { app }) });
  const { folder } = pack.program.pack;
  const server = pickServer(pack.program, options.server);
  const around = { starts: startsOf(folder, cwd), project: folder, patches };
  const { mode, strictArguments, showCauses } = options;
  const open = openServer<Composition & Partial<PackComposition>>(
    server === undefined ? wholePackSource(pack, hosts) : packSource(pack, server, hosts, around),
    { env, report, mode, strictArguments, showCauses, tasks },
  );
  reportProblems(open.problems, report);
  try {
    const { surface } = await open.start(({ composition: { composed, unaccepted = [] }, problems }) => {
      const { diagnostics = [], isComplete = true } = composed ?? {};
      if (!isComplete)
        throw new DefinitionError(
          'The registry cannot be made:',
          diagnostics.filter(({ severity }) => severity === 'error'),
        );
      for (const one of [...diagnostics, ...unaccepted]) report(printLine(one));
      reportProblems(problems, report);
      return true;
    });
    if (surface === undefined) throw new Error('a server without problems has a surface');
    return { surface, close: () => open.close() };
  } catch (error) {
    await open.close();
    throw error;
  }
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
