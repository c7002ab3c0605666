// What the tests of calls share: a pack written inside the test, its tools with handlers given as functions, a desk and a request.

import { compileValidators } from '../../../runtime/call/compile-validators.js';
import { type Environment, readConfig } from '../../../runtime/call/context/config.js';
import { createSeal } from '../../../runtime/call/context/seal.js';
import { errorKey, type FailureBody } from '../../../runtime/call/failure.js';
import type { CallServices, Outcome, PackHost, Request, ServedTool, Validators } from '../../../runtime/call/ports.js';
import type { Tool } from '../../../runtime/load/program.js';
import { callTool } from '../../../runtime/surface/call-tool.js';
import { hasErrors } from '../../../schema/diagnostics.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';
import type { ToolContext } from '../../../schema/support/mcp/context.js';
import { type Files, loadFiles } from '../../harness/pack.js';

export type Handler = (args: Record<string, unknown>, ctx: ToolContext) => unknown;

export interface Kit {
  readonly served: ServedTool;
  readonly services: CallServices;
  readonly host: PackHost;
  /** What the operator was told. */
  readonly reports: string[];
  /** Calls the tool and waits for its result; fails where it asks something. */
  call(args?: unknown, request?: Partial<Request>): Promise<CallToolResult>;
  outcome(args?: unknown, request?: Partial<Request>): Promise<Outcome<CallToolResult>>;
  /** Calls a tool that is expected to fail; the error as clients read it. */
  fail(args?: unknown, request?: Partial<Request>): Promise<FailureBody>;
}

export interface KitOptions {
  readonly handler?: Handler;
  readonly manifest?: string;
  readonly env?: Environment;
  readonly services?: Partial<CallServices>;
  readonly host?: Partial<PackHost>;
}

/** One tool `t` from its definition in YAML. */
export function makeKit(definition: string, options: KitOptions = {}): Kit {
  const files: Files = { 'toolwright.yaml': options.manifest ?? '', 'mcp/tools/t.yaml': definition };
  const { program, diagnostics } = loadFiles(files);
  const [tool] = program?.tools ?? [];
  if (program === undefined || tool === undefined || hasErrors(diagnostics)) {
    throw new Error(`the pack of the test is broken: ${JSON.stringify(diagnostics)}`);
  }
  const { settings } = readConfig(program.pack.config, options.env ?? {});
  let validators: Promise<Validators> | undefined;
  const host: PackHost = {
    program,
    settings,
    load: async () => options.handler,
    validators: (wanted: Tool) => {
      validators ??= compileValidators(wanted);
      return validators;
    },
    app: async () => undefined,
    initialize: async () => {},
    close: async () => {},
    ...options.host,
  };
  const reports: string[] = [];
  const services: CallServices = {
    seal: createSeal({ key: 'a key for the tests of calls, long enough', now: Date.now }),
    strictArguments: false,
    showCauses: false,
    report: text => reports.push(text),
    call: async () => ({ content: [] }),
    render: text => text.replaceAll(/\{\{tool:([^}]+)\}\}/g, 'wire-$1'),
    ...options.services,
  };
  const served: ServedTool = { tool, name: tool.name, host, options: {} };
  const outcome = (args?: unknown, request: Partial<Request> = {}) =>
    callTool(served, args, { ...makeRequest(), ...request }, services);
  const call = async (args?: unknown, request?: Partial<Request>): Promise<CallToolResult> => {
    const made = await outcome(args, request);
    if ('asking' in made) throw new Error('the tool asks a question');
    return made.result;
  };
  return {
    served,
    services,
    host,
    reports,
    call,
    outcome,
    fail: async (args, request) => errorOf(await call(args, request)),
  };
}

export function makeRequest(): Request {
  return {
    id: 1,
    signal: new AbortController().signal,
    client: { name: 'test', version: '1', capabilities: {} },
    auth: undefined,
    principal: 'me',
    answers: {},
    state: undefined,
    notify: { toolsChanged() {}, promptsChanged() {}, resourcesChanged() {}, resourceUpdated() {} },
    log: () => true,
    progress: () => {},
  };
}

/** The error in a result; fails where it is not in the wire form, in text and `_meta` alike. */
export function errorOf(result: CallToolResult): FailureBody {
  const [first, ...others] = result.content;
  if (result.isError !== true || first?.type !== 'text' || others.length > 0) {
    throw new Error(`no error: ${JSON.stringify(result)}`);
  }
  const error = JSON.parse(first.text) as FailureBody;
  const keys = 'message,code,status,is_retryable,suggested_fix,meta';
  if (Object.keys(error).join() !== keys) throw new Error(`not in the wire form: ${first.text}`);
  const same = result._meta?.[errorKey];
  if (JSON.stringify(same) !== first.text) throw new Error(`_meta says something else: ${JSON.stringify(same)}`);
  return error;
}

/** The texts of a result. */
export function textsOf({ content }: CallToolResult): readonly string[] {
  return content.flatMap(item => (item.type === 'text' ? [item.text] : []));
}
