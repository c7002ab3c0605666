// In: a prompt. Out: its types: its arguments and, where it has one, its handler.
import type { Program, Prompt } from '../../runtime/load/program.js';
import type { Declarations } from './draft.js';
import { typePrefix } from './names.js';
import { generatedPath } from './paths.js';
import { printTextItem } from './text-item.js';

export interface PromptTypeNames {
  readonly args: string;
  /** A prompt made from a template has no handler, and so no context. */
  readonly context?: string;
  readonly handler?: string;
}

/**
 * The path of a prompt's declarations, relative to the pack.
 *
 * @example promptDeclarationsPath(prompt, program) // 'generated/prompts/issue-text.d.ts'
 */
export function promptDeclarationsPath({ item }: Pick<Prompt, 'item'>, program: Program): string {
  return generatedPath(program, `prompts/${item}.d.ts`);
}

/**
 * The names of the types that a prompt's declarations export.
 *
 * @example promptTypeNames(prompt).args // 'IssueTextPromptArgs'
 */
export function promptTypeNames({ item, handler }: Pick<Prompt, 'item' | 'handler'>): PromptTypeNames {
  const prefix = typePrefix('prompt', item);
  const handled = handler === undefined ? {} : { context: `${prefix}Context`, handler: `${prefix}Handler` };
  return { args: `${prefix}Args`, ...handled };
}

/**
 * The declarations of one prompt. Arguments of prompts are texts, whatever they mean.
 *
 * @example const { text, map } = printPromptDeclarations(prompt, program);
 */
export function printPromptDeclarations(prompt: Prompt, program: Program): Declarations {
  const { args, ...names } = promptTypeNames(prompt);
  return printTextItem({
    path: promptDeclarationsPath(prompt, program),
    item: prompt,
    names: { values: args, ...names },
    parameter: 'args',
    support: { context: 'PromptContext', result: 'PromptResult' },
    values: prompt.arguments.map(({ name, title, description, required }) => ({
      name,
      description: description ?? title ?? '',
      isRequired: required === true,
      site: () => prompt.at.site(['arguments', name], 'key'),
    })),
  });
}
