// What the tests of surfaces share: a server of a pack that is written inside the test, its handlers as functions.
import { expect } from 'vitest';
import { compileValidators } from '../../../runtime/call/compile-validators.js';
import { createSeal } from '../../../runtime/call/context/seal.js';
import type { Outcome, PackHost, Request } from '../../../runtime/call/ports.js';
import { ProtocolError } from '../../../runtime/call/protocol-error.js';
import { load } from '../../../runtime/load/load.js';
import type { HandlerRef, Program, Server } from '../../../runtime/load/program.js';
import { type ComposedServer, composeServer } from '../../../runtime/packs/compose.js';
import type { Wire } from '../../../runtime/packs/list-entries.js';
import type { PackLookup } from '../../../runtime/packs/look-up.js';
import { aboutServer, type ServeSettings, surfaceOf } from '../../../runtime/server/surface-of.js';
import type { ListName, Surface } from '../../../runtime/surface/surface.js';
import { type MemoryFolder, memoryFolder } from '../../harness/memory-folder.js';
import type { Files } from '../../harness/pack.js';

/** By `path#export`; `#default` may be left out. */
export type Handlers = Readonly<Record<string, unknown>>;

export interface Options extends Partial<ServeSettings> {
  readonly handlers?: Handlers;
  readonly app?: unknown;
  /** A value that must not leave, and what stands in its place. */
  readonly secret?: string | undefined;
  readonly server?: string;
  /** Folders that patch the pack. */
  readonly overlays?: readonly Files[];
}

export interface Served {
  readonly surface: Surface;
  readonly program: Program;
  readonly host: PackHost;
  readonly folder: MemoryFolder;
  /** What the operator was told. */
  readonly reports: string[];
  readonly settings: ServeSettings;
}

export function serve(files: Files, options: Options = {}): Served {
  const { handlers = {}, app, secret, server: wanted, overlays = [], ...given } = options;
  const folder = memoryFolder({ 'toolwright.yaml': '', 'mcp/servers/s.yaml': '{}', ...files });
  const { program, diagnostics } = load(folder, { overlays: overlays.map(files => memoryFolder(files, '/overlay')) });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const server = program?.servers.find(({ item }) => wanted === undefined || item === wanted);
  if (program === undefined || server === undefined) throw new Error('the pack has no server');
  const host = memoryHost(program, folder, { handlers, app, secret });
  const reports: string[] = [];
  const settings: ServeSettings = {
    seal: createSeal({ key: 'a key for the tests', now: () => 0 }),
    showCauses: false,
    report: text => reports.push(text),
    ...given,
  };
  return {
    surface: surfaceOf(aboutServer(server), alone(program, server), () => host, settings),
    program,
    host,
    folder,
    reports,
    settings,
  };
}

/** A server without anything of other packs. */
export function alone(program: Program, server: Server): ComposedServer {
  const nobody: PackLookup = {
    pack: () => ({ missing: true }),
    builtin: () => undefined,
    installCommand: () => '',
    missingHint: () => '',
  };
  return composeServer({ program, errors: [] }, server, nobody);
}

function memoryHost(
  program: Program,
  folder: MemoryFolder,
  { handlers, app, secret }: Pick<Options, 'handlers' | 'app' | 'secret'>,
): PackHost {
  return {
    program,
    folder,
    settings: {
      values: secret === undefined ? {} : { TOKEN: secret },
      redact: text => (secret === undefined ? text : text.replaceAll(secret, '[secret]')),
    },
    async load({ path, export: name }: HandlerRef) {
      const found = handlers?.[`${path}#${name}`] ?? (name === 'default' ? handlers?.[path] : undefined);
      if (found === undefined) throw new Error(`there is no ${path}#${name}`);
      return found;
    },
    validators: compileValidators,
    app: async () => app,
    initialize: async () => {},
    close: async () => {},
  };
}

export function request(parts: Partial<Request> = {}): Request {
  return {
    id: 1,
    signal: new AbortController().signal,
    client: { name: 'tests', version: '1', capabilities: {} },
    auth: undefined,
    principal: 'somebody',
    answers: {},
    state: undefined,
    notify: { toolsChanged() {}, promptsChanged() {}, resourcesChanged() {}, resourceUpdated() {} },
    log: () => false,
    progress() {},
    ...parts,
  };
}

/** The result of an outcome that is over. */
export async function over<T>(outcome: Promise<Outcome<T>>): Promise<T> {
  const settled = await outcome;
  if ('asking' in settled) throw new Error('it asks');
  return settled.result;
}

/** `{code, message, data}` of what was thrown, which must be a problem of the protocol. */
export async function problem(run: () => unknown): Promise<Wire> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { code, message, data } = error;
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
  throw new Error('nothing was thrown');
}

export function names(surface: Surface, list: ListName): readonly unknown[] {
  return surface.list(list).entries.map(entry => entry['name']);
}

export function entry(surface: Surface, list: ListName, name: string): Wire {
  const found = surface.list(list).entries.find(one => one['name'] === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}
