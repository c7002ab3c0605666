// Real clients of both SDK lines, over both transports and in both eras, behind one small face.
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** What both lines of clients can do in the same words. */
export type AnyClient = Pick<
  NewClient,
  | 'listTools'
  | 'callTool'
  | 'listPrompts'
  | 'getPrompt'
  | 'listResources'
  | 'listResourceTemplates'
  | 'readResource'
  | 'complete'
  | 'getServerVersion'
  | 'getInstructions'
  | 'sendRootsListChanged'
  | 'close'
>;

/** How the user and the model of a client answer. */
export interface Answers {
  readonly elicit?: (params: Readonly<Record<string, unknown>>) => object;
  readonly sample?: (params: Readonly<Record<string, unknown>>) => object;
  readonly roots?: () => object;
}

export interface Way {
  readonly name: string;
  readonly era: 'legacy' | 'modern';
  readonly transport: 'stdio' | 'http';
  connect(target: Target, answers?: Answers): Promise<AnyClient>;
}

/** `stdio`: a command to start; `http`: an address. */
export interface Target {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: URL;
  /** Of every HTTP request. */
  readonly headers?: Readonly<Record<string, string>>;
}

const identity = { name: 'interop', version: '1.0.0' };

function capabilitiesOf({ elicit, sample, roots }: Answers): object {
  return {
    ...(elicit && { elicitation: {} }),
    ...(sample && { sampling: {} }),
    ...(roots && { roots: { listChanged: true } }),
  };
}

async function connectOld(transport: 'stdio' | 'http', target: Target, answers: Answers = {}): Promise<AnyClient> {
  const client = new OldClient(identity, { capabilities: capabilitiesOf(answers) });
  const { elicit, sample, roots } = answers;
  if (elicit) client.setRequestHandler(ElicitRequestSchema, async ({ params }) => elicit(params) as never);
  if (sample) client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => sample(params) as never);
  if (roots) client.setRequestHandler(ListRootsRequestSchema, async () => roots() as never);
  const wire = transport === 'stdio' ? new OldStdio(stdioOf(target)) : new OldHttp(...httpOf(target));
  await client.connect(wire as Parameters<typeof client.connect>[0]);
  return client as unknown as AnyClient;
}

async function connectNew(
  transport: 'stdio' | 'http',
  mode: 'legacy' | 'auto' | 'pin',
  target: Target,
  answers: Answers = {},
): Promise<AnyClient> {
  const versionNegotiation =
    mode === 'legacy' ? {} : { versionNegotiation: { mode: mode === 'auto' ? mode : { pin: '2026-07-28' } } };
  const client = new NewClient(identity, { capabilities: capabilitiesOf(answers), ...versionNegotiation } as never);
  const { elicit, sample, roots } = answers;
  if (elicit) client.setRequestHandler('elicitation/create', async ({ params }) => elicit(params) as never);
  if (sample) client.setRequestHandler('sampling/createMessage', async ({ params }) => sample(params) as never);
  if (roots) client.setRequestHandler('roots/list', async () => roots() as never);
  await client.connect(transport === 'stdio' ? new NewStdio(stdioOf(target)) : new NewHttp(...httpOf(target)));
  return client;
}

function stdioOf({ command, args, cwd, env }: Target) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(entry => entry[1] !== undefined));
  return {
    command,
    args: [...args],
    cwd,
    env: { ...(inherited as Record<string, string>), ...env },
    stderr: 'pipe' as const,
  };
}

function httpOf({ url, headers = {} }: Target): [url: URL, options: { requestInit: RequestInit }] {
  if (url === undefined) throw new Error('this way needs an address');
  return [url, { requestInit: { headers } }];
}

export const ways: readonly Way[] = (['stdio', 'http'] as const).flatMap((transport): Way[] => [
  {
    name: `1.x client over ${transport}`,
    era: 'legacy',
    transport,
    connect: (target, answers) => connectOld(transport, target, answers),
  },
  {
    name: `2.x client over ${transport}, 2025-11-25`,
    era: 'legacy',
    transport,
    connect: (target, answers) => connectNew(transport, 'legacy', target, answers),
  },
  {
    name: `2.x client over ${transport}, negotiated`,
    era: 'modern',
    transport,
    connect: (target, answers) => connectNew(transport, 'auto', target, answers),
  },
  {
    name: `2.x client over ${transport}, 2026-07-28 only`,
    era: 'modern',
    transport,
    connect: (target, answers) => connectNew(transport, 'pin', target, answers),
  },
]);

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number; readonly total?: number }) => void;
}

/** The two lines differ in where options go. */
export function callWith(way: Way, client: AnyClient, params: object, options: CallOptions): Promise<unknown> {
  const isOld = way.name.startsWith('1.x');
  const callTool = client.callTool.bind(client) as (...args: unknown[]) => Promise<unknown>;
  return callTool(params, ...(isOld ? [undefined, options] : [options]));
}
