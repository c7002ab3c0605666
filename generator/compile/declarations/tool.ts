// In: a tool. Out: its types: what callers send, what its handler receives, may throw and returns.
import { sentInput } from '../../../runtime/load/bound.js';
import type { Program, Sharing, Tool } from '../../../runtime/load/program.js';
import type { ConfigEntry, JsonSchema } from '../../../schema/definitions.js';
import { type Diagnostic, diagnose, type Site } from '../../../schema/diagnostics.js';
import { isFilled, type Path, printPath } from '../../../schema/document.js';
import { hasDefault } from '../../../schema/json-schema/walk.js';
import { typePrefix } from '../../../schema/names.js';
import { printScalar } from '../../render/code.js';
import { type PrintedTypes, type PrintTypesOptions, printTypes } from '../types/print-types.js';
import type { SharedForm } from '../types/scope.js';
import { type Block, type Draft, makeDraft } from './block.js';
import {
  addContext,
  addShape,
  definitionSite,
  kindTypes,
  makeMember,
  objectSchema,
  printNote,
  type Section,
  type Shape,
  summaryOf,
} from './item.js';
import { openSharedDeclarations, type SharedDeclarations } from './shared-types.js';

/**
 * The declarations of one tool. They depend on nothing but the tool and the config keys that it requires, so that
 * other changes leave them alone.
 *
 * @example const { types, member } = printToolSection(tool, program);
 */
export function printToolSection(
  tool: Tool,
  program: Program,
  shared: SharedDeclarations = openSharedDeclarations(program),
): Section {
  const names = toolTypeNames(tool, program);
  const draft = makeDraft();
  draft.add('\n');
  const used = new Set<string>();
  const diagnostics = addSchemas(draft, tool, names, { shared, used });
  if (names.errors !== undefined) addErrors(draft, tool, names.errors);
  if (names.options !== undefined) addOptions(draft, tool, names.options);
  if (names.config !== undefined) addConfig(draft, tool, names.config, program);
  const member = addHandler(draft, tool, names);
  return {
    types: draft.finish(),
    ...(member === undefined ? {} : { member }),
    call: makeCall(tool, names),
    ...(used.size === 0 ? {} : { imports: [...used] }),
    diagnostics,
  };
}

/** Adds the types of its handler; a tool without code has none. */
function addHandler(draft: Draft, tool: Tool, names: ToolTypeNames): Block | undefined {
  if (names.context === undefined || names.handler === undefined) return undefined;
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
  return makeMember(tool, names.handler, site);
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

interface ToolTypeNames {
  readonly args: string;
  readonly input: string;
  readonly output?: string;
  readonly errors?: string;
  /** These are of its handler; a tool without code has none. */
  readonly options?: string;
  /** Only with required config keys: their values are there for sure. */
  readonly config?: string;
  readonly context?: string;
  readonly handler?: string;
}

/**
 * The names of the types that a tool's declarations export.
 *
 * @example toolTypeNames(tool, program).args // 'GetIssueArgs'
 */
export function toolTypeNames(tool: Tool, program: Program): ToolTypeNames {
  const prefix = typePrefix('tool', tool.item);
  const { errors, options } = tool.definition;
  const ofHandler = {
    ...(isFilled(options) ? { options: `${prefix}Options` } : {}),
    ...(requiredConfig(tool, program).length > 0 ? { config: `${prefix}Config` } : {}),
    context: `${prefix}Context`,
    handler: `${prefix}Handler`,
  };
  return {
    args: `${prefix}Args`,
    input: `${prefix}Input`,
    // Asked for the schema itself, one that nobody needs would be made.
    ...(tool.outputSite === undefined ? {} : { output: `${prefix}Output` }),
    ...(isFilled(errors) ? { errors: `${prefix}Errors` } : {}),
    ...(tool.handler === undefined ? {} : ofHandler),
  };
}

/** The types of shared schemas, and those of them that were asked for. */
interface UsedTypes {
  readonly shared: SharedDeclarations;
  readonly used: Set<string>;
}

// The parts of a tool's declarations that come from maps in its definition: schemas, errors, options, required config.
interface SchemaTypeNames {
  readonly args: string;
  readonly input: string;
  readonly output?: string;
}

/** Adds the types of a tool's schemas, and says where they are wider than the schemas. */
function addSchemas(draft: Draft, tool: Tool, names: SchemaTypeNames, types: UsedTypes): readonly Diagnostic[] {
  const site = definitionSite(tool);
  const schema = described(tool.inputSchema, summaryOf(tool));
  const filling = tool.filling.input;
  const { shared, used } = types;
  const { sharing = {} } = tool;
  const input = {
    schema,
    filling,
    site,
    siteOf: remember(path => tool.inputSite(path, 'key')),
    shared: shared.typesOf(sharing.input, used),
  };
  const rootAs = (form: SharedForm): string | undefined => shared.rootOf(sharing.input, form, used);
  const widened = addRoot(
    draft,
    { ...input, name: names.args, mode: 'args' },
    rootAs(filling === 'never' ? 'read' : 'filled'),
  );
  draft.add('\n');
  if ((filling !== 'never' && hasDefault(tool.inputSchema)) || tool.bound !== undefined) {
    const mayLeaveOut = filling === 'always' ? ': what has a default may be left out' : '';
    const sent = described(sentInput(tool), `What callers of ${tool.item} send${mayLeaveOut}.`);
    addRoot(
      draft,
      { ...input, schema: sent, name: names.input, mode: 'input' },
      rootAs(filling === 'always' ? 'sent' : 'given'),
    );
  } else {
    draft.add(`${printNote(`What callers of ${tool.item} send.`)}export type `);
    draft.addName(names.input, site);
    draft.add(` = ${names.args};\n`);
  }
  draft.add('\n');
  const diagnostics = widened.map(({ path, reason }) =>
    toDiagnostic(['input', ...path], reason, tool.inputSite(path, 'key')),
  );
  const { outputSchema, outputSite } = tool;
  if (names.output === undefined || outputSchema === undefined || outputSite === undefined) return diagnostics;
  const output = {
    name: names.output,
    mode: 'output',
    schema: described(outputSchema, `What ${tool.handler === undefined ? '' : 'the handler of '}${tool.item} returns.`),
    site,
    siteOf: remember(path => outputSite(path, 'key')),
    shared: shared.typesOf(sharing.output, used),
  } as const;
  const wider = addRoot(draft, output, shared.rootOf(sharing.output, 'given', used));
  draft.add('\n');
  return [
    ...diagnostics,
    ...wider.map(({ path, reason }) => toDiagnostic(['output', ...path], reason, outputSite(path, 'key'))),
  ];
}

/** The type of a schema; `root`: the shared type that it is, where it is nothing else. */
function addRoot(draft: Draft, shape: Shape, root: string | undefined): PrintedTypes['widened'] {
  if (root === undefined) return addShape(draft, shape);
  draft.add(`${printNote(String(shape.schema['description'] ?? ''))}export type `);
  draft.addName(shape.name, shape.site);
  draft.add(` = ${root};\n`);
  return [];
}

/** The same without printing anything, for a run that keeps what is there: what is worth saying once is worth it again. */
export function findWidened(tool: Tool, types: SharedDeclarations): readonly Diagnostic[] {
  const { item, inputSchema, inputSite, outputSchema, outputSite, filling, sharing = {} } = tool;
  const widenedIn = (schema: JsonSchema, one: Sharing | undefined, how: Pick<PrintTypesOptions, 'mode' | 'filling'>) =>
    one?.root === undefined
      ? printTypes(schema, { ...how, name: item, shared: types.typesOf(one, new Set()) }).widened
      : [];
  const input = widenedIn(inputSchema, sharing.input, { mode: 'args', filling: filling.input });
  const output = outputSchema === undefined ? [] : widenedIn(outputSchema, sharing.output, { mode: 'output' });
  return [
    ...input.map(({ path, reason }) => toDiagnostic(['input', ...path], reason, inputSite(path, 'key'))),
    ...output.flatMap(({ path, reason }) =>
      outputSite === undefined ? [] : [toDiagnostic(['output', ...path], reason, outputSite(path, 'key'))],
    ),
  ];
}

function toDiagnostic(path: Path, reason: string, site: Site): Diagnostic {
  return diagnose('generate/widened', { path: printPath(path), reason }, site);
}

/** A root rarely says what it is, as the tool does; its own words win. */
function described(schema: JsonSchema, description: string): JsonSchema {
  if (description === '' || Object.hasOwn(schema, 'description') || Object.hasOwn(schema, 'title')) return schema;
  return { description, ...schema };
}

/** Args and input have the same names at the same paths, and finding a position costs a walk through the document. */
function remember(find: (path: Path) => Site): (path: Path) => Site {
  const known = new Map<string, Site>();
  return path => {
    const key = JSON.stringify(path);
    const site = known.get(key) ?? find(path);
    known.set(key, site);
    return site;
  };
}

/** Adds one factory for each declared error. */
function addErrors(draft: Draft, tool: Tool, name: string): void {
  draft.add(`${printNote(`The errors that ${tool.item} declares.`)}export interface `);
  draft.addName(name, tool.at.site(['errors'], 'key'));
  draft.add(' {\n');
  for (const [code, { message, status, retryable }] of Object.entries(tool.definition.errors ?? {})) {
    const facts = [
      ...(status === undefined ? [] : [`status ${status}`]),
      ...(retryable === undefined ? [] : [retryable ? 'can be retried' : 'not to be retried']),
    ];
    draft.add(`${printNote(facts.length === 0 ? message : `${message}\n(${facts.join(', ')})`, '  ')}  readonly `);
    draft.addName(code, tool.at.site(['errors', code], 'key'));
    draft.add(': ErrorFactory;\n');
  }
  draft.add('}\n\n');
}

/** Adds the operator's settings; one without a default may be undefined. */
function addOptions(draft: Draft, tool: Tool, name: string): void {
  const entries = Object.entries(tool.definition.options ?? {});
  const schema = objectSchema(entries, { description: `The operator's settings of ${tool.item}.` });
  const site = tool.at.site(['options'], 'key');
  const siteOf = ([, ...path]: Path): Site => tool.at.site(['options', ...path], 'key');
  addShape(draft, { name, schema, mode: 'args', site, siteOf });
  draft.add('\n');
}

/** Config keys that may be absent in general, but not when this tool runs. */
function requiredConfig(tool: Tool, { pack }: Program): readonly string[] {
  const needs = Object.entries(tool.definition.requires ?? {}).filter(([, need]) => need === 'required');
  return needs
    .map(([name]) => name)
    .filter(name => Object.hasOwn(pack.config, name) && !Object.hasOwn(pack.config[name] ?? {}, 'default'));
}

/** Adds the pack's config with the keys that this tool requires. */
function addConfig(draft: Draft, tool: Tool, name: string, program: Program): void {
  draft.add(`${printNote(`The pack's config; what ${tool.item} requires is there when it runs.`)}export interface `);
  const at = (path: Path): Site => tool.at.site(['requires', ...path], 'key');
  draft.addName(name, at([]));
  draft.add(' extends Config {\n');
  for (const key of requiredConfig(tool, program)) {
    const entry = program.pack.config[key];
    if (entry === undefined) continue;
    draft.add(`${printNote(entry.description ?? '', '  ')}  readonly `);
    draft.addName(key, at([key]));
    draft.add(`: ${printValueType(entry)};\n`);
  }
  draft.add('}\n\n');
}

function printValueType({ type, enum: members }: ConfigEntry): string {
  const union = members === undefined ? [] : [...new Set(members.map(printScalar))];
  if (type === 'array') return union.length === 0 ? 'readonly string[]' : `readonly (${union.join(' | ')})[]`;
  if (union.length > 0) return union.join(' | ');
  return type === 'integer' ? 'number' : type;
}
