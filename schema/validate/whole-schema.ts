// A whole JSON Schema where the shorthand lists parameters by their names, as MCP itself and most frameworks write it.
import { isMap } from '../document.js';

/** Where a whole schema belongs. */
export const schemaKeys = { parameters: 'inputSchema', output: 'outputSchema' } as const;

/** The keys of a tool whose value is surely meant as a schema. Only asked of tools whose form is wrong. */
export function wholeSchemas(tool: unknown): readonly (keyof typeof schemaKeys)[] {
  if (!isMap(tool)) return [];
  return (['parameters', 'output'] as const).filter(key => isWholeSchema(tool[key]));
}

/** A parameter may be called `type` and another one `properties`; that one has a type itself. */
function isWholeSchema(value: unknown): boolean {
  if (!isMap(value) || value['type'] !== 'object') return false;
  const { properties } = value;
  return isMap(properties) && typeof properties['type'] !== 'string';
}
