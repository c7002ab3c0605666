// What the tests of the context share: a pack in memory, a client that answers, and the loop of rounds that calls are.

import { findUnmetRequirement } from '../../../runtime/call/context/capabilities.js';
import { readConfig } from '../../../runtime/call/context/config.js';
import { confirmCall } from '../../../runtime/call/context/confirm.js';
import { createToolContext, createToolQuestions } from '../../../runtime/call/context/create-context.js';
import { RelayQuestion } from '../../../runtime/call/context/relay.js';
import { createSeal } from '../../../runtime/call/context/seal.js';
import type {
  Asking,
  CallServices,
  LogLevel,
  PackHost,
  Question,
  Request,
  ServedTool,
} from '../../../runtime/call/ports.js';
import type { Program } from '../../../runtime/load/program.js';
import type { CallToolResult, ToolContext } from '../../../schema/support.js';
import { loadFiles } from '../../harness/pack.js';

export interface Stage {
  readonly served: ServedTool;
  readonly services: CallServices;
  /** Lines for the operator. */
  readonly reported: string[];
}

export interface StageOptions {
  /** The definition of the tool `t`. */
  readonly tool?: string;
  /** toolwright.yaml. */
  readonly manifest?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly app?: () => Promise<unknown>;
  readonly services?: Partial<CallServices>;
}

export function programOf(manifest: string, tool: string): Program {
  const { program, diagnostics } = loadFiles({ 'toolwright.yaml': manifest, 'mcp/tools/t.yaml': tool });
  const broken = diagnostics.filter(({ severity }) => severity === 'error');
  if (program === undefined || broken.length > 0) throw new Error(broken.map(({ message }) => message).join('; '));
  return program;
}

export function setStage(options: StageOptions = {}): Stage {
  const program = programOf(options.manifest ?? 'name: acme/shop\n', options.tool ?? 'description: Orders.\n');
  const [tool] = program.tools;
  if (tool === undefined) throw new Error('the pack has no tool');
  const { settings } = readConfig(program.pack.config, options.env ?? {}, program.pack.at);
  const unused = (): never => {
    throw new Error('not part of these tests');
  };
  const host: PackHost = {
    program,
    settings,
    load: unused,
    validators: unused,
    app: options.app ?? (async () => undefined),
    initialize: unused,
    close: async () => undefined,
  };
  const reported: string[] = [];
  const services: CallServices = {
    seal: createSeal({ now: Date.now }),
    strictArguments: false,
    showCauses: false,
    report: text => reported.push(text),
    call: unused,
    render: text => text,
    ...options.services,
  };
  return { served: { tool, name: tool.name, host, options: {} }, services, reported };
}

export const nobody = { name: 'test', version: '1', capabilities: {} };
export const everything = {
  name: 'test',
  version: '1',
  capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
};

export function makeRequest(given: Partial<Request> = {}): Request {
  return {
    id: 1,
    signal: new AbortController().signal,
    client: everything,
    auth: undefined,
    principal: 'alice',
    answers: {},
    state: undefined,
    notify: {
      toolsChanged: () => undefined,
      promptsChanged: () => undefined,
      resourcesChanged: () => undefined,
      resourceUpdated: () => undefined,
    },
    log: (_level: LogLevel) => false,
    progress: () => undefined,
    ...given,
  };
}

export type Handler = (args: Record<string, unknown>, ctx: ToolContext) => unknown;
export type Ended = { readonly result: unknown } | { readonly asking: Asking };

/** One round as a call runs it: confirm, then the handler, until it ends or waits for an answer. */
export async function runRound(stage: Stage, handler: Handler, request: Request, args: unknown = {}): Promise<Ended> {
  const { served, services } = stage;
  const questions = createToolQuestions({ served, args, request, services });
  const confirmed = await confirmCall(served, args, request, questions);
  if (!confirmed.proceed) {
    const asking = questions.asking();
    return asking === undefined ? { result: confirmed.result } : { asking };
  }
  const { signal } = request;
  const missing = findUnmetRequirement(served, request);
  if (missing !== undefined) throw missing;
  const app = await served.host.app();
  const ctx = createToolContext({ served, args, request, services, signal, questions, errors: {} }, app);
  const ran = (async (): Promise<Ended> => {
    try {
      return { result: await handler(confirmed.args as Record<string, unknown>, ctx) };
    } catch (error) {
      if (error instanceof RelayQuestion) return { result: error.text };
      throw error;
    }
  })();
  const asked = new Promise<void>(resolve => questions.onSuspended(resolve)).then((): Ended => {
    const asking = questions.asking();
    if (asking === undefined) throw new Error('suspended without a question');
    return { asking };
  });
  return await Promise.race([ran, asked]);
}

export interface Played {
  readonly result: unknown;
  /** The questions of each round, in order. */
  readonly rounds: readonly Readonly<Record<string, Question>>[];
  readonly states: readonly string[];
}

export type Answer = (key: string, question: Question) => unknown;

/** Calls until there is a result, as clients do: each round brings the answers of that round only, and the last state. */
export async function play(
  stage: Stage,
  handler: Handler,
  answer: Answer,
  given: { readonly request?: Partial<Request>; readonly args?: unknown } = {},
): Promise<Played> {
  const rounds: Readonly<Record<string, Question>>[] = [];
  const states: string[] = [];
  let next: Partial<Request> = {};
  for (let round = 0; round < 10; round += 1) {
    const ended = await runRound(stage, handler, makeRequest({ ...given.request, ...next }), given.args);
    if ('result' in ended) return { result: ended.result, rounds, states };
    const { questions, state } = ended.asking;
    rounds.push(questions);
    states.push(state);
    const answers = Object.entries(questions).flatMap(([key, question]) => {
      const given = answer(key, question);
      return given === undefined ? [] : [[key, given] as const];
    });
    next = { state, answers: Object.fromEntries(answers) };
  }
  throw new Error('the call asks forever');
}

export const accept = (content: Readonly<Record<string, unknown>> = {}): unknown => ({ action: 'accept', content });

export function textOf(result: unknown): string {
  const { content } = result as CallToolResult;
  return content.map(block => (block.type === 'text' ? block.text : '')).join('');
}
