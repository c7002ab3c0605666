// In: items of packs and of code, in the order in which clients see them. Out: a surface over the hosts of these packs.
import { assignWireNames } from '../../schema/names.js';
import type { PackHost } from '../call/ports.js';
import type { ListedKind } from '../load/link-server.js';
import type { ItemOf } from '../packs/compose.js';
import { createSurface, type SurfaceInput } from '../surface/create-surface.js';
import { checkMode } from '../surface/served-items.js';
import type { Surface } from '../surface/surface.js';
import type { OperatorSettings } from './operator-settings.js';
import type { CodeFunction } from './to-data.js';

/** An item and the host that runs it. */
export interface Chosen<K extends ListedKind> {
  readonly item: ItemOf<K>;
  readonly host: PackHost;
  /** Of a tool that code defines. */
  readonly handler?: CodeFunction | undefined;
}

export interface Composition {
  readonly tools: readonly Chosen<'tool'>[];
  readonly prompts: readonly Chosen<'prompt'>[];
  readonly resources: readonly Chosen<'resource'>[];
}

/** What a surface needs beside its items and what the operator sets. */
export type SurfaceSettings = Omit<SurfaceInput, 'tools' | 'prompts' | 'resources' | 'seal' | 'roots'>;

/** W56: names that several items share are settled over the whole lists, before anything is left out. */
export function composeSurface(items: Composition, settings: SurfaceSettings, operator: OperatorSettings): Surface {
  const { seal, roots, optionsOf } = operator;
  const all = [...items.tools, ...items.prompts, ...items.resources];
  const wrongMode = checkMode(
    settings.mode,
    all.map(({ item }) => item.definition),
  );
  if (wrongMode !== undefined) settings.report(wrongMode);
  const toolNames = settleNames(items.tools);
  const promptNames = settleNames(items.prompts);
  return createSurface({
    ...settings,
    seal,
    roots,
    tools: items.tools.map(({ item, host, handler }, index) => ({
      tool: item,
      name: toolNames[index] ?? item.name,
      host,
      options: optionsOf(item),
      handler,
    })),
    prompts: items.prompts.map(({ item, host }, index) => ({
      prompt: item,
      name: promptNames[index] ?? item.name,
      host,
    })),
    resources: items.resources.map(({ item, host }) => ({ resource: item, host })),
  });
}

function settleNames(list: readonly { readonly item: { readonly name: string } }[]): readonly string[] {
  return assignWireNames(list.map(({ item }) => item.name));
}
