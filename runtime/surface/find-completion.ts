// In: what a client wants completed. Out: where the values come from, or that there is no such prompt or resource.
import type { PackHost, ServedPrompt, ServedResource } from '../call/ports.js';
import type { CompletionSource } from './complete.js';
import { ResourceNotFound } from './resource-not-found.js';
import type { CompletionQuery } from './surface.js';
import { clip, unknownName } from './unknown-name.js';

export interface FoundCompletion {
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
  if (served === undefined) throw new ResourceNotFound(clip(ref.uri));
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
