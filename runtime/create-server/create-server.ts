// In: what somebody's code wants to serve. Out: a server: packs found, definitions linked, hosts opened, a surface.
import { addAll, type Diagnostic } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { readConfig } from '../context/config.js';
import { openHosts } from '../handlers/open-hosts.js';
import type { ListedKind } from '../load/link-server.js';
import { DefinitionError } from '../packs/open-pack.js';
import { printReport } from '../serve/print-report.js';
import { type ChosenItem, chooseItems } from './choose-items.js';
import { createCodeHost } from './code-host.js';
import { type Chosen, composeSurface } from './compose-surface.js';
import { environment, workingFolder } from './environment.js';
import { findPacks } from './find-packs.js';
import type { CodePack } from './link-code.js';
import { offeredTools } from './offered-tools.js';
import { operatorSettings, reportOrThrow } from './operator-settings.js';
import { runServer } from './run-server.js';
import type { ToolServer } from './server.js';
import { checkServerOptions, type ServerOptions } from './server-options.js';
import { makeFunctions } from './to-data.js';

/** Throws a DefinitionError that tells all mistakes at once. Code of packs is loaded when it is first needed. */
export async function makeServer(options: ServerOptions): Promise<ToolServer> {
  const wrongOptions = checkServerOptions(options);
  if (!isMap(options)) throw new DefinitionError('The server cannot be made:', wrongOptions);
  const { cwd = workingFolder(), env = environment(), report = printReport } = options;
  const { name, version = '0.0.0', title, description, websiteUrl, icons } = options;
  const functions = makeFunctions();
  const diagnostics: Diagnostic[] = [...wrongOptions];
  const codePack: CodePack = { name, version, folder: cwd, config: options.config, functions };
  const found = findPacks({ sources: listOf(options.packs), cwd, overlays: listOf(options.overlays), report });
  addAll(diagnostics, found.diagnostics);
  const chosen = chooseItems(options, found, codePack);
  addAll(diagnostics, found.refusedPatches());
  addAll(diagnostics, chosen.diagnostics);
  const { program: code } = chosen.code;
  const { settings, diagnostics: wrongConfig } = readConfig(code.pack.config, env, code.pack.at);
  addAll(diagnostics, wrongConfig);
  const codeHost = createCodeHost(code, { functions, settings, report, app: options.app });
  const hosts = openHosts(undefined, { env, report });
  const items = [...chosen.tools, ...chosen.prompts, ...chosen.resources];
  const packs = [...new Set(items.map(({ pack }) => pack))].filter(pack => pack !== chosen.code);
  for (const pack of packs) hosts.open(pack);
  addAll(diagnostics, hosts.problems());
  reportOrThrow('The server cannot be made:', diagnostics, report);

  const operator = operatorSettings(env, [...packs.map(({ program }) => program), code], report);
  const surface = composeSurface(
    { tools: withHosts(chosen.tools), prompts: withHosts(chosen.prompts), resources: withHosts(chosen.resources) },
    {
      info: { name, version, title, description, websiteUrl, icons: icons?.map(icon => ({ ...icon })) },
      instructions: [options.instructions ?? []].flat().join('\n\n'),
      cache: options.cache,
      pageSize: options.pageSize,
      strictArguments: options.strictArguments,
      mode: options.mode,
      showCauses: options.showCauses ?? false,
      mayGrow: true,
      report,
    },
    operator,
  );
  await hosts.startTools(offeredTools(surface).map(({ served }) => served));
  const close = async (): Promise<void> => {
    await Promise.all([hosts.close(), codeHost.close()]);
  };
  return runServer(surface, { options: { ...options, env, report }, codePack, codeHost, close });

  function withHosts<K extends ListedKind>(items: readonly ChosenItem<K>[]): readonly Chosen<K>[] {
    return items.map(({ item, pack }) =>
      pack === chosen.code
        ? { item, host: codeHost, handler: functions.get(item.handler?.path ?? '') }
        : { item, host: hosts.of(pack) },
    );
  }
}

/** What is not a list has its diagnostic already. */
function listOf<T>(list: readonly T[] | undefined): readonly T[] {
  return Array.isArray(list) ? list : [];
}
