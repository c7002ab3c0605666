// Every way to open a server of one pack, behind one small face: lists, calls, prompts and resources as a client gets them.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createRegistry, createServer, type Registry } from '../../../runtime/index.js';
import { createTestClient } from '../../../runtime/server/testing/index.js';
import { root } from '../../harness/build-pack.js';
import type { AnyClient } from '../../harness/interop-clients.js';

/** What the operator of a server sets. */
export interface Operator {
  readonly env?: Readonly<Record<string, string>>;
  readonly overlays?: readonly string[];
  readonly mode?: string;
}

export type Era = '2025' | '2026';

export interface OpenWay {
  /** Names, texts and schemas of everything that is listed; undefined where the way lists nothing. */
  lists?(): Promise<unknown>;
  call(name: string, args: object): Promise<unknown>;
  /** What the operator has read so far. */
  said(): string;
  prompt?(name: string, args: Record<string, string>): Promise<unknown>;
  read?(uri: string): Promise<unknown>;
  close(): Promise<void>;
}

export interface ServerWay {
  readonly name: string;
  /** Of the client; code has none of its own and gets what 2025 gets. */
  readonly era: Era;
  /** docs/guides/dev.md, docs/guides/errors.md: messages of unexpected errors are part of results where their author reads them. */
  readonly showsCauses?: true;
  /** docs/guides/building.md: nobody can be asked by clients of 2025 without sessions, nor where there is no terminal. */
  readonly asksNobody?: true;
  /** Code learns by name that there is no such tool; `call` takes a wrong name for wrong usage. */
  readonly unknownTool?: object;
  /** docs/guides/deploying.md: a worker has no files, so that overlays are for its build, and no command line for a mode. */
  readonly isWorker?: true;
  /** docs/guides/dev.md: it stays, and serves once the mistake is fixed. */
  readonly staysWithoutServer?: true;
  /** `call` is a client in the folder that it runs in. */
  readonly bringsRoots?: true;
  /** Rejects where the server cannot start, with all that was said about it. */
  open(pack: string, operator: Operator): Promise<OpenWay>;
}

export const command = join(root, 'dist/cli/main.js');

/** Nothing of the machine that runs the tests. */
function baseEnv(pack: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    TOOLWRIGHT_CACHE: join(pack, '..', 'cache'),
  };
}

function flagsOf({ overlays = [], mode }: Operator): readonly string[] {
  return [...overlays.flatMap(folder => ['--overlay', folder]), ...(mode === undefined ? [] : ['--mode', mode])];
}

const identity = { name: 'ways', version: '1' };
const answer = { action: 'accept', content: { size: 'M' } } as const;

function makeClient(era: Era, canAsk = true): OldClient | NewClient {
  if (era === '2025') {
    const client = new OldClient(identity, { capabilities: canAsk ? { elicitation: {} } : {} });
    if (canAsk) client.setRequestHandler(ElicitRequestSchema, async () => answer as never);
    return client;
  }
  const versionNegotiation = { mode: { pin: '2026-07-28' } };
  const client = new NewClient(identity, { capabilities: { elicitation: {} }, versionNegotiation } as never);
  client.setRequestHandler('elicitation/create', async () => answer as never);
  return client;
}

function wayOf(client: AnyClient, said: () => string, close: () => Promise<void> = () => client.close()): OpenWay {
  return {
    said,
    async lists() {
      const [tools, prompts, resources, templates] = await Promise.all([
        client.listTools(),
        client.listPrompts(),
        client.listResources(),
        client.listResourceTemplates(),
      ]);
      return {
        info: client.getServerVersion(),
        instructions: client.getInstructions(),
        tools: tools.tools,
        prompts: prompts.prompts,
        resources: resources.resources,
        templates: templates.resourceTemplates,
      };
    },
    call: (name, args) => settle(client.callTool({ name, arguments: args as Record<string, unknown> })),
    prompt: (name, args) => settle(client.getPrompt({ name, arguments: args })),
    read: uri => settle(client.readResource({ uri })),
    close,
  };
}

/** An answer of the protocol that is an error is an answer, too. */
async function settle(asked: Promise<unknown>): Promise<unknown> {
  try {
    return withoutMeta(await asked);
  } catch (error) {
    const { code, message } = error as { readonly code?: number; readonly message: string };
    return { code, message: message.replace(/^MCP error -?\d+: /, '') };
  }
}

/** What an era adds; errors as data, which code has; and the text of all parts, which tests have. */
function withoutMeta(given: unknown): unknown {
  const { _meta, resultType, ttlMs, cacheScope, text, ...result } = given as Record<string, unknown>;
  return result;
}

function overStdio(era: Era, words: (pack: string) => readonly string[], canAsk = true) {
  return async (pack: string, operator: Operator): Promise<OpenWay> => {
    const client = makeClient(era, canAsk);
    const target = {
      command: process.execPath,
      args: [...words(pack), ...flagsOf(operator)],
      cwd: pack,
      env: { ...baseEnv(pack), ...operator.env },
      stderr: 'pipe' as const,
    };
    const wire = era === '2025' ? new OldStdio(target) : new NewStdio(target);
    let said = '';
    (wire.stderr as Readable).setEncoding('utf8').on('data', text => {
      said += text;
    });
    try {
      await (client.connect as (transport: unknown) => Promise<void>).call(client, wire);
    } catch (error) {
      await client.close();
      // The client takes the pipe away before everything is read.
      const { env, cwd } = target;
      const { status, stderr } = spawnSync(process.execPath, target.args, { cwd, env, encoding: 'utf8', input: '' });
      throw new Error(`exit ${status}\n${stderr}\n${String(error)}`);
    }
    return wayOf(client as unknown as AnyClient, () => said);
  };
}

async function overFetch(era: Era, fetch: (request: Request) => Promise<Response>): Promise<AnyClient> {
  const client = makeClient(era);
  const options = { fetch: (url: string | URL, init?: RequestInit) => fetch(new Request(url, init)) };
  const url = new URL('http://localhost/mcp');
  const wire = era === '2025' ? new OldHttp(url, options as never) : new NewHttp(url, options as never);
  await (client.connect as (transport: unknown) => Promise<void>).call(client, wire);
  return client as unknown as AnyClient;
}

function ofRegistry(registry: Pick<Registry, 'list' | 'invoke'>, rest: Omit<OpenWay, 'call'>): OpenWay {
  return {
    lists: async () => ({ tools: registry.list() }),
    async call(name, args) {
      const invoked = await registry.invoke(name, args, { elicit: () => answer });
      if (invoked.result !== undefined) return withoutMeta(invoked.result);
      return invoked.ok ? invoked : { code: invoked.error.code, message: invoked.error.message };
    },
    ...rest,
  };
}

const both: readonly Era[] = ['2025', '2026'];
const forBoth = (name: string, open: (era: Era) => ServerWay['open'], more: Partial<ServerWay> = {}): ServerWay[] =>
  both.map(era => ({ name: `${name}, ${era}`, era, ...more, open: open(era) }));

/** What the pack's own server says about itself, for code that makes the same server. */
export interface SameServer {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly instructions: string;
}

/** In code: what the operator is told goes to `report`, and a mistake is thrown. */
function inCode(open: (pack: string, told: Told) => Promise<OpenWay>): ServerWay['open'] {
  return async (pack, { env = {}, ...operator }) => {
    const lines: string[] = [];
    const said = (): string => lines.join('\n');
    try {
      return await open(pack, { ...operator, env, report: text => void lines.push(text), said });
    } catch (error) {
      throw new Error(`${said()}\n${String(error)}`);
    }
  };
}

interface Told extends Operator {
  readonly env: Readonly<Record<string, string>>;
  report(text: string): void;
  said(): string;
}

const unknownTool = { code: 'UNKNOWN_TOOL', message: 'There is no tool "nothing"' };

export function makeWays(same: SameServer): readonly ServerWay[] {
  const openFetch = (era: Era): ServerWay['open'] =>
    inCode(async (pack, { said, ...operator }) => {
      const server = await createServer({ ...same, ...operator, packs: [pack] });
      const client = await overFetch(era, request => server.fetch(request));
      return wayOf(client, said, async () => {
        await client.close();
        await server.close();
      });
    });
  const openWorker = (era: Era): ServerWay['open'] =>
    inCode(async (pack, { env, report, said }) => {
      // A host starts as many as it likes.
      const module = `${pathToFileURL(join(pack, 'dist/main.worker.mjs')).href}?${Math.random()}`;
      const worker = (await import(module)).default as { fetch(request: Request, env: object): Promise<Response> };
      const { error } = console;
      console.error = report;
      try {
        return wayOf(await overFetch(era, request => worker.fetch(request, env)), said);
      } finally {
        console.error = error;
      }
    });
  return [
    ...forBoth('start', era => overStdio(era, () => [command, 'start'])),
    {
      name: 'start, 2025, for a client that cannot ask',
      era: '2025',
      asksNobody: true,
      open: overStdio('2025', () => [command, 'start'], false),
    },
    ...forBoth('start --protocol sdk', era => overStdio(era, () => [command, 'start', '--protocol', 'sdk'])),
    ...forBoth('dev', era => overStdio(era, () => [command, 'dev', '--format', 'json']), {
      showsCauses: true,
      staysWithoutServer: true,
    }),
    ...forBoth('built folder', era => overStdio(era, pack => [join(pack, 'dist/main.cjs')])),
    ...forBoth('built file', era => overStdio(era, pack => [join(pack, 'single/main.mjs')])),
    ...forBoth('external definitions', era => overStdio(era, pack => [join(pack, 'external/main.cjs')])),
    { name: 'worker, 2025', era: '2025', asksNobody: true, isWorker: true, open: openWorker('2025') },
    { name: 'worker, 2026', era: '2026', isWorker: true, open: openWorker('2026') },
    { name: 'createServer, 2025', era: '2025', asksNobody: true, open: openFetch('2025') },
    { name: 'createServer, 2026', era: '2026', open: openFetch('2026') },
    {
      name: 'registry of createServer',
      era: '2025',
      unknownTool,
      open: inCode(async (pack, { said, ...operator }) => {
        const server = await createServer({ ...same, ...operator, packs: [pack] });
        return ofRegistry(server.registry, { said, close: () => server.close() });
      }),
    },
    {
      name: 'createRegistry',
      era: '2025',
      unknownTool,
      open: inCode(async (pack, { said, ...operator }) => {
        const registry = await createRegistry(pack, operator);
        return ofRegistry(registry, { said, close: () => registry.close() });
      }),
    },
    {
      name: 'createTestClient',
      era: '2025',
      showsCauses: true,
      unknownTool,
      open: inCode(async (pack, { said, ...operator }) => {
        const client = await createTestClient(pack, { ...operator, elicit: () => answer });
        const invoke: Registry['invoke'] = (name, args) => client.call(name, args as object);
        return ofRegistry(
          { list: () => client.tools(), invoke },
          {
            said,
            prompt: (name, args) => settle(client.getPrompt(name, args)),
            read: uri => settle(client.readResource(uri)),
            close: () => client.close(),
          },
        );
      }),
    },
    {
      name: 'call',
      era: '2025',
      showsCauses: true,
      asksNobody: true,
      bringsRoots: true,
      unknownTool: { exit: 2 },
      async open(pack, operator) {
        let said = '';
        const run = (name: string, args: object): unknown => {
          const words = [command, 'call', 'main', name, JSON.stringify(args), '--format', 'json'];
          const env = { ...baseEnv(pack), ...operator.env };
          const ran = spawnSync(process.execPath, [...words, ...flagsOf(operator)], {
            ...{ cwd: pack, env, encoding: 'utf8' },
          });
          said += ran.stderr;
          if (ran.status === 1 && ran.stdout === '') throw new Error(ran.stderr);
          return ran.stdout === '' ? { exit: ran.status } : JSON.parse(ran.stdout);
        };
        run('extra', {});
        return { call: async (name, args) => withoutMeta(run(name, args)), said: () => said, close: async () => {} };
      },
    },
  ];
}
