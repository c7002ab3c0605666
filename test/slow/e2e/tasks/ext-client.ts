// The client package of the extension over the SDK's client, in both eras and over both transports.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Target } from '../../../harness/interop-clients.js';
import { installOnce } from '../real-managers.js';

export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof eras)[number];

/** What is used of the package, whose types are not installed. */
export interface TaskExecution {
  readonly kind: 'task' | 'immediate';
  settle(options?: object): Promise<{ readonly outcome: Outcome }>;
  serializeReference(): unknown;
  detach(): Promise<void>;
  cancel(): Promise<unknown>;
  result(): Promise<Outcome>;
}

export interface Outcome {
  readonly status: string;
  readonly error?: { readonly message: string; readonly code?: number };
}

export interface ExtClient {
  call(name: string, args: object): Promise<TaskExecution>;
  resume(reference: unknown): Promise<TaskExecution>;
  /** The first text of a task that is completed. */
  textOf(outcome: Outcome): string | undefined;
  close(): Promise<void>;
}

/** What a user answers to a form: the name of its field, and what to put in it. */
export type Answer = (message: string) => object;

interface Message {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Transport {
  onmessage?: ((message: Message, extra?: unknown) => void) | undefined;
  send(message: object): Promise<void>;
}

interface Dispatch {
  readonly method: string;
  readonly params: { readonly name?: string };
}

type Module = Readonly<Record<string, (...values: unknown[]) => unknown>>;
type Classes = Readonly<Record<string, new (...values: unknown[]) => Transport>>;

interface SdkClient {
  connect(transport: Transport): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  close(): Promise<void>;
}

interface TaskClient {
  callTool(name: string, args: object, options?: object): Promise<TaskExecution>;
  resumeTask(reference: unknown): Promise<TaskExecution>;
  close(): Promise<void>;
}

async function load(path: string): Promise<Module & Classes> {
  const packages = ['@modelcontextprotocol/client@2.4.0', '@modelcontextprotocol/ext-tasks@0.2.2'];
  const folder = installOnce('toolwright-ext-tasks-1', packages);
  return (await import(pathToFileURL(join(folder, 'node_modules/@modelcontextprotocol', path)).href)) as Module &
    Classes;
}

export async function connectExt(
  version: Revision,
  transport: 'stdio' | 'http',
  target: Target,
  answer: Answer,
): Promise<ExtClient> {
  const sdk = await load('client/dist/index.mjs');
  const stdio = await load('client/dist/stdio.mjs');
  const ext = await load('ext-tasks/dist/client/index.js');
  const isModern = version === '2026-07-28';
  const clientInfo = { name: 'ext', version: '1.0.0' };
  const capabilities = { elicitation: { form: {} } };
  const make = sdk['Client'] as unknown as new (...values: unknown[]) => SdkClient;
  const mode = isModern ? { pin: version } : 'legacy';
  const client = new make(clientInfo, { capabilities, versionNegotiation: { mode } });
  const { command, args, cwd, env, url, headers = {} } = target;
  const wire =
    transport === 'stdio'
      ? new (stdio['StdioClientTransport'] as Classes[string])({
          command,
          args,
          cwd,
          env: { ...process.env, ...env },
          stderr: 'pipe',
        })
      : new (sdk['StreamableHTTPClientTransport'] as Classes[string])(url, { requestInit: { headers } });
  await client.connect(wire);
  const rawDispatch = transport === 'stdio' ? overPipe(wire) : overHttp(String(url), headers);
  const { tools } = await client.listTools();
  const declare = ext['toolDeclarationFromMcpTool'] as (tool: object) => object;
  const declarations = new Map(tools.map(tool => [tool.name, declare(tool)]));
  const handle = ext['createApplicationInputHandler'] as (handlers: object) => unknown;
  const session = (ext['createTaskSessionFromClient'] as (...values: unknown[]) => TaskClient)(client, {
    endpointId: 'test',
    tools: { currentTool: (name: string) => declarations.get(name) },
    onInputRequest: handle({
      elicitation: async ({ params }: { params: { message: string } }) => answer(params.message),
      sampling: async () => Promise.reject(new Error('no model here')),
      roots: async () => ({ roots: [] }),
    }),
    ...(isModern && {
      rawDispatch,
      v2RequestFraming: { protocolVersion: version, clientInfo, clientCapabilities: capabilities },
    }),
  });
  const asTask = { task: { preference: isModern ? 'allow' : 'prefer' } };
  const resultOf = ext['resultFromTaskOutcome'] as (outcome: Outcome) => { content: { text?: string }[] };
  return {
    call: (name, params) => session.callTool(name, params, asTask),
    resume: reference => session.resumeTask(reference),
    textOf: outcome => (outcome.status === 'completed' ? resultOf(outcome).content[0]?.text : undefined),
    async close() {
      await session.close();
      await client.close();
    },
  };
}

/** The SDK's client refuses handles of tasks in 2026-07-28, so that such requests go past it. */
function overHttp(url: string, own: Readonly<Record<string, string>>) {
  let count = 0;
  return async (
    { method, params }: Dispatch,
    { signal, context }: { signal?: AbortSignal; context?: { headers?: Record<string, string> } } = {},
  ): Promise<object> => {
    count += 1;
    const headers = new Headers({
      ...own,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
    });
    if (method === 'tools/call') headers.set('mcp-name', params.name ?? '');
    for (const [name, value] of Object.entries(context?.headers ?? {})) headers.set(name, value);
    const body = JSON.stringify({ jsonrpc: '2.0', id: `raw-${count}`, method, params });
    const response = await fetch(url, { method: 'POST', headers, body, signal: signal ?? null });
    return toAnswer((await response.json()) as Message);
  };
}

function overPipe(wire: Transport) {
  let count = 0;
  const waiting = new Map<unknown, (message: Message) => void>();
  const before = wire.onmessage;
  wire.onmessage = (message, extra) => {
    const settle = waiting.get(message.id);
    waiting.delete(message.id);
    if (settle === undefined) before?.(message, extra);
    else settle(message);
  };
  return async ({ method, params }: Dispatch): Promise<object> => {
    count += 1;
    const id = `raw-${count}`;
    const answer = new Promise<Message>(resolve => waiting.set(id, resolve));
    await wire.send({ jsonrpc: '2.0', id, method, params });
    return toAnswer(await answer);
  };
}

function toAnswer({ result, error }: Message): object {
  return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
}
