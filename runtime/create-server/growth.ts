// J85: tools come and go while a server runs. In: definitions with their functions. Out: a surface that has them.
import { diagnose, startOf } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import type { PackHost } from '../call/ports.js';
import { readOptions } from '../context/options.js';
import type { Surface } from '../surface/surface.js';
import { type CodePack, linkCode } from './link-code.js';
import { offeredTools } from './offered-tools.js';
import { reportOrThrow } from './operator-settings.js';
import type { SettledOptions } from './server-options.js';
import type { Functions } from './to-data.js';

export interface GrowthParts {
  readonly options: SettledOptions;
  readonly codePack: CodePack;
  readonly codeHost: PackHost;
}

export interface Growth {
  add(definition: object, handler?: unknown): void;
  remove(name: string): boolean;
}

export function makeGrowth(surface: Surface, { options, codePack, codeHost }: GrowthParts): Growth {
  const { functions } = codePack;
  /** The functions of each tool that was added, by wire name: a tool that goes takes them along. */
  const added = new Map<string, readonly string[]>();
  return { add, remove };

  function add(definition: object, handler?: unknown): void {
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
      added.set(addTool(handler === undefined ? definition : { ...definition, handler }, recording), mine);
    } catch (error) {
      for (const path of mine) functions.delete(path);
      throw error;
    }
  }

  /** The name of the tool; throws a DefinitionError. */
  function addTool(definition: object, recording: Functions): string {
    const known = offeredTools(surface).flatMap(({ served }) => (served.host === codeHost ? [served.tool.item] : []));
    const item = { kind: 'tool', definition, place: 'definition' } as const;
    const { program, diagnostics } = linkCode([item], { ...codePack, functions: recording, known });
    const { name } = isMap(definition) ? definition : {};
    const inUse = [];
    if (typeof name === 'string' && surface.tool(name) !== undefined) {
      inUse.push(diagnose('pack/name-in-use', { kind: 'tool', name }, startOf('definition.name')));
    }
    reportOrThrow('The tool cannot be added:', [...diagnostics, ...inUse], options.report);
    const [tool] = program.tools;
    // Whatever is left out of the program has an error, which is thrown by now.
    if (tool === undefined) throw new Error('the tool is lost');
    surface.addTool({
      tool,
      name: tool.name,
      host: codeHost,
      options: readOptions(options.env['TOOLWRIGHT_OPTIONS'], [program]).optionsOf(tool),
      handler: functions.get(tool.handler.path),
    });
    return tool.name;
  }

  function remove(name: string): boolean {
    const isRemoved = surface.removeTool(name);
    if (isRemoved) for (const path of added.get(name) ?? []) functions.delete(path);
    if (isRemoved) added.delete(name);
    return isRemoved;
  }
}
