// In: arguments as a client sent them. Out: a copy with the defaults filled in, or the error that tells all mistakes.
import type { JsonSchema } from '../../schema/definitions.js';
import { setOwn } from '../../schema/document.js';
import type { Violation } from '../../schema/support/places.js';
import type { Mistakes } from './explain-violations.js';
import { deepest } from './plain-json.js';
import type { Validate } from './ports.js';
import { ToolError } from './tool-error.js';

export interface Checking {
  /** The wire name, for messages. */
  readonly name: string;
  readonly schema: JsonSchema;
  readonly validate: Validate;
  /** On: JSON in a string is not repaired. */
  readonly strict: boolean;
}

/** Mistakes in the message itself; all are in `meta`. */
const mostInMessage = 5;

/**
 * Validates arguments. What was sent stays as it is. The handler's copy has defaults filled in and, unless `strict`,
 * JSON in strings replaced where no string is wanted.
 *
 * @example const args = await checkArguments({ issueKey: 'PROJ-1' }, { name, schema, validate, strict: false });
 */
export function checkArguments(sent: unknown, checking: Checking): unknown {
  const { validate, strict } = checking;
  const copy = copyArguments(sent, checking);
  if (validate(copy)) return copy;
  const violations = validate.errors ?? [];
  // What could not even be checked is not repaired.
  const isFinal = strict || violations[0]?.keyword === 'steps';
  return isFinal ? refuse(copy, violations, checking) : repairOrRefuse(sent, copy, violations, checking);
}

function copyArguments(sent: unknown, { name }: Checking): unknown {
  if (sent === undefined) return {};
  try {
    return copyJson(sent, 0);
  } catch (error) {
    if (error === tooDeep) throw badArguments(`${name} got arguments that are nested too deeply`);
    throw error;
  }
}

async function repairOrRefuse(
  sent: unknown,
  copy: unknown,
  violations: readonly Violation[],
  checking: Checking,
): Promise<unknown> {
  const { repairArguments } = await import('./repair-arguments.js');
  const repaired = repairArguments(copyArguments(sent, checking), checking.validate);
  return repaired === undefined ? refuse(copy, violations, checking) : repaired.value;
}

async function refuse(value: unknown, violations: readonly Violation[], checking: Checking): Promise<never> {
  const { name, schema } = checking;
  const { explainViolations, printMistake, printRest } = await import('./explain-violations.js');
  const validated = { value, schema, name: 'the arguments', property: 'argument', showValues: true };
  const mistakes = explainViolations(violations, validated);
  const shown = mistakes.listed.slice(0, mostInMessage).map(printMistake).join('; ');
  throw badArguments(`${name} got bad arguments: ${shown}${printRest(mistakes, mostInMessage)}`, mistakes);
}

function badArguments(message: string, { listed, more, isCut }: Mistakes = { listed: [], more: 0, isCut: false }) {
  return new ToolError(message, {
    code: 'BAD_ARGUMENTS',
    status: 400,
    suggestedFix: 'Correct the arguments and call again.',
    meta: { violations: listed, ...(more === 0 ? {} : { more }), ...(isCut ? { incomplete: true } : {}) },
  });
}

const tooDeep = Symbol('too deep');

/** A copy for the validator to fill in. Code may also pass what is not JSON yet: it counts as what it becomes. */
function copyJson(value: unknown, depth: number): unknown {
  // 1e400 is JSON, but no number.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) throw tooDeep;
  if (Array.isArray(value)) {
    const list = new Array<unknown>(value.length);
    for (let index = 0; index < value.length; index += 1) list[index] = copyJson(value[index] ?? null, depth + 1);
    return list;
  }
  const map = value as { readonly [key: string]: unknown };
  if (typeof map['toJSON'] === 'function') return copyJson(map['toJSON'](), depth + 1);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(map)) {
    const member = map[key];
    if (member !== undefined && typeof member !== 'function') setOwn(copy, key, copyJson(member, depth + 1));
  }
  return copy;
}
