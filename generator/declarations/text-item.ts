// What prompts and resources have in common: an item whose handler takes a map of texts.
// In: its values and the names of its types. Out: its declarations.
import type { Prompt, Resource } from '../../runtime/load/program.js';
import type { Site } from '../../schema/diagnostics.js';
import { type Declarations, makeDraft, supportModule } from './draft.js';
import { addContext, definitionSite, printNote, summaryOf } from './item.js';
import { addShape, objectSchema } from './shape.js';

export interface TextItem {
  readonly path: string;
  readonly item: Prompt | Resource;
  readonly names: { readonly values: string; readonly context?: string; readonly handler?: string };
  /** What the handler's first parameter is called. */
  readonly parameter: string;
  /** The types of `toolwright/support` that its context and its result build on. */
  readonly support: { readonly context: string; readonly result: string };
  readonly values: readonly {
    readonly name: string;
    readonly description: string;
    readonly isRequired: boolean;
    site(): Site;
  }[];
}

export function printTextItem({ path, item, names, parameter, support, values }: TextItem): Declarations {
  const declared = new Set<string>(Object.values(names));
  const draft = makeDraft(path, item.file);
  if (names.handler !== undefined) {
    draft.add(`import type { ${support.context}, ${support.result} } from ${supportModule};\n`);
    draft.add("import type { App } from '../app.js';\nimport type { Config } from '../config.js';\n\n");
  }
  const site = definitionSite(item);
  const summary = summaryOf(item);
  const schema = objectSchema(
    values.map(({ name, description }) => [name, { type: 'string', ...(description === '' ? {} : { description }) }]),
    {
      description: summary === '' ? `The ${parameter} of ${item.item}.` : summary,
      required: values.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    },
  );
  const sites = new Map(values.map(value => [value.name, value.site]));
  const siteOf = ([, name]: readonly (string | number)[]): Site | undefined => sites.get(String(name))?.();
  addShape(draft, { name: names.values, mode: 'args', schema, site, siteOf }, declared);
  if (names.context === undefined || names.handler === undefined) return draft.finish();
  draft.add(`\n${printNote(`What the handler of ${item.item} is given besides its ${parameter}.`)}`);
  addContext(draft, { name: names.context, base: support.context, site });
  draft.add(`\n${printNote(summary)}export type `);
  draft.addName(names.handler, site);
  draft.add(` = (\n  ${parameter}: ${names.values},\n  ctx: ${names.context},\n`);
  draft.add(`) => ${support.result} | Promise<${support.result}>;\n`);
  return draft.finish();
}
