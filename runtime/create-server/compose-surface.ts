// In: items of packs and of code, in the order in which clients see them. Out: a surface over the hosts of these packs.
import { type Diagnostic, hasErrors } from '../../schema/diagnostics.js';
import { assignWireNames } from '../../schema/names.js';
import type { PackHost } from '../call/ports.js';
import type { Environment } from '../context/config.js';
import { type Options, readOptions } from '../context/options.js';
import { readRoots } from '../context/roots.js';
import { createSeal, readStateKey } from '../context/seal.js';
import type { ListedKind } from '../load/link-server.js';
import { createSurface, type SurfaceInput } from '../surface/create-surface.js';
import type { Surface } from '../surface/surface.js';
import { DefinitionError, printLine } from './definition-error.js';
import type { ItemOf } from './pick-items.js';
import type { CodeFunction } from './to-data.js';

/** An item and the host that runs it. */
export interface Chosen<K extends ListedKind> {
  readonly item: ItemOf<K>;
  readonly host: PackHost;
  /** Of a tool that code defines. */
  readonly handler?: CodeFunction | undefined;
}

/** Lists in the order of the server; an item that cannot be served keeps its place, so that it keeps others' names. */
export interface Composition {
  readonly tools: readonly (Chosen<'tool'> | { readonly absent: string })[];
  readonly prompts: readonly (Chosen<'prompt'> | { readonly absent: string })[];
  readonly resources: readonly Chosen<'resource'>[];
}

/** What a surface needs beside its items and what the environment says. */
export type SurfaceSettings = Omit<SurfaceInput, 'tools' | 'prompts' | 'resources' | 'seal' | 'roots'>;

/** W56: names are settled over whole lists. Throws a DefinitionError where the environment has an unusable state key. */
export function composeSurface(items: Composition, settings: SurfaceSettings, env: Environment): Surface {
  const hosts = new Set([...items.tools, ...items.prompts].flatMap(one => ('host' in one ? [one.host] : [])));
  const programs = [...hosts].map(({ program }) => program);
  const options: Options = readOptions(env['TOOLWRIGHT_OPTIONS'], programs);
  const key = readStateKey(env['TOOLWRIGHT_STATE_KEY']);
  reportOrThrow([...options.diagnostics, ...key.diagnostics], settings.report);
  return createSurface({
    ...settings,
    tools: settleNames(items.tools).map(({ one: { item, host, handler }, name }) => ({
      tool: item,
      name,
      host,
      options: options.optionsOf(item),
      handler,
    })),
    prompts: settleNames(items.prompts).map(({ one: { item, host }, name }) => ({ prompt: item, name, host })),
    resources: items.resources.map(({ item, host }) => ({ resource: item, host })),
    roots: readRoots(env['TOOLWRIGHT_ROOTS']),
    seal: createSeal({ key: key.value, now: Date.now }),
  });
}

function settleNames<C extends { readonly item: { readonly name: string } }>(
  list: readonly (C | { readonly absent: string })[],
): readonly { readonly one: C; readonly name: string }[] {
  const names = assignWireNames(list.map(one => ('absent' in one ? one.absent : one.item.name)));
  return list.flatMap((one, index) => ('absent' in one ? [] : [{ one, name: names[index] ?? one.item.name }]));
}

/** Errors stop whoever composes; the rest is for the operator. */
export function reportOrThrow(diagnostics: readonly Diagnostic[], report: (text: string) => void): void {
  if (hasErrors(diagnostics)) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    throw new DefinitionError('What was given cannot be served:', errors);
  }
  for (const diagnostic of diagnostics) if (diagnostic.severity === 'warning') report(printLine(diagnostic));
}
