// What the declarations of tools, prompts and resources share: where the item is defined, and how its text is shown.
import type { Prompt, Resource, Tool } from '../../../runtime/load/program.js';
import type { HandledKind, JsonSchema } from '../../../schema/definitions.js';
import type { Diagnostic, Site } from '../../../schema/diagnostics.js';
import type { Path } from '../../../schema/document.js';
import { memberName } from '../../../schema/names.js';
import type { Filling } from '../../../schema/support/validator.js';
import { type PrintedTypes, printTypes } from '../types/print-types.js';
import type { SharedTypes } from '../types/scope.js';
import { printDoc } from '../types/write-types.js';
import { type Block, type Draft, makeDraft } from './block.js';

/** The part of one item in the declaration file of its kind. Plain data: it is remembered between runs. */
export interface Section {
  readonly types: Block;
  /** Its function in `tools`, `prompts` or `resources`; only items with a handler have one. */
  readonly member?: Block;
  /** What `ctx.call` takes and gives for it; of tools only. */
  readonly call?: Block;
  /** The types of shared schemas that it uses. */
  readonly imports?: readonly string[];
  /** Where a type says less than its schema, for the author's information. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The types that the items of a kind share. No item has an underscore inside the names of its own. */
interface KindTypes {
  readonly context: string;
  readonly result: string;
}

/**
 * What handlers of a kind are given and return, where their item says nothing of its own.
 *
 * @example kindTypes('tool').context // 'Tool_Context'
 */
export function kindTypes(kind: HandledKind): KindTypes {
  const start = kind.charAt(0).toUpperCase() + kind.slice(1);
  return { context: `${start}_Context`, result: `${start}_Result` };
}

/** Where go-to-definition on an item leads: its key in a combined file, its name inline, else the file's first key. */
export function definitionSite({ at, server }: Tool | Prompt | Resource): Site {
  return server === undefined ? at.site([], 'key') : at.site(['name'], 'key');
}

/** The first paragraph of a description: what fits above a line of code. */
export function summaryOf({ description }: Tool | Prompt | Resource): string {
  return description.trim().split(/\r?\n[ \t]*\r?\n/, 1)[0] ?? '';
}

/**
 * A string as a doc comment, or nothing for an empty one.
 *
 * @example printNote('Get an issue.', '  ') // a comment of one line, indented
 */
export function printNote(text: string, indent = ''): string {
  return printDoc([{ description: text }], indent);
}

/** The function that gives an item's handler its types. */
export function makeMember(item: Tool | Prompt | Resource, handler: string, site: Site): Block {
  const draft = makeDraft();
  const name = memberName(item.item);
  draft.add(`${printNote(summaryOf(item), '  ')}  `);
  // `new(...)` would be a constructor.
  draft.addName(name === 'new' ? "'new'" : name, site);
  draft.add(`(handler: ${handler}): ${handler};\n`);
  return draft.finish();
}

interface ContextShape {
  readonly name: string;
  /** The type of the kind that it builds on. */
  readonly base: string;
  readonly site: Site;
  /** What the item has of its own, with where it was written; undefined: leads nowhere. */
  readonly properties?: readonly { readonly name: string; readonly type: string; readonly site: Site | undefined }[];
}

/** Adds the type of what a handler is given besides its first parameter: its own only where it differs. */
export function addContext(draft: Draft, { name, base, site, properties = [] }: ContextShape): void {
  if (properties.length === 0) {
    draft.add('export type ');
    draft.addName(name, site);
    draft.add(` = ${base};\n`);
    return;
  }
  draft.add('export interface ');
  draft.addName(name, site);
  draft.add(` extends ${base} {\n`);
  addProperties(draft, properties);
}

/** The rest of an interface whose `{` is there. */
export function addProperties(draft: Draft, properties: NonNullable<ContextShape['properties']>): void {
  for (const property of properties) {
    draft.add('  readonly ');
    draft.addName(property.name, property.site);
    draft.add(`: ${property.type};\n`);
  }
  draft.add('}\n');
}

// In: a JSON Schema and where it was written. Out: its TypeScript in a draft, each name leading back to the manifest.
export interface Shape {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly mode: 'args' | 'input' | 'output';
  /** What calls do with defaults; `always` where not given. */
  readonly filling?: Filling;
  readonly shared?: SharedTypes | undefined;
  readonly isAnyValue?: boolean;
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
