// Functions that manifests name besides handlers: the shared context, initialize, completions. In: an export of a module. Out: what
// its stub says. They are plain functions with their types written out: unlike handlers, one of them may serve several items.
import { Code, printString } from '../../render/code.js';
import type { StubTemplate } from '../../render/templates.js';
import type { Project } from '../project/project.js';
import type { HandlerExport } from './handler-modules.js';

export interface FunctionScene {
  /** The generated folder's index, as the module imports it. */
  readonly from: string;
  readonly project: Project;
  readonly template: StubTemplate;
}

interface FunctionView {
  readonly isFunction: true;
  readonly description: string;
  readonly tags: readonly Code[];
  readonly group: '';
  readonly member: '';
  readonly parameters: Code;
  readonly returns: Code;
  readonly body: Code;
}

/** What a function that is not a handler looks like. */
interface FunctionForm {
  /** Its parameters with their types; a type of the generated folder is without the way to it. */
  readonly parameters: readonly (readonly [name: string, type: string])[];
  /** What it promises; without it the function is not async, and its type is what it returns. */
  readonly returns?: string;
  readonly body: string;
  describe(what: string): string;
  /** The name of a default export. */
  readonly local: string;
}

const functionForms: Readonly<Record<Exclude<HandlerExport['role'], 'handler'>, FunctionForm>> = {
  context: {
    parameters: [['_setup', 'Setup_Context']],
    body: '  return {};',
    describe: () => 'Makes what all handlers share as `ctx.app`, once, before the first call that needs it.',
    local: 'createContext',
  },
  initialize: {
    parameters: [['_ctx', 'Initialize_Context']],
    returns: 'void',
    body: '  // Nothing to prepare yet.',
    describe: what => `${what}: prepares what must be ready before the first call.`,
    local: 'initialize',
  },
  completion: {
    parameters: [
      ['typed', 'string'],
      ['ctx', 'Completion_Context'],
    ],
    returns: 'Completion_Result',
    body: '  throw ctx.notImplemented();',
    describe: what => `${what}: gives the values that fit what the user has typed so far.`,
    local: 'complete',
  },
  list: {
    parameters: [['ctx', 'List_Context']],
    returns: 'List_Result',
    body: '  throw ctx.notImplemented();',
    describe: what => `${what}: gives the resources that exist now.`,
    local: 'list',
  },
  routes: {
    parameters: [
      ['request', 'Request'],
      ['_ctx', 'Routes_Context'],
    ],
    returns: 'Response | undefined',
    body: "  const { pathname } = new URL(request.url);\n  return pathname === '/hello' ? new Response('Hello\\n') : undefined;",
    describe: what => `${what}: answers requests for paths of its own; \`undefined\` is a 404.`,
    local: 'routes',
  },
};

export function formOf({ role }: HandlerExport): FunctionForm | undefined {
  return role === 'handler' ? undefined : functionForms[role];
}

/** The types of the generated folder that an export names. */
export function typesOf(one: HandlerExport): readonly string[] {
  const form = formOf(one);
  if (form === undefined) return [];
  return [...form.parameters.map(([, type]) => type), form.returns ?? ''].filter(type => type.includes('_'));
}

export function viewFunction(one: HandlerExport, { from, project, template }: FunctionScene): FunctionView {
  const form = formOf(one);
  if (form === undefined) throw new Error(`${one.name} is a handler without an item`);
  const parameters = form.parameters.map(([name, type]) => {
    const isUnused = !form.body.includes(`${name}.`) && !name.startsWith('_');
    return [isUnused && project.refusesUnusedParameters ? `_${name}` : name, type] as const;
  });
  const isJavaScript = template === 'handlers.js' || template === 'handlers.cjs';
  const way = isJavaScript ? `import(${printString(from)}).` : template === 'handlers.cts' ? 'generated.' : '';
  const named = (type: string): string => (type.includes('_') ? `${way}${type}` : type);
  const returned = form.returns === undefined ? '' : `Promise<${named(form.returns)}>`;
  return {
    isFunction: true,
    description: form.describe(one.what),
    tags: [
      ...parameters.map(([name, type]) => new Code(`@param {${named(type)}} ${name}`)),
      ...(returned === '' ? [] : [new Code(`@returns {${returned}}`)]),
    ],
    group: '',
    member: '',
    parameters: new Code(
      parameters.map(([name, type]) => (isJavaScript ? name : `${name}: ${named(type)}`)).join(', '),
    ),
    returns: new Code(isJavaScript || returned === '' ? '' : `: ${returned}`),
    body: new Code(form.body),
  };
}
