// X14. In: a tool with bound parameters, the configuration, a caller. Out: what callers send, checked as any arguments, and the values
// that are not theirs to choose, put in afterwards. Nothing that a client sends can reach or show them.
import type { JsonSchema } from '../../schema/definitions.js';
import { isMap, setOwn } from '../../schema/document.js';
import type { Auth } from '../../schema/support/mcp/client.js';
import { makeValidator } from '../../schema/support/validator.js';
import { aloneSchema, callerInput, sourcesOf } from '../load/bound.js';
import type { Tool } from '../load/program.js';
import type { Request, Validate } from './ports.js';
import { ToolError } from './tool-error.js';

/** A value of the operator's that the tool could never be called with. */
export interface UnfitValue {
  readonly key: string;
  readonly parameter: string;
  readonly reason: string;
}

export interface BoundParameters {
  /** What clients see, and what they are held to. */
  readonly input: JsonSchema;
  readonly validate: Validate;
  readonly unfit: readonly UnfitValue[];
  /** Puts the values into arguments that were checked. Throws a ToolError where the caller lacks one. */
  fill(args: unknown, request: Pick<Request, 'auth'>): unknown;
}

interface Claim {
  readonly parameter: string;
  readonly claim: string;
  fits(value: unknown): boolean;
}

/** Undefined where callers choose all arguments. */
export function bindParameters(
  name: string,
  tool: Tool,
  values: Readonly<Record<string, unknown>>,
): BoundParameters | undefined {
  if (tool.bound === undefined) return undefined;
  const fixed: [string, unknown][] = [];
  const claims: Claim[] = [];
  const unfit: UnfitValue[] = [];
  const alone = makeValidator(() => aloneSchema(tool.inputSchema), 'never');
  for (const [parameter, source] of sourcesOf(tool)) {
    if (source.of === 'auth') {
      claims.push({ parameter, claim: source.name, fits: value => alone({ [parameter]: value }) });
    } else if (Object.hasOwn(values, source.name)) {
      const value = values[source.name];
      fixed.push([parameter, value]);
      if (!alone({ [parameter]: value }))
        unfit.push({ key: source.name, parameter, reason: alone.errors?.[0]?.message ?? 'it is refused' });
    }
  }
  const input = callerInput(tool, values);
  return {
    input,
    validate: makeValidator(() => input, tool.filling.input),
    unfit,
    fill(args, { auth }) {
      if (!isMap(args)) return args;
      const filled: Record<string, unknown> = { ...args };
      // A list is frozen where it is kept, and a handler may change its arguments.
      for (const [parameter, value] of fixed) setOwn(filled, parameter, Array.isArray(value) ? [...value] : value);
      for (const one of claims) setOwn(filled, one.parameter, identityOf(name, one, auth));
      return filled;
    },
  };
}

function identityOf(name: string, { claim, fits }: Claim, auth: Auth | undefined): unknown {
  if (auth === undefined)
    throw missing(`${name} needs to know who calls, and this connection says nothing about that`, claim);
  const value = claimOf(auth, claim);
  if (value === undefined || value === null)
    throw missing(`${name} needs "${claim}", which the caller's token lacks`, claim);
  const copy: unknown = structuredClone(value);
  if (!fits(copy)) throw missing(`${name} cannot use "${claim}" of the caller's token: it is of another form`, claim);
  return copy;
}

function claimOf({ clientId, subject, claims }: Auth, claim: string): unknown {
  if (claim === 'clientId') return clientId;
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  return claim === 'sub' ? (subject ?? value) : value;
}

/** The value itself is in no message: a model reads them. */
function missing(message: string, claim: string): ToolError {
  return new ToolError(message, {
    code: 'IDENTITY_MISSING',
    status: 401,
    suggestedFix: 'Connect over HTTP with a token that has it. No argument can replace it.',
    meta: { claim },
  });
}
