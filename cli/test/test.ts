// toolwright test [server] [pattern]

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { missingByItem } from '../../runtime/call/handlers/missing-handlers.js';
import { findUnwritten } from '../../runtime/call/handlers/unwritten-handlers.js';
import { codeOf, nodeFolder, relativePath } from '../../runtime/load/folder.js';
import { builtinPack } from '../../runtime/load/own-package.js';
import type { Server } from '../../runtime/load/program.js';
import { checkPack } from '../../runtime/packs/check.js';
import { type OpenPack, toPack } from '../../runtime/packs/open-pack.js';
import { type Diagnostic, diagnose, hasErrors } from '../../schema/diagnostics.js';
import { installMissing } from '../fetch/missing-packs.js';
import {
  findPackAround,
  printDiagnostics,
  rebaseDiagnostics,
  rebasePath,
  workingFolder,
} from '../pack/pack-command.js';
import { readServerWords } from '../start/apply-words.js';
import { chooseServer } from '../start/choose-server.js';
import { isKeyFileSet, readEnvFiles, reportLines } from '../start/env-file.js';
import { type LoadedFolder, loadServerPack, serverNames } from '../start/load-server.js';
import type { ServerFlags } from '../start/open-server.js';
import { talk } from '../start/opened-server.js';
import { UsageError } from '../terminal/usage-error.js';
import { choosePlan, type PlannedServer } from './plan-test-run.js';
import { printReport, type Reporter, type TestReport } from './print-tests.js';
import type { ServerCommand } from './server-process.js';
import { runServer, type ServerTest } from './test-server.js';

export interface TestFlags extends Omit<ServerFlags, 'format'> {
  readonly format?: Reporter;
  readonly reporter?: Reporter;
  readonly output?: string;
  readonly test?: string;
  readonly bail?: boolean;
  readonly isolate?: boolean;
  readonly destructive?: boolean;
  readonly conformance?: boolean;
}

/** What the commands that print diagnostics take. */
type TextFlags = TestFlags & { readonly format: 'text' };

export async function test(words: readonly (string | undefined)[], typed: TestFlags): Promise<number> {
  const reporter = typed.reporter ?? typed.format ?? 'text';
  if (typed.reporter !== undefined && typed.format !== undefined && typed.reporter !== typed.format) {
    throw new UsageError(`--reporter ${typed.reporter} and --format ${typed.format} exclude each other`);
  }
  const flags: TextFlags = { ...typed, format: 'text' };
  const cwd = workingFolder(flags);
  const { server: wanted, patterns } = readWords(words, flags);
  const { loaded, item } = await loadServerPack(wanted, flags);
  const opened = await open(loaded, item, flags);
  const started = performance.now();
  const name = loaded.manifest?.name ?? null;
  const head = { pack: name, version: loaded.manifest?.version ?? null };
  const shown = { cwd, folders: [loaded.folder, ...loaded.overlays], reporter, flags };
  if ('diagnostics' in opened) {
    const diagnostics = rebaseDiagnostics(opened.diagnostics, loaded.folder, cwd);
    const report: TestReport = { ...head, ok: false, diagnostics, durationMs: 0, tests: [], untested: [] };
    deliver(report, shown);
    return diagnostics.some(({ code }) => code === 'discover/no-manifest') ? 2 : 1;
  }
  const env = readTestEnvironment(loaded, flags);
  const sparesData = flags.destructive !== true && !env.isForTests;
  const plan = choosePlan(opened, {
    loaded,
    flags,
    isWhole: item === undefined,
    sparesData,
    patterns,
    env: env.variables,
  });
  const conformance = flags.conformance ? await openConformance([loaded.folder, cwd]) : undefined;
  const tests: ServerTest[] = [];
  const isShown = !flags.quiet && process.stderr.isTTY === true;
  const total = plan.reduce((sum, { cases }) => sum + cases.length, 0);
  for (const planned of plan) {
    const hasFailed = tests.some(({ status }) => status === 'failed');
    tests.push(
      ...(await runServer(planned, {
        args: startWords(planned, wanted, flags),
        cwd,
        env: env.variables,
        root: loaded.folder,
        bail: flags.bail === true,
        hasFailed,
        isolate: flags.isolate === true,
        progress: { done: tests.length, total, isShown },
      })),
    );
  }
  for (const server of conformance === undefined ? [] : opened.servers) {
    if (flags.bail && tests.some(({ status }) => status === 'failed')) break;
    const args = startWords({ server: server.item, cases: [] }, wanted, flags);
    const command = { args, cwd, env: env.variables, root: loaded.folder };
    tests.push(...((await conformance?.run(server, command)) ?? []));
  }
  const judged = failWithoutHandler(tests, loaded);
  const report: TestReport = {
    ...head,
    ok: !judged.some(({ status }) => status === 'failed'),
    diagnostics: [],
    durationMs: performance.now() - started,
    tests: judged.map(one => rebaseTest(one, loaded.folder, cwd)),
    untested: patterns.length > 0 ? [] : untestedOf(plan),
  };
  deliver(report, shown);
  return report.ok ? 0 : 1;
}

/** A tool refuses junk before its handler is looked for: the contract of one that has none, or only a stub, does not hold all the same. */
function failWithoutHandler(tests: readonly ServerTest[], loaded: LoadedFolder): readonly ServerTest[] {
  const folder = nodeFolder(loaded.folder);
  const missing = missingByItem(loaded, folder);
  const unwritten = new Map<string, { readonly path: string; readonly diagnostic: Diagnostic }>(
    findUnwritten(loaded, folder).flatMap(({ wanted: { serves, role }, path, diagnostic }) =>
      serves === undefined || role !== 'handler'
        ? []
        : [[`${serves.kind}:${serves.item}`, { path, diagnostic }] as const],
    ),
  );
  return tests.map(one => {
    const key = `${one.kind}:${one.item}`;
    const stub = unwritten.get(key);
    const reason = `its handler is not written yet: ${stub?.path}`;
    const unfinished =
      stub && diagnose('test/contract', { test: one.item, reason }, stub.diagnostic, { hint: stub.diagnostic.hint });
    const diagnostic = missing.get(key) ?? unfinished;
    if (one.check !== 'contract' || one.status === 'failed' || diagnostic === undefined) return one;
    const { server, kind, item, check, title, durationMs } = one;
    return { server, kind, item, check, title, durationMs, site: diagnostic, status: 'failed', diagnostic };
  });
}

/** Before anything runs: a user without the suite need not wait to learn it. */
async function openConformance(folders: readonly string[]) {
  const { findSuite, runConformance } = await import('./conformance.js');
  const path = findSuite(folders);
  return { run: (server: Server, command: ServerCommand) => runConformance(server, path, command) };
}

function rebaseTest(test: ServerTest, folder: string, cwd: string): ServerTest {
  const move = <T extends { readonly file: string }>(place: T): T => ({
    ...place,
    file: rebasePath(place.file, folder, cwd),
  });
  const site = move(test.site);
  return test.status === 'failed' ? { ...test, site, diagnostic: move(test.diagnostic) } : { ...test, site };
}

/** A word that names no server is a pattern. */
function readWords(
  [first, second]: readonly (string | undefined)[],
  flags: TextFlags,
): { readonly server: string | undefined; readonly patterns: readonly string[] } {
  const further = [second, flags.test].filter(one => one !== undefined);
  if (first === undefined) return { server: undefined, patterns: further };
  const isServer = second !== undefined || (first.includes('/') && !first.includes('*'));
  if (isServer || serverNames(flags).includes(first)) return { server: first, patterns: further };
  return { server: undefined, patterns: [first, ...further] };
}

export interface OpenedServers {
  readonly own: OpenPack;
  readonly servers: readonly Server[];
}

/** Broken manifests are reported before anything runs. */
async function open(
  loaded: LoadedFolder,
  item: string | undefined,
  flags: TextFlags,
): Promise<OpenedServers | { readonly diagnostics: readonly Diagnostic[] }> {
  const own = toPack(loaded);
  if ('unusable' in own || hasErrors(loaded.diagnostics)) return { diagnostics: loaded.diagnostics };
  const enabled = own.program.servers.filter(({ definition }) => definition.enabled !== false);
  const isChoice = item === undefined && enabled.length > 1;
  const choosing = { line: (one: string) => `toolwright test ${one}`, note: (text: string) => talk(flags, text) };
  const chosen = isChoice ? undefined : chooseServer(item, loaded, own.program, choosing);
  const servers = chosen === undefined ? enabled : [chosen];
  for (const server of servers) {
    const missing = await installMissing(own.program, server, flags);
    if (missing.length > 0) return { diagnostics: missing };
  }
  const isOwn = loaded.folder === findPackAround(workingFolder(flags));
  const overlayNames = isOwn ? 'own' : loaded.folder === builtinPack() ? 'builtin' : 'foreign';
  const { overlays, cache, folder } = loaded;
  const { ok, diagnostics } = await checkPack(folder, { overlays, overlayNames, judgesOverlays: true, cache });
  return ok ? { own, servers } : { diagnostics };
}

/** The server as the user would start it, whatever its transport. */
function startWords({ server }: PlannedServer, wanted: string | undefined, flags: TextFlags): readonly string[] {
  return [
    'start',
    wanted ?? server ?? '',
    '--quiet',
    '--no-install',
    // Tests leave no tasks behind, and go on with none of the user's.
    '--forget-tasks',
    ...(flags.mode === undefined ? [] : ['--mode', flags.mode]),
    ...(flags.frozen ? ['--frozen'] : []),
    ...flags.overlay.flatMap(overlay => ['--overlay', overlay]),
  ];
}

/** Items that have nothing but the contract. */
function untestedOf(plan: readonly PlannedServer[]): readonly string[] {
  const cases = plan.flatMap(one => one.cases);
  const tested = new Set(cases.filter(({ check }) => check === 'example').map(({ kind, item }) => `${kind} ${item}`));
  return cases.flatMap(({ kind, item, check }) =>
    check === 'contract' && !tested.has(`${kind} ${item}`) ? [item] : [],
  );
}

interface Delivery {
  readonly cwd: string;
  readonly folders: readonly string[];
  readonly reporter: Reporter;
  readonly flags: TextFlags;
}

function deliver(report: TestReport, { cwd, folders, reporter, flags }: Delivery): void {
  const printing = {
    frame: (diagnostics: readonly Diagnostic[]) =>
      printDiagnostics(diagnostics, { ...flags, quiet: false }, cwd, folders),
    flags,
  };
  if (flags.output === undefined) {
    process.stdout.write(printReport(report, reporter, printing));
    return;
  }
  // First, so that a file that cannot be written costs nobody the results.
  process.stdout.write(printReport(report, 'text', printing));
  const file = resolve(cwd, flags.output);
  const text = printReport(report, reporter, { ...printing, flags: { ...flags, color: false } });
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new UsageError(`the report cannot be written to ${flags.output}: ${code}`);
  }
}

const testFile = '.env.test';

interface TestEnvironment {
  readonly variables: NodeJS.ProcessEnv;
  /** The pack has a `.env.test`. */
  readonly isForTests: boolean;
}

/** `.env.test` counts more than `.env`, so that tests can have keys of their own. */
function readTestEnvironment({ folder, manifest }: LoadedFolder, flags: TextFlags): TestEnvironment {
  const config = manifest?.config ?? {};
  const cwd = workingFolder(flags);
  // What is installed must not bring variables along.
  const own = resolve(folder) === findPackAround(cwd) ? { folder } : {};
  const names = ['.env', testFile];
  const found = readEnvFiles({ ...own, names, given: flags.envFile ?? [], cwd });
  const { variables, files } = found;
  reportLines(found, flags, cwd);
  if (files.length > 0) talk(flags, `configuration from ${files.map(file => relativePath(cwd, file)).join(' and ')}`);
  const isForTests = 'folder' in own && files.includes(join(folder, testFile));
  const given = Object.entries(variables).filter(([name]) => !isKeyFileSet(name, config));
  const words = readServerWords(config, flags.words ?? []);
  return { variables: { ...Object.fromEntries(given), ...process.env, ...words }, isForTests };
}
