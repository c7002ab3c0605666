// What prompts and resources have in common: an item whose handler takes a map of strings, or of lists.
// In: its values and the names of its types. Out: its section.
import type { Prompt, Resource } from '../../../runtime/load/program.js';
import type { Site } from '../../../schema/diagnostics.js';
import { makeDraft } from './draft.js';
import { addContext, definitionSite, makeMember, printNote, type Section, summaryOf } from './item.js';
import { kindTypes } from './names.js';
import { addShape, objectSchema } from './shape.js';

export interface TextItem {
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

export function printTextItem({ item, names, parameter, values }: TextItem): Section {
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
