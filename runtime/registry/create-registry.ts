// In: a pack in any form. Out: a registry of its tools: the pack loaded, its host opened, a surface over both.
import { diagnose, startOf } from '../../schema/diagnostics.js';
import { didYouMean } from '../../schema/nearest.js';
import type { PackHost } from '../call/ports.js';
import type { Environment } from '../context/config.js';
import { composeSurface } from '../create-server/compose-surface.js';
import { DefinitionError } from '../create-server/definition-error.js';
import { environment, workingFolder } from '../create-server/environment.js';
import { offeredTools } from '../create-server/offered-tools.js';
import { describeErrors, isLoaded, openPack, type PackSource } from '../create-server/open-pack.js';
import { type OperatorSettings, operatorSettings, reportOrThrow } from '../create-server/operator-settings.js';
import { createPackHost } from '../handlers/pack-host.js';
import type { Folder } from '../load/folder.js';
import type { Program, Server } from '../load/program.js';
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
  const { env = environment(), overlays = [], report = printReport } = options;
  const pack = openPack(source, { cwd: workingFolder(), overlays });
  if (overlays.length > 0 && isLoaded(source)) {
    throw new TypeError('Overlays are part of loading: give them to loadPack, or pass the folder of the pack');
  }
  if ('unusable' in pack) throw new DefinitionError('The pack cannot be loaded:', pack.unusable);
  const { program } = pack;
  const leftOut = describeErrors(pack);
  if (leftOut !== undefined) report(leftOut);
  const opened = createPackHost(program, {
    env,
    report,
    folder: pack.folder,
    ...(options.app === undefined ? {} : { app: options.app }),
  });
  reportOrThrow('The configuration cannot be used:', opened.problems, report);
  const { host } = opened;
  const operator = operatorSettings(env, [program], report);
  const server = pickServer(program, options.server);
  const surface = makeSurface(program, server, host, operator, { ...options, report });
  try {
    if (server !== undefined) await opened.startServer(server);
    await opened.startTools(offeredTools(surface).map(({ served }) => served.tool));
  } catch (error) {
    await host.close();
    throw error;
  }
  return makeRegistry(surface, () => host.close());
}

function makeSurface(
  program: Program,
  server: Server | undefined,
  host: PackHost,
  operator: OperatorSettings,
  options: RegistryOptions & { readonly report: (text: string) => void },
): Surface {
  const { report, mode, strictArguments, showCauses = false } = options;
  const settings = { report, mode, strictArguments, showCauses };
  if (server !== undefined) return surfaceOf(program, server, host, { ...settings, ...operator });
  const { name, version } = program.pack;
  const choose = <T extends { readonly server?: string }>(items: readonly T[]) =>
    items.filter(item => item.server === undefined).map(item => ({ item, host }));
  return composeSurface(
    { tools: choose(program.tools), prompts: choose(program.prompts), resources: choose(program.resources) },
    { ...settings, info: { name, version }, instructions: '' },
    operator,
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
