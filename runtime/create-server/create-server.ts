// In: what somebody's code wants to serve. Out: a server: packs found, definitions linked, hosts opened, a surface.
import { addAll, type Diagnostic } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { readConfig } from '../context/config.js';
import { createPackHost, type OpenHost } from '../handlers/pack-host.js';
import type { ListedKind } from '../load/link-server.js';
import { printReport } from '../serve/print-report.js';
import { type ChosenItem, type ChosenItems, chooseItems } from './choose-items.js';
import { createCodeHost } from './code-host.js';
import { type Chosen, composeSurface } from './compose-surface.js';
import { DefinitionError } from './definition-error.js';
import { environment, workingFolder } from './environment.js';
import { findPacks } from './find-packs.js';
import type { CodePack } from './link-code.js';
import { offeredTools } from './offered-tools.js';
import type { OpenPack } from './open-pack.js';
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
  const { name, version = '0.0.0', title, websiteUrl, icons } = options;
  const functions = makeFunctions();
  const diagnostics: Diagnostic[] = [...wrongOptions];
  const codePack: CodePack = { name, version, folder: cwd, config: options.config, functions };
  const packs = findPacks({ sources: listOf(options.packs), cwd, overlays: listOf(options.overlays), report });
  addAll(diagnostics, packs.diagnostics);
  const chosen = chooseItems(options, packs, codePack);
  addAll(diagnostics, chosen.diagnostics);
  const { program: code } = chosen.code;
  const { settings, diagnostics: wrongConfig } = readConfig(code.pack.config, env, code.pack.at);
  addAll(diagnostics, wrongConfig);
  const codeHost = createCodeHost(code, { functions, settings, report, app: options.app });
  const opened = openHosts(chosen);
  for (const { problems } of opened.values()) addAll(diagnostics, problems);
  reportOrThrow('The server cannot be made:', diagnostics, report);

  const operator = operatorSettings(env, [...[...opened.keys()].map(({ program }) => program), code], report);
  const surface = composeSurface(
    { tools: withHosts(chosen.tools), prompts: withHosts(chosen.prompts), resources: withHosts(chosen.resources) },
    {
      info: { name, version, title, websiteUrl, icons: icons?.map(icon => ({ ...icon })) },
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
  const offered = offeredTools(surface).map(({ served }) => served);
  for (const { host, startTools } of opened.values()) {
    await startTools(offered.filter(served => served.host === host).map(({ tool }) => tool));
  }
  const hosts = [...[...opened.values()].map(({ host }) => host), codeHost];
  return runServer(surface, { options: { ...options, env, report }, codePack, codeHost, hosts });

  function openHosts({ tools, prompts, resources }: ChosenItems): ReadonlyMap<OpenPack, OpenHost> {
    const used = new Set([...tools, ...prompts, ...resources].map(({ pack }) => pack));
    used.delete(chosen.code);
    return new Map([...used].map(pack => [pack, createPackHost(pack.program, { env, report, folder: pack.folder })]));
  }

  function withHosts<K extends ListedKind>(items: readonly ChosenItem<K>[]): readonly Chosen<K>[] {
    return items.map(({ item, pack }) => {
      const host = opened.get(pack)?.host;
      return host === undefined
        ? { item, host: codeHost, handler: functions.get(item.handler?.path ?? '') }
        : { item, host };
    });
  }
}

/** What is no list has its diagnostic already. */
function listOf<T>(list: readonly T[] | undefined): readonly T[] {
  return Array.isArray(list) ? list : [];
}
