// What two packs that differ in one key show: diagnostics, lists, answers to requests, docs and generated files, each as text.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generate } from '../../../generator/compile/generate.js';
import { printMarkdown } from '../../../generator/docs/markdown.js';
import { makeReference } from '../../../generator/docs/reference.js';
import { checkPack } from '../../../runtime/index.js';
import { load } from '../../../runtime/load/load.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import type { Files } from '../../harness/pack.js';
import { connectRaw, envelope, request } from '../../runtime/serve/serve-pipes.js';
import { type Handlers, serve } from '../../runtime/surface/surface-pack.js';

type Json = Readonly<Record<string, unknown>>;

/** The manifests of a pack as data, and files beside them. */
export interface Manifests {
  readonly pack?: Json;
  readonly server?: Json;
  readonly tool?: Json;
  readonly prompt?: Json;
  readonly resource?: Json;
  /** Patches of the tool, the server and the resource. */
  readonly overlay?: { readonly tool?: Json; readonly server?: Json; readonly resource?: Json };
  readonly files?: Files;
}

const command = join(import.meta.dirname, '../../../dist/cli/main.js');

/** A request that both packs get, as method and params. */
export type Asked = readonly [method: string, params: Json];

const views = ['diagnostics', 'lists', 'answers', 'docs', 'generated'] as const;
export type View = (typeof views)[number];

export interface Circumstances {
  readonly handlers?: Handlers;
  readonly asked?: readonly Asked[];
  /** What the client can do. */
  readonly capabilities?: Json;
  readonly era?: '2025' | '2026';
  readonly mode?: string;
}

export function filesOf({ pack, server, tool, prompt, resource, files }: Manifests): Files {
  const print = (value: unknown): string => JSON.stringify(value, null, 1);
  return {
    'toolwright.yaml': print({ name: 'acme/demo', version: '1.0.0', ...pack }),
    'mcp/servers/s.json': print({ description: 'The server', ...server }),
    'mcp/tools/t.json': print({ description: 'The tool', ...tool }),
    'mcp/prompts/p.json': print({ description: 'The prompt', ...(prompt ?? { text: 'Hello' }) }),
    'mcp/resources/r.json': print({ description: 'The resource', ...(resource ?? { uri: 'doc://r', text: 'Rules' }) }),
    ...files,
  };
}

/** The folder that patches them. */
export function overlayOf({ overlay: { tool, server, resource } = {} }: Manifests): Files {
  const patches = { 'tools/t.json': tool, 'servers/s.json': server, 'resources/r.json': resource };
  return Object.fromEntries(
    Object.entries(patches).flatMap(([path, patch]) => (patch === undefined ? [] : [[path, JSON.stringify(patch)]])),
  );
}

export async function observe(view: View, manifests: Manifests, circumstances: Circumstances): Promise<string> {
  const files = filesOf(manifests);
  const overlay = overlayOf(manifests);
  const overlays = [memoryFolder(overlay, '/overlay')];
  switch (view) {
    case 'diagnostics': {
      const { diagnostics } = await checkPack(memoryFolder(files), { overlays });
      return diagnostics.map(({ code, severity, message }) => `${severity} ${code} ${message}`).join('\n');
    }
    case 'lists':
    case 'answers':
      return await answersOf(view, files, { ...circumstances, overlay });
    case 'docs': {
      const { program } = load(memoryFolder(files), { overlays });
      return program === undefined ? '' : printMarkdown(makeReference(program));
    }
    case 'generated':
      return await generatedBy(files);
  }
}

const lists: readonly Asked[] = [
  ['tools/list', {}],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
];

async function answersOf(
  view: 'lists' | 'answers',
  files: Files,
  given: Circumstances & { readonly overlay: Files },
): Promise<string> {
  const { handlers = {}, asked = [], capabilities = {}, era = '2025', mode, overlay } = given;
  const { surface } = serve(files, { handlers, overlays: [overlay], ...(mode !== undefined && { mode }) });
  const client = connectRaw(surface);
  const said: unknown[] = [];
  if (era === '2025') said.push((await client.initialize(capabilities)).result);
  const _meta = { ...envelope, 'io.modelcontextprotocol/clientCapabilities': capabilities };
  for (const [index, [method, params]] of (view === 'lists' ? lists : asked).entries()) {
    client.send(request(index, method, era === '2026' ? { ...params, _meta } : params));
    const { result, error } = await client.answer(index);
    said.push(result ?? error);
  }
  client.input.end();
  await client.connection.closed;
  // Ids of failures are made up anew each time.
  return JSON.stringify(said, null, 1).replaceAll(/\([0-9a-f]{8}\)/g, '(id)');
}

/** Hashes tell of every difference, also of one that changes nothing else, and so prove nothing. */
async function generatedBy(files: Files): Promise<string> {
  const { operations } = await onDisk(files, folder => generate(folder));
  return operations
    .filter(({ path }) => !path.endsWith('.toolwright.json') && !path.endsWith('.map'))
    .map(operation => `${operation.path}\n${'text' in operation ? operation.text : ''}`)
    .join('\n')
    .replaceAll(/[0-9a-f]{16,64}|[A-Za-z0-9_-]{43}=?/g, 'hash');
}

/** Runs something in a folder that has the files. */
async function onDisk<T>(files: Files, run: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-keys-')));
  try {
    for (const [path, content] of Object.entries(files)) {
      if (typeof content !== 'string') throw new Error(`${path} is not a string`);
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a command prints and how it ends; stdin is closed. */
export async function printed(files: Files, words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return await onDisk(files, async folder => {
    const child = spawn(process.execPath, [command, ...words], {
      cwd: folder,
      env: { ...process.env, HOME: folder, ...env },
    });
    child.stdin.end();
    const ended = new Promise(resolve => child.on('close', resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return `${out}${err}${await ended}`.replaceAll(folder, '.');
  });
}

/** What a server says over HTTP, from a process of its own; its address without the port comes first. */
export async function servedOverHttp(
  files: Files,
  ask: (url: string) => Promise<unknown>,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  return await onDisk(files, async folder => {
    const child = spawn(process.execPath, [command, 'start', '--insecure'], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    const ended = new Promise(resolve => child.on('exit', resolve));
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let said = '';
        child.stderr.on('data', chunk => {
          said += String(chunk);
          const [address] = /http:\/\/\S+/.exec(said) ?? [];
          if (address !== undefined) resolve(address);
        });
        child.on('exit', () => reject(new Error(said)));
      });
      return JSON.stringify([url, await ask(url)]);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  });
}
