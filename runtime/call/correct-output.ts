// In: data that does not fit its output schema. Out: the same without the members that the schema does not allow, where nothing else
// is wrong with it (X5): what the tool has done is done, and a member too many is no reason to say that it failed. Else an error.
import type { Tool } from '../load/program.js';
import { explainViolations } from './explain-violations.js';
import type { Validate, Violation } from './ports.js';
import { stripMembers } from './strip-members.js';
import { ToolError } from './tool-error.js';

export interface WrongOutput {
  readonly tool: Tool;
  /** The wire name. */
  readonly name: string;
  readonly fits: Validate;
  readonly violations: readonly Violation[];
  /** Hears where members were removed. */
  removed(pointers: readonly string[]): void;
}

/**
 * Throws a ToolError (BAD_OUTPUT) where there is another fault.
 *
 * @example correctOutput({ total: 3, extra: 1 }, { tool, name, fits, violations, removed }) // { total: 3 }
 */
export function correctOutput(value: unknown, wrong: WrongOutput): unknown {
  const stripped = stripMembers(wrong.tool.outputSchema ?? {}, value);
  if (stripped === undefined || !wrong.fits(stripped.value)) throw explain(value, wrong);
  wrong.removed(stripped.removed);
  return stripped.value;
}

/** J62: the client learns where, the operator learns all of it, and nobody gets the wrong data. */
function explain(value: unknown, { tool, name, violations }: WrongOutput): ToolError {
  const { listed, more } = explainViolations(violations, {
    value,
    schema: tool.outputSchema ?? {},
    name: 'the result',
    property: 'property',
    showValues: false,
  });
  const [first] = listed;
  const where = first === undefined ? '' : `: ${first.message} (at "${first.pointer}")`;
  const lines = listed.map(({ pointer, message }) => `${pointer === '' ? '/' : pointer}: ${message}`);
  return new ToolError(`${name} returned a result that does not fit its output schema${where}`, {
    code: 'BAD_OUTPUT',
    status: 500,
    meta: { violations: listed, ...(more === 0 ? {} : { more }) },
    cause: lines.join('\n'),
  });
}
