// In: a tool and a request for it. Out: one call on its way, with what all calls of that tool share.
import type { ToolContext } from '../../schema/support/mcp/context.js';
import { type Fill, makeFill } from '../../schema/template/template.js';
import type { Questions } from '../call/context/questions.js';
import { type DeclaredErrors, declareErrors, type ErrorFactories } from '../call/declared-errors.js';
import type { FailedCall } from '../call/failure.js';
import { defaultResultChars, type Limit } from '../call/finish-result.js';
import type { CallServices, Request, ServedTool, Validators } from '../call/ports.js';
import { makeRedaction, type Redaction, redactionOf } from '../call/redact.js';
import { CallClock, TimeLimit } from '../call/time-limit.js';
import { ToolError } from '../call/tool-error.js';

export type Handler = (args: unknown, ctx: ToolContext) => unknown;

const defaultTimeoutMs = 60_000;

/** What all calls of a tool have in common, made for the first one. */
export interface Prepared {
  readonly services: CallServices;
  readonly declared: DeclaredErrors;
  /** Of calls that fill no arguments into errors. */
  readonly errors: ErrorFactories;
  /** `resultText` of the tool. */
  readonly resultText: Fill | undefined;
  readonly clock: CallClock;
  readonly limit: Limit;
  /** Of results; undefined where no secret is known. */
  readonly redaction: Redaction | undefined;
  readonly failed: FailedCall;
  /** Reports members that were removed from results: once, since a handler does it with every call. */
  removed(pointers: readonly string[]): void;
  /** What the first call has loaded. */
  loaded: Loaded | undefined;
}

export interface Loaded {
  readonly validators: Validators;
  readonly handler: Handler;
  /** What handlers have as `ctx.app`. It stays the same where no `context:` of a pack builds it anew. */
  readonly app: unknown;
}

/** Only a shortcut: everything in it could be made anew for each call. */
const prepared = new WeakMap<ServedTool, Prepared>();

export function prepareCall(served: ServedTool, services: CallServices): Prepared {
  const known = prepared.get(served);
  if (known?.services === services) return known;
  const { name, host } = served;
  const { errors, limits, clean, effect, resultText } = served.tool.definition;
  const declared = declareErrors(errors, text => services.render(text));
  let isReported = false;
  const made: Prepared = {
    services,
    declared,
    errors: declared.factories(undefined),
    resultText: resultText === undefined ? undefined : makeFill(resultText),
    clock: new CallClock(limits?.timeoutMs ?? defaultTimeoutMs),
    limit: {
      name,
      mostChars: limits?.resultChars ?? defaultResultChars,
      cut: clean?.includes('truncate') === true ? 'middle' : 'end',
    },
    redaction: redactionOf(host),
    failed: { name, isRead: effect === 'read', services, redaction: makeRedaction(host) },
    removed(pointers) {
      if (!isReported) services.report(host.settings.redact(tellRemoved(name, pointers)));
      isReported = true;
    },
    loaded: undefined,
  };
  prepared.set(served, made);
  return made;
}

const mostPointers = 10;

function tellRemoved(name: string, pointers: readonly string[]): string {
  const shown = pointers.slice(0, mostPointers).join(', ');
  const more = pointers.length > mostPointers ? ` and ${pointers.length - mostPointers} more` : '';
  return `${name} returned members that its output schema does not allow; they were removed: ${shown}${more} (reported once)`;
}

/** One call on its way. A class, because a getter in an object literal costs more than all the rest of it. */
export class Call {
  questions: Questions | undefined;
  /** Whether the handler has been called. */
  isRunning = false;
  /** As the handler is given them, where texts of the tool are filled in with them. */
  checked: Readonly<Record<string, unknown>> | undefined;
  readonly limit: TimeLimit;

  constructor(
    readonly served: ServedTool,
    /** As they were sent. */
    readonly args: unknown,
    readonly request: Request,
    readonly services: CallServices,
    readonly common: Prepared,
  ) {
    this.limit = new TimeLimit(request.cancellation ?? request.signal, common.clock, this);
  }

  tooSlow(): ToolError {
    return tooSlow(this);
  }

  get errors(): ErrorFactories {
    const { declared, errors } = this.common;
    return declared.needArguments ? declared.factories(this.checked) : errors;
  }

  /** Keeps arguments for the texts of the tool: the handler may change its own. */
  keepArguments(args: unknown): void {
    const { declared, resultText } = this.common;
    if (resultText !== undefined || declared.needArguments) this.checked = { ...(args as object) };
  }

  get signal(): AbortSignal {
    return this.limit.signal;
  }
}

function tooSlow({ common, isRunning }: Call): ToolError {
  const { failed, clock, services } = common;
  const message = `${failed.name} took longer than ${clock.milliseconds} ms`;
  services.report(message);
  return new ToolError(message, {
    code: 'TIMEOUT',
    status: 504,
    // What has not begun has changed nothing either.
    retryable: failed.isRead || !isRunning,
    meta: { timeoutMs: clock.milliseconds },
  });
}
