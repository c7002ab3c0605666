// In: a program. Out: the face of the generated folder: one function per item that gives its handler its types.
import { manifestFile } from '../../../runtime/load/manifest.js';
import type { Program, Prompt, Resource, Tool } from '../../../runtime/load/program.js';
import type { ModuleFormat } from '../project/project.js';
import { printHeader } from './draft.js';
import { printNote } from './item.js';
import { kindFiles } from './kind-file.js';
import { type HandledKind, memberName } from './names.js';
import { promptTypeNames } from './prompt.js';
import { resourceTypeNames } from './resource.js';
import { toolTypeNames } from './tool.js';

export interface Index {
  readonly js: string;
  readonly dts: string;
}

/** The items of one kind, with the names of their types. */
interface Group {
  readonly kind: HandledKind;
  readonly items: readonly (Tool | Prompt | Resource)[];
  types(): readonly string[];
}

/**
 * `generated/index.js` and its declarations.
 *
 * @example const { js, dts } = printIndex(program);
 */
export function printIndex(program: Program, format: ModuleFormat = 'esm'): Index {
  return { js: printValues(program, format), dts: printDeclarations(program) };
}

/**
 * What the index says of types: it changes where a kind gets its first item, or where items of two kinds have types of
 * the same name.
 */
function printDeclarations(program: Program): string {
  const groups: readonly Group[] = [
    {
      kind: 'tool',
      items: program.tools,
      types: () => program.tools.flatMap(tool => namesOf(toolTypeNames(tool, program))),
    },
    {
      kind: 'prompt',
      items: program.prompts,
      types: () => program.prompts.flatMap(one => namesOf(promptTypeNames(one))),
    },
    {
      kind: 'resource',
      items: program.resources,
      types: () => program.resources.flatMap(one => namesOf(resourceTypeNames(one))),
    },
  ];
  const filled = groups.filter(({ items }) => items.length > 0);
  const imports = filled.map(({ kind }) => {
    return `import type { ${kindFiles[kind].type} } from './${kindFiles[kind].key}.js';\n`;
  });
  const values = groups.map(({ kind, items }) => {
    const { key, type, doc } = kindFiles[kind];
    const empty = items.length === 0 ? `export interface ${type} {}\n` : '';
    return `\n${printNote(doc)}${empty}export declare const ${key}: ${type};\n`;
  });
  const shared = "export type { App } from './app.js';\nexport type { Config } from './config.js';\n";
  return `${printHeader(manifestFile)}${imports.join('')}\n${shared}${printExports(filled)}${values.join('')}`;
}

/** Names differ within a kind; where two kinds clash, each type is named, and that of the later one gets an underscore. */
function printExports(groups: readonly Group[]): string {
  const all = groups.length < 2 ? [] : groups.flatMap(({ types }) => types());
  if (new Set(all).size === all.length) {
    return groups.map(({ kind }) => `export * from './${kindFiles[kind].key}.js';\n`).join('');
  }
  const taken = new Set<string>();
  const lines = groups.map(({ kind, types }) => {
    const exports = [kindFiles[kind].type, ...types()].map(type => {
      let as = type;
      while (taken.has(as)) as += '_';
      taken.add(as);
      return `  ${type === as ? type : `${type} as ${as}`},\n`;
    });
    return `export type {\n${exports.join('')}} from './${kindFiles[kind].key}.js';\n`;
  });
  return lines.join('');
}

function namesOf(names: object): readonly string[] {
  return Object.values<string>({ ...names });
}

/** The one module of the folder that handlers import, so that it has the format of the project's own. */
function printValues({ tools, prompts, resources }: Program, format: ModuleFormat): string {
  const values = Object.entries({ tools, prompts, resources }).map(([key, items]) => {
    const members = items.filter(({ handler }) => handler !== undefined);
    const lines = members.map(({ item }) => `  ${memberName(item)}: same,\n`);
    return `${format === 'esm' ? 'export const ' : 'exports.'}${key} = {${lines.length === 0 ? '' : `\n${lines.join('')}`}};\n`;
  });
  return `${printHeader(manifestFile)}const same = handler => handler;\n\n${values.join('\n')}`;
}
