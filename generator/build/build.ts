// The whole way from a pack to servers that run by themselves: load, check, plan, bundle, write, start once, publish.

import { join, relative, resolve, sep } from 'node:path';
import { findMissingHandlers } from '../../runtime/call/handlers/missing-handlers.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import { type LoadedPack, type LoadOptions, load } from '../../runtime/load/load.js';
import { isIsolated, type Program, type Server } from '../../runtime/load/program.js';
import { toPack } from '../../runtime/packs/open-pack.js';
import { definitionsRoot } from '../../runtime/server/stored/parts.js';
import { callKindOf } from '../../schema/backend/calls.js';
import { type Diagnostic, diagnose, hasErrors, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { didYouMean } from '../../schema/nearest.js';
import { checkHandlers } from '../handlers/check-handlers.js';
import { printDefinitions } from './definition-files.js';
import { makeServer } from './make-server.js';
import { findClashes, findForeign, outputNames } from './output-names.js';
import { type ComposedBuild, composeBuild, planServer } from './plan-server.js';
import type { MadeServer } from './server-content.js';
import { verifyServer, verifyWorker } from './verify-server.js';
import { stageServers } from './write-server.js';

export interface BuildOptions extends Pick<LoadOptions, 'cache'> {
  /** Item names; absent or empty: every server that is switched on. */
  readonly servers?: readonly string[];
  /** Relative to the pack; default `dist`. */
  readonly out?: string;
  /** Default node; `worker`: a module with `fetch`, for hosts without Node. */
  readonly target?: 'node' | 'worker';
  /** Everything in the file that is started. */
  readonly singleFile?: boolean;
  /** Packages that stay outside. */
  readonly external?: readonly string[];
  readonly sourcemap?: boolean;
  /** Of the pack's own code; the runtime always is. */
  readonly minify?: boolean;
  /** Items of other packs must be as toolwright.lock has them. */
  readonly frozen?: boolean;
  /** Where packs are looked for after the pack itself; default there. */
  readonly cwd?: string;
  /** Fetches packs that a server needs; what it gives stops the build. Absent: what is missing is an error. */
  readonly fetchMissing?: (program: Program, server: Server) => Promise<readonly Diagnostic[]>;
  /** `external`: definitions lie beside the servers and can be changed without a build. */
  readonly definitions?: 'inside' | 'external';
}

export interface BuiltArtifact {
  readonly server: string;
  /** Absolute path of the file to start. */
  readonly file: string;
  /** Of all its files. */
  readonly bytes: number;
  /** Packages and binary files that must be there when it runs. */
  readonly externals: readonly string[];
}

export interface Built {
  readonly ok: boolean;
  /** Empty where anything is wrong: nothing is written then. */
  readonly artifacts: readonly BuiltArtifact[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Builds servers of a pack into self-contained programs, and starts each once to see that it lists what the manifests say.
 *
 * @example
 * const { artifacts, diagnostics } = await build('packs/jira', { out: 'dist' });
 * console.log(artifacts.map(({ file }) => file)); // ['/.../packs/jira/dist/project-management.cjs']
 */
export async function build(where: string, options: BuildOptions = {}): Promise<Built> {
  const folder = nodeFolder(where);
  const loaded = load(folder, options.cache === undefined ? {} : { cache: options.cache });
  const found: Diagnostic[] = [...loaded.diagnostics];
  const { program } = loaded;
  if (program === undefined || hasErrors(found)) return finish([], found);
  const servers = chooseServers(program, options.servers ?? [], found);
  const out = resolve(folder.path, options.out ?? 'dist');
  found.push(...checkOut(out, program, servers, options));
  const form = { singleFile: options.singleFile === true, target: options.target ?? 'node' };
  const planned = servers.map(({ item }) => outputNames(item, form));
  found.push(...findClashes(out, planned), ...findForeign(out, planned));
  found.push(...(await checkCode(loaded, folder.path)));
  if (hasErrors(found)) return finish([], found);
  const composed = await composeServers(loaded, servers, options, found);
  if (options.target === 'worker')
    found.push(...composed.flatMap(one => [...findIsolated(one), ...findBackendItems(one)]));
  if (hasErrors(found)) return finish([], found);
  const made: MadeServer[] = [];
  const definitions = options.definitions === 'external' ? printDefinitions(loaded, program) : undefined;
  for (const one of composed) {
    const server = await makeServer(planServer(one), folder, {
      out,
      external: options.external ?? [],
      sourcemap: options.sourcemap === true,
      minify: options.minify === true,
      ...form,
      definitions,
    });
    made.push(server);
    found.push(...server.diagnostics);
  }
  found.push(...checkExternals(options.external ?? [], made));
  if (hasErrors(found)) return finish([], found);
  const shared = { entry: undefined, folder: undefined, files: definitions?.files ?? new Map<string, string>() };
  const verify = options.target === 'worker' ? verifyWorker : verifyServer;
  return await publish(out, definitions === undefined ? made : [...made, shared], made, found, verify);
}

/** Other packs are looked up only for servers that take something from them. */
async function composeServers(
  loaded: LoadedPack,
  servers: readonly Server[],
  { cwd, frozen = false, fetchMissing, cache }: BuildOptions,
  found: Diagnostic[],
): Promise<readonly ComposedBuild[]> {
  const own = toPack(loaded);
  if ('unusable' in own) return [];
  const absent: Diagnostic[] = [];
  for (const server of servers) absent.push(...((await fetchMissing?.(own.program, server)) ?? []));
  found.push(...absent);
  if (absent.length > 0) return [];
  const around = { cwd: cwd ?? own.program.pack.folder, frozen, ...(cache === undefined ? {} : { cache }) };
  const composed = servers.map(server => composeBuild(own, server, around));
  found.push(...composed.flatMap(({ diagnostics }) => diagnostics));
  return composed;
}

/** B1-B4: workers start no programs, and do not let us choose the address that is connected to. */
function findBackendItems({ composed: { tools, prompts, resources } }: ComposedBuild): readonly Diagnostic[] {
  return [...tools, ...prompts, ...resources].flatMap(({ item, pack: { program } }) => {
    const { kind } = item;
    const key = callKindOf(item.definition as Readonly<Record<string, unknown>>);
    if (key === undefined) return [];
    const { file, ...place } = item.at.site([key], 'key');
    return [
      diagnose('build/backend', { kind, item: item.item, key }, { file: resolve(program.pack.folder, file), ...place }),
    ];
  });
}

/** X10: workers have no threads. One mistake for each place that says so. */
function findIsolated({ composed }: ComposedBuild): readonly Diagnostic[] {
  const found = composed.tools
    .filter(({ item, pack }) => isIsolated(item, pack.program))
    .map(({ item, pack: { program } }) => {
      const isOwn = item.definition.isolate !== undefined;
      const { file, ...place } = (isOwn ? item.at : program.pack.at).site(['isolate']);
      const what = isOwn ? `the tool "${item.item}" runs in a thread` : 'tools of the pack run in threads';
      return diagnose('build/isolate', { what }, { file: resolve(program.pack.folder, file), ...place });
    });
  return [...new Map(found.map(one => [JSON.stringify(one), one])).values()];
}

async function publish(
  out: string,
  all: Parameters<typeof stageServers>[1],
  made: readonly MadeServer[],
  found: readonly Diagnostic[],
  verify: typeof verifyWorker,
): Promise<Built> {
  const staged = stageServers(out, all);
  if ('diagnostic' in staged) return finish([], [...found, staged.diagnostic]);
  try {
    const wrong: Diagnostic[] = [];
    for (const { server, entry, handshake, externals } of made) {
      wrong.push(...(await verify({ server, entry: join(staged.path, entry), handshake, externals })));
    }
    if (wrong.length === 0) wrong.push(...staged.commit());
    if (wrong.length > 0) return finish([], [...found, ...wrong]);
  } finally {
    staged.remove();
  }
  const artifacts = made.map(({ server, entry, files, externals }) => {
    const bytes = [...files.values()].reduce((sum, one) => sum + Buffer.byteLength(one), 0);
    return { server, file: join(out, entry), bytes, externals };
  });
  return finish(artifacts, found);
}

/** By item, or qualified. */
function chooseServers({ servers, pack }: Program, typed: readonly string[], found: Diagnostic[]): readonly Server[] {
  const own = `${pack.name}/`;
  const names = typed.map(name => (name.startsWith(own) ? name.slice(own.length) : name));
  const usable = servers.filter(({ definition }) => definition.enabled !== false);
  const site = startOf('toolwright.yaml');
  if (usable.length === 0) found.push(diagnose('build/no-server', { pack: pack.name }, site));
  const known = usable.map(({ item }) => item);
  for (const name of names) {
    if (known.includes(name)) continue;
    const isForeign = name.includes('/');
    const hint = isForeign ? 'build works on the pack in the current folder' : didYouMean(name, known);
    found.push(diagnose('build/unknown-server', { name, known }, site, { hint }));
  }
  return names.length === 0 ? usable : usable.filter(({ item }) => names.includes(item));
}

/** What is built from must not be built into, nor two things into one. */
function checkOut(
  out: string,
  { pack }: Program,
  servers: readonly Server[],
  { definitions }: BuildOptions,
): readonly Diagnostic[] {
  const way = relative(pack.folder, out).split(sep).join('/');
  const sources = [pack.root, pack.handlers, pack.generated].filter(path => path !== '');
  const inside = sources.find(path => way === path || way.startsWith(`${path}/`));
  const isTaken = definitions === 'external' && servers.some(({ item }) => item === definitionsRoot);
  const taken = isTaken ? `the server ${definitionsRoot} and the definitions would share a folder` : undefined;
  const reason = way === '' ? 'it is the pack itself' : inside === undefined ? taken : `${inside}/ is a source`;
  if (reason === undefined) return [];
  return [diagnose('build/out-folder', { path: way === '' ? '.' : way, reason }, startOf('toolwright.yaml'))];
}

/** A misspelt one would be bundled after all. */
function checkExternals(names: readonly string[], made: readonly MadeServer[]): readonly Diagnostic[] {
  const used = new Set(made.flatMap(({ externals }) => externals));
  const unused = names.filter(name => !used.has(name));
  return unused.map(name => diagnose('build/unused-external', { name }, startOf('toolwright.yaml')));
}

async function checkCode(loaded: LoadedPack, path: string): Promise<readonly Diagnostic[]> {
  const folder = nodeFolder(path);
  const missing = findMissingHandlers(loaded, folder);
  if (missing.length > 0) return missing;
  return (await checkHandlers(loaded, folder)).filter(({ severity }) => severity === 'error');
}

function finish(artifacts: readonly BuiltArtifact[], found: readonly Diagnostic[]): Built {
  return { ok: !hasErrors(found), artifacts, diagnostics: sortDiagnostics(found) };
}
