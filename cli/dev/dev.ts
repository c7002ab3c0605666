// toolwright dev [server]

import { randomBytes } from 'node:crypto';
import { basename, join, sep } from 'node:path';
import pc from 'picocolors';
import { createSeal, readStateKey } from '../../runtime/call/context/seal.js';
import { messageOf } from '../../runtime/call/print-cause.js';
import { relativePath } from '../../runtime/load/folder.js';
import type { StdioServing } from '../../runtime/server/create-server/server.js';
import type { DevEvent } from '../../runtime/server/dev/events.js';
import type { LivePorts } from '../../runtime/server/dev/live-surface.js';
import type { Findings, Ready, WatchedPack } from '../../runtime/server/dev/messages.js';
import { type Supervisor, supervise } from '../../runtime/server/dev/supervise.js';
import { keepInMemory } from '../../runtime/server/keep-in-memory.js';
import type { OpenTasks } from '../../runtime/surface/create-surface.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { generateAnew, operationsOf } from '../generate/generate.js';
import { findPackAround, overlaysOf, rebaseDiagnostics, workingFolder } from '../pack/pack-command.js';
import { type EnvFiles, readEnvFiles } from '../start/env-file.js';
import { isRefused, listenHttp } from '../start/listen-http.js';
import { run } from '../start/serve-opened.js';
import { readWords, type StartFlags } from '../start/start.js';
import type { CommonFlags } from '../terminal/flags.js';
import { UsageError } from '../terminal/usage-error.js';
import { openWorkers } from './channel.js';
import type { DevOrder } from './dev-worker.js';
import { openImportedModules } from './imported-modules.js';
import { type PrintOptions, printEvent, printJson } from './print-events.js';
import { modulesBelow, openSyntaxCheck } from './syntax.js';
import { type DevView, openView } from './view.js';
import { openWarnings } from './warnings.js';
import { type DevWatch, isModule, watchPacks } from './watch.js';

export interface DevFlags extends StartFlags {
  readonly mock?: boolean;
  readonly inspect?: boolean;
  /** False with `--no-generate`. */
  readonly generate?: boolean;
}

export async function dev(typed: string | undefined, flags: DevFlags): Promise<number> {
  const { name, port } = readWords(typed, flags.http);
  if (flags.stdio && flags.http !== undefined) throw new UsageError('--stdio and --http exclude each other');
  if (flags.inspect) return await (await import('./inspector.js')).inspectServer(name, flags);
  const cwd = workingFolder(flags);
  const pack = findPackAround(cwd);
  const screen = openScreen(flags, cwd);
  const session = await openSession({ name, flags, cwd, pack, emit: screen.show });
  const { supervisor, close } = session;
  await supervisor.reload([]);
  const failure = supervisor.failure();
  if (failure?.isUsage) {
    await close();
    screen.close();
    // Nothing that is edited would change it.
    if (failure.message !== undefined) throw new UsageError(failure.message);
    return 2;
  }
  const server = await serve(session, { port, flags, emit: screen.show });
  const code = server === undefined ? 1 : await run(server);
  await close();
  screen.close();
  process.exit(code);
}

interface Circumstances {
  readonly name: string | undefined;
  readonly flags: DevFlags;
  readonly cwd: string;
  /** Around the working folder: what is generated is generated here. */
  readonly pack: string;
  emit(event: DevEvent): void;
}

interface Session {
  readonly supervisor: Supervisor;
  readonly env: () => Readonly<Record<string, string | undefined>>;
  close(): Promise<void>;
}

async function openSession({ name, flags, cwd, pack, emit }: Circumstances): Promise<Session> {
  const overlays = overlaysOf(flags, cwd);
  const generates = flags.generate !== false;
  const inWords = (path: string): string => relativePath(cwd, path);
  // Questions that are open while a process is replaced must still be answerable.
  const env = { TOOLWRIGHT_STATE_KEY: randomBytes(32).toString('base64'), ...process.env };
  const workers = openWorkers(env, text => emit({ event: 'output', text }));
  const syntax = openSyntaxCheck(cwd);
  const packs = new Map<string, WatchedPack>();
  const places = { folder: pack, given: flags.envFile ?? [], cwd };
  let variables = readEnvFiles(places);
  let changed: readonly string[] = [];
  let since = Date.now();
  let isFirst = true;
  const warnings = openWarnings({ pack, overlays, cwd, emit });
  let choice: string | undefined;
  const imported = openImportedModules(() => packs.values());
  const reload = (paths: readonly string[]): void => {
    changed = [...changed, ...paths];
    void supervisor.reload(paths.map(inWords));
  };
  const watch: DevWatch = await watchPacks({
    overlays,
    generates,
    onChange(paths) {
      const isSure = (path: string): boolean => !isModule(path) || flags.mock === true || imported.isSure(path);
      const sure = paths.filter(isSure);
      if (sure.length > 0) reload(sure);
      for (const path of paths.filter(one => !isSure(one)))
        void imported.isImported(path).then(isImported => {
          if (isImported) reload([path]);
        });
    },
  });
  watch.add([{ folder: pack, root: 'mcp', handlers: 'src', outputs: ['generated', 'dist'], files: [] }], since);
  const order = (): DevOrder => {
    const { format: _, ...rest } = flags;
    return {
      typed: name,
      flags: { ...rest, format: 'text', strict: false },
      mock: flags.mock === true,
      env: variables.variables,
    };
  };

  /** A file that cannot be read stops the start, but nothing that is served already. */
  function readVariables(): EnvFiles {
    try {
      return readEnvFiles(places);
    } catch (error) {
      emit({ event: 'note', text: messageOf(error) });
      return variables;
    }
  }

  async function prepare(): Promise<Findings> {
    const paths = changed;
    changed = [];
    const all = isFirst ? modulesBelow(join(pack, 'src')) : [];
    const handlers = [...packs.values()].map(({ folder, handlers: inside }) => join(folder, inside) + sep);
    const inHandlers = paths.filter(path => handlers.some(folder => path.startsWith(folder)));
    const isManifest = isFirst || paths.some(path => !isModule(path));
    isFirst = false;
    warnings.edited(paths.filter(path => !isModule(path)));
    since = Date.now();
    const refused = generates && isManifest ? await generate() : [];
    const unreadable = flags.mock ? [] : await syntax.check([...all, ...inHandlers]);
    variables = readVariables();
    const lines = rebaseDiagnostics(variables.diagnostics, cwd, cwd);
    return { diagnostics: [...refused, ...unreadable, ...lines], folders: [...packs.keys(), pack] };
  }

  /** What is wrong with manifests is reported when they are served. */
  async function generate(): Promise<readonly Diagnostic[]> {
    const { operations, diagnostics } = await generateAnew(pack, { write: true });
    const written = operationsOf(operations).filter(({ op }) => op !== 'keep' && op !== 'refuse');
    for (const one of written) if ('text' in one) watch.know(join(pack, one.path), one.text);
    // A new stub is what the author has to write next; only the first files are printed.
    const byNews = [...written].sort((a, b) => Number(b.role === 'stub') - Number(a.role === 'stub'));
    const files = byNews.map(({ op, path }) => ({ op, path: inWords(join(pack, path)) }));
    if (files.length > 0) emit({ event: 'generated', files });
    const ours = diagnostics.filter(({ code, severity }) => severity === 'error' && /^generate\//.test(code));
    return rebaseDiagnostics(
      ours.filter(({ code }) => code !== 'generate/missing-handler'),
      pack,
      cwd,
    );
  }

  let tasks: ReturnType<OpenTasks> | undefined;
  const keeping: LivePorts['tasks'] = {
    seal: createSeal({ key: readStateKey(env.TOOLWRIGHT_STATE_KEY).value, now: Date.now }),
    open(surface) {
      tasks = keepInMemory.open(surface);
      return tasks;
    },
  };
  const supervisor = supervise({
    tasks: keeping,
    spawn: workers.take,
    order,
    prepare,
    emit(event) {
      emit(event);
      if (event.event === 'serving') void warnings.report();
    },
    onOpened(opened) {
      const isNews = opened.note !== choice && !flags.quiet;
      if (opened.note !== undefined && isNews) emit({ event: 'note', text: opened.note });
      choice = opened.note ?? choice;
      for (const one of opened.packs) packs.set(one.folder, one);
      watch.add(opened.packs, since);
    },
    name: name ?? basename(pack),
  });
  return {
    supervisor,
    env: () => ({ ...order().env, ...process.env }),
    async close() {
      await watch.close();
      await (await tasks?.catch(() => undefined))?.close();
      await supervisor.close();
      workers.close();
    },
  };
}

interface Serving {
  readonly port: number | undefined;
  readonly flags: DevFlags;
  emit(event: DevEvent): void;
}

/** Undefined where it cannot listen, which was said. */
async function serve(
  { supervisor, env, close }: Session,
  { port, flags, emit }: Serving,
): Promise<StdioServing | undefined> {
  const served: Ready | undefined = supervisor.served();
  const definition = served?.definition ?? {};
  const isHttp = !flags.stdio && (flags.http !== undefined || definition.transport === 'http');
  if (!isHttp && flags.host !== undefined) throw new UsageError('--host is for HTTP: add --http');
  if (!isHttp) {
    const { serveStdio } = await import('../../runtime/serve/serve-stdio.js');
    return serveStdio(supervisor.surface, { onClose: close });
  }
  const report = (text: string): void => emit({ event: 'note', text });
  if (isRefused(definition, flags, report)) return undefined;
  const server = await listenHttp(supervisor.surface, {
    ...{ definition, flags, port, report, onClose: close },
    toolScopes: Object.values(served?.snapshot.scopes ?? {}).flat(),
    env: env(),
  });
  if (server !== undefined) emit({ event: 'listening', url: server.url });
  return server;
}

/** With --quiet only what needs somebody. */
const important: ReadonlySet<DevEvent['event']> = new Set(['broken', 'fixed', 'crashed', 'output', 'note']);

function openScreen(flags: CommonFlags, cwd: string): DevView {
  const isTerminal = process.stderr.isTTY === true;
  const write = (text: string): void => void process.stderr.write(`${text}\n`);
  if (flags.format === 'json') return { show: event => write(printJson(event)), close: () => undefined };
  const paint = pc.createColors(flags.color !== false && isTerminal && pc.isColorSupported);
  const options: PrintOptions = { flags, cwd, paint };
  if (isTerminal && !flags.quiet) return openView(process.stderr, options);
  return {
    show(event) {
      if (flags.quiet && !important.has(event.event)) return;
      const text = printEvent(event, options);
      if (text === undefined) return;
      // Handlers print what they like; what we say is marked.
      write(event.event === 'output' ? text : `dev: ${text}`);
    },
    close: () => undefined,
  };
}
