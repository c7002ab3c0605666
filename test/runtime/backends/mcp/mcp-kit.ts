// What the tests of other servers share: backends that are closed after each test, one call, and calls in rounds.
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { type OpenMcpBackend, openMcp } from '../../../../runtime/backends/mcp/open-mcp.js';
import type { BackendScope, CallScope } from '../../../../runtime/backends/ports.js';
import { Questions } from '../../../../runtime/call/context/questions.js';
import { createSeal } from '../../../../runtime/call/context/seal.js';
import { createRedact } from '../../../../runtime/call/context/secret-forms.js';
import type { Asking, CallServices, Request } from '../../../../runtime/call/ports.js';
import { LeftBehind } from '../../../../runtime/call/time-limit.js';
import type { McpBackendDefinition } from '../../../../schema/definitions.js';
import type { McpBackend } from '../../../../schema/support/mcp/backends.js';
import { makeRequest } from '../../call/call-kit.js';
import { makeCall as makeLogs } from '../exec/exec-kit.js';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Runs at the end of the test. */
export function later(close: () => Promise<unknown> | unknown): void {
  closing.push(close);
}

export interface Opened extends OpenMcpBackend {
  readonly reports: string[];
  readonly changes: string[];
}

export interface OpenOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly env?: BackendScope['env'];
}

export function open(definition: Omit<McpBackendDefinition, 'type'>, options: OpenOptions = {}): Opened {
  const reports: string[] = [];
  const changes: string[] = [];
  const { config = {}, secrets = {}, env = process.env } = options;
  const scope: BackendScope = {
    folder: import.meta.dirname,
    settings: { values: { ...config, ...secrets }, redact: createRedact(Object.entries(secrets)) },
    env,
    report: text => reports.push(text),
    notify: {
      toolsChanged: () => changes.push('tools'),
      promptsChanged: () => changes.push('prompts'),
      resourcesChanged: () => changes.push('resources'),
      resourceUpdated: uri => changes.push(uri),
    },
  };
  const backend = openMcp('other', { type: 'mcp', ...definition }, scope);
  later(() => backend.close());
  return { ...backend, reports, changes };
}

/** A server of this folder, as a process. */
export function program(file: string, ...args: readonly string[]): { readonly command: readonly string[] } {
  return { command: [process.execPath, fileURLToPath(new URL(file, import.meta.url)), ...args] };
}

export interface MadeCall extends CallScope {
  readonly logged: ReturnType<typeof makeLogs>['logged'];
  readonly steps: unknown[];
}

export function makeCall(
  parts: Partial<Omit<CallScope, 'request'>> & { readonly request?: Partial<Request> } = {},
): MadeCall {
  const steps: unknown[] = [];
  const { log, logged, signal } = makeLogs(parts.signal);
  const progress = (...step: unknown[]): void => void steps.push(step);
  const request = { ...makeRequest(), ...parts.request };
  return { log, logged, questions: undefined, progress, ...parts, signal, request, steps };
}

export const able = { name: 'test', version: '1', capabilities: { elicitation: {}, sampling: {}, roots: {} } };
const services = {
  seal: createSeal({ key: 'a key for the tests of calls, long enough', now: Date.now }),
  roots: [{ uri: 'file:///operator' }],
} as unknown as CallServices;

export type Round<T> = { readonly result: T } | { readonly asking: Asking } | { readonly error: unknown };

/** One round of a call: what it comes to, or what it asks. The handler is left behind as in a real call. */
export function runRound<T>(
  backend: OpenMcpBackend,
  run: (client: McpBackend) => Promise<T>,
  parts: Partial<Request> = {},
): Promise<Round<T>> {
  const request = { ...makeRequest(), client: able, ...parts };
  const questions = new Questions({ subject: 'tool:t', name: 't', args: {}, request, services, single: false });
  const controller = new AbortController();
  const call = makeCall({ questions, signal: controller.signal, request });
  return new Promise(resolve => {
    questions.onSuspended(() => {
      const asking = questions.asking();
      controller.abort(new LeftBehind());
      if (asking !== undefined) resolve({ asking });
    });
    run(backend.of(call)).then(
      result => resolve({ result }),
      (error: unknown) => resolve({ error }),
    );
  });
}

/** Answers everything until there is a result. */
export async function runRounds<T>(
  backend: OpenMcpBackend,
  run: (client: McpBackend) => Promise<T>,
  answer: (asking: Asking) => Record<string, unknown>,
): Promise<T> {
  let request: Partial<Request> = {};
  for (;;) {
    const round = await runRound(backend, run, request);
    if ('result' in round) return round.result;
    if ('error' in round) throw round.error;
    request = { answers: answer(round.asking), state: round.asking.state };
  }
}

/** Waits until it holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 5));
}
