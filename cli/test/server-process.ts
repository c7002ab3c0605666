// In: how to start a server. Out: a client on its pipes, as an MCP client would have it: a process of its own, spoken to by lines.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { keepTail, readLines } from '../../runtime/packs/child-output.js';
import type { Wire } from '../../runtime/packs/list-entries.js';
import { type Answer, NoAnswer, type TestSession } from '../../runtime/server/examples/run-tests.js';
import { isMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';

export interface ServerCommand {
  /** Of this command line: `start` and what follows. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The folder that the client says its user works in. */
  readonly root: string;
}

export interface ServerProcess extends TestSession {
  readonly isOver: boolean;
  /** What the server wrote to stderr since this was last asked. */
  takeLog(): string;
  close(): Promise<void>;
}

/** No server, and what it said about that. */
export class FailedStart extends NoAnswer {
  readonly log: string;

  constructor(message: string, log: string) {
    super(message);
    this.log = log;
  }
}

const startTimeoutMs = 30_000;
const exitGraceMs = 6_000;

/** Node with this very command line tool, so that tests run what is installed. */
export function spawnSelf({ args, cwd, env }: Omit<ServerCommand, 'root'>): ChildProcessWithoutNullStreams {
  const [, self = ''] = process.argv;
  return spawn(process.execPath, [...process.execArgv, self, ...args], { cwd, env, stdio: 'pipe' });
}

export async function openProcess(command: ServerCommand): Promise<ServerProcess> {
  const child = spawnSelf(command);
  const pending = new Map<number, (answer: Answer | NoAnswer) => void>();
  let lastId = 0;
  let question: string | undefined;
  let end: NoAnswer | undefined;
  // A server that is busy would not notice that nobody is there any more.
  const stop = (): void => {
    child.kill('SIGKILL');
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const exited = new Promise<void>(resolve => {
    const finish = (reason: string): void => {
      end ??= new NoAnswer(reason);
      for (const settle of pending.values()) settle(end);
      pending.clear();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
      resolve();
    };
    child.once('error', error => finish(`the server cannot be started: ${error.message}`));
    child.once('close', (code, signal) => finish(`the server ended with ${signal ?? `exit code ${code}`}`));
  });
  // A server that is gone shows by its end.
  child.stdin.on('error', () => {});
  const log = keepTail(child.stderr);
  readLines(child.stdout, receive);

  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  function receive(line: string): void {
    const message = parseJson(line);
    if (!isMap(message)) return;
    const { id, method, result, error } = message;
    if (typeof method === 'string') {
      if (id !== undefined) send({ id, ...answerServer(method, isMap(message['params']) ? message['params'] : {}) });
      return;
    }
    const settle = pending.get(Number(id));
    pending.delete(Number(id));
    settle?.(
      isMap(error)
        ? { problem: { code: Number(error['code']), message: String(error['message']), data: error['data'] } }
        : { result: isMap(result) ? result : {} },
    );
  }

  /** A user who agrees to what needs no answer beyond yes, or to what has an answer already. */
  function answerServer(method: string, params: Wire): object {
    if (method === 'ping') return { result: {} };
    if (method === 'roots/list') return { result: { roots: [{ uri: pathToFileURL(command.root).href }] } };
    if (method !== 'elicitation/create') return { error: { code: -32601, message: `${method} is not supported` } };
    const content = defaultsOf(params['requestedSchema']);
    if (content !== undefined) return { result: { action: 'accept', content } };
    question ??= String(params['message']);
    return { result: { action: 'cancel' } };
  }

  const server: ServerProcess = {
    get isOver() {
      return end !== undefined;
    },
    unanswered: () => question,
    takeLog: () => log.take(),
    async request(method, params, { timeoutMs = startTimeoutMs } = {}) {
      if (end !== undefined) throw end;
      question = undefined;
      lastId += 1;
      const id = lastId;
      const answer = await new Promise<Answer | NoAnswer>(resolve => {
        const timer = setTimeout(() => {
          pending.delete(id);
          // Whatever keeps it busy would be in the way of the next test too.
          child.kill('SIGKILL');
          end ??= new NoAnswer('the server was stopped');
          resolve(new NoAnswer(`the server was silent for ${timeoutMs / 1000} s`));
        }, timeoutMs);
        pending.set(id, one => {
          clearTimeout(timer);
          resolve(one);
        });
        send({ id, method, params });
      });
      if (answer instanceof NoAnswer) throw answer;
      return answer;
    },
    async close() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), exitGraceMs);
      await exited;
      clearTimeout(timer);
    },
  };
  const clientInfo = { name: 'toolwright test', version: '1' };
  const capabilities = { elicitation: { form: {} }, roots: {} };
  try {
    await server.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
  } catch (error) {
    child.kill('SIGKILL');
    await exited;
    if (!(error instanceof NoAnswer)) throw error;
    throw new FailedStart(
      error.message.replace('the server ended', 'the server does not start: it ended'),
      log.text().trim(),
    );
  }
  send({ method: 'notifications/initialized' });
  return server;
}

/** Undefined where somebody would have to think. */
function defaultsOf(schema: unknown): Wire | undefined {
  if (!isMap(schema) || !isMap(schema['properties'])) return {};
  const content: Record<string, unknown> = {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const [name, property] of Object.entries(schema['properties'])) {
    if (isMap(property) && Object.hasOwn(property, 'default')) content[name] = property['default'];
    else if (required.includes(name)) return undefined;
  }
  return content;
}
