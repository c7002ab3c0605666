// In: the sections of all items of a kind. Out: the one declaration file of the kind, and its map.
// One file and not one per item: compilers spend far more on opening a file than on reading another page of it.
import { manifestFile } from '../../../runtime/load/manifest.js';
import type { Program } from '../../../runtime/load/program.js';
import { type Block, type Declarations, joinBlocks } from './block.js';
import { asModule, makeDraft, printHeader, supportModule } from './draft.js';
import { addProperties, printNote, type Section } from './item.js';
import { type HandledKind, kindTypes } from './names.js';
import { generatedPath } from './paths.js';

/** The words of each kind: its collection, the type of that, and what `toolwright/support` has for it. */
export const kindFiles = {
  tool: {
    key: 'tools',
    type: 'Tools',
    doc: 'Gives the handler of each tool its types; the handler itself stays as it is.',
    support: { context: 'ToolContext', result: 'HandlerResult' },
    parameter: 'arguments',
    returned: 'What the handler of a tool without an output returns.',
  },
  prompt: {
    key: 'prompts',
    type: 'Prompts',
    doc: 'Gives the handler of each prompt its types; prompts made from a template have none.',
    support: { context: 'PromptContext', result: 'PromptResult' },
    parameter: 'arguments',
    returned: 'What the handler of a prompt returns.',
  },
  resource: {
    key: 'resources',
    type: 'Resources',
    doc: 'Gives the handler of each resource its types; resources with text or a file have none.',
    support: { context: 'ResourceContext', result: 'ResourceResult' },
    parameter: 'variables',
    returned: 'What the handler of a resource returns.',
  },
} as const satisfies Record<HandledKind, unknown>;

/**
 * The path of a kind's declarations, relative to the pack.
 *
 * @example kindFilePath('tool', program) // 'generated/tools.d.ts'
 */
export function kindFilePath(kind: HandledKind, program: Program): string {
  return generatedPath(program, `${kindFiles[kind].key}.d.ts`);
}

/**
 * `generated/tools.d.ts`, `prompts.d.ts` or `resources.d.ts`.
 *
 * @example const { text, map } = printKindFile('tool', sections, program);
 */
export function printKindFile(kind: HandledKind, sections: readonly Section[], program: Program): Declarations {
  const members = sections.flatMap(({ member }) => (member === undefined ? [] : [member]));
  return joinBlocks(kindFilePath(kind, program), [
    printHeader(manifestFile),
    printImports(kind),
    makeShared(kind),
    ...sections.map(({ types }) => types),
    ...(kind === 'tool' ? [callsOpening, ...sections.flatMap(({ call }) => call ?? []), '}\n'] : []),
    makeOpening(kind),
    ...members,
    '}\n',
  ]);
}

/** A name that no item can have. */
const callsType = 'Tool_Calls';

/** By the names that handlers call tools by. */
const callsOpening = `\n${printNote('What `ctx.call` takes and gives, for each tool of the pack.')}export interface ${callsType} {\n`;

/** Under names that no item can have: a tool called `tool` has a ToolContext of its own. */
function printImports(kind: HandledKind): string {
  const { support } = kindFiles[kind];
  const more = kind === 'tool' ? ['CallResult', 'CallTool', 'ErrorFactory'] : [];
  const names = [...more, support.result, `${support.context} as ${baseOf(kind)}`];
  return `import type { ${names.join(', ')} } from ${supportModule}${asModule};
import type { App } from './app.js';
import type { Config } from './config.js';
`;
}

function baseOf(kind: HandledKind): string {
  return kindTypes(kind).context.replace('Context', 'Base');
}

/** What the items of the kind have in common. It leads nowhere: nobody wrote it in a manifest. */
function makeShared(kind: HandledKind): Block {
  const { support, parameter, returned } = kindFiles[kind];
  const { context, result } = kindTypes(kind);
  const draft = makeDraft();
  draft.add(`\n${printNote(`What every handler of a ${kind} is given besides its ${parameter}.`)}export interface `);
  draft.addName(context, undefined);
  draft.add(` extends ${baseOf(kind)} {\n`);
  addProperties(draft, [
    { name: 'app', type: 'App', site: undefined },
    { name: 'config', type: 'Config', site: undefined },
    ...(kind === 'tool' ? [{ name: 'call', type: `CallTool<${callsType}>`, site: undefined }] : []),
  ]);
  draft.add(`\n${printNote(returned)}export type `);
  draft.addName(result, undefined);
  draft.add(` = ${support.result} | Promise<${support.result}>;\n`);
  return draft.finish();
}

function makeOpening(kind: HandledKind): Block {
  const { type, doc } = kindFiles[kind];
  const draft = makeDraft();
  draft.add(`\n${printNote(doc)}export interface `);
  draft.addName(type, undefined);
  draft.add(' {\n');
  return draft.finish();
}
