// In: items of a server. Out: the same items, answering from their examples instead of code that nobody has written yet (P24).
import type { Example } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import { isEqual } from '../../schema/json-schema/equal.js';
import type { CallToolResult, Content } from '../../schema/support/mcp/content.js';
import type { ToolContext } from '../../schema/support/mcp/context.js';
import { text } from '../call/content.js';
import type { ErrorFactories } from '../call/declared-errors.js';
import { toFailure } from '../call/failure.js';
import type { PackHost, ServedPrompt, ServedResource, ServedTool, Validate, Validators } from '../call/ports.js';
import { makeRedaction } from '../call/redact.js';
import { shapeResult } from '../call/shape-result.js';
import { ToolError } from '../call/tool-error.js';
import type { HandlerRef } from '../load/program.js';
import { mockValue } from './mock-value.js';

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
const desk = { report: () => undefined, showCauses: true };

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
  return {
    ...served,
    tool: mocked,
    host: { ...host, app: async () => undefined, initialize: async () => undefined },
    handler: async (args: unknown, ctx: ToolContext): Promise<unknown> => {
      const validators = await host.validators(tool);
      const chosen = choose(definition.examples ?? [], args, validators.input);
      if (chosen?.example.error !== undefined) {
        const failed = toFailure(errorOf(chosen.example.error, ctx), { name, isRead: true, desk, redaction });
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

interface Chosen {
  readonly example: Example;
  readonly source: MockSource;
}

function choose(examples: readonly Example[], args: unknown, fill: Validate): Chosen | undefined {
  const all = examples.map((example, index): Chosen => {
    const matches = isEqual(withDefaults(example.input ?? {}, fill), args);
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
    throw new ToolError(`No value could be made up for the output schema of ${name}`, {
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
  const { handler, definition } = prompt;
  if (handler === undefined) return served;
  const answer = async (args: unknown): Promise<unknown> => {
    const chosen = choose(definition.examples ?? [], args, () => true);
    if (chosen?.example.error !== undefined) throw new ToolError(`An example expects ${chosen.example.error}`);
    const output = chosen?.example.output;
    const messages = isMap(output) && Array.isArray(output['messages']) ? output['messages'] : output;
    const source: MockSource = output === undefined || chosen === undefined ? { from: 'nothing' } : chosen.source;
    const said = messages ?? `mock of ${name}: ${JSON.stringify(args)}`;
    return { messages: Array.isArray(said) ? said : [said], _meta: { [mockKey]: source } };
  };
  return { ...served, host: withLoad(host, handler, answer) };
}

/** A resource whose handler is not run: text that says so. */
export function mockResource(served: ServedResource): ServedResource {
  const { resource, host } = served;
  if (resource.handler === undefined) return served;
  return { ...served, host: withLoad(host, resource.handler, async () => `mock of ${resource.name}`) };
}

/** Other functions of a mocked item complete its arguments. */
function withLoad(host: PackHost, own: HandlerRef, answer: (args: unknown) => Promise<unknown>): PackHost {
  return {
    ...host,
    app: async () => undefined,
    load: async ref => (ref.path === own.path && ref.export === own.export ? answer : () => []),
  };
}
