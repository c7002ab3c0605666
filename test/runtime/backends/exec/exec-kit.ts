// What the tests of programs share: a pack on disk, one call, and programs that are written inside a test.
import { createServer, type Socket } from 'node:net';
import { runCommand } from '../../../../runtime/backends/exec/run-command.js';
import type { BackendScope } from '../../../../runtime/backends/ports.js';
import type { Environment } from '../../../../runtime/call/context/config.js';
import { createRedact } from '../../../../runtime/call/context/secret-forms.js';
import type { UpstreamFailure } from '../../../../runtime/call/upstream-failure.js';
import type { Command } from '../../../../schema/support/mcp/backends.js';
import type { Log } from '../../../../schema/support/mcp/client.js';

export function makeScope(folder: string, env: Environment = process.env, secrets: Record<string, string> = {}) {
  const redact = createRedact(Object.entries(secrets));
  return { folder, env, settings: { values: secrets, redact }, report: () => undefined } satisfies BackendScope;
}

interface Logged {
  readonly level: string;
  readonly message: string;
  readonly data: unknown;
}

export function makeCall(signal: AbortSignal = new AbortController().signal) {
  const logged: Logged[] = [];
  const at = (level: string) => (message: string, data?: unknown) => void logged.push({ level, message, data });
  const [debug, info, notice, warning] = [at('debug'), at('info'), at('notice'), at('warning')];
  const [error, critical, alert, emergency] = [at('error'), at('critical'), at('alert'), at('emergency')];
  const log: Log = { debug, info, notice, warning, error, critical, alert, emergency };
  return { signal, log, logged };
}

/** Node, which runs the code; further arguments are in `process.argv.slice(1)`. */
export function script(code: string, ...args: readonly string[]): Pick<Command, 'command' | 'args'> {
  return { command: process.execPath, args: ['-e', code, '--', ...args] };
}

export function run(command: Command, folder: string = import.meta.dirname): Promise<unknown> {
  return runCommand(command, makeCall(), makeScope(folder));
}

/** What a command fails with. */
export async function failureOf(running: Promise<unknown>): Promise<UpstreamFailure> {
  return running.then(
    value => {
      throw new Error(`it did not fail, but returned ${JSON.stringify(value)}`);
    },
    (error: UpstreamFailure) => error,
  );
}

/** Programs connect to it: a connection tells whether one still lives, which a process id does not where nobody reaps it. */
export interface Lifeline {
  readonly port: number;
  /** The next connection. */
  begun(): Promise<Life>;
  /** Ends the programs that are left. */
  close(): Promise<void>;
}

export interface Life {
  readonly ended: Promise<void>;
  /** Lets the program go on, where it waits for that. */
  release(): void;
}

export async function openLifeline(): Promise<Lifeline> {
  const waiting: ((life: Life) => void)[] = [];
  const come: Life[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => undefined).resume());
    const ended = new Promise<void>(resolve => socket.once('close', () => resolve()));
    const life = { ended, release: () => void socket.write('go') };
    const next = waiting.shift();
    if (next === undefined) come.push(life);
    else next(life);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    port: address.port,
    begun: async () => come.shift() ?? new Promise<Life>(resolve => waiting.push(resolve)),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}

/** Code that connects to a lifeline, and ends with it alone; when it is released it runs more code. */
export function living(port: number, then = ''): string {
  const connection = `require('node:net').connect(${port}, '127.0.0.1').on('error', () => {})`;
  return `${connection}.on('close', () => process.exit()).once('data', () => { ${then} });`;
}

/** Code that starts the same in another process, which shares stdout and cannot be asked to end; detached, it has a session of its own. */
export function startingStubborn(port: number, isDetached = false): string {
  const child = JSON.stringify(`process.on('SIGTERM', () => {}); ${living(port)}`);
  const options = `{ stdio: ['ignore', 'inherit', 'inherit'], detached: ${isDetached} }`;
  return `require('node:child_process').spawn(process.execPath, ['-e', ${child}], ${options}).unref();`;
}
