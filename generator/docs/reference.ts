// In: a program. Out: what a reference says about it, as flat data for every format: servers with what they list, items, config.

import { callerInput, listedArguments, sourceOf } from '../../runtime/load/bound.js';
import { printListed, printWhen } from '../../runtime/load/conditions.js';
import type { Listed, Program, Prompt, Resource, Tool } from '../../runtime/load/program.js';
import { describeArgument, guidelineSections } from '../../runtime/packs/list-entries.js';
import { type Backends, configOfItem } from '../../schema/backend/calls.js';
import type { ConfigEntry, JsonSchema } from '../../schema/definitions.js';
import { renderMentions } from '../../schema/template/mentions.js';
import { type Field, fieldsOf } from './schema-fields.js';

export interface Reference {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly servers: readonly ServerPage[];
  readonly tools: readonly ToolPage[];
  readonly prompts: readonly PromptPage[];
  readonly resources: readonly ResourcePage[];
  readonly config: readonly ConfigRow[];
}

export interface ServerPage {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly transport: string;
  readonly instructions: string;
  /** Wire names, in the order in which clients see them. */
  readonly tools: readonly string[];
  readonly prompts: readonly string[];
  readonly resources: readonly string[];
}

export interface ToolPage {
  readonly item: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The first one decides where it stands. */
  readonly tags: readonly string[];
  readonly effect: string;
  readonly guidelines: readonly { readonly title: string; readonly text: string }[];
  readonly input: readonly Field[];
  readonly output: readonly Field[];
  readonly errors: readonly { readonly code: string; readonly message: string; readonly fix: string }[];
  readonly requires: readonly string[];
  readonly examples: readonly Example[];
  readonly inputSchema: JsonSchema;
}

export interface Example {
  readonly name: string;
  readonly description: string;
  readonly input: unknown;
  readonly output?: unknown;
  readonly error?: string;
}

export interface PromptPage {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The first one decides where it stands. */
  readonly tags: readonly string[];
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

export interface ResourcePage {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The first one decides where it stands. */
  readonly tags: readonly string[];
  readonly uri: string;
  readonly mimeType: string;
}

export interface ConfigRow {
  readonly name: string;
  /** On a command line: `--caps`; empty where it cannot be given there. */
  readonly words: string;
  readonly type: string;
  readonly default: string;
  readonly secret: boolean;
  readonly description: string;
}

export function makeReference({ pack, servers, tools, prompts, resources }: Program): Reference {
  const names = new Map(tools.map(({ item, name }) => [item, name]));
  const render = (text: string): string => renderMentions(text, item => names.get(item) ?? item);
  /** X2: a description that ends with the conditions under which the item is offered. */
  const withConditions = (text: string, { kind, item, definition: { when } }: Tool | Prompt | Resource): string => {
    const own = when === undefined ? [] : [`Only if ${printWhen(when)}.`];
    const listed = servers.flatMap(server =>
      server[`${kind}s`].flatMap(one =>
        one.from === 'own' && one.item === item && one.when !== undefined
          ? [`In the server ${server.item} only if ${printListed(one.when)}.`]
          : [],
      ),
    );
    return [text, ...own, ...listed].join('\n\n').trim();
  };
  return {
    name: pack.name,
    version: pack.version,
    description: pack.description ?? '',
    servers: servers.map(server => ({
      name: server.item,
      title: server.title ?? server.name,
      description: server.description,
      transport: server.definition.transport ?? 'stdio',
      instructions: render(server.instructions),
      tools: server.tools.map(nameOf),
      prompts: server.prompts.map(nameOf),
      resources: server.resources.map(nameOf),
    })),
    tools: tools.map(tool => {
      const page = toToolPage(tool, render, pack.backends);
      return { ...page, description: withConditions(page.description, tool) };
    }),
    prompts: prompts.map(prompt => ({
      name: prompt.name,
      title: prompt.title ?? '',
      description: withConditions(prompt.description, prompt),
      tags: prompt.definition.tags ?? [],
      arguments: prompt.arguments.map(argument => ({
        name: argument.name,
        description: describeArgument(argument),
        required: argument.required ?? false,
      })),
    })),
    resources: resources.map(resource => {
      const { name, title = '', description, definition } = resource;
      return {
        name,
        title,
        description: withConditions(description, resource),
        tags: definition.tags ?? [],
        uri: definition.uri ?? definition.uriTemplate ?? '',
        mimeType: definition.mimeType ?? '',
      };
    }),
    config: Object.entries(pack.config).map(([name, entry]) => ({
      name,
      type: printConfigType(entry),
      words: printWords(entry),
      default: entry.default === undefined ? '' : JSON.stringify(entry.default),
      secret: entry.secret === true,
      description: entry.description ?? '',
    })),
  };
}

/** `"pdf" | "vision"`, or of a list `array of "pdf" | "vision"`. */
function printConfigType({ type, enum: allowed }: ConfigEntry): string {
  const values = allowed?.map(value => JSON.stringify(value)).join(' | ');
  return type === 'array' ? `array of ${values ?? 'strings'}` : (values ?? type);
}

/** X3: how it is given on a command line; empty where it cannot be. */
function printWords({ flag, argument }: ConfigEntry): string {
  const place = argument === 'rest' ? 'remaining arguments' : `argument ${argument}`;
  return [...(flag === undefined ? [] : [`--${flag}`]), ...(argument === undefined ? [] : [place])].join(', ');
}

/** The heading of what has no tag, where other things have. */
export const otherGroup = 'Other';

export interface TagGroup<T> {
  /** Empty for those without a tag, which come last. */
  readonly tag: string;
  readonly items: readonly T[];
}

/** X12: by the first tag, in the order in which tags appear; one group where nothing has a tag. */
export function groupPages<T extends { readonly tags: readonly string[] }>(
  pages: readonly T[],
): readonly TagGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const page of pages) {
    const [tag = ''] = page.tags;
    groups.set(tag, [...(groups.get(tag) ?? []), page]);
  }
  const untagged = groups.get('') ?? [];
  groups.delete('');
  const tagged = [...groups].map(([tag, items]) => ({ tag, items }));
  return untagged.length === 0 ? tagged : [...tagged, { tag: '', items: untagged }];
}

function nameOf(listed: Listed): string {
  if (listed.from !== 'foreign') return listed.name;
  const { publisher, pack, item } = listed.reference;
  return [publisher, pack, item].filter(part => part !== undefined).join('/');
}

/** X14: a parameter that an operator may have taken from callers. */
function noteSource(field: Field, bound: Tool['bound'] = {}): Field {
  const source = Object.hasOwn(bound, field.name) ? sourceOf(bound[field.name]) : undefined;
  if (source === undefined) return field;
  const note = `Not taken from callers where ${source.name} is set.`;
  return { ...field, description: field.description === '' ? note : `${field.description} ${note}` };
}

function toToolPage(
  { item, name, title = '', description, definition, inputSchema: whole, outputSchema, bound }: Tool,
  render: (text: string) => string,
  backends: Backends | undefined,
): ToolPage {
  const inputSchema = callerInput({ inputSchema: whole, bound });
  const needed = configOfItem({ ...definition }, backends).map(key => [key, 'required'] as const);
  return {
    item,
    name,
    title,
    description: render(description),
    tags: definition.tags ?? [],
    effect: definition.effect ?? '',
    guidelines: guidelineSections(definition.guidelines ?? {}).map(({ heading, body }) => ({
      title: heading,
      text: render(body.trim()),
    })),
    input: fieldsOf(inputSchema).map(field => noteSource(field, bound)),
    output: outputSchema === undefined ? [] : fieldsOf(outputSchema),
    errors: Object.entries(definition.errors ?? {}).map(([code, { message = '', suggestedFix = '' }]) => ({
      code,
      message: render(message),
      fix: render(suggestedFix),
    })),
    requires: [...new Map([...Object.entries(definition.requires ?? {}), ...needed])].map(
      ([what, how]) => `${what} (${how})`,
    ),
    examples: (definition.examples ?? []).map(
      ({ name: title, description: about = '', input, output, error }, index) => ({
        name: title ?? `Example ${index + 1}`,
        description: about,
        input: bound === undefined ? (input ?? {}) : listedArguments(input ?? {}, inputSchema),
        ...(output === undefined ? {} : { output }),
        ...(error === undefined ? {} : { error: typeof error === 'string' ? error : JSON.stringify(error) }),
      }),
    ),
    inputSchema,
  };
}
