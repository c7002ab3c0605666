// In: data that does not fit its output schema. Out: the same without the members that the schema does not allow, where nothing else
// is wrong with it (X5): what the tool has done is done, and a member too many is no reason to say that it failed. Else an error.
import type { Content } from '../../schema/support/mcp/content.js';
import type { Tool } from '../load/program.js';
import { explainViolations } from './explain-violations.js';
import type { Validate, Violation } from './ports.js';
import { prove } from './prove-result.js';
import type { Shaped } from './shape-result.js';
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
 * @example correctOutput(shaped, { tool, name, fits, violations, removed }).result.structuredContent // { total: 3 }
 */
export function correctOutput(shaped: Shaped, wrong: WrongOutput): Shaped {
  const { structuredContent } = shaped.result;
  // What could not even be checked is not corrected.
  const stripped = isUnchecked(wrong) ? undefined : stripMembers(wrong.tool.outputSchema ?? {}, structuredContent);
  const proved = stripped === undefined ? undefined : prove(withData(shaped, stripped.value), wrong.fits, wrong);
  if (stripped === undefined || proved === undefined) throw explain(structuredContent, wrong);
  wrong.removed(stripped.removed);
  return proved;
}

function withData(shaped: Shaped, structuredContent: unknown): Shaped {
  const { result, isUntold } = shaped;
  const json = JSON.stringify(structuredContent);
  const content: readonly Content[] = isUntold === true ? [{ type: 'text', text: json }] : result.content;
  return { ...shaped, result: { ...result, content, structuredContent }, json };
}

function isUnchecked({ violations }: WrongOutput): boolean {
  return violations[0]?.keyword === 'steps';
}

/** J62: the client learns where, the operator learns all of it, and nobody gets the wrong data. */
function explain(value: unknown, wrong: WrongOutput): ToolError {
  const { tool, name, violations } = wrong;
  const { listed, more, isCut } = explainViolations(violations, {
    value,
    schema: tool.outputSchema ?? {},
    name: 'the result',
    property: 'property',
    showValues: false,
  });
  const [first] = listed;
  const where = first === undefined ? '' : `: ${first.message} (at "${first.pointer}")`;
  const lines = listed.map(({ pointer, message }) => `${pointer === '' ? '/' : pointer}: ${message}`);
  const problem = isUnchecked(wrong) ? 'cannot be checked against its output schema' : 'does not fit its output schema';
  return new ToolError(`${name} returned a result that ${problem}${where}`, {
    code: 'BAD_OUTPUT',
    status: 500,
    meta: { violations: listed, ...(more === 0 ? {} : { more }), ...(isCut ? { incomplete: true } : {}) },
    cause: lines.join('\n'),
  });
}
