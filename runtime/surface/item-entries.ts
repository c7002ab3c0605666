// In: prompts and resources as a server offers them. Out: their entries in the lists, in the protocol's shape.

import type { PromptArgument } from '../../schema/definitions.js';
import type { ServedPrompt, ServedResource } from '../call/ports.js';
import type { Resource } from '../load/program.js';
import { mimeTypeOf } from './mime-type.js';
import type { Wire } from './surface.js';

type Render = (text: string) => string;

/** W75: an argument has a description and says whether it is required; without any there is no list of them. */
export function promptEntry({ prompt, name }: Pick<ServedPrompt, 'prompt' | 'name'>, render: Render): Wire {
  const { definition, title, description, arguments: list } = prompt;
  const entries = list.map(argument => ({
    name: argument.name,
    ...(argument.title === undefined ? {} : { title: argument.title }),
    description: describeArgument(argument),
    required: argument.required ?? false,
  }));
  return Object.freeze({
    name,
    ...(title === undefined ? {} : { title }),
    description: render(description),
    ...(entries.length === 0 ? {} : { arguments: entries }),
    ...passedOn(definition),
  });
}

/** W74: clients send strings, whatever they stand for. */
export function describeArgument({ description = '', type }: PromptArgument): string {
  if (type !== 'list') return description;
  return description === ''
    ? 'A JSON array, or one entry per line'
    : `${description} (a JSON array, or one entry per line)`;
}

/** The entry of a resource with a fixed URI, or of a template of URIs. */
export function resourceEntry({ resource }: Pick<ServedResource, 'resource'>, render: Render): Wire {
  const { definition, name, title, description } = resource;
  const { uri, uriTemplate, size, annotations } = definition;
  const mimeType = listedMimeType(resource);
  return Object.freeze({
    ...(uri === undefined ? { uriTemplate } : { uri }),
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === '' ? {} : { description: render(description) }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(size === undefined || uri === undefined ? {} : { size }),
    ...(annotations === undefined ? {} : { annotations }),
    ...passedOn(definition),
  });
}

/** What the definition says, else what the ending of its file says. */
export function listedMimeType({ definition }: Resource): string | undefined {
  return definition.mimeType ?? (definition.file === undefined ? undefined : mimeTypeOf(definition.file));
}

function passedOn({ icons, _meta }: { readonly icons?: unknown; readonly _meta?: unknown }): Wire {
  return { ...(icons === undefined ? {} : { icons }), ...(_meta === undefined ? {} : { _meta }) };
}
