// B9. In: an item whose work is a request, a statement, a program or another server. Out: the body of a handler that does the same, and what
// it needs: parameters, helpers of the package.

import type { Program } from '../../runtime/load/program.js';
import {
  callKindOf,
  configOfItem,
  findBackend,
  readHttpCall,
  splitUri,
  textsOfCall,
} from '../../schema/backend/calls.js';
import { parseSql, type SqlDialect, sqlPlaceholdersOf } from '../../schema/backend/sql-text.js';
import { parseText, placeholdersOf } from '../../schema/backend/text.js';
import type { BackendDefinition, ExecCall, McpCall, SqlCall } from '../../schema/definitions.js';
import { asList, asMap, isMap } from '../../schema/document.js';
import type { Handled } from '../compile/stubs/handler-modules.js';
import type { WrittenHandler } from '../compile/stubs/stubs.js';
import { printString, printTemplate } from '../render/code.js';
import { type Helper, printMember, type Values } from './expressions.js';
import { configInput, type Inputs, nameInputs, printAccess, type Wanted } from './inputs.js';
import { around, layOut, type Piece } from './layout.js';
import { printExec } from './print-exec.js';
import { printHttp } from './print-http.js';

/** An item without code, as it was before. */
export interface Ejected {
  readonly item: Handled;
  readonly program: Program;
}

export interface PrintScene {
  readonly helperPrefix: string;
  readonly isTypeScript: boolean;
}

/** What a kind of work is printed with. */
interface Scene extends Ejected {
  readonly print: PrintScene;
  readonly values: Values;
  readonly inputs: Inputs;
  readonly client: string | undefined;
  readonly isRead: boolean;
}

/**
 * @example printWork({ item, program }, { helperPrefix: '', isTypeScript: true }).body // '  return await ctx.backends.jira.request(...);'
 */
export function printWork(ejected: Ejected, print: PrintScene): WrittenHandler {
  const { item, program } = ejected;
  const definition = item.definition as Readonly<Record<string, unknown>>;
  const kind = callKindOf(definition);
  if (kind === undefined) throw new Error(`nothing does the work of ${item.item}`);
  const call = definition[kind];
  const found = findBackend(kind, call, program.pack.backends ?? {});
  const backend = found?.problem === undefined ? found : undefined;
  const client = backend === undefined ? undefined : `ctx.backends${printAccess(backend.name)}`;
  const isRead = item.kind === 'resource' || definition['effect'] === 'read';
  const wanted = wantedOf(item, kind, call, backend?.definition);
  const inputs = nameInputs(item, wanted, print);
  const helpers = new Set<Helper>();
  const values: Values = {
    inputOf: ({ of, name }) => (of === 'config' ? configInput(name, program.pack.config[name]) : inputs.of(name)),
    use(helper) {
      helpers.add(helper);
      return print.helperPrefix + helper;
    },
  };
  const scene: Scene = { ...ejected, print, values, inputs, client, isRead };
  const guards = item.kind === 'resource' ? printGuards(configOfItem({ [kind]: call }), scene) : [];
  const work = printCall();
  const statements = [...inputs.statements, ...guards, ...work];
  return {
    parameters: inputs.parameters,
    body: statements.map(one => `  ${typeof one === 'string' ? one : layOut(one, '  ')}`).join('\n'),
    helpers: [...helpers],
  };

  function printCall(): readonly Piece[] {
    switch (kind) {
      case 'http': {
        const request = printHttp(readHttpCall(call), { values, client, isRead, rest: inputs.rest });
        return [around('return ', request, ';')];
      }
      case 'exec': {
        const conditionOf = (name: string) => inputs.of(name);
        const run = printExec(call as ExecCall, { values, conditionOf, isTypeScript: print.isTypeScript });
        return [around('return ', run, ';')];
      }
      case 'sql':
        return [around('return await ', printStatement(call as SqlCall, wanted.names, scene), ';')];
      case 'mcp':
        return printForward(call as McpCall, scene);
      default:
        throw new Error(`nothing does the work of ${item.item}`);
    }
  }
}

function wantedOf(item: Handled, kind: string, call: unknown, backend: BackendDefinition | undefined): Wanted {
  const named = (texts: readonly string[]): readonly string[] =>
    texts
      .flatMap(text => placeholdersOf(parseText(text).parts))
      .flatMap(({ of, name }) => (of === 'argument' ? [name] : []));
  switch (kind) {
    case 'http': {
      const { path = '', body, url } = readHttpCall(call);
      const names = named(textsOfCall('http', call).map(({ text }) => text));
      const taken = [...(named([path]).length > 0 ? ['path'] : []), ...(url === undefined ? [] : ['request'])];
      return { names, hasRest: body === 'rest', taken: [...taken, 'headerPart', 'scalar', 'ToolError', 'toolwright'] };
    }
    case 'exec': {
      const conditions = asList(asMap(call)['args']).flatMap(one => (isMap(one) ? [String(one['if'])] : []));
      const names = [...conditions, ...named(textsOfCall('exec', call).map(({ text }) => text))];
      return { names, taken: ['exec', 'scalar', 'toolwright'] };
    }
    case 'sql':
      return { names: bindsOf((call as SqlCall).text, backend), taken: [] };
    default: {
      const { name } = asMap(call) as McpCall;
      if (item.kind !== 'resource') return { names: [], isWhole: true, taken: [] };
      return {
        names: templateNames(name ?? '').filter(one => item.variables.includes(one)),
        taken: ['uri', 'contents', 'resourceUri', 'toolwright'],
      };
    }
  }
}

/** A database that is only known when the server runs may read a statement as either of them does. */
function bindsOf(text: string, backend: BackendDefinition | undefined): readonly string[] {
  const { type } = backend ?? {};
  const dialects: readonly (SqlDialect | undefined)[] =
    type === 'sqlite' || type === 'postgres' ? [type] : [undefined, 'sqlite', 'postgres'];
  return [
    ...new Set(dialects.flatMap(dialect => sqlPlaceholdersOf(parseSql(text, dialect).parts).map(one => one.name))),
  ];
}

function printStatement({ text, result }: SqlCall, names: readonly string[], { inputs, client, isRead }: Scene): Piece {
  const bound = names.map(name => printMember(name, inputs.of(name).code));
  const options = [
    ...(result === undefined || result === 'rows' ? [] : [printMember('result', printString(result))]),
    ...(isRead ? [printMember('isRead', 'true')] : []),
  ];
  const object = (pieces: readonly Piece[]): Piece => ({ open: '{', close: '}', isSpaced: true, pieces });
  const pieces = [
    text.includes('\n') ? printTemplate([text]) : printString(text),
    ...(bound.length > 0 || options.length > 0 ? [object(bound)] : []),
    ...(options.length > 0 ? [object(options)] : []),
  ];
  return { open: `${client}.query(`, close: ')', pieces };
}

function printForward({ name }: McpCall, scene: Scene): readonly Piece[] {
  const { item, client } = scene;
  switch (item.kind) {
    case 'tool':
      return [`return await ${client}.callTool(${printString(name ?? item.name)}, args);`];
    case 'prompt':
      return [`return await ${client}.getPrompt(${printString(name ?? item.name)}, args);`];
    case 'resource': {
      if (name === undefined) return [`return await ${client}.readResource(ctx.uri);`];
      return [
        `const uri = ${printUri(name, scene)};`,
        `const { contents } = await ${client}.readResource(uri);`,
        '// Clients know it by the address that they asked for.',
        'return contents.map(one => (one.uri === uri ? { ...one, uri: ctx.uri } : one));',
      ];
    }
    default:
      return item satisfies never;
  }
}

function templateNames(template: string): readonly string[] {
  return splitUri(template).flatMap(part => (typeof part === 'string' ? [] : [part.name]));
}

function printUri(template: string, { inputs, values }: Scene): string {
  const names = templateNames(template).filter(name => inputs.names.includes(name));
  const members = names.map(name => printMember(name, inputs.of(name).code));
  if (members.length === 0) return printString(template);
  return `${values.use('resourceUri')}(${printString(template)}, { ${members.join(', ')} })`;
}

/** A resource has no `requires` that would see to it. */
function printGuards(keys: readonly string[], { item, program, values }: Scene): readonly string[] {
  const unsure = keys.filter(key => program.pack.config[key]?.default === undefined);
  return unsure.flatMap(key => {
    const message = printString(`${item.name} needs configuration that is not set: ${key}`);
    const error = `new ${values.use('ToolError')}(${message}, { code: 'CONFIG_MISSING', status: 503 })`;
    return [`if (!ctx.has(${printString(key)}))\n    throw ${error};`];
  });
}
