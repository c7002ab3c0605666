// In: a prompt. Out: its types: its arguments and, where it has one, its handler.
import type { Prompt } from '../../../runtime/load/program.js';
import type { Section } from './item.js';
import { typePrefix } from './names.js';
import { printTextItem } from './text-item.js';

export interface PromptTypeNames {
  readonly args: string;
  /** A prompt made from a template has no handler, and so no context. */
  readonly context?: string;
  readonly handler?: string;
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
 * The declarations of one prompt. Arguments of prompts are strings, or lists where they are declared so.
 *
 * @example const { types, member } = printPromptSection(prompt);
 */
export function printPromptSection(prompt: Prompt): Section {
  const { args, ...names } = promptTypeNames(prompt);
  return printTextItem({
    item: prompt,
    names: { values: args, ...names },
    parameter: 'args',
    values: prompt.arguments.map(({ name, title, description, required, type }) => ({
      name,
      description: description ?? title ?? '',
      isRequired: required === true,
      isList: type === 'list',
      site: () => prompt.at.site(['arguments', name], 'key'),
    })),
  });
}
