// In: an artifact and the lists that its manifests give. Out: diagnostics where the running artifact lists anything else. It is started
// in an empty folder, with nothing but Node.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { answerStatic, type Handshake } from '../../runtime/protocol/handshake.js';
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { inTemporaryFolder } from './temporary-folder.js';

export interface Verification {
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

export const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'] as const;

export async function verifyArtifact({
  server,
  entry,
  handshake,
}: Omit<Verification, 'externals'>): Promise<readonly Diagnostic[]> {
  const site = startOf('toolwright.yaml');
  try {
    return await inTemporaryFolder(compare);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [diagnose('build/no-start', { server, reason }, site)];
  }

  async function compare(folder: string): Promise<readonly Diagnostic[]> {
    const wanted = lists.filter(method => answerStatic(handshake, method, {}, 'legacy') !== undefined);
    const methods = ['initialize', ...wanted];
    // As clients will meet it, and once more with nothing prepared.
    for (const flags of [[], ['--lane', 'sdk']]) {
      const live = await ask(entry, folder, methods, flags);
      const wrong = methods.flatMap((method, index) => {
        const expected = answerStatic(handshake, method, paramsOf(method), 'legacy', true) ?? 'null';
        const reason = differenceOf(JSON.parse(expected), live[index]);
        return reason === undefined ? [] : [diagnose('build/mismatch', { server, list: method, reason }, site)];
      });
      if (wrong.length > 0) return wrong;
    }
    return [];
  }
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
    let rest = '';
    let log = '';
    const fail = (reason: string): void => reject(new Error(log === '' ? reason : `${reason}\n${log.trimEnd()}`));
    child.once('error', error => fail(error.message));
    child.once('close', code => {
      clearTimeout(timer);
      fail(`it ended with ${code}`);
    });
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-mostLog);
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const message = parse(line);
        if (message === undefined) return fail(`it prints ${JSON.stringify(line.slice(0, 200))}`);
        results.set(message['id'], message['result'] ?? message['error']);
      }
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

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return isMap(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The first name that differs, where both have lists. */
export function differenceOf(expected: unknown, live: unknown): string | undefined {
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
