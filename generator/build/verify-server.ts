// In: a built server and the lists that its manifests give. Out: diagnostics where the running server lists anything else. It is started
// in an empty folder, with nothing but Node.

import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'esbuild';
import { loadEsbuild } from '../../runtime/call/handlers/load-esbuild.js';
import { codeOf } from '../../runtime/load/folder.js';
import { keepTail, readLines } from '../../runtime/packs/child-output.js';
import { answerStatic, type Handshake } from '../../runtime/protocol/handshake.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';

interface Verification {
  readonly server: string;
  /** Absolute. */
  readonly entry: string;
  /** What clients must get. */
  readonly handshake: Handshake;
  /** What is not inside. */
  readonly externals: readonly string[];
}

/** A server that says nothing for so long will not. */
const patienceMs = 30_000;
/** What it printed is shown from its end. */
const mostLog = 2000;

const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'] as const;

export async function verifyServer({
  server,
  entry,
  handshake,
}: Omit<Verification, 'externals'>): Promise<readonly Diagnostic[]> {
  const wanted = lists.filter(method => answerStatic(handshake, method, {}, 'legacy') !== undefined);
  const methods = ['initialize', ...wanted];
  return await inFolderOf(server, async folder => {
    // As clients will meet it, and once more with nothing prepared.
    for (const flags of [[], ['--protocol', 'sdk']]) {
      const live = await ask(entry, folder, methods, flags);
      const expected = flags.length === 0 ? handshake : withoutTasks(handshake);
      const wrong = findMismatches(server, methods, live, method =>
        answerStatic(expected, method, paramsOf(method), 'legacy', true),
      );
      if (wrong.length > 0) return wrong;
    }
    return [];
  });
}

/** T1: what the SDK serves, which knows nothing of tasks. */
function withoutTasks({ tasks, ...rest }: Handshake): Handshake {
  const { tools } = rest.lists;
  if (tasks === undefined || tools === undefined) return rest;
  const pieces = tools.pieces.map(piece => {
    const { relay } = piece;
    const plain = { ...piece, text: withoutExecution(piece.text) };
    return relay === undefined ? plain : { ...plain, relay: { ...relay, text: withoutExecution(relay.text) } };
  });
  return { ...rest, lists: { ...rest.lists, tools: { ...tools, pieces } } };
}

function withoutExecution(text: string): string {
  const { execution: _, ...entry } = JSON.parse(text) as { execution?: unknown };
  return JSON.stringify(entry);
}

/** Runs a comparison in an empty folder; that it cannot be made is a diagnostic. */
async function inFolderOf(
  server: string,
  compare: (folder: string) => Promise<readonly Diagnostic[]>,
): Promise<readonly Diagnostic[]> {
  try {
    return await inTemporaryFolder(compare);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [diagnose('build/no-start', { server, reason }, startOf('toolwright.yaml'))];
  }
}

function findMismatches(
  server: string,
  methods: readonly string[],
  live: readonly unknown[],
  expectedOf: (method: string) => string | undefined,
): readonly Diagnostic[] {
  return methods.flatMap((list, index) => {
    const reason = differenceOf(JSON.parse(expectedOf(list) ?? 'null'), live[index]);
    return reason === undefined
      ? []
      : [diagnose('build/mismatch', { server, list, reason }, startOf('toolwright.yaml'))];
  });
}

function paramsOf(method: string): object {
  if (method !== 'initialize') return {};
  return { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'toolwright-build', version: '0' } };
}

/** The results of some requests, in their order. */
function ask(
  entry: string,
  cwd: string,
  methods: readonly string[],
  flags: readonly string[],
): Promise<readonly unknown[]> {
  const child = spawn(process.execPath, [entry, '--stdio', '--no-initialize', '--quiet', ...flags], {
    cwd,
    env: { PATH: '' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return new Promise<readonly unknown[]>((resolve, reject) => {
    const timer = setTimeout(() => fail('it gives no answer'), patienceMs);
    const results = new Map<unknown, unknown>();
    const log = keepTail(child.stderr, mostLog);
    const fail = (reason: string): void => reject(new Error(`${reason}\n${log.text()}`.trimEnd()));
    child.once('error', error => fail(error.message));
    child.once('close', code => {
      clearTimeout(timer);
      fail(`it ended with ${code}`);
    });
    child.stdin.on('error', () => undefined);
    readLines(child.stdout, line => {
      const message = parseJson(line);
      if (!isMap(message)) return fail(`it prints ${JSON.stringify(line.slice(0, 200))}`);
      results.set(message['id'], message['result'] ?? message['error']);
      if (methods.every((_, index) => results.has(index))) resolve(methods.map((_, index) => results.get(index)));
    });
    send(child, methods);
  }).finally(() => end(child));
}

function send({ stdin }: ChildProcessByStdio<Writable, Readable, Readable>, methods: readonly string[]): void {
  const [first, ...others] = methods.map((method, id) => ({ jsonrpc: '2.0', id, method, params: paramsOf(method) }));
  const messages = [first, { jsonrpc: '2.0', method: 'notifications/initialized' }, ...others];
  stdin.write(messages.map(message => `${JSON.stringify(message)}\n`).join(''));
}

async function end(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = new Promise(resolve => child.once('close', resolve));
  child.kill('SIGKILL');
  await closed;
}

/** The first name that differs, where both have lists. */
function differenceOf(expected: unknown, live: unknown): string | undefined {
  if (isDeepStrictEqual(expected, live)) return undefined;
  if (!isMap(expected) || !isMap(live)) return `it answers ${JSON.stringify(live)?.slice(0, 200)}`;
  for (const [key, value] of Object.entries(expected)) {
    const other = live[key];
    if (isDeepStrictEqual(value, other)) continue;
    if (!Array.isArray(value) || !Array.isArray(other)) return `${key} differs`;
    const index = value.findIndex((one, at) => !isDeepStrictEqual(one, other[at]));
    const entry: unknown = value[index] ?? other[value.length];
    const name = isMap(entry) ? (entry['name'] ?? entry['uri']) : undefined;
    return `${key} differ at ${JSON.stringify(name ?? index)}`;
  }
  return 'it says more than it should';
}

// In: a worker and the lists that its manifests give. Out: diagnostics where the module answers anything else. It is loaded by a Node
// that makes no code from texts, in an empty folder, and asked as a host asks it.

const mostBytes = 256 * 1024 * 1024;

/** Without `initialize`, which may need what only the host has. */
function renderScript(url: string, methods: readonly string[]): string {
  return [
    "import { writeFileSync } from 'node:fs';",
    `const { default: worker } = await import(${JSON.stringify(url)});`,
    "const describe = worker[Symbol.for('toolwright/describe')];",
    `writeFileSync(1, JSON.stringify(${JSON.stringify(methods)}.map(describe)));`,
  ].join('\n');
}

export async function verifyWorker({
  server,
  entry,
  handshake,
  externals,
}: Verification): Promise<readonly Diagnostic[]> {
  const wanted = lists.filter(method => answerStatic(handshake, method, {}, 'modern') !== undefined);
  return await inFolderOf(server, async folder => {
    const file = externals.every(isBuiltin) ? entry : await standIn(entry, join(folder, 'worker.mjs'));
    const live = JSON.parse(await runWorker(pathToFileURL(file).href, wanted, folder)) as readonly unknown[];
    return findMismatches(server, wanted, live, method => answerStatic(handshake, method, {}, 'modern'));
  });
}

/** Stands for anything: it can be called, made, extended and looked into. */
const anything = `module.exports = new Proxy(class {}, {
  get: (target, key) => key === 'then' || key === '__esModule' || typeof key === 'symbol' ? undefined : key === 'prototype' ? target.prototype : module.exports,
  apply: () => module.exports,
  construct: () => module.exports,
});`;

/** The same worker for a host that has not what only workers have: `cloudflare:workers`, or WebAssembly as a module. */
async function standIn(entry: string, outfile: string): Promise<string> {
  const { build } = loadEsbuild();
  const plugin: Plugin = {
    name: 'toolwright-stand-in',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path, kind }) => {
        if (kind === 'entry-point') return undefined;
        return isBuiltin(path) ? { path, external: true } : { path, namespace: 'anything' };
      });
      onLoad({ filter: /./, namespace: 'anything' }, () => ({ contents: anything }));
    },
  };
  const plugins = [plugin];
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', logLevel: 'silent', plugins });
  return outfile;
}

function runWorker(url: string, methods: readonly string[], cwd: string): Promise<string> {
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module'];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [...flags, '--eval', renderScript(url, methods)],
      { cwd, env: { PATH: '' }, timeout: patienceMs, maxBuffer: mostBytes },
      (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(stderr.slice(-2000) || error.message)),
    );
  });
}

// A folder that exists only while it is needed.

/** The error names what the user can set: the system's own names a folder that nobody knows. */
async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeFolder();
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'toolwright-build-'));
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be written (${codeOf(error)})`;
    throw new Error(`the folder for temporary files ${why}: ${tmpdir()} (set TMPDIR)`, { cause: error });
  }
}
