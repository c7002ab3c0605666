// In: items of a server. Out: the same items, answering from their examples instead of code that nobody has written yet (P24).
import { callKindOf } from '../../../schema/backend/calls.js';
import type { Example, JsonSchema } from '../../../schema/definitions.js';
import { isMap } from '../../../schema/document.js';
import { pointerKeys } from '../../../schema/json-schema/refs.js';
import type { CallToolResult, Content } from '../../../schema/support/mcp/content.js';
import type { ToolContext } from '../../../schema/support/mcp/context.js';
import { equal } from '../../../schema/support/values.js';
import { type BoundParameters, bindParameters } from '../../call/bound-arguments.js';
import { text } from '../../call/content.js';
import type { ErrorFactories } from '../../call/declared-errors.js';
import { toFailure } from '../../call/failure.js';
import type { PackHost, ServedPrompt, ServedResource, ServedTool, Validate, Validators } from '../../call/ports.js';
import { makeRedaction } from '../../call/redact.js';
import { shapeResult } from '../../call/shape-result.js';
import { ToolError } from '../../call/tool-error.js';
import { listedArguments } from '../../load/bound.js';
import type { Prompt, Resource } from '../../load/program.js';

/** Under it a result says that nobody's code made it, and where it comes from. */
const mockKey = 'toolwright/mock';

/** Where a mocked answer comes from. */
export interface MockSource {
  readonly from: 'example' | 'schema' | 'nothing';
  /** The name of the example, else its place in the list. */
  readonly example?: string | number;
  /** Whether its input is that of the call; else it was the first that says what comes out. */
  readonly matches?: boolean;
}

/** Nothing is reported: what fails is meant to. */
const services = { report: () => undefined, showCauses: true };

/**
 * A tool that answers from its examples: of the same input (defaults filled in), else the first with an answer, else a value made
 * from the output schema. Its arguments are validated as ever.
 *
 * @example const tools = served.map(mockTool);
 */
export function mockTool(served: ServedTool): ServedTool {
  const { tool, host, name } = served;
  // Neither configuration nor what would be set up is needed for what does not run.
  const { requires: _, initialize: __, ...definition } = tool.definition;
  const mocked = { ...tool, definition };
  const redaction = makeRedaction(host);
  const bound = bindParameters(name, tool, host.settings.values);
  return {
    ...served,
    tool: mocked,
    // X14: nobody has to be somebody for what does not run.
    ...(bound === undefined ? {} : { bound: { ...bound, fill: (args: unknown) => args } }),
    host: { ...host, app: async () => undefined, initialize: async () => undefined },
    handler: async (args: unknown, ctx: ToolContext): Promise<unknown> => {
      const validators = await host.validators(tool);
      const chosen = choose(sentExamples(definition.examples ?? [], bound), args, bound?.validate ?? validators.input);
      if (chosen?.example.error !== undefined) {
        const failed = toFailure(errorOf(chosen.example.error, ctx), { name, isRead: true, services, redaction });
        return marked(failed, chosen.source);
      }
      const { value, source } = answerOf(served, chosen, validators);
      const shaping = { tool: mocked, name, output: validators.output, removed: () => undefined };
      const { result, isUntold } = await shapeResult(value, shaping);
      if (isUntold !== true || result.structuredContent === undefined) return marked(result, source);
      // Without text of its own, that of the data is said as for any handler (`resultText`).
      const { content: _content, ...told } = marked(result, source);
      return told;
    },
  };
}

/** X14: examples give all that a handler gets; callers send the rest. */
function sentExamples(examples: readonly Example[], bound: BoundParameters | undefined): readonly Example[] {
  if (bound === undefined) return examples;
  return examples.map(example => ({ ...example, input: listedArguments(example.input ?? {}, bound.input) }));
}

interface Chosen {
  readonly example: Example;
  readonly source: MockSource;
}

function choose(examples: readonly Example[], args: unknown, fill: Validate): Chosen | undefined {
  const all = examples.map((example, index): Chosen => {
    const matches = equal(withDefaults(example.input ?? {}, fill), args);
    return { example, source: { from: 'example', example: example.name ?? index + 1, matches } };
  });
  return (
    all.find(({ source }) => source.matches) ??
    all.find(({ example }) => Object.hasOwn(example, 'output')) ??
    all.find(({ example }) => example.error !== undefined)
  );
}

/** As arguments are before a handler sees them. */
function withDefaults(input: object, fill: Validate): unknown {
  const copy: unknown = structuredClone(input);
  fill(copy);
  return copy;
}

function errorOf(code: string, ctx: ToolContext): Error {
  const errors = ctx.errors as ErrorFactories;
  const declared = Object.hasOwn(errors, code) ? errors[code] : undefined;
  return (declared?.() as Error | undefined) ?? new ToolError(`An example expects ${code}`, { code });
}

function answerOf(
  { tool, name }: ServedTool,
  chosen: Chosen | undefined,
  { output }: Validators,
): { readonly value: unknown; readonly source: MockSource } {
  if (chosen !== undefined && Object.hasOwn(chosen.example, 'output')) {
    return { value: chosen.example.output, source: chosen.source };
  }
  if (tool.outputSchema === undefined) return { value: `mock of ${name}`, source: { from: 'nothing' } };
  const value = mockValue(tool.outputSchema);
  if (output !== undefined && !output(value)) {
    throw new ToolError(`No value could be made up for ${name}'s output schema`, {
      code: 'NO_EXAMPLE',
      status: 501,
      suggestedFix: `Write an example with an output for ${tool.item}.`,
    });
  }
  return { value, source: { from: 'schema' } };
}

/** Content of our own making passes where a tool has promised data. */
function marked({ content, ...rest }: CallToolResult, source: MockSource): CallToolResult {
  const built = content.map((item): Content => (item.type === 'text' ? text(item.text, item) : item));
  return { content: built, ...rest, _meta: { ...rest._meta, [mockKey]: source } };
}

/**
 * A prompt whose handler is its examples; one that is a string or messages needs no code, and stays.
 *
 * @example const prompts = served.map(mockPrompt);
 */
export function mockPrompt(served: ServedPrompt): ServedPrompt {
  const { prompt, host, name } = served;
  const { definition } = prompt;
  if (prompt.handler === undefined && !isWithoutCode(prompt)) return served;
  const answer = async (args: unknown): Promise<unknown> => {
    const chosen = choose(definition.examples ?? [], args, () => true);
    if (chosen?.example.error !== undefined) throw new ToolError(`An example expects ${chosen.example.error}`);
    const output = chosen?.example.output;
    const messages = isMap(output) && Array.isArray(output['messages']) ? output['messages'] : output;
    const source: MockSource = output === undefined || chosen === undefined ? { from: 'nothing' } : chosen.source;
    const said = messages ?? `mock of ${name}: ${JSON.stringify(args)}`;
    return { messages: Array.isArray(said) ? said : [said], _meta: { [mockKey]: source } };
  };
  return { ...served, host: withAnswer(host, prompt, answer) };
}

/** A resource whose handler is not run: text that says so. */
export function mockResource(served: ServedResource): ServedResource {
  const { host } = served;
  // Nor is the function that lists more of it.
  const { list: _, ...definition } = served.resource.definition;
  const resource = { ...served.resource, definition };
  if (resource.handler === undefined && !isWithoutCode(resource)) return { ...served, resource };
  return { resource, host: withAnswer(host, resource, async () => `mock of ${resource.name}`) };
}

/** B1-B4: what does its work is not run either. */
function isWithoutCode({ definition }: Prompt | Resource): boolean {
  return callKindOf({ ...definition }) !== undefined;
}

/** Other functions of a mocked item complete its arguments. */
function withAnswer(
  host: PackHost,
  { handler: own }: Prompt | Resource,
  answer: (args: unknown) => Promise<unknown>,
): PackHost {
  return {
    ...host,
    app: async () => undefined,
    items: undefined,
    work: async () => ({ run: answer, preview: () => '' }),
    load: async ref => (ref.path === own?.path && ref.export === own.export ? answer : () => []),
  };
}

/** Schemas may refer to themselves. */
const deepest = 12;

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/example',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '/example',
  regex: '.*',
};

/**
 * A value that fits a schema, as plain as can be; where the schema says too much, one that nearly does. Anyone who needs to be sure validates it: patterns, conditions and exclusions are not looked at.
 *
 * @example mockValue({ type: 'object', properties: { total: { type: 'integer', minimum: 3 } } }) // { total: 3 }
 */
export function mockValue(root: JsonSchema): unknown {
  return make(root, 0, '');

  function make(schema: unknown, depth: number, name: string): unknown {
    if (!isMap(schema) || depth > deepest) return null;
    const given = givenValue(schema);
    if (given !== undefined) return given.value;
    const referred = typeof schema['$ref'] === 'string' ? find(schema['$ref']) : undefined;
    if (referred !== undefined) return make({ ...referred, ...withoutKeys(schema, '$ref') }, depth + 1, name);
    const parts = [schema['allOf'], firstOf(schema['anyOf']), firstOf(schema['oneOf'])].flatMap(part => part ?? []);
    if (parts.length > 0) {
      const rest = withoutKeys(withoutKeys(withoutKeys(schema, 'allOf'), 'anyOf'), 'oneOf');
      return make(merge([rest, ...parts.filter(isMap)]), depth + 1, name);
    }
    return ofType(schema, depth, name);
  }

  function ofType(schema: JsonSchema, depth: number, name: string): unknown {
    switch (typeOf(schema)) {
      case 'object':
        return makeObject(schema, depth);
      case 'array':
        return makeArray(schema, depth, name);
      case 'integer':
      case 'number':
        return makeNumber(schema);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return makeText(schema, name);
    }
  }

  function makeObject(schema: JsonSchema, depth: number): unknown {
    const properties = isMap(schema['properties']) ? schema['properties'] : {};
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
    // Deep down only what must be, or a schema that contains itself would never end.
    const names = depth > 4 ? required : [...new Set([...Object.keys(properties), ...required])];
    return Object.fromEntries(names.map(key => [key, make(properties[key] ?? {}, depth + 1, key)]));
  }

  function makeArray(schema: JsonSchema, depth: number, name: string): unknown {
    const first = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
    const least = numberAt(schema, 'minItems') ?? (depth > 4 ? 0 : 1);
    const most = numberAt(schema, 'maxItems') ?? Number.POSITIVE_INFINITY;
    const length = Math.min(Math.max(least, first.length), most, 100);
    return Array.from({ length }, (_, at) => make(first[at] ?? schema['items'] ?? {}, depth + 1, name));
  }

  function find(ref: string): JsonSchema | undefined {
    if (ref === '#') return root;
    if (!ref.startsWith('#/')) return undefined;
    const steps = pointerKeys(ref.slice(1));
    let here: unknown = steps === undefined ? undefined : root;
    for (const step of steps ?? []) here = isMap(here) && Object.hasOwn(here, step) ? here[step] : undefined;
    return isMap(here) ? here : undefined;
  }
}

/** What the author wrote down as a value. */
function givenValue(schema: JsonSchema): { readonly value: unknown } | undefined {
  for (const key of ['const', 'default'])
    if (Object.hasOwn(schema, key)) return { value: structuredClone(schema[key]) };
  for (const key of ['examples', 'enum']) {
    const list = schema[key];
    if (Array.isArray(list) && list.length > 0) return { value: structuredClone(list[0]) };
  }
  return undefined;
}

function firstOf(list: unknown): unknown {
  if (!Array.isArray(list)) return undefined;
  // Something says more than nothing.
  return list.find(one => !equal(one, { type: 'null' })) ?? list[0];
}

function merge(schemas: readonly JsonSchema[]): JsonSchema {
  const properties = Object.assign({}, ...schemas.map(({ properties: own }) => (isMap(own) ? own : {})));
  const required = schemas.flatMap(({ required: own }) => (Array.isArray(own) ? own : []));
  return {
    ...Object.assign({}, ...schemas),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  };
}

function withoutKeys(schema: JsonSchema, key: string): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
}

function typeOf(schema: JsonSchema): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type.find(one => one !== 'null') ?? 'null';
  if (type !== undefined) return type;
  if (isMap(schema['properties'])) return 'object';
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array';
  return schema['minimum'] !== undefined || schema['maximum'] !== undefined ? 'number' : 'string';
}

function makeNumber(schema: JsonSchema): number {
  const step = numberAt(schema, 'multipleOf') ?? 1;
  const above = numberAt(schema, 'exclusiveMinimum');
  const least =
    numberAt(schema, 'minimum') ?? (above === undefined ? undefined : Math.floor(above / step) * step + step);
  const below = numberAt(schema, 'exclusiveMaximum');
  const most = numberAt(schema, 'maximum') ?? (below === undefined ? undefined : Math.ceil(below / step) * step - step);
  if (least !== undefined) return Math.ceil(least / step) * step;
  return most !== undefined && most < step ? Math.floor(most / step) * step : step;
}

function makeText(schema: JsonSchema, name: string): string {
  const { format } = schema;
  if (typeof format === 'string' && Object.hasOwn(formats, format)) return formats[format] ?? '';
  const text = (name === '' ? 'text' : name).padEnd(numberAt(schema, 'minLength') ?? 0, '.');
  return text.slice(0, numberAt(schema, 'maxLength') ?? text.length);
}

function numberAt(schema: JsonSchema, key: string): number | undefined {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
}
