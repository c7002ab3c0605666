// In: a program. Out: the face of the generated folder: one function per item that gives its handler its types.
import { manifestFile } from '../../runtime/load/manifest.js';
import type { Program, Prompt, Resource, Tool } from '../../runtime/load/program.js';
import type { Site } from '../../schema/diagnostics.js';
import type { ModuleFormat } from '../project.js';
import { type Declarations, type Draft, makeDraft, printHeader } from './draft.js';
import { definitionSite, printNote, summaryOf } from './item.js';
import { memberName } from './names.js';
import { generatedPath } from './paths.js';
import { promptTypeNames } from './prompt.js';
import { resourceTypeNames } from './resource.js';
import { toolTypeNames } from './tool.js';

export interface Index {
  readonly js: string;
  readonly dts: string;
  readonly map: string;
}

/** One exported type: its name in the item's file, and in the index. */
interface Export {
  readonly type: string;
  readonly as: string;
}

/** Where an item is defined. */
type SiteOf = (item: Tool | Prompt | Resource) => Site;

/** The items of one kind, with the types that each exports. */
interface Group {
  /** The name of the value. */
  readonly key: 'tools' | 'prompts' | 'resources';
  /** The name of its type. */
  readonly type: 'Tools' | 'Prompts' | 'Resources';
  readonly doc: string;
  readonly entries: readonly {
    readonly item: Tool | Prompt | Resource;
    readonly exports: readonly Export[];
    /** Only items with a handler have a function. */
    readonly handler: Export | undefined;
  }[];
}

/**
 * `generated/index.js` and its declarations.
 *
 * @example const { js, dts, map } = printIndex(program);
 */
export function printIndex(program: Program, siteOf: SiteOf = definitionSite, format: ModuleFormat = 'esm'): Index {
  const groups = toGroups(program);
  const { text: dts, map } = printDeclarations(groups, program, siteOf);
  return { js: printValues(groups, format), dts, map };
}

function toGroups(program: Program): readonly Group[] {
  const taken = new Set<string>();
  // Names differ within a kind; where two kinds clash, the later one gets an underscore.
  const toEntry = (item: Tool | Prompt | Resource, names: { readonly handler?: string }): Group['entries'][number] => {
    const exports = Object.values<string>(names).map((type): Export => {
      let as = type;
      while (taken.has(as)) as += '_';
      taken.add(as);
      return { type, as };
    });
    return { item, exports, handler: exports.find(({ type }) => type === names.handler) };
  };
  return [
    {
      key: 'tools',
      type: 'Tools',
      doc: 'Gives the handler of each tool its types; the handler itself stays as it is.',
      entries: program.tools.map(tool => toEntry(tool, toolTypeNames(tool, program))),
    },
    {
      key: 'prompts',
      type: 'Prompts',
      doc: 'Gives the handler of each prompt its types; prompts made from a template have none.',
      entries: program.prompts.map(prompt => toEntry(prompt, promptTypeNames(prompt))),
    },
    {
      key: 'resources',
      type: 'Resources',
      doc: 'Gives the handler of each resource its types; resources with a text or a file have none.',
      entries: program.resources.map(resource => toEntry(resource, resourceTypeNames(resource))),
    },
  ];
}

/** The one module of the folder that handlers import, so that it has the format of the project's own. */
function printValues(groups: readonly Group[], format: ModuleFormat): string {
  const values = groups.map(({ key, entries }) => {
    const members = entries.filter(({ handler }) => handler !== undefined);
    const lines = members.map(({ item }) => `  ${memberName(item.item)}: same,\n`);
    return `${format === 'esm' ? 'export const ' : 'exports.'}${key} = {${lines.length === 0 ? '' : `\n${lines.join('')}`}};\n`;
  });
  return `${printHeader(manifestFile)}const same = handler => handler;\n\n${values.join('\n')}`;
}

function printDeclarations(groups: readonly Group[], program: Program, siteOf: SiteOf): Declarations {
  const draft = makeDraft(generatedPath(program, 'index.d.ts'), manifestFile);
  const entries = groups.flatMap(({ key, entries }) => entries.map(entry => ({ key, ...entry })));
  for (const { key, item, handler } of entries) {
    if (handler !== undefined) draft.add(`import type { ${printExport(handler)} } from './${key}/${item.item}.js';\n`);
  }
  draft.add("\nexport type { App } from './app.js';\nexport type { Config } from './config.js';\n");
  for (const { key, item, exports } of entries) {
    draft.add(`export type { ${exports.map(printExport).join(', ')} } from './${key}/${item.item}.js';\n`);
  }
  for (const group of groups) addGroup(draft, group, siteOf);
  return draft.finish();
}

function printExport({ type, as }: Export): string {
  return type === as ? type : `${type} as ${as}`;
}

function addGroup(draft: Draft, { key, type, doc, entries }: Group, siteOf: SiteOf): void {
  draft.add(`\n${printNote(doc)}export interface `);
  draft.addName(type, undefined);
  const isEmpty = entries.every(({ handler }) => handler === undefined);
  draft.add(isEmpty ? ' {' : ' {\n');
  for (const { item, handler } of entries) {
    if (handler === undefined) continue;
    const name = memberName(item.item);
    draft.add(`${printNote(summaryOf(item), '  ')}  `);
    // `new(...)` would be a constructor.
    draft.addName(name === 'new' ? "'new'" : name, siteOf(item));
    draft.add(`(handler: ${handler.as}): ${handler.as};\n`);
  }
  draft.add('}\nexport declare const ');
  draft.addName(key, undefined);
  draft.add(`: ${type};\n`);
}
