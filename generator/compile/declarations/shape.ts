// In: a JSON Schema and where it was written. Out: its TypeScript in a draft, each name leading back to the manifest.
import type { JsonSchema } from '../../../schema/definitions.js';
import type { Site } from '../../../schema/diagnostics.js';
import type { Path } from '../../../schema/document.js';
import type { Filling } from '../../../schema/support/validator.js';
import { type PrintedTypes, printTypes } from '../types/print-types.js';
import type { Draft } from './draft.js';

export interface Shape {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly mode: 'args' | 'input' | 'output';
  /** What calls do with defaults; `always` where not given. */
  readonly filling?: Filling;
  /** Where the type as a whole comes from. */
  readonly site: Site;
  /** Where the name at a path of the schema was written; undefined where nobody wrote it in a manifest. */
  siteOf(path: Path): Site | undefined;
}

/** Adds the type of a schema, and gives back where it says less than the schema does. */
export function addShape(draft: Draft, shape: Shape): PrintedTypes['widened'] {
  const { text, marks, widened } = printTypes(shape.schema, shape);
  draft.addMarked(
    text,
    marks.map(({ offset, length, path }) => ({
      offset,
      length,
      site: path.length === 0 ? shape.site : shape.siteOf(path),
    })),
  );
  if (!text.endsWith('\n')) draft.add('\n');
  return widened;
}

/**
 * The schema of a flat map of settings, so that they are printed as arguments are.
 *
 * @example objectSchema([['limit', { type: 'integer', default: 50 }]], { description: 'Settings.' })
 */
export function objectSchema(
  entries: readonly (readonly [string, unknown])[],
  { description, required = [] }: { readonly description: string; readonly required?: readonly string[] },
): JsonSchema {
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(entries),
    required,
    additionalProperties: false,
  };
}
