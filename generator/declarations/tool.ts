// In: a tool. Out: its types: what callers send, what its handler receives, may throw and returns.
import type { Program, Tool } from '../../runtime/load/program.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { type Declarations, makeDraft, supportModule } from './draft.js';
import { addContext, definitionSite, printNote, summaryOf } from './item.js';
import { typePrefix } from './names.js';
import { generatedPath } from './paths.js';
import { addConfig, addErrors, addOptions, addSchemas, requiredConfig } from './tool-parts.js';

export interface ToolDeclarations extends Declarations {
  /** Where a type says less than its schema, for the author's information. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The path of a tool's declarations, relative to the pack.
 *
 * @example toolDeclarationsPath(tool, program) // 'generated/tools/get-issue.d.ts'
 */
export function toolDeclarationsPath({ item }: Pick<Tool, 'item'>, program: Program): string {
  return generatedPath(program, `tools/${item}.d.ts`);
}

/**
 * The declarations of one tool. They depend on nothing but the tool and the config keys that it requires, so that
 * other changes leave the file alone.
 *
 * @example const { text, map } = printToolDeclarations(tool, program);
 */
export function printToolDeclarations(tool: Tool, program: Program): ToolDeclarations {
  const names = toolTypeNames(tool, program);
  const declared = new Set<string>(Object.values(names));
  const draft = makeDraft(toolDeclarationsPath(tool, program), tool.file);
  const context = importName('ToolContext', declared);
  const imported = [context.clause];
  if (names.errors !== undefined) imported.push('ErrorFactory');
  if (names.output === undefined) imported.push('HandlerResult');
  draft.add(`import type { ${imported.sort().join(', ')} } from ${supportModule};\n`);
  draft.add("import type { App } from '../app.js';\nimport type { Config } from '../config.js';\n\n");
  const reserved = new Set([...declared, 'App', 'Config', 'ErrorFactory', 'HandlerResult', context.name]);
  const diagnostics = addSchemas(draft, tool, names, reserved);
  if (names.errors !== undefined) addErrors(draft, tool, names.errors);
  if (names.options !== undefined) addOptions(draft, tool, names.options, reserved);
  if (names.config !== undefined) addConfig(draft, tool, names.config, program);
  const site = definitionSite(tool);
  draft.add(`${printNote(`What the handler of ${tool.item} is given besides its arguments.`)}`);
  addContext(draft, {
    name: names.context,
    base: context.name,
    site,
    ...(names.config === undefined ? {} : { config: names.config }),
    properties: (['errors', 'options'] as const).flatMap(key => {
      const type = names[key];
      return type === undefined ? [] : [{ name: key, type, site: tool.at.site([key], 'key') }];
    }),
  });
  const result = names.output ?? 'HandlerResult';
  draft.add(`\n${printNote(summaryOf(tool))}export type `);
  draft.addName(names.handler, site);
  draft.add(` = (args: ${names.args}, ctx: ${names.context}) => ${result} | Promise<${result}>;\n`);
  return { ...draft.finish(), diagnostics };
}

/** How a type is imported into a file that declares others: under its own name, unless that is taken. */
function importName(name: string, declared: ReadonlySet<string>): { readonly clause: string; readonly name: string } {
  // A tool called `tool` has a ToolContext of its own.
  return declared.has(name) ? { clause: `${name} as ${name}_`, name: `${name}_` } : { clause: name, name };
}

export interface ToolTypeNames {
  readonly args: string;
  readonly input: string;
  readonly output?: string;
  readonly errors?: string;
  readonly options?: string;
  /** Only with required config keys: their values are there for sure. */
  readonly config?: string;
  readonly context: string;
  readonly handler: string;
}

/**
 * The names of the types that a tool's declarations export.
 *
 * @example toolTypeNames(tool, program).args // 'GetIssueArgs'
 */
export function toolTypeNames(tool: Tool, program: Program): ToolTypeNames {
  const prefix = typePrefix('tool', tool.item);
  const { errors, options } = tool.definition;
  return {
    args: `${prefix}Args`,
    input: `${prefix}Input`,
    ...(tool.outputSchema === undefined ? {} : { output: `${prefix}Output` }),
    ...(isFilled(errors) ? { errors: `${prefix}Errors` } : {}),
    ...(isFilled(options) ? { options: `${prefix}Options` } : {}),
    ...(requiredConfig(tool, program).length > 0 ? { config: `${prefix}Config` } : {}),
    context: `${prefix}Context`,
    handler: `${prefix}Handler`,
  };
}

function isFilled(value: unknown): boolean {
  return isMap(value) && Object.keys(value).length > 0;
}
