// J85: tools come and go while a server runs. In: definitions with their functions. Out: a surface that has them.
import { diagnose, startOf } from '../../schema/diagnostics.js';
import type { PackHost } from '../call/ports.js';
import { readOptions } from '../context/options.js';
import type { Surface } from '../surface/surface.js';
import { DefinitionError } from './definition-error.js';
import { type CodePack, linkCode } from './link-code.js';
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

const cannot = 'The tool cannot be added:';

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
    const known = [...codeHost.program.tools.map(tool => tool.item), ...added.keys()];
    const item = { kind: 'tool', definition, place: 'definition' } as const;
    const { program, diagnostics } = linkCode([item], { ...codePack, functions: recording, known });
    reportOrThrow(cannot, diagnostics, options.report);
    const [tool] = program.tools;
    // Whatever is left out of the program has an error, which is thrown by now.
    if (tool === undefined) throw new Error('the tool is lost');
    const { name } = tool;
    try {
      surface.addTool({
        tool,
        name,
        host: codeHost,
        options: readOptions(options.env['TOOLWRIGHT_OPTIONS'], [program]).optionsOf(tool),
        handler: functions.get(tool.handler.path),
      });
    } catch {
      // The one reason: also a tool that is switched off keeps its name.
      const inUse = diagnose('pack/name-in-use', { kind: 'tool', name }, startOf('definition.name'));
      throw new DefinitionError(cannot, [inUse]);
    }
    return name;
  }

  function remove(name: string): boolean {
    const isRemoved = surface.removeTool(name);
    if (isRemoved) for (const path of added.get(name) ?? []) functions.delete(path);
    if (isRemoved) added.delete(name);
    return isRemoved;
  }
}
