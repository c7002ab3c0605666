// In: a program. Out: every function of the pack that its manifests name, and where they name it.
import type { HandledKind } from '../../../schema/definitions.js';
import type { Site } from '../../../schema/diagnostics.js';
import { isMap, type Path } from '../../../schema/document.js';
import { handlerRefOf } from '../../load/folder.js';
import type { LoadedPack } from '../../load/load.js';
import type { HandlerRef, Program, Prompt, Resource, Server, Tool } from '../../load/program.js';

export interface WantedHandler extends HandlerRef {
  /** As the start of a sentence: `The handler of the tool "get-issue"`. */
  readonly what: string;
  /** The item that the function serves; other functions (context, initialize, completion) have no types to fit. */
  readonly serves?: { readonly kind: HandledKind; readonly item: string };
  /** The manifest names the module itself, so that a mistake may be there. */
  readonly isNamed: boolean;
  site(): Site;
}

/** With a catalog, an item whose module nobody names is found at its declaration. */
export function wantedHandlers({
  program,
  catalog,
}: Pick<LoadedPack, 'program'> & Partial<Pick<LoadedPack, 'catalog'>>): readonly WantedHandler[] {
  if (program === undefined) return [];
  const declared = new Map<string, () => Site>();
  for (const { kind, name, declaration, winner } of Object.values(catalog ?? {}).flat()) {
    const site = declaration?.site ?? winner?.site;
    if (site !== undefined) declared.set(`${kind}:${name}`, site);
  }
  return [
    ...wantedByPack(program),
    ...program.servers.flatMap(wantedByServer),
    ...program.tools.flatMap(tool => [...wantedByItem(tool), ...wantedByTool(tool)]),
    ...program.prompts.flatMap(prompt => [...wantedByItem(prompt), ...wantedByPrompt(prompt)]),
    ...program.resources.flatMap(resource => [...wantedByItem(resource), ...wantedByResource(resource)]),
  ];

  function wantedByItem(one: Tool | Prompt | Resource): readonly WantedHandler[] {
    const { kind, item, handler, at, definition, server } = one;
    if (handler === undefined) return [];
    const isNamed = definition.handler !== undefined;
    const site = (): Site => {
      if (isNamed) return at.site(['handler']);
      return (server === undefined ? declared.get(`${kind}:${item}`)?.() : undefined) ?? at.site(['name']);
    };
    return [
      {
        path: handler.path,
        export: handler.export,
        serves: { kind, item },
        isNamed,
        site,
        // Asked for by mistakes only.
        get what() {
          return `The handler of ${shown(one)}`;
        },
      },
    ];
  }
}

function wantedByPack({ pack }: Program): readonly WantedHandler[] {
  if (pack.context === undefined) return [];
  return [{ ...pack.context, what: 'The context of the pack', isNamed: true, site: () => pack.at.site(['context']) }];
}

function wantedByServer(server: Server): readonly WantedHandler[] {
  return named(server.definition.initialize, ['initialize'], `initialize of ${shown(server)}`, server);
}

function wantedByTool(tool: Tool): readonly WantedHandler[] {
  const { initialize } = tool.definition;
  const what = `initialize of ${shown(tool)}`;
  return isMap(initialize)
    ? named(initialize['handler'], ['initialize', 'handler'], what, tool)
    : named(initialize, ['initialize'], what, tool);
}

function wantedByPrompt(prompt: Prompt): readonly WantedHandler[] {
  return prompt.arguments.flatMap(({ name, complete }) =>
    named(complete, ['arguments', name, 'complete'], `The completion of ${quoted(name)} of ${shown(prompt)}`, prompt),
  );
}

function wantedByResource(resource: Resource): readonly WantedHandler[] {
  return Object.entries(resource.definition.complete ?? {}).flatMap(([name, complete]) =>
    named(complete, ['complete', name], `The completion of ${quoted(name)} of ${shown(resource)}`, resource),
  );
}

/** Lists of values and absent ones name nothing. */
function named(
  value: unknown,
  path: Path,
  what: string,
  { at }: Pick<Tool | Prompt | Resource | Server, 'at'>,
): readonly WantedHandler[] {
  const ref = typeof value === 'string' ? handlerRefOf(value) : undefined;
  return ref === undefined ? [] : [{ ...ref, what, isNamed: true, site: () => at.site(path) }];
}

function shown({ kind, item }: Pick<Tool | Prompt | Resource | Server, 'kind' | 'item'>): string {
  return `the ${kind} ${quoted(item)}`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
