// In: the context of a handler. Out: its call, as backends know it, and the pack that it is of. Handlers of built servers have a copy of
// this of their own, so that what contexts carry is found by a name that all copies know.
import type { Log } from '../../../schema/support/mcp/client.js';
import type { BaseContext, ResourceContext, ToolContext } from '../../../schema/support/mcp/context.js';
import type { CallScope, Cancellation, PackHost, Request, ServedTool } from '../ports.js';
import type { AskedQuestions } from './questions.js';

export const callOf = Symbol.for('toolwright/call');

/** Asked for its parts only when a handler is: making them costs more than the rest. */
export interface CallParts {
  readonly signal: AbortSignal;
  readonly cancellation?: Cancellation;
  readonly questions: AskedQuestions;
  readonly request: Request;
  readonly host?: PackHost;
  readonly served?: ServedTool;
}

type AnyContext = BaseContext & Partial<Pick<ToolContext, 'progress'> & Pick<ResourceContext, 'uri'>>;

/** The call of a context, as backends know it. A class, because most of it is made only when it is asked for. */
class ContextScope implements CallScope {
  readonly #parts: CallParts;
  #context: AnyContext | (() => AnyContext);
  readonly request: Request;

  constructor(parts: CallParts, context: AnyContext | (() => AnyContext)) {
    this.#parts = parts;
    this.#context = context;
    this.request = parts.request;
  }

  get #ctx(): AnyContext {
    if (typeof this.#context === 'function') this.#context = this.#context();
    return this.#context;
  }

  get signal(): AbortSignal {
    return this.#parts.signal;
  }

  get cancellation(): Cancellation | undefined {
    return this.#parts.cancellation;
  }

  get questions(): AskedQuestions {
    return this.#parts.questions;
  }

  get log(): Log {
    return this.#ctx.log;
  }

  get uri(): string | undefined {
    return this.#ctx.uri;
  }

  progress(done: number, total?: number, message?: string): void {
    if (this.#ctx.progress !== undefined) this.#ctx.progress(done, total, message);
    else this.request.progress(done, total, message);
  }
}

export function scopeOf(ctx: BaseContext): CallScope {
  return new ContextScope(partsOf(ctx), ctx);
}

/** The same where no handler is given a context: it is made when something is logged, or progress is reported. */
export function scopeWithout(parts: CallParts, context: () => BaseContext): CallScope {
  return new ContextScope(parts, context);
}

/** The pack whose handler was given a context. */
export function hostOf(ctx: BaseContext): PackHost {
  const { host, served } = partsOf(ctx);
  const found = host ?? served?.host;
  if (found === undefined) throw new TypeError('this is not the context of a handler');
  return found;
}

function partsOf(ctx: BaseContext): CallParts {
  const parts = (ctx as unknown as { readonly [callOf]?: CallParts })[callOf];
  if (parts === undefined) throw new TypeError('this is not the context of a handler');
  return parts;
}
