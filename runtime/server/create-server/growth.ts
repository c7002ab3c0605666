// J85: items come and go while a server runs. In: definitions with their functions. Out: a surface that has them.
import { type HandledKind, handledKinds } from '../../../schema/definitions.js';
import { diagnose, startOf } from '../../../schema/diagnostics.js';
import { bindParameters } from '../../call/bound-arguments.js';
import type { PackHost } from '../../call/ports.js';
import type { Program, Prompt, Resource, Tool } from '../../load/program.js';
import { DefinitionError } from '../../packs/open-pack.js';
import { addressOf } from '../../surface/served-items.js';
import type { Surface } from '../../surface/surface.js';
import type { OpenServer } from '../open-server.js';
import { reportOrThrow } from '../report-problems.js';
import { type CodePack, linkCode } from './link-code.js';
import type { SettledOptions } from './server-options.js';
import type { Functions } from './to-data.js';

export interface GrowthParts {
  readonly options: SettledOptions;
  readonly codePack: CodePack;
  readonly codeHost: PackHost;
  readonly open: Pick<OpenServer, 'optionsFor'>;
}

type Kind = HandledKind;

export interface Growth {
  /** A tool and its function, or a kind and an item of it. */
  add(first: object | Kind, second?: unknown): void;
  /** The name of a tool, or a kind and what clients know the item by. */
  remove(first: string, second?: string): boolean;
}

export function makeGrowth(surface: Surface, { options, codePack, codeHost, open }: GrowthParts): Growth {
  const { functions } = codePack;
  /** The functions of each item that was added: they go with it. */
  const added: Readonly<Record<Kind, Map<string, readonly string[]>>> = {
    tool: new Map(),
    prompt: new Map(),
    resource: new Map(),
  };
  return {
    add(first, second) {
      if (typeof first === 'string') addItem(first, second);
      else addItem('tool', second === undefined ? first : { ...first, handler: second });
    },
    remove: (first, second) => (second === undefined ? removeItem('tool', first) : removeItem(first as Kind, second)),
  };

  function addItem(kind: Kind, definition: unknown): void {
    if (!handledKinds.includes(kind))
      throw new TypeError(`add takes a tool, a prompt or a resource, not ${JSON.stringify(kind)}`);
    const mine: string[] = [];
    const recording: Functions = {
      ...functions,
      add(one) {
        const path = functions.add(one);
        mine.push(path);
        return path;
      },
    };
    try {
      added[kind].set(serve(kind, definition, recording), mine);
    } catch (error) {
      for (const path of mine) functions.delete(path);
      throw error;
    }
  }

  /** What clients know the item by; throws a DefinitionError. */
  function serve(kind: Kind, definition: unknown, recording: Functions): string {
    const known = [...codeHost.program.tools.map(tool => tool.item), ...added.tool.keys()];
    const item = { kind, definition, place: 'definition' };
    const { program, diagnostics } = linkCode([item], { ...codePack, functions: recording, known });
    reportOrThrow(`The ${kind} cannot be added:`, diagnostics, options.report);
    const [linked] = [...program.tools, ...program.prompts, ...program.resources];
    // Whatever is left out of the program has an error, which is thrown by now.
    if (linked === undefined) throw new Error(`the ${kind} is lost`);
    refuseUnfit(linked);
    const name = linked.kind === 'resource' ? addressOf({ resource: linked, host: codeHost }) : linked.name;
    try {
      put(linked, program);
    } catch {
      // The one reason: also an item that is switched off keeps its name.
      const place = linked.kind === 'resource' ? (linked.definition.uri === undefined ? 'uriTemplate' : 'uri') : 'name';
      const inUse = diagnose('pack/name-in-use', { kind, name }, startOf(`definition.${place}`));
      throw new DefinitionError(`The ${kind} cannot be added:`, [inUse]);
    }
    return name;
  }

  /** X14: a value of the operator's that the tool cannot take is found when a server starts; this one runs already. */
  function refuseUnfit(linked: Tool | Prompt | Resource): void {
    if (linked.kind !== 'tool') return;
    const { unfit = [] } = bindParameters(linked.name, linked, codeHost.settings.values) ?? {};
    const found = unfit.map(({ key, parameter, reason }) => {
      const params = { name: key, tool: linked.item, parameter, reason };
      return diagnose('config/unfit', params, startOf(`definition.parameters.${parameter}`));
    });
    if (found.length > 0) throw new DefinitionError('The tool cannot be added:', found);
  }

  function put(linked: Tool | Prompt | Resource, program: Program): void {
    if (linked.kind === 'prompt') surface.addPrompt({ prompt: linked, name: linked.name, host: codeHost });
    else if (linked.kind === 'resource') surface.addResource({ resource: linked, host: codeHost });
    else
      surface.addTool({
        tool: linked,
        name: linked.name,
        host: codeHost,
        options: open.optionsFor(program)(linked),
        handler: functions.get(linked.handler?.path ?? ''),
      });
  }

  function removeItem(kind: Kind, name: string): boolean {
    const isRemoved = take(kind, name);
    if (isRemoved) for (const path of added[kind].get(name) ?? []) functions.delete(path);
    if (isRemoved) added[kind].delete(name);
    return isRemoved;
  }

  function take(kind: Kind, name: string): boolean {
    switch (kind) {
      case 'tool':
        return surface.removeTool(name);
      case 'prompt':
        return surface.removePrompt(name);
      case 'resource':
        return surface.removeResource(name);
      default:
        throw new TypeError(`remove takes a tool, a prompt or a resource, not ${JSON.stringify(kind)}`);
    }
  }
}
