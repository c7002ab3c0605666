// In: anything that was thrown in one thread. Out: the same in another one: a ToolError or ProtocolError with all its fields, an error with
// its stack, codes and causes. What comes back to the end that threw it is the very object.
import { types } from 'node:util';
import type { Diagnostic } from '../../../schema/diagnostics.js';
import { readMember } from '../declared-errors.js';
import { HandlerProblem } from '../handler-problem.js';
import { salvageJson } from '../plain-json.js';
import { ProtocolError, protocolCodes } from '../protocol-error.js';
import { LeftBehind } from '../time-limit.js';
import { isToolError, ToolError } from '../tool-error.js';

export interface CarriedError {
  /** The end that threw it, and its number there. */
  readonly end: End;
  readonly id: number;
  readonly kind: 'tool' | 'protocol' | 'handler' | 'left' | 'error' | 'value';
  /** What is not an error, as far as it can be copied. */
  readonly value?: unknown;
  /** Its fields that can be copied. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: CarriedError | undefined;
  /** Of an AggregateError. */
  readonly errors?: readonly CarriedError[] | undefined;
}

type End = 'main' | 'thread';
type Origin = Pick<CarriedError, 'end' | 'id'>;

const mostCauses = 5;
const fieldsOf = {
  tool: ['name', 'message', 'stack', 'code', 'status', 'retryable', 'suggestedFix', 'meta'],
  protocol: ['name', 'message', 'stack', 'code', 'data'],
  handler: ['message', 'code', 'hint', 'diagnostic'],
  error: ['name', 'message', 'stack', 'code', 'status'],
} as const;

/**
 * The errors that one end has sent and received.
 *
 * @example port.postMessage({ type: 'problem', call, problem: errors.carry(thrown) });
 */
export class Errors {
  readonly #end: End;
  readonly #sent = new Map<number, unknown>();
  readonly #received = new WeakMap<object, Origin>();
  #count = 0;

  constructor(end: End) {
    this.#end = end;
  }

  /** Those so far do not come back any more: the call that they belonged to is over. */
  forget(): void {
    this.#sent.clear();
  }

  carry(thrown: unknown, depth = 0): CarriedError {
    const origin = this.#originOf(thrown);
    if (!isErrorLike(thrown)) return { ...origin, kind: 'value', value: copyOf(thrown) };
    if (thrown instanceof LeftBehind) return { ...origin, kind: 'left' };
    const kind = kindOf(thrown);
    const fields = fieldsOf[kind].map(key => [key, copyOf(readMember(thrown, key))] as const);
    const [cause, errors] = depth < mostCauses ? [readMember(thrown, 'cause'), readMember(thrown, 'errors')] : [];
    return {
      ...origin,
      kind,
      fields: Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
      ...(cause === undefined ? {} : { cause: this.carry(cause, depth + 1) }),
      ...(Array.isArray(errors) ? { errors: errors.slice(0, mostCauses).map(one => this.carry(one, depth + 1)) } : {}),
    };
  }

  revive(carried: CarriedError): unknown {
    const { end, id } = carried;
    if (end === this.#end && this.#sent.has(id)) return this.#sent.get(id);
    const made = this.#make(carried);
    if (typeof made === 'object' && made !== null) this.#received.set(made, { end, id });
    return made;
  }

  #originOf(thrown: unknown): Origin {
    const known = typeof thrown === 'object' && thrown !== null ? this.#received.get(thrown) : undefined;
    if (known !== undefined) return known;
    this.#count += 1;
    this.#sent.set(this.#count, thrown);
    return { end: this.#end, id: this.#count };
  }

  #make({ kind, value, fields = {}, cause: carried, errors }: CarriedError): unknown {
    const cause = carried === undefined ? undefined : this.revive(carried);
    const message = String(fields['message'] ?? '');
    switch (kind) {
      case 'value':
        return value;
      case 'left':
        return new LeftBehind();
      case 'handler':
        return new HandlerProblem(fields['code'] as HandlerProblem['code'], message, {
          hint: fields['hint'] as string | undefined,
          diagnostic: fields['diagnostic'] as Diagnostic | undefined,
          cause,
        });
      case 'tool': {
        const { stack, ...options } = fields;
        return withStack(new ToolError(message, { ...options, ...(carried && { cause }) }), stack);
      }
      case 'protocol': {
        const { code, data, stack } = fields;
        const isCode = Number.isSafeInteger(code);
        return withStack(new ProtocolError(isCode ? Number(code) : protocolCodes.internalError, message, data), stack);
      }
      case 'error': {
        const error = new Error(message, carried && { cause });
        const { stack, name, code, status } = fields;
        const more = { ...(code === undefined ? {} : { code }), ...(status === undefined ? {} : { status }) };
        if (typeof name === 'string' && name !== 'Error')
          Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true });
        if (errors !== undefined) Object.assign(error, { errors: errors.map(one => this.revive(one)) });
        return withStack(Object.assign(error, more), stack);
      }
      default:
        return kind satisfies never;
    }
  }
}

function kindOf(thrown: object): keyof typeof fieldsOf {
  if (isToolError(thrown)) return 'tool';
  if (thrown instanceof ProtocolError) return 'protocol';
  return thrown instanceof HandlerProblem ? 'handler' : 'error';
}

function withStack<T extends Error>(error: T, stack: unknown): T {
  if (typeof stack === 'string') error.stack = stack;
  return error;
}

/** Even asking a proxy what it is may fail. */
function isErrorLike(thrown: unknown): thrown is object {
  if (typeof thrown !== 'object' || thrown === null || types.isProxy(thrown)) return false;
  return (
    types.isNativeError(thrown) || thrown instanceof Error || isToolError(thrown) || thrown instanceof ProtocolError
  );
}

function copyOf(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return String(value);
  return typeof value === 'object' ? salvageJson(value) : value;
}
