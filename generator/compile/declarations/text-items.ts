// Prompts and resources: an item whose handler takes a map of strings, or of lists.
// In: its values and the names of its types. Out: its section.
import type { Prompt, Resource } from '../../../runtime/load/program.js';
import type { Site } from '../../../schema/diagnostics.js';
import { typePrefix } from '../../../schema/names.js';
import { makeDraft } from './block.js';
import {
  addContext,
  addShape,
  definitionSite,
  kindTypes,
  makeMember,
  objectSchema,
  printNote,
  type Section,
  summaryOf,
} from './item.js';

interface TextItem {
  readonly item: Prompt | Resource;
  readonly names: { readonly values: string; readonly context?: string; readonly handler?: string };
  /** What the handler's first parameter is called. */
  readonly parameter: string;
  readonly values: readonly {
    readonly name: string;
    readonly description: string;
    readonly isRequired: boolean;
    /** A list of anything, where it is not a string. */
    readonly isList?: boolean;
    site(): Site;
  }[];
}

function printTextItem({ item, names, parameter, values }: TextItem): Section {
  const draft = makeDraft();
  const site = definitionSite(item);
  const summary = summaryOf(item);
  const schema = objectSchema(
    values.map(({ name, description, isList = false }) => [
      name,
      { type: isList ? 'array' : 'string', ...(description === '' ? {} : { description }) },
    ]),
    {
      description: summary === '' ? `The ${parameter} of ${item.item}.` : summary,
      required: values.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    },
  );
  const sites = new Map(values.map(value => [value.name, value.site]));
  const siteOf = ([, name]: readonly (string | number)[]): Site | undefined => sites.get(String(name))?.();
  draft.add('\n');
  addShape(draft, { name: names.values, mode: 'args', schema, site, siteOf });
  if (names.context === undefined || names.handler === undefined) return { types: draft.finish(), diagnostics: [] };
  const { context, result } = kindTypes(item.kind);
  draft.add(`\n${printNote(`What the handler of ${item.item} is given besides its ${parameter}.`)}`);
  addContext(draft, { name: names.context, base: context, site });
  draft.add('export type ');
  draft.addName(names.handler, site);
  draft.add(` = (${parameter}: ${names.values}, ctx: ${names.context}) => ${result};\n`);
  return { types: draft.finish(), member: makeMember(item, names.handler, site), diagnostics: [] };
}

// In: a prompt. Out: its types: its arguments and, where it has one, its handler.
interface PromptTypeNames {
  readonly args: string;
  /** A prompt made from a template has no handler, and so no context. */
  readonly context?: string;
  readonly handler?: string;
}

/**
 * The names of the types that a prompt's declarations export.
 *
 * @example promptTypeNames(prompt).args // 'IssueTextPromptArgs'
 */
export function promptTypeNames({ item, handler }: Pick<Prompt, 'item' | 'handler'>): PromptTypeNames {
  const prefix = typePrefix('prompt', item);
  const handled = handler === undefined ? {} : { context: `${prefix}Context`, handler: `${prefix}Handler` };
  return { args: `${prefix}Args`, ...handled };
}

/**
 * The declarations of one prompt. Arguments of prompts are strings, or lists where they are declared so.
 *
 * @example const { types, member } = printPromptSection(prompt);
 */
export function printPromptSection(prompt: Prompt): Section {
  const { args, ...names } = promptTypeNames(prompt);
  return printTextItem({
    item: prompt,
    names: { values: args, ...names },
    parameter: 'args',
    values: prompt.arguments.map(({ name, title, description, required, type }) => ({
      name,
      description: description ?? title ?? '',
      isRequired: required === true,
      isList: type === 'list',
      site: () => prompt.at.site(['arguments', name], 'key'),
    })),
  });
}

// In: a resource. Out: its types: the variables of its URI template and, where it has one, its handler.
interface ResourceTypeNames {
  readonly variables: string;
  /** A resource with text or a file has no handler, and so no context. */
  readonly context?: string;
  readonly handler?: string;
}

/**
 * The names of the types that a resource's declarations export.
 *
 * @example resourceTypeNames(resource).variables // 'IssueResourceVariables'
 */
export function resourceTypeNames({ item, handler }: Pick<Resource, 'item' | 'handler'>): ResourceTypeNames {
  const prefix = typePrefix('resource', item);
  const handled = handler === undefined ? {} : { context: `${prefix}Context`, handler: `${prefix}Handler` };
  return { variables: `${prefix}Variables`, ...handled };
}

/**
 * The declarations of one resource. Its variables are the texts that a client's URI has in their places.
 *
 * @example const { types, member } = printResourceSection(resource);
 */
export function printResourceSection(resource: Resource): Section {
  const { variables, ...names } = resourceTypeNames(resource);
  const places = findVariables(resource.definition.uriTemplate ?? '');
  return printTextItem({
    item: resource,
    names: { values: variables, ...names },
    parameter: 'variables',
    values: resource.variables.map(name => {
      const place = places.get(name) ?? { offset: -1, isOptional: true };
      return {
        name,
        description: '',
        isRequired: !place.isOptional,
        site: () => variableSite(resource, name, place),
      };
    }),
  });
}

/** Where a variable is first named in the template. Clients may leave out what is named in a query or as a parameter. */
interface Variable {
  readonly offset: number;
  readonly isOptional: boolean;
}

export function findVariables(template: string): ReadonlyMap<string, Variable> {
  const found = new Map<string, Variable>();
  for (const { index, 1: operator = '', 2: list = '' } of template.matchAll(/\{([+#./;?&]?)([^}]*)\}/g)) {
    let offset = index + 1 + operator.length;
    for (const written of list.split(',')) {
      const name = written.replace(/\*$|:\d+$/, '');
      const known = found.get(name);
      const isOptional = [';', '?', '&'].includes(operator) && known?.isOptional !== false;
      found.set(name, { offset: known?.offset ?? offset, isOptional });
      offset += written.length + 1;
    }
  }
  return found;
}

/** The name inside the braces: a fixed part of the template may have the same text. */
function variableSite({ at, definition }: Resource, name: string, { offset }: Variable): Site {
  const template = definition.uriTemplate ?? '';
  let nth = 0;
  let index = template.indexOf(name);
  for (; index !== -1 && index < offset; index = template.indexOf(name, index + name.length)) nth += 1;
  return index === offset ? at.find(['uriTemplate'], name, nth) : at.site(['uriTemplate']);
}
