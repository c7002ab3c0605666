// In: the errors that a tool declares. Out: the factories of `ctx.errors`, and the declared error that an error of a library stands for.
import { types } from 'node:util';
import type { ErrorEntry } from '../../schema/definitions.js';
import type { ErrorExtras, ErrorFactory } from '../../schema/support/mcp/context.js';
import { type Fill, makeFill } from '../../schema/template/template.js';
import { messageOf } from './print-cause.js';
import { ToolError } from './tool-error.js';
import { isUpstreamFailure, type UpstreamFailure } from './upstream-failure.js';

/** The factories of `ctx.errors`, by code. */
export type ErrorFactories = Readonly<Record<string, ErrorFactory>>;

type Values = Readonly<Record<string, unknown>>;

export interface DeclaredErrors {
  /** Whether their texts have more to fill in than names of tools. */
  readonly needArguments: boolean;
  /** `args` fill the texts in. */
  factories(args: unknown): ErrorFactories;
  /** The first error, in the order written, whose `match` has the code of what a handler has thrown. */
  match(thrown: unknown, args: unknown, id: string): ToolError | undefined;
}

interface Declared {
  readonly code: string;
  readonly entry: ErrorEntry;
  readonly message: Fill;
  readonly suggestedFix: Fill | undefined;
}

/**
 * Reads the errors that a tool declares. `render` puts final names in the place of `{{tool:X}}`.
 *
 * @example
 * const errors = declareErrors({ NOT_FOUND: { message: 'There is no {{issueKey}}', match: [404] } }, text => text);
 * throw errors.factories({ issueKey: 'PROJ-1' }).NOT_FOUND();
 */
export function declareErrors(
  declared: Readonly<Record<string, ErrorEntry>> | undefined,
  render: (text: string) => string,
): DeclaredErrors {
  const all = Object.entries(declared ?? {}).map(
    ([code, entry]): Declared => ({
      code,
      entry,
      message: makeFill(entry.message),
      suggestedFix: entry.suggestedFix === undefined ? undefined : makeFill(entry.suggestedFix),
    }),
  );
  const toolName = (item: string): string => render(`{{tool:${item}}}`);
  const fillIn = (fill: Fill, args: unknown, error: unknown): string =>
    fill({ args: { ...valuesOf(args), error: describeError(error) }, toolName });
  const make = (one: Declared, given: Given, args: unknown): ToolError => {
    const { code, entry } = one;
    const { extras } = given;
    const message = given.message ?? fillIn(one.message, args, extras.cause);
    const declaredFix = one.suggestedFix === undefined ? undefined : fillIn(one.suggestedFix, args, extras.cause);
    return new ToolError(message.trim() === '' ? code : message, {
      code,
      status: entry.status ?? given.status,
      retryable: entry.retryable,
      suggestedFix: extras.suggestedFix === undefined ? declaredFix : render(extras.suggestedFix),
      meta: extras.meta,
      cause: extras.cause,
    });
  };
  const factories = (args: unknown): ErrorFactories => {
    const made: Record<string, ErrorFactory> = Object.create(null);
    for (const one of all)
      made[one.code] = (first?: string | ErrorExtras, second?: ErrorExtras) =>
        make(one, readWords(first, second), args);
    return Object.freeze(made);
  };
  return {
    needArguments: all.some(({ entry }) => hasTags(entry.message) || hasTags(entry.suggestedFix)),
    factories,
    match(thrown, args, id) {
      const matching = all.filter(({ entry }) => entry.match !== undefined);
      const found = matching.length === 0 ? undefined : codesOf(thrown);
      if (found === undefined) return undefined;
      const one = matching.find(({ entry }) => entry.match?.some(wanted => isMatch(wanted, found)));
      if (one === undefined) return undefined;
      const { status } = found;
      // What a backend says is all there is to know: no stack of ours explains it.
      if (!isFailure(thrown)) return make(one, { extras: { cause: thrown, meta: { id } }, status }, args);
      const message = fillIn(one.message, args, thrown);
      return make(one, { message, extras: { meta: thrown.meta, suggestedFix: thrown.suggestedFix }, status }, args);
    },
  };
}

/** Mentions of tools have a value without a call. */
function hasTags(text: string | undefined): boolean {
  return text?.replaceAll(/\{\{\s*tool:/g, '').includes('{{') === true;
}

function valuesOf(args: unknown): Values {
  return typeof args === 'object' && args !== null ? (args as Values) : {};
}

interface Given {
  readonly message?: string | undefined;
  readonly extras: ErrorExtras;
  /** Where none is declared. */
  readonly status?: number | undefined;
}

/** JavaScript may pass anything: an error that was caught is the cause, never a string such as `[object Object]`. */
function readWords(first: unknown, second: ErrorExtras | undefined): Given {
  const given = second ?? {};
  if (first instanceof Error) return { message: undefined, extras: { cause: first, ...given } };
  if (typeof first === 'object' && first !== null) return { message: undefined, extras: { ...first, ...given } };
  return { message: first === undefined || first === null ? undefined : String(first), extras: given };
}

/** What a thrown value says of itself. */
interface Codes {
  readonly code: string | undefined;
  /** Of a backend: which kind of failure it is. */
  readonly kind?: string;
  /** Of HTTP. */
  readonly status: number | undefined;
  /** The error that says so: the one that was thrown, or a cause of it. */
  readonly source: object;
}

/** Causes that are looked at. */
const mostCauses = 5;

/** The codes of an error, or those of its cause where it has none: `fetch` throws errors that only wrap the reason. */
function codesOf(thrown: unknown): Codes | undefined {
  if (isFailure(thrown)) {
    const { code, upstream, status, isAnswer } = thrown;
    return { code: upstream ?? code, kind: code, status: isAnswer ? status : undefined, source: thrown };
  }
  let error = thrown;
  for (let depth = 0; depth < mostCauses; depth += 1) {
    if (typeof error !== 'object' || error === null || types.isProxy(error)) return undefined;
    const code = readMember(error, 'code');
    const status = [readMember(error, 'status'), code].map(toNumber).find(isStatus);
    const hasCode = (typeof code === 'string' && code !== '') || typeof code === 'number';
    if (hasCode || status !== undefined) return { code: hasCode ? String(code) : undefined, status, source: error };
    error = readMember(error, 'cause');
  }
  return undefined;
}

/** Nothing that was thrown can make it fail. */
export function readMember(error: object, key: string): unknown {
  try {
    return (error as Readonly<Record<string, unknown>>)[key];
  } catch {
    return undefined;
  }
}

/** NaN for anything that may run code, or throw, when it becomes a number. */
function toNumber(value: unknown): number {
  return typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
}

function isStatus(value: number): boolean {
  return Number.isInteger(value) && value >= 100 && value <= 599;
}

/** B6: what a backend throws; a proxy that a handler throws is never asked. */
function isFailure(thrown: unknown): thrown is UpstreamFailure {
  return typeof thrown === 'object' && !types.isProxy(thrown) && isUpstreamFailure(thrown);
}

function isMatch(wanted: string | number, { code, kind, status }: Codes): boolean {
  const text = String(wanted);
  if (text === code || text === kind) return true;
  if (status === undefined) return false;
  return /^[1-5]xx$/i.test(text) ? text[0] === String(status)[0] : Number(text) === status;
}

/** What `{{error.message}}`, `{{error.code}}` and `{{error.status}}` stand for; nothing where there is no error. */
function describeError(error: unknown): Values {
  if (error === undefined || error === null) return {};
  const { code, status, source } = codesOf(error) ?? {};
  return { message: messageOf(source ?? error), code: code ?? status, status };
}
