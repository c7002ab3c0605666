// In: the tools of a registry and their names for providers. Out: definitions in the shapes of their APIs.
import type { JsonSchema } from '../../../schema/definitions.js';
import type { ToolEntry } from './registry.js';

/** A tool of Anthropic's Messages API. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: { type: 'object'; [keyword: string]: unknown };
}

/** A tool of OpenAI's Chat Completions API. */
export interface OpenAiTool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** A tool of OpenAI's Responses API. `strict` allows a part of JSON Schema only, so that it is off. */
export interface OpenAiResponsesTool {
  type: 'function';
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  strict: false;
}

type NameOf = (tool: string) => string;

export function anthropicTools(tools: readonly ToolEntry[], nameOf: NameOf): AnthropicTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name: nameOf(name),
    description,
    input_schema: copySchema(inputSchema) as AnthropicTool['input_schema'],
  }));
}

export function openAiTools(tools: readonly ToolEntry[], nameOf: NameOf): OpenAiTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name: nameOf(name), description, parameters: copySchema(inputSchema) },
  }));
}

export function openAiResponsesTools(tools: readonly ToolEntry[], nameOf: NameOf): OpenAiResponsesTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name: nameOf(name),
    description,
    parameters: copySchema(inputSchema),
    strict: false,
  }));
}

/** Callers and their SDKs may change what they get: the server's own schema must not change with it. */
export function copySchema(schema: JsonSchema): Record<string, unknown> {
  return structuredClone(schema);
}
