// Public servers that packs forward to: what is installed, how each is started, and clients that see results as they came.
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type ClientCapabilities, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Target } from '../../../harness/interop-clients.js';
import { installOriginal } from '../ports/originals.js';
import { realServers } from '../surfaces/real-servers.js';

export interface PublicServer {
  readonly name: string;
  readonly isBrowser: boolean;
  /** Its main module; undefined where it cannot be installed. */
  readonly main: string | undefined;
  /** `folder` is its own, and has a file. */
  argsIn(folder: string): readonly string[];
  envIn?(folder: string): Readonly<Record<string, string>>;
}

/** Debian's; .ci/run installs it where it is missing. */
export const chromium = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map(folder => join(folder, 'chromium'))
  .find(isProgram);

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const browserFlags = ['--headless', '--isolated', '--executable-path', chromium ?? ''];

function browserOf(name: string, more: readonly string[]): PublicServer {
  const known = realServers.find(one => one.name === name);
  if (known === undefined) throw new Error(`no server ${name}`);
  const { package: id, version, main, env = {} } = known;
  return {
    name,
    isBrowser: true,
    main: installOriginal(id, version, main),
    argsIn: () => [...browserFlags, ...more],
    envIn: () => env,
  };
}

const official = (name: string): string | undefined =>
  installOriginal(`@modelcontextprotocol/server-${name}`, '2026.8.31');

export const publicServers: readonly PublicServer[] = [
  { name: 'everything', isBrowser: false, main: official('everything'), argsIn: () => [] },
  { name: 'filesystem', isBrowser: false, main: official('filesystem'), argsIn: folder => [folder] },
  {
    name: 'memory',
    isBrowser: false,
    main: official('memory'),
    argsIn: () => [],
    envIn: folder => ({ MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
  },
  browserOf('playwright', ['--no-sandbox']),
  browserOf('chrome-devtools', ['--chrome-arg=--no-sandbox']),
];

/** The server itself, in a folder of its own with the same files each time. */
export function originalOf(server: PublicServer, folder: string): Target {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'notes.txt'), 'one\ntwo\nthree\n');
  return {
    command: process.execPath,
    args: [server.main ?? '', ...server.argsIn(folder)],
    cwd: folder,
    env: server.envIn?.(folder) ?? {},
  };
}

type Data = Readonly<Record<string, unknown>>;

/** What a client of 2025 sees, with every key. */
export interface Seen {
  readonly capabilities: Data;
  readonly instructions: string | undefined;
  /** Notifications, in their order. */
  readonly heard: Data[];
  request(method: string, params?: Data): Promise<Data>;
  /** The result of a call, or the error of the protocol. */
  outcome(method: string, params?: Data): Promise<Data>;
  close(): Promise<void>;
}

const abilities = { roots: {}, sampling: {}, elicitation: {} };

/** `root`: the one folder of the client. Some servers list by what the client can do. */
export async function connect(
  { command, args, cwd, env = {} }: Target,
  root: string,
  capabilities: ClientCapabilities = abilities,
): Promise<Seen> {
  const client = new Client({ name: 'gateway', version: '1.0.0' }, { capabilities });
  const shared = { PATH: process.env['PATH'] ?? '', HOME: cwd };
  const heard: Data[] = [];
  client.fallbackNotificationHandler = async notification => void heard.push(notification as Data);
  const roots = { roots: [{ uri: pathToFileURL(root).href, name: 'home' }] };
  client.fallbackRequestHandler = async ({ method }) => (method === 'roots/list' ? roots : (answers[method] ?? {}));
  await client.connect(
    new StdioClientTransport({ command, args: [...args], cwd, env: { ...shared, ...env }, stderr: 'ignore' }),
  );
  const request = async (method: string, params: Data = {}): Promise<Data> =>
    (await client.request({ method, params }, ResultSchema.loose(), { timeout: 120_000 })) as Data;
  return {
    capabilities: (client.getServerCapabilities() ?? {}) as Data,
    instructions: client.getInstructions(),
    heard,
    request,
    outcome: (method, params) =>
      request(method, params).catch(({ code, message, data }: Error & { code: number; data: unknown }) => ({
        error: { code, message, data },
      })),
    close: () => client.close(),
  };
}

/** What the user and the model of the client say to everything. */
const answers: Readonly<Record<string, Data>> = {
  'elicitation/create': { action: 'accept', content: { name: 'Ada', integer: 3, check: true } },
  'sampling/createMessage': {
    role: 'assistant',
    content: { type: 'text', text: 'I am a model.' },
    model: 'test',
    stopReason: 'endTurn',
  },
};
