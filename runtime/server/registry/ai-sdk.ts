// In: a registry. Out: tools in the shape of the Vercel AI SDK (version 5 and later), without importing it.

import { ToolError } from '../../call/tool-error.js';
import { unanswered } from './invoke-result.js';
import { copySchema } from './provider-tools.js';
import type { CallError, InvokeOptions, Registry, ToolEntry } from './registry.js';

/** The SDK knows its schemas by these brands, whichever copy of it made them. */
const schemaBrand = Symbol.for('vercel.ai.schema');
const validatorBrand = Symbol.for('vercel.ai.validator');

export type AiSdkValidation = { success: true; value: Record<string, unknown> } | { success: false; error: Error };

/** What `jsonSchema()` of the SDK makes. */
export interface AiSdkSchema {
  /** For the SDK's types only. */
  _type: Record<string, unknown>;
  jsonSchema: Record<string, unknown>;
  validate(value: unknown): Promise<AiSdkValidation>;
}

/** What the SDK tells a tool about a call. */
export interface AiSdkCallOptions {
  readonly toolCallId?: string | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A tool of the SDK. `execute` gives the value of the result, and throws where the tool failed, as the SDK expects. */
export interface AiSdkTool {
  title?: string;
  description: string;
  inputSchema: AiSdkSchema;
  execute(args: unknown, options?: AiSdkCallOptions): Promise<unknown>;
}

export function aiSdkTools(
  tools: readonly ToolEntry[],
  registry: Pick<Registry, 'validate' | 'invoke'>,
  nameOf: (tool: string) => string,
  options: InvokeOptions,
): Record<string, AiSdkTool> {
  return Object.fromEntries(tools.map(tool => [nameOf(tool.name), makeTool(tool)]));

  function makeTool({ name, title, description, inputSchema }: ToolEntry): AiSdkTool {
    return {
      ...(title === undefined ? {} : { title }),
      description,
      inputSchema: makeSchema(name, inputSchema),
      async execute(args, { abortSignal, toolCallId } = {}) {
        const result = await registry.invoke(name, args, { ...options, signal: abortSignal, requestId: toolCallId });
        if (result.ok) return result.value;
        // The model passes the question on.
        if (result.error.code === unanswered) return result.error.message;
        throw toError(result.error);
      },
    };
  }

  function makeSchema(name: string, inputSchema: ToolEntry['inputSchema']): AiSdkSchema {
    const brands = { [schemaBrand]: true, [validatorBrand]: true };
    return {
      ...brands,
      // The SDK's own schemas have undefined here, too: nothing ever reads it.
      _type: undefined as unknown as AiSdkSchema['_type'],
      jsonSchema: copySchema(inputSchema),
      async validate(value) {
        const result = await registry.validate(name, value);
        return result.ok
          ? { success: true, value: { ...result.args } }
          : { success: false, error: toError(result.error) };
      },
    };
  }
}

/** The SDK shows models the message of an error and nothing else, so that it says what MCP clients would read. */
function toError({ message, code, status, retryable, suggestedFix, meta }: CallError): ToolError {
  const wire = { message, code, status, is_retryable: retryable, suggested_fix: suggestedFix, meta };
  return new ToolError(JSON.stringify(wire), { code, status, retryable, suggestedFix, meta });
}
