// The names and paths of generated things. In: item names. Out: the names of their members and types in generated code, which never clash within a kind:
// items differ after camelCase, and no suffix ends in another one.
import { isBelow } from '../../../runtime/load/folder.js';
import type { Program } from '../../../runtime/load/program.js';
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

// Paths inside a pack, always with forward slashes: where generated files are and how one file names another.

/**
 * The path of a file in the generated folder, relative to the pack.
 *
 * @example generatedPath(program, 'index.js') // 'generated/index.js'
 */
export function generatedPath({ pack }: Program, path: string): string {
  return pack.generated === '' ? path : `${pack.generated}/${path}`;
}

/** Schemas for editors are of use to the author only: no compiler reads them, and no package needs them. */
export function isEditorSchema(path: string, program: Program): boolean {
  return isBelow(path, generatedPath(program, 'schema'));
}

/**
 * The way from one file to another, both relative to the pack.
 *
 * @example relativePath('generated/tools/x.d.ts', 'mcp/tools/x.yaml') // '../../mcp/tools/x.yaml'
 */
export function relativePath(from: string, to: string): string {
  const start = from.split('/').slice(0, -1);
  const end = to.split('/');
  let shared = 0;
  while (shared < start.length && shared < end.length - 1 && start[shared] === end[shared] && start[shared] !== '..') {
    shared += 1;
  }
  return [...start.slice(shared).map(() => '..'), ...end.slice(shared)].join('/');
}

/**
 * The same as the specifier of an import: with a dot first, and the extension that the module has when it runs.
 *
 * @example importPath('generated/app.d.ts', 'src/context.ts') // '../src/context.js'
 */
export function importPath(from: string, to: string): string {
  const named = relativePath(from, to).replace(
    /\.([cm]?)tsx?$|\.jsx$/,
    (_, kind: string | undefined) => `.${kind ?? ''}js`,
  );
  const way = /\.[cm]?js$/.test(named) ? named : `${named}.js`;
  return way.startsWith('../') ? way : `./${way}`;
}
