// In: an item as a server offers it. Out: its entry in the lists of the protocol, and what a model reads about a server as a whole.
import type { Guidelines, JsonSchema, PromptArgument, ToolDefinition } from '../../schema/definitions.js';
import { callerInput } from '../load/bound.js';
import { mimeTypeOf } from '../load/mime-type.js';
import type { Prompt, Resource, Tool } from '../load/program.js';

/** A JSON object as it goes over the wire; authors' schemas are in it as they were written. */
export type Wire = Readonly<Record<string, unknown>>;

/** Puts the names of tools into text of a pack. */
type Render = (text: string) => string;

interface ListedTool {
  readonly tool: Tool;
  readonly name: string;
  /** X14: with the operator's configuration. */
  readonly bound?: { readonly input: JsonSchema } | undefined;
}

/** The schemas are those of the program, byte for byte. */
export function toolEntry({ tool, name, bound }: ListedTool, render: Render): Wire {
  const { definition, title, outputSchema } = tool;
  const annotations = annotationsOf(definition, title);
  const meta = metaOf(definition);
  return Object.freeze({
    name,
    ...(title === undefined ? {} : { title }),
    description: render(describe(tool.description, guidelinesIn('description', definition))),
    inputSchema: bound?.input ?? callerInput(tool),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(definition.icons === undefined ? {} : { icons: definition.icons }),
    ...(meta === undefined ? {} : { _meta: meta }),
  });
}

/** The guidelines that a tool wants in one of the two places; empty where it wants them in the other. */
export function guidelinesIn(place: 'description' | 'instructions', definition: ToolDefinition): string {
  const { guidelines, guidelinesIn: wanted = 'description' } = definition;
  return guidelines === undefined || wanted !== place ? '' : printGuidelines(guidelines);
}

const effects: Readonly<Record<NonNullable<ToolDefinition['effect']>, Wire>> = {
  read: { readOnlyHint: true, idempotentHint: true },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true },
};

/** C13: from `effect`, and singly from `annotations`. B4: a tool of another server is listed as its manifest says, with nothing beside. */
function annotationsOf({ effect, annotations, mcp }: ToolDefinition, title: string | undefined): Wire | undefined {
  const all = {
    ...(title === undefined || mcp !== undefined ? {} : { title }),
    ...(effect === undefined ? {} : effects[effect]),
    ...annotations,
  };
  return Object.keys(all).length === 0 ? undefined : all;
}

/** MCP Apps reads `_meta.ui`. */
function metaOf({ _meta, ui }: ToolDefinition): Wire | undefined {
  return ui === undefined ? _meta : { ..._meta, ui };
}

/**
 * W75: an argument has a description and says whether it is required; without any there is no list of them. B4: those of another server are
 * listed as the manifest says.
 */
export function promptEntry(
  { prompt, name }: { readonly prompt: Prompt; readonly name: string },
  render: Render,
): Wire {
  const { definition, title, description, arguments: list } = prompt;
  const isForwarded = definition.mcp !== undefined;
  const entries = list.map(argument => {
    const about = describeArgument(argument);
    return {
      name: argument.name,
      ...(argument.title === undefined ? {} : { title: argument.title }),
      ...(isForwarded && about === '' ? {} : { description: about }),
      ...(isForwarded && argument.required === undefined ? {} : { required: argument.required ?? false }),
    };
  });
  return Object.freeze({
    name,
    ...(title === undefined ? {} : { title }),
    ...(isForwarded && description === '' ? {} : { description: render(description) }),
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
export function resourceEntry({ resource }: { readonly resource: Resource }, render: Render): Wire {
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

/** The order and the headings are fixed (M11). */
const headings = [
  ['whenToUse', 'When to use'],
  ['avoidIf', 'Avoid if'],
  ['prerequisites', 'Prerequisites'],
  ['sideEffects', 'Side effects'],
  ['additionalInfo', 'Additional info'],
] as const satisfies readonly (readonly [keyof Guidelines, string])[];

/**
 * Prints guidelines; empty ones are left out, and the text is empty where all are.
 *
 * @example printGuidelines({ avoidIf: 'It is late.' }) // 'Avoid if: It is late.'
 */
function printGuidelines(guidelines: Guidelines): string {
  return guidelineSections(guidelines)
    .map(({ heading, body }) => `${heading}:${body}`)
    .join('\n\n');
}

/** The sections that say something, in their order. */
export function guidelineSections(
  guidelines: Guidelines,
): readonly { readonly heading: string; readonly body: string }[] {
  return headings.flatMap(([key, heading]) => {
    const body = printSection(guidelines[key]);
    return body === undefined ? [] : [{ heading, body }];
  });
}

function printSection(section: string | readonly string[] | undefined): string | undefined {
  if (section === undefined || section === null) return undefined;
  if (typeof section === 'string') {
    const text = section.trim();
    if (text === '') return undefined;
    return text.includes('\n') ? `\n${text}` : ` ${text}`;
  }
  const points = section.map(point => point.trim()).filter(point => point !== '');
  if (points.length === 0) return undefined;
  return points.map(point => `\n- ${point.replaceAll('\n', '\n  ')}`).join('');
}

/** A description with the guidelines under it; exactly as written where there are none. */
function describe(description: string, guidelines: string): string {
  if (guidelines === '') return description;
  const text = description.trimEnd();
  return text === '' ? guidelines : `${text}\n\n${guidelines}`;
}

interface InstructedTool {
  readonly tool: Tool;
  readonly name: string;
  readonly render: Render;
}

/** C1: what the model reads about the server. Guidelines with `guidelinesIn: instructions` stand below, each under the wire name of its tool. */
export function printInstructions(written: string, tools: readonly InstructedTool[], renderOwn: Render): string {
  const moved = tools.flatMap(({ tool, name, render }) => {
    const guidelines = guidelinesIn('instructions', tool.definition);
    return guidelines === '' ? [] : [`## ${name}\n\n${render(guidelines)}`];
  });
  const rendered = renderOwn(written);
  if (moved.length === 0) return rendered;
  const text = rendered.trimEnd();
  return (text === '' ? moved : [text, ...moved]).join('\n\n');
}
