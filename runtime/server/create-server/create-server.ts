// In: what somebody's code wants to serve. Out: a server: packs found, definitions linked, hosts opened, a surface.
import { addAll, type Diagnostic } from '../../../schema/diagnostics.js';
import { isMap } from '../../../schema/document.js';
import { openHosts } from '../../call/handlers/open-hosts.js';
import { listOverlays, withSettings } from '../../load/overlay.js';
import { DefinitionError } from '../../packs/open-pack.js';
import { printReport } from '../../serve/print-report.js';
import type { Surface } from '../../surface/surface.js';
import { environment, workingFolder } from '../environment.js';
import { keepInMemory } from '../keep-in-memory.js';
import { type OpenServer, openServer, type ServerSource } from '../open-server.js';
import { nameItems } from '../pack-source.js';
import { makeRegistry } from '../registry/make-registry.js';
import { reportOrThrow, reportProblems } from '../report-problems.js';
import { type ChosenItem, chooseItems } from './choose-items.js';
import { openCodeHost } from './code-host.js';
import { findPacks } from './find-packs.js';
import { type GrowthParts, makeGrowth } from './growth.js';
import type { CodePack } from './link-code.js';
import type { ToolServer } from './server.js';
import { checkServerOptions, type ServerOptions } from './server-options.js';
import { makeServing } from './serving.js';
import { makeFunctions } from './to-data.js';

/** Throws a DefinitionError that tells all mistakes at once. Code of packs is loaded when it is first needed. */
export async function makeServer(options: ServerOptions): Promise<ToolServer> {
  const wrongOptions = checkServerOptions(options);
  if (!isMap(options)) throw new DefinitionError('The server cannot be made:', wrongOptions);
  const { cwd = workingFolder(), env = environment(), report = printReport } = options;
  const { name, version = '0.0.0', title, description, websiteUrl, icons } = options;
  const functions = makeFunctions();
  const diagnostics: Diagnostic[] = [...wrongOptions];
  const codePack: CodePack = {
    name,
    version,
    folder: cwd,
    config: options.config,
    backends: options.backends,
    functions,
  };
  const overlays = withSettings(listOverlays(env, listOf(options.overlays), cwd), env, cwd);
  const found = findPacks({ sources: listOf(options.packs), cwd, overlays, report });
  addAll(diagnostics, found.diagnostics);
  const chosen = chooseItems(options, found, codePack);
  addAll(diagnostics, found.refusedPatches());
  addAll(diagnostics, chosen.diagnostics);
  const { code } = chosen;
  const codeHost = openCodeHost(code.program, { functions, env, report, app: options.app });
  const hosts = openHosts(code, { env, report, code: codeHost });
  const packs = [...new Set([...chosen.tools, ...chosen.prompts, ...chosen.resources].map(({ pack }) => pack))];
  const source: ServerSource = {
    hosts,
    packs: [code, ...packs],
    mayGrow: true,
    routes:
      typeof options.routes === 'function'
        ? { pack: code, ref: { path: functions.add(options.routes), export: 'default' } }
        : undefined,
    compose: () => ({
      about: {
        info: { name, version, title, description, websiteUrl, icons: icons?.map(icon => ({ ...icon })) },
        instructions: [options.instructions ?? []].flat().join('\n\n'),
        cache: options.cache,
        pageSize: options.pageSize,
        strictArguments: options.strictArguments,
        requestHeaders: options.http?.headers,
      },
      items: nameItems({ ...chosen, tools: chosen.tools.map(withHandler) }),
      packs: [...packs.filter(pack => pack !== code), code],
      isComplete: true,
    }),
  };
  const { mode, showCauses } = options;
  const open = openServer(source, { env, report, mode, showCauses, tasks: keepInMemory });
  reportOrThrow('The server cannot be made:', [...diagnostics, ...open.problems.config], report);
  reportProblems({ ...open.problems, config: [] }, report);
  const { surface } = await open.start(({ problems }) => {
    reportProblems(problems, report);
    return true;
  });
  if (surface === undefined) throw new Error('a server without problems has a surface');
  return toServer(surface, open, { options: { ...options, env, report }, codePack, codeHost: codeHost.host });

  function withHandler(one: ChosenItem<'tool'>) {
    return one.pack === code ? { ...one, handler: functions.get(one.item.handler?.path ?? '') } : one;
  }
}

/** What code holds: ways to serve, items that come and go, an end. */
function toServer(surface: Surface, open: OpenServer, parts: Omit<GrowthParts, 'open'>): ToolServer {
  const serving = makeServing(surface, parts.options);
  const { add, remove } = makeGrowth(surface, { ...parts, open });
  const registry = makeRegistry(surface, async () => {});
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await serving.close();
      await registry.close();
      await open.close();
    })();
    return closing;
  };
  return {
    name: surface.info.name,
    get tools() {
      return registry.list();
    },
    registry,
    serveStdio: serving.serveStdio,
    serveHttp: serving.serveHttp,
    fetch: serving.fetch,
    handle: serving.handle,
    add,
    remove,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What is not a list has its diagnostic already. */
function listOf<T>(list: readonly T[] | undefined): readonly T[] {
  return Array.isArray(list) ? list : [];
}
