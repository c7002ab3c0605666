// The declaration files of the generated folder: one of each kind of items, the index, the config and the context.
// In: a program and the sections of its items. Out: texts and maps.
// One file of a kind and not one per item: compilers spend far more on opening a file than on reading another page of it.

import { wantedHandlers } from '../../../runtime/call/handlers/find-handler.js';
import type { ModuleFormat } from '../../../runtime/call/handlers/source-project.js';
import { joinPath } from '../../../runtime/load/folder.js';
import { manifestFile } from '../../../runtime/load/manifest.js';
import type { Program, Prompt, Resource, Tool } from '../../../runtime/load/program.js';
import { configSchema } from '../../../schema/config-limits.js';
import type { BackendDefinition, HandledKind } from '../../../schema/definitions.js';
import { byCodePoint, memberName } from '../../../schema/names.js';
import { importPath, printHeader, printJsonString, printKey, supportModule } from '../../render/code.js';
import { asModule, type Block, type Declarations, joinBlocks, makeDraft } from './block.js';
import { addProperties, addShape, kindTypes, objectSchema, printNote, type Section } from './item.js';
import { allSchemas } from './shared-types.js';
import { promptTypeNames, resourceTypeNames } from './text-items.js';
import { toolTypeNames } from './tool.js';

/** The words of each kind: its collection, the type of that, and what `toolwright/support` has for it. */
const kindFiles = {
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
  return joinPath(program.pack.generated, `${kindFiles[kind].key}.d.ts`);
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
    printImports(kind, program),
    printSharedImport(sections),
    makeShared(kind, program),
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
function printImports(kind: HandledKind, { pack }: Program): string {
  const { support } = kindFiles[kind];
  const more = kind === 'tool' ? ['CallResult', 'CallTool', 'ErrorFactory'] : [];
  const names = [...more, support.result, `${support.context} as ${baseOf(kind)}`];
  return `import type { ${names.join(', ')} } from ${supportModule}${asModule};
import type { App${pack.backends === undefined ? '' : ', Backends'} } from './app.js';
import type { Config } from './config.js';
`;
}

/** The types of shared schemas, where any item has one. */
function printSharedImport(sections: readonly Section[]): string {
  const names = [...new Set(sections.flatMap(({ imports }) => imports ?? []))].sort(byCodePoint);
  return names.length === 0 ? '' : `import type { ${names.join(', ')} } from './schemas.js';\n`;
}

function baseOf(kind: HandledKind): string {
  return kindTypes(kind).context.replace('Context', 'Base');
}

/** What the items of the kind have in common. It leads nowhere: nobody wrote it in a manifest. */
function makeShared(kind: HandledKind, { pack }: Program): Block {
  const { support, parameter, returned } = kindFiles[kind];
  const { context, result } = kindTypes(kind);
  const draft = makeDraft();
  draft.add(`\n${printNote(`What every handler of a ${kind} is given besides its ${parameter}.`)}export interface `);
  draft.addName(context, undefined);
  draft.add(` extends ${baseOf(kind)} {\n`);
  addProperties(draft, [
    { name: 'app', type: 'App', site: undefined },
    { name: 'config', type: 'Config', site: undefined },
    ...(pack.backends === undefined ? [] : [{ name: 'backends', type: 'Backends', site: undefined }]),
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

// In: a program. Out: the face of the generated folder: one function per item that gives its handler its types.
interface Index {
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
  const own = program.pack.backends === undefined ? ['App'] : ['App', 'Backends'];
  const app = [...own, ...functionTypes(program).map(({ name }) => name)].sort().join(', ');
  const schemas = allSchemas(program).length === 0 ? '' : "export * from './schemas.js';\n";
  const shared = `export type { ${app} } from './app.js';\nexport type { Config } from './config.js';\n${schemas}`;
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

// In: a program. Out: the types of the pack as a whole: its config, and the object that its context module creates.

/**
 * `generated/config.d.ts`: the values of `config:`. One without a default may be undefined, as an absent variable does
 * not stop a server.
 *
 * @example const { text, map } = printConfigDeclarations(program);
 */
export function printConfigDeclarations(program: Program): Declarations {
  const { pack } = program;
  const draft = makeDraft();
  const entries = Object.entries(pack.config).map(([name, entry]) => {
    const { description, default: initial } = entry;
    const words = {
      ...(description === undefined ? {} : { description }),
      ...(initial === undefined ? {} : { default: initial }),
    };
    return [name, { ...configSchema(entry), ...words }] as const;
  });
  const schema = objectSchema(entries, { description: 'The configuration of this pack, from the environment.' });
  const site = pack.at.site(['config'], 'key');
  const shape = { name: 'Config', mode: 'args', schema, site } as const;
  const siteOf = ([, ...path]: readonly (string | number)[]) => pack.at.site(['config', ...path], 'key');
  addShape(draft, { ...shape, siteOf });
  return joinBlocks(joinPath(program.pack.generated, 'config.d.ts'), [printHeader(manifestFile), draft.finish()]);
}

/**
 * `generated/app.d.ts`: what `ctx.app` is, and what the functions are given that make it, prepare it and complete arguments. It has
 * no map: the types lead to the author's own function.
 *
 * @example const { text } = printAppDeclarations(program);
 */
export function printAppDeclarations(program: Program): { readonly text: string } {
  const { pack } = program;
  const used = functionTypes(program);
  const backends = Object.entries(pack.backends ?? {});
  const clients = backends.map(([, { type }]) => clientTypes[type]);
  const imported = [...new Set([...used.map(({ support }) => support), ...clients])].sort();
  const imports = [
    ...(imported.length === 0 ? [] : [`import type { ${imported.join(', ')} } from ${supportModule}${asModule};\n`]),
    ...(used.some(({ text }) => text.includes('Config')) ? ["import type { Config } from './config.js';\n"] : []),
    ...importCreate(program),
  ];
  const app = pack.context === undefined ? 'undefined' : 'Awaited<ReturnType<typeof create>>';
  const types = [
    `${printNote('What handlers have as `ctx.app`.')}export type App = ${app};\n`,
    ...printBackends(backends),
  ];
  const gap = imports.length === 0 ? '' : '\n';
  return {
    text: `${printHeader(manifestFile)}${imports.join('')}${gap}${[...types, ...used.map(({ text }) => text)].join('\n')}`,
  };
}

/** What `toolwright/support` calls the client of a backend. */
const clientTypes: Readonly<Record<BackendDefinition['type'], string>> = {
  http: 'HttpBackend',
  sqlite: 'SqlBackend',
  postgres: 'SqlBackend',
  sql: 'SqlBackend',
  mcp: 'McpBackend',
};

function printBackends(backends: readonly (readonly [string, BackendDefinition])[]): readonly string[] {
  if (backends.length === 0) return [];
  const members = backends.map(([name, { type }]) => `  readonly ${printKey(name)}: ${clientTypes[type]};\n`);
  return [`${printNote('What handlers have as `ctx.backends`.')}export interface Backends {\n${members.join('')}}\n`];
}

function importCreate({ pack }: Program): readonly string[] {
  if (pack.context === undefined) return [];
  const { path, export: name } = pack.context;
  const module = printJsonString(importPath(joinPath(pack.generated, 'app.d.ts'), path));
  // Any other name would clash with an export that is called App.
  const clause = name === 'default' ? 'create' : `{ ${name === 'create' ? name : `${name} as create`} }`;
  return [`import type ${clause} from ${module}${/\.m[jt]s$/.test(path) ? asModule : ''};\n`];
}

/** Names that no item can have. */
const functionTypeRows = [
  {
    role: 'context',
    name: 'Setup_Context',
    support: 'SetupContext',
    doc: 'What the function of `context:` is given.',
    declared: 'type Setup_Context = SetupContext<Config>;',
  },
  {
    role: 'initialize',
    name: 'Initialize_Context',
    support: 'InitializeContext',
    doc: 'What the functions of `initialize:` are given.',
    declared: 'type Initialize_Context = InitializeContext<App, Config>;',
  },
  {
    role: 'completion',
    name: 'Completion_Context',
    support: 'CompletionContext',
    doc: 'What the functions of `complete:` are given besides what the user has typed.',
    declared:
      'interface Completion_Context extends CompletionContext {\n  readonly app: App;\n  readonly config: Config;\n}',
  },
  {
    role: 'completion',
    name: 'Completion_Result',
    support: 'CompletionResult',
    doc: 'What the functions of `complete:` return.',
    declared: 'type Completion_Result = CompletionResult;',
  },
  {
    role: 'list',
    name: 'List_Context',
    support: 'BaseContext',
    doc: 'What the functions of `list:` are given.',
    declared: 'interface List_Context extends BaseContext {\n  readonly app: App;\n  readonly config: Config;\n}',
  },
  {
    role: 'list',
    name: 'List_Result',
    support: 'ListResult',
    doc: 'What the functions of `list:` return.',
    declared: 'type List_Result = ListResult;',
  },
  {
    role: 'routes',
    name: 'Routes_Context',
    support: 'RoutesContext',
    doc: 'What the function of `routes:` is given besides the request.',
    declared: 'type Routes_Context = RoutesContext<App, Config>;',
  },
] as const;

/** The types of functions that manifests name besides handlers; only of those that there are. */
function functionTypes(program: Program) {
  const roles = new Set(wantedHandlers({ program }).map(({ role }) => role));
  return functionTypeRows
    .filter(({ role }) => roles.has(role))
    .map(({ name, support, doc, declared }) => ({ name, support, text: `${printNote(doc)}export ${declared}\n` }));
}
