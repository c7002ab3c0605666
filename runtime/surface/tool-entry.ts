// In: a tool as a server offers it. Out: its entry in the list of tools, in the protocol's shape.
import type { ToolDefinition } from '../../schema/definitions.js';
import type { ServedTool } from '../call/ports.js';
import { describe, printGuidelines } from './guidelines.js';
import type { Wire } from './surface.js';

/** `render` puts in the names of tools. The schemas are those of the program, byte for byte. */
export function toolEntry({ tool, name }: Pick<ServedTool, 'tool' | 'name'>, render: (text: string) => string): Wire {
  const { definition, title, inputSchema, outputSchema } = tool;
  const annotations = annotationsOf(definition, title);
  const meta = metaOf(definition);
  return Object.freeze({
    name,
    ...(title === undefined ? {} : { title }),
    description: render(describe(tool.description, guidelinesIn('description', definition))),
    inputSchema,
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

/** C13: from `effect`, and singly from `annotations`. */
function annotationsOf({ effect, annotations }: ToolDefinition, title: string | undefined): Wire | undefined {
  const all = {
    ...(title === undefined ? {} : { title }),
    ...(effect === undefined ? {} : effects[effect]),
    ...annotations,
  };
  return Object.keys(all).length === 0 ? undefined : all;
}

/** MCP Apps reads `_meta.ui`. */
function metaOf({ _meta, ui }: ToolDefinition): Wire | undefined {
  return ui === undefined ? _meta : { ..._meta, ui };
}
