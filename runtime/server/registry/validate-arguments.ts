// In: a tool of a surface and arguments. Out: whether a call would take them, with defaults filled in; nothing is run.
import { isMap } from '../../../schema/document.js';
import { checkArguments } from '../../call/arguments.js';
import { ownArguments } from '../../call/context/relay.js';
import { isToolError } from '../../call/tool-error.js';
import type { Surface } from '../../surface/surface.js';
import { copyArguments } from './copy-arguments.js';
import { fail, requestsOf } from './invoke.js';
import { makeCallError } from './invoke-result.js';
import type { ValidateResult } from './registry.js';

export async function validateArguments(surface: Surface, name: string, given: unknown): Promise<ValidateResult> {
  const served = surface.tool(name);
  if (served === undefined) return fail('UNKNOWN_TOOL', `There is no tool ${JSON.stringify(name)}`, 404);
  const copied = copyArguments(given);
  if ('problem' in copied) return fail('BAD_ARGUMENTS', `The arguments cannot be sent as JSON: ${copied.problem}`);
  const { tool, host, bound } = served;
  try {
    // X14: what is put in when it is called is nobody's argument.
    const [schema, validate] =
      bound === undefined ? [tool.inputSchema, (await host.validators(tool)).input] : [bound.input, bound.validate];
    const call = { tool: name, args: copied.value, id: 0, signal: new AbortController().signal, options: {} };
    const own = ownArguments(served, copied.value, requestsOf(surface, call)());
    const strict = surface.services.strictArguments;
    const args = await checkArguments(own, { name, schema, validate, strict });
    return { ok: true, args: { ...forUs(copied.value, own), ...(isMap(args) ? args : {}) } };
  } catch (error) {
    if (!isToolError(error)) throw error;
    const { message, code, status, retryable, suggestedFix, meta } = error;
    const fix = suggestedFix ?? null;
    return { ok: false, error: makeCallError({ message, code, status, retryable, suggestedFix: fix, meta }) };
  }
}

/** C6: `confirmed` and the like are not arguments of the tool, but a call takes them. */
function forUs(sent: unknown, own: unknown): Readonly<Record<string, unknown>> {
  if (!isMap(sent) || !isMap(own) || sent === own) return {};
  return Object.fromEntries(Object.entries(sent).filter(([key]) => !Object.hasOwn(own, key)));
}
