// In: a tool. Out: its types: what callers send, what its handler receives, may throw and returns.
import type { Program, Tool } from '../../../runtime/load/program.js';
import { isMap } from '../../../schema/document.js';
import type { Block } from './block.js';
import { makeDraft } from './draft.js';
import { addContext, definitionSite, makeMember, printNote, type Section } from './item.js';
import { kindTypes, typePrefix } from './names.js';
import { addConfig, addErrors, addOptions, addSchemas, requiredConfig } from './tool-parts.js';

/**
 * The declarations of one tool. They depend on nothing but the tool and the config keys that it requires, so that
 * other changes leave them alone.
 *
 * @example const { types, member } = printToolSection(tool, program);
 */
export function printToolSection(tool: Tool, program: Program): Section {
  const names = toolTypeNames(tool, program);
  const draft = makeDraft();
  draft.add('\n');
  const diagnostics = addSchemas(draft, tool, names);
  if (names.errors !== undefined) addErrors(draft, tool, names.errors);
  if (names.options !== undefined) addOptions(draft, tool, names.options);
  if (names.config !== undefined) addConfig(draft, tool, names.config, program);
  const site = definitionSite(tool);
  const { context, result } = kindTypes('tool');
  draft.add(`${printNote(`What the handler of ${tool.item} is given besides its arguments.`)}`);
  addContext(draft, {
    name: names.context,
    base: context,
    site,
    properties: (['config', 'errors', 'options'] as const).flatMap(key => {
      const type = names[key];
      // Config leads nowhere from here: a line added to toolwright.yaml would change the maps of all items.
      return type === undefined
        ? []
        : [{ name: key, type, site: key === 'config' ? undefined : tool.at.site([key], 'key') }];
    }),
  });
  draft.add('export type ');
  draft.addName(names.handler, site);
  const returned = names.output === undefined ? result : printReturned(names.output);
  draft.add(` = (args: ${names.args}, ctx: ${names.context}) => ${returned};\n`);
  return {
    types: draft.finish(),
    member: makeMember(tool, names.handler, site),
    call: makeCall(tool, names),
    diagnostics,
  };
}

/** The data alone, or a whole result with text of the handler's own. */
function printReturned(output: string): string {
  const either = `${output} | CallResult<${output}>`;
  return `${either} | Promise<${either}>`;
}

/** Leads nowhere: editors look up names, not texts. */
function makeCall({ item }: Tool, { input, output }: ToolTypeNames): Block {
  const draft = makeDraft();
  const result = output === undefined ? '' : `; readonly output: ${output}`;
  draft.add(`  readonly ${JSON.stringify(item)}: { readonly input: ${input}${result} };\n`);
  return draft.finish();
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
    // Asked for the schema itself, one that nobody needs would be made.
    ...(tool.outputSite === undefined ? {} : { output: `${prefix}Output` }),
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
