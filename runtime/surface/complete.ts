// In: what a user has typed for an argument of a prompt or a variable of a URI template. Out: values to offer (J83).
import type { CallServices, PackHost, Request, ServedPrompt, ServedResource } from '../call/ports.js';
import { printCause } from '../call/print-cause.js';
import { handlerRefOf } from '../load/folder.js';
import { clipName, ResourceNotFound, unknownName } from './problems.js';
import { isCancelled, runHandler } from './run-handler.js';
import type { Completion, CompletionQuery } from './surface.js';

/** The protocol allows no more in one answer. */
const mostValues = 100;

/** Fixed values, or `path#export`. */
type CompletionSource = readonly string[] | string;

export interface CompletionCall {
  readonly host: PackHost;
  /** The name of the prompt or resource. */
  readonly owner: string;
  /** What is completed, and what the user has typed so far. */
  readonly argument: { readonly name: string; readonly value: string };
  /** The other arguments that the user has filled in: `ctx.arguments`. */
  readonly others: Readonly<Record<string, string>>;
  readonly request: Request;
  readonly services: CallServices;
}

export const noCompletion: Completion = Object.freeze({ values: Object.freeze([]), total: 0, hasMore: false });

/** A failing handler offers nothing: completions are a comfort, and the user types on. */
export async function completeFrom(source: CompletionSource, call: CompletionCall): Promise<Completion> {
  if (typeof source !== 'string') return completeFromList(source, call.argument.value);
  const { host, owner, argument, others, request, services } = call;
  const name = `The completion for ${argument.name} in ${owner}`;
  try {
    const handler = handlerRefOf(source);
    if (handler === undefined) throw new Error(`${source} is outside the pack`);
    const subject = `completion:${owner}/${argument.name}`;
    const extras = { arguments: others };
    const outcome = await runHandler(
      { host, handler, name, subject, args: others, first: argument.value, extras },
      request,
      services,
    );
    if ('asking' in outcome) throw new Error('a completion cannot ask questions');
    return toCompletion(outcome.result);
  } catch (error) {
    if (isCancelled(error)) return noCompletion;
    services.report(host.settings.redact(`${name} failed: ${printCause(error)}`));
    return noCompletion;
  }
}

function completeFromList(values: readonly string[], typed: string): Completion {
  const start = typed.toLowerCase();
  return limitValues(values.filter(value => value.toLowerCase().startsWith(start)));
}

/** A list of values, or what the protocol wants: `{values, total, hasMore}`. */
function toCompletion(result: unknown): Completion {
  if (result === undefined || result === null) return noCompletion;
  const { values, total, hasMore } = Array.isArray(result)
    ? { values: result, total: undefined, hasMore: undefined }
    : (result as { readonly values?: unknown; readonly total?: unknown; readonly hasMore?: unknown });
  if (!Array.isArray(values)) throw new Error('it returned neither a list of values nor {values, total, hasMore}');
  const wrong = values.find(value => typeof value !== 'string' && typeof value !== 'number');
  if (wrong !== undefined) throw new Error(`it returned a value that is not a string, but ${typeof wrong}`);
  const cut = limitValues(values.map(String));
  const all = typeof total === 'number' && Number.isInteger(total) ? Math.max(total, cut.total) : cut.total;
  return { values: cut.values, total: all, hasMore: hasMore === true || all > cut.values.length };
}

function limitValues(values: readonly string[]): Completion {
  return { values: values.slice(0, mostValues), total: values.length, hasMore: values.length > mostValues };
}

interface FoundCompletion {
  /** Undefined where the argument is unknown or has no completion. */
  readonly source: CompletionSource | undefined;
  readonly host: PackHost;
  /** The name of the prompt or resource. */
  readonly owner: string;
}

interface Offered {
  readonly prompts: ReadonlyMap<string, ServedPrompt>;
  readonly resources: readonly ServedResource[];
}

/** Where the values come from. Throws where there is no such prompt or resource. */
export function findCompletion({ ref, argument }: CompletionQuery, { prompts, resources }: Offered): FoundCompletion {
  if (ref.type === 'ref/prompt') {
    const served = prompts.get(ref.name);
    if (served === undefined) throw unknownName('prompt', ref.name, prompts.keys());
    const found = served.prompt.arguments.find(({ name }) => name === argument.name);
    return { source: found?.complete, host: served.host, owner: served.name };
  }
  const served = resources.find(({ resource: { definition } }) =>
    [definition.uriTemplate, definition.uri].includes(ref.uri),
  );
  if (served === undefined) throw new ResourceNotFound(clipName(ref.uri));
  const { complete = {} } = served.resource.definition;
  const source = Object.hasOwn(complete, argument.name) ? complete[argument.name] : undefined;
  return { source, host: served.host, owner: served.resource.name };
}

/** Whether there is anything to complete. */
export function hasCompletions({ prompts, resources }: Offered): boolean {
  return (
    [...prompts.values()].some(({ prompt }) => prompt.arguments.some(({ complete }) => complete !== undefined)) ||
    resources.some(({ resource }) => Object.keys(resource.definition.complete ?? {}).length > 0)
  );
}
