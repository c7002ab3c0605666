// The process that runs handlers for `toolwright dev`. In: orders and calls of the process that started it. Out: answers. It ends
// when it is asked to, or when nobody is there to tell it anything.
import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { wantedHandlers } from '../../runtime/call/handlers/find-handler.js';
import { modulesOf } from '../../runtime/call/handlers/missing-handlers.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import type { Program } from '../../runtime/load/program.js';
import type { ComposedServer } from '../../runtime/packs/compose.js';
import { answerCalls, type CallReceiver } from '../../runtime/server/dev/answer-calls.js';
import type { Findings, FromWorker, Opened, ToWorker, WatchedPack } from '../../runtime/server/dev/messages.js';
import { takeSnapshot } from '../../runtime/server/dev/take-snapshot.js';
import { mockPrompt, mockResource, mockTool } from '../../runtime/server/examples/mock.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { setMissing } from '../start/env-file.js';
import { type OpenServerPack, openServer, type ServerFlags } from '../start/open-server.js';
import type { Served } from '../start/opened-server.js';
import { surviveRejections } from '../start/unexpected-end.js';

export interface DevOrder {
  readonly typed?: string | undefined;
  readonly flags: ServerFlags;
  /** Answers come from examples, and no code of the packs runs. */
  readonly mock: boolean;
  /** Of files; what is set already counts more. */
  readonly env: Readonly<Record<string, string>>;
}

export async function devWorker(): Promise<number> {
  if (process.send === undefined) {
    process.stderr.write('toolwright: dev-worker is started by toolwright dev\n');
    return 2;
  }
  let go = (): void => undefined;
  const told = new Promise<void>(resolve => {
    go = resolve;
  });
  let receiver: CallReceiver | undefined;
  let open: OpenServerPack | undefined;
  process.on('message', (message: ToWorker) => {
    switch (message.type) {
      case 'open':
        void openAndServe(message.order as DevOrder, told).then(opened => {
          receiver = opened?.receiver;
          open = opened?.open;
        });
        return;
      case 'go':
        go();
        return;
      case 'call':
      case 'cancel':
      case 'told':
        receiver?.receive(message);
        return;
      case 'close':
        void end();
        return;
      default:
        message satisfies never;
    }
  });
  // Ctrl-C reaches the whole group; the process that owns the client decides when calls are over.
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit(0));
  return await new Promise<never>(() => undefined);

  async function end(): Promise<void> {
    await receiver?.idle();
    await open?.hosts.close().catch(() => undefined);
    process.exit(0);
  }
}

function send(message: FromWorker, sent?: () => void): void {
  // The other side may be gone: then this one ends too.
  process.send?.(message, undefined, undefined, () => sent?.());
}

interface Serving {
  readonly receiver: CallReceiver;
  readonly open: OpenServerPack;
}

async function openAndServe(order: DevOrder, told: Promise<void>): Promise<Serving | undefined> {
  setMissing(order.env);
  const findings: Diagnostic[] = [];
  const folders = new Set<string>();
  const found = (): Findings => ({ diagnostics: findings, folders: [...folders] });
  const flags: ServerFlags = {
    ...order.flags,
    quiet: true,
    tell(diagnostics, around) {
      // What has no handler yet is what mocks are for.
      findings.push(...diagnostics.filter(({ code }) => !order.mock || code !== 'generate/missing-handler'));
      for (const folder of around) folders.add(folder);
    },
  };
  const stage = order.mock ? { stage: { tool: mockTool, prompt: mockPrompt, resource: mockResource } } : {};
  try {
    let note: string | undefined;
    const settings = {
      command: 'dev',
      showCauses: true,
      note(text: string) {
        note = text;
      },
      ...stage,
    } as const;
    const opened = await openServer(order.typed, flags, settings);
    if ('exit' in opened) return fail({ ...found(), packs: [], note }, undefined, opened.exit === 2);
    const { open } = opened;
    surviveRejections(open);
    const own: Opened = { ...found(), packs: [toWatched(open.pack.program)], note };
    send({ type: 'opened', opened: own });
    await told;
    findings.length = 0;
    const served = order.mock ? open.resolve() : await open.start();
    if (served === undefined) return fail({ ...found(), packs: own.packs }, startFailed(findings));
    return serve(open, served, found());
  } catch (error) {
    const isUsage = error instanceof Error && error.name === 'UsageError';
    if (!isUsage) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return fail({ ...found(), packs: [] }, error instanceof Error ? error.message : String(error), isUsage);
  }
}

/** Its own words are on stderr already. */
function startFailed(findings: readonly Diagnostic[]): string | undefined {
  return findings.length === 0 ? 'the server could not be started' : undefined;
}

function serve(open: OpenServerPack, { composed, surface }: Served, found: Findings): Serving {
  const { transport, http, auth } = open.server.definition;
  const receiver = answerCalls(surface, send, text => open.hosts.redact(text));
  const packs = [open.pack, ...composedPacks(composed)].map(({ program }) => program);
  send({
    type: 'ready',
    ready: {
      ...found,
      packs: watchedOf([...new Set(packs)]),
      snapshot: takeSnapshot(surface, composed),
      definition: { ...(transport && { transport }), ...(http && { http }), ...(auth && { auth }) },
    },
  });
  return { receiver, open };
}

function composedPacks({ tools, prompts, resources }: ComposedServer): readonly { readonly program: Program }[] {
  return [...tools, ...prompts, ...resources].map(({ pack }) => pack);
}

function fail(opened: Opened, message?: string, isUsage = false): undefined {
  const failure = { ...opened, failed: true, ...(message === undefined ? {} : { message }), isUsage } as const;
  send({ type: 'failed', failure }, () => process.exit(1));
}

/** Of a pack whose schemas are used (X1) only the definitions matter, unless the server takes items from it. */
function watchedOf(programs: readonly Program[]): readonly WatchedPack[] {
  const watched = new Map(programs.map(toWatched).map(one => [one.folder, one]));
  for (const { pack } of programs.flatMap(({ foreignSchemas = [] }) => foreignSchemas)) {
    const { root } = pack;
    const folder = sourceOf(pack.folder);
    if (!watched.has(folder)) watched.set(folder, { folder, root, handlers: root, outputs: [], files: [] });
  }
  return [...watched.values()];
}

function toWatched(program: Program): WatchedPack {
  const { pack, tools, prompts, resources, servers } = program;
  const { folder, root, handlers, generated, dist } = pack;
  const modules = modulesOf(program, nodeFolder(folder));
  const wanted = wantedHandlers({ program }).map(({ path }) => {
    const found = modules.find(path);
    return found.found === 'module' ? found.path : path;
  });
  const named = [...tools, ...prompts, ...resources, ...servers].flatMap(({ definition }) => filesIn(definition));
  return {
    folder: sourceOf(folder),
    root,
    handlers,
    outputs: [generated, dist].filter(output => output !== '' && ![root, handlers].includes(output)),
    files: [...new Set(named)],
    modules: [...new Set(wanted)],
  };
}

/** A linked pack is edited where it really is. */
function sourceOf(folder: string): string {
  return folder.split(sep).includes('node_modules') ? realpathSync(folder) : folder;
}

/** Names of files stand under these keys, at any depth; another string does no harm. */
const fileKeys: ReadonlySet<string> = new Set(['file', 'image', 'audio']);

function filesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(filesIn);
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    typeof member === 'string' && fileKeys.has(key) ? [member] : filesIn(member),
  );
}
