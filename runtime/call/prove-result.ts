// In: a shaped result with data, and the validator of the tool's output. Out: the same with defaults filled in, if it fits (M29).
import { fillStatus } from '../../schema/json-schema/envelope.js';
import { hasDefault } from '../../schema/json-schema/has-default.js';
import type { Content } from '../../schema/support/mcp/content.js';
import type { Tool } from '../load/program.js';
import type { Validate } from './ports.js';
import type { Shaped } from './shape-result.js';

/** Undefined where the data does not fit: `fits.errors` say why. The handler's own data stays as it is. */
export function prove(shaped: Shaped, fits: Validate, { tool }: { readonly tool: Tool }): Shaped | undefined {
  const { result, json } = shaped;
  const { outputSchema } = tool;
  if (json === undefined || outputSchema === undefined || !isFilledIn(tool))
    return fits(result.structuredContent) ? shaped : undefined;
  const copy: unknown = JSON.parse(json);
  const structuredContent = tool.definition.result === 'envelope' ? fillStatus(copy, outputSchema) : copy;
  if (!fits(structuredContent)) return undefined;
  const text = JSON.stringify(structuredContent);
  if (text === json) return shaped;
  const content: readonly Content[] = shaped.isUntold === true ? [{ type: 'text', text }] : result.content;
  return { ...shaped, result: { ...result, content, structuredContent }, json: text };
}

const filledIn = new WeakMap<Tool, boolean>();

/** Whether anything can be filled in, asked once for each tool: the copy that it takes costs as much as a small call. */
function isFilledIn(tool: Tool): boolean {
  const known = filledIn.get(tool);
  if (known !== undefined) return known;
  const { definition, outputSchema, filling } = tool;
  const isFilled = definition.result === 'envelope' || (filling.output !== 'never' && hasDefault(outputSchema));
  filledIn.set(tool, isFilled);
  return isFilled;
}
