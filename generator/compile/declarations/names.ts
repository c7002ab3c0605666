// In: item names. Out: the names of their members and types in generated code, which never clash within a kind:
// items differ after camelCase, and no suffix ends in another one.
import type { Kind } from '../../../schema/definitions.js';
import { camelCase } from '../../../schema/names.js';

/** The kinds whose items have handlers. */
export type HandledKind = Exclude<Kind, 'server'>;

/**
 * The key of an item in `tools`, `prompts` or `resources`. Reserved words are fine there.
 *
 * @example memberName('get-issue') // 'getIssue'
 * @example memberName('2fa') // '_2fa'
 */
export function memberName(item: string): string {
  const name = camelCase(item);
  return /^[0-9]/.test(name) ? `_${name}` : name;
}

/**
 * What the types of an item start with. Prompts and resources say what they are, as a tool of the same name is common.
 *
 * @example typePrefix('tool', 'get-issue') // 'GetIssue'
 * @example typePrefix('prompt', 'issue-text') // 'IssueTextPrompt'
 */
export function typePrefix(kind: HandledKind, item: string): string {
  const member = memberName(item);
  const start = member.charAt(0).toUpperCase() + member.slice(1);
  switch (kind) {
    case 'tool':
      return start;
    case 'prompt':
      return `${start}Prompt`;
    case 'resource':
      return `${start}Resource`;
    default:
      return kind satisfies never;
  }
}

/** The types that the items of a kind share. No item has an underscore inside the names of its own. */
export interface KindTypes {
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
