// In: a tool of a surface and arguments. Out: whether a call would take them, with defaults filled in; nothing is run.
import { isMap } from '../../schema/document.js';
import { checkArguments } from '../call/arguments.js';
import { isToolError } from '../call/tool-error.js';
import type { Surface } from '../surface/surface.js';
import { copyArguments } from './copy-arguments.js';
import { fail } from './invoke.js';
import { makeCallError } from './invoke-result.js';
import type { ValidateResult } from './registry.js';

export async function validateArguments(surface: Surface, name: string, given: unknown): Promise<ValidateResult> {
  const served = surface.tool(name);
  if (served === undefined) return fail('UNKNOWN_TOOL', `There is no tool ${JSON.stringify(name)}`, 404);
  const copied = copyArguments(given);
  if ('problem' in copied) return fail('BAD_ARGUMENTS', `The arguments cannot be sent as JSON: ${copied.problem}`);
  const { tool, host } = served;
  try {
    const { input } = await host.validators(tool);
    const strict = surface.desk.strictArguments;
    const args = await checkArguments(copied.value, { name, schema: tool.inputSchema, validate: input, strict });
    return { ok: true, args: isMap(args) ? args : {} };
  } catch (error) {
    if (!isToolError(error)) throw error;
    const { message, code, status, retryable, suggestedFix, meta } = error;
    const fix = suggestedFix ?? null;
    return { ok: false, error: makeCallError({ message, code, status, retryable, suggestedFix: fix, meta }) };
  }
}
