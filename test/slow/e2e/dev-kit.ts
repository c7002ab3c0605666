// What the tests of `toolwright dev` share: a pack on disk, the real command over stdio or HTTP, a real client of either SDK line
// that stays connected, and the events that the command tells on stderr.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { DevEvent } from '../../../runtime/server/dev/events.js';
import type { AnyClient } from '../../harness/interop-clients.js';

export const command = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

export type Files = Readonly<Record<string, string | undefined>>;

/** `1.x`: 2025-11-25; `2.x`: what both negotiate, 2026-07-28. */
export interface Way {
  readonly line: '1.x' | '2.x';
  readonly transport: 'stdio' | 'http';
}

export const ways: readonly Way[] = (['stdio', 'http'] as const).flatMap(transport => [
  { line: '1.x', transport },
  { line: '2.x', transport },
]);

export interface DevSession {
  readonly pack: string;
  /** Of the command. */
  readonly pid: number;
  readonly client: AnyClient;
  /** Everything told so far. */
  readonly events: readonly DevEvent[];
  /** Lists that the client was told of. */
  readonly told: readonly string[];
  write(files: Files): void;
  /** Writes files and waits for what the command says next. */
  change<E extends DevEvent['event']>(files: Files, event: E): Promise<Extract<DevEvent, { event: E }>>;
  /** The next event of this kind that was not waited for yet. */
  next<E extends DevEvent['event']>(event: E): Promise<Extract<DevEvent, { event: E }>>;
  names(): Promise<readonly string[]>;
  call(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Process ids of what runs handlers; one may be in reserve. */
  workers(): readonly number[];
  stop(): Promise<void>;
}

const sessions: { stop(): Promise<void> }[] = [];
const folders: string[] = [];

export async function endSessions(): Promise<void> {
  for (const session of sessions.splice(0)) await session.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Writes files, and deletes those whose text is undefined. */
export function editFiles(folder: string, files: Files): void {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    if (text === undefined) rmSync(path);
    else writeFileSync(path, text);
  }
}

export function makePack(files: Files): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'toolwright dev é-')));
  folders.push(folder);
  const pack = join(folder, 'my pack');
  editFiles(pack, {
    'toolwright.yaml': '',
    'package.json': '{"name": "demo", "version": "1.0.0", "type": "module"}',
    'mcp/servers/main.yaml': 'description: Main\n',
    ...files,
  });
  return pack;
}

export interface StartOptions {
  readonly way?: Way;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Over HTTP. */
  readonly token?: string;
}

export async function startDev(
  files: Files,
  { way = { line: '1.x', transport: 'stdio' }, args = [], env = {}, token }: StartOptions = {},
): Promise<DevSession> {
  const pack = makePack(files);
  const events: DevEvent[] = [];
  const told: string[] = [];
  const seen = new Map<string, number>();
  let wake: (() => void)[] = [];
  let ended: string | undefined;
  const read = (stream: Readable): void => {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) events.push(JSON.parse(line) as DevEvent);
      for (const go of wake.splice(0)) go();
    });
    stream.on('end', () => {
      ended = JSON.stringify(events);
      for (const go of wake.splice(0)) go();
    });
  };
  const next: DevSession['next'] = async event => {
    for (;;) {
      const all = events.filter(one => one.event === event);
      const index = seen.get(event) ?? 0;
      if (index < all.length) {
        seen.set(event, index + 1);
        return all[index] as never;
      }
      if (ended !== undefined) throw new Error(`dev ended without "${event}": ${ended}`);
      await new Promise<void>(resolve => {
        wake = [...wake, resolve];
      });
    }
  };
  const words = [command, 'dev', '--format', 'json', ...args];
  const whole = { ...(process.env as Record<string, string>), TOOLWRIGHT_CACHE: join(dirname(pack), 'cache'), ...env };
  const listChanged = Object.fromEntries(
    ['tools', 'prompts', 'resources'].map(list => [list, { onChanged: () => told.push(list), debounceMs: 0 }]),
  );
  const identity = { name: 'test', version: '1' };
  const client =
    way.line === '1.x'
      ? new OldClient(identity, { listChanged } as never)
      : new NewClient(identity, { listChanged, versionNegotiation: { mode: 'auto' } } as never);
  let child: ChildProcess | undefined;
  let transport: { readonly pid?: number | null | undefined } | undefined;
  const connect = (wire: unknown): Promise<void> =>
    (client.connect as (transport: unknown) => Promise<void>).call(client, wire);
  if (way.transport === 'stdio') {
    const target = { command: process.execPath, args: words, cwd: pack, env: whole, stderr: 'pipe' as const };
    const wire = way.line === '1.x' ? new OldStdio(target) : new NewStdio(target);
    read(wire.stderr as Readable);
    transport = wire as { readonly pid?: number | null };
    await connect(wire);
  } else {
    child = spawn(process.execPath, [...words, '--http', '0'], {
      cwd: pack,
      env: whole,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // Also where no client gets through.
    sessions.push({ stop: async () => void child?.kill('SIGTERM') });
    read(child.stderr as Readable);
    const url = new URL((await next('listening')).url);
    const init = token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };
    await connect(way.line === '1.x' ? new OldHttp(url, init) : new NewHttp(url, init));
  }
  const pid = (): number => child?.pid ?? transport?.pid ?? 0;
  const any = client as unknown as AnyClient;
  const session: DevSession = {
    pack,
    pid: pid(),
    client: any,
    events,
    told,
    write: more => editFiles(pack, more),
    async change(more, event) {
      editFiles(pack, more);
      return await next(event);
    },
    next,
    names: async () => (await any.listTools()).tools.map(({ name }) => name),
    async call(name, given = {}) {
      const { content } = await any.callTool({ name, arguments: given });
      return (content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join();
    },
    workers: () => childrenOf(pid()),
    async stop() {
      await any.close().catch(() => undefined);
      if (child !== undefined && child.exitCode === null) {
        const exit = new Promise(resolve => child.once('exit', resolve));
        child.kill('SIGTERM');
        await exit;
      }
    },
  };
  sessions.push(session);
  return session;
}

/** Processes whose parent it is and that run handlers. */
function childrenOf(pid: number): readonly number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap(line => {
    const [, child, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === pid && args.includes('dev-worker') ? [Number(child)] : [];
  });
}

/** A tool without parameters, and what it answers. */
export function toolOf(name: string, answer: string, description = name): Files {
  return {
    [`mcp/tools/${name}.yaml`]: `description: ${description}\n`,
    [`src/tools/${name}.ts`]: `export default (): string => ${JSON.stringify(answer)};\n`,
  };
}
