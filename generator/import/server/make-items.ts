// In: captures of one server. Out: an item for each entry that it lists, with its name in the pack and what does its work; lists that keep the order.
import type { HandledKind } from '../../../schema/definitions.js';
import { handledKinds, keyOf } from '../../../schema/definitions.js';
import { type Diagnostic, diagnose, type Site } from '../../../schema/diagnostics.js';
import { asText } from '../../../schema/document.js';
import { byCodePoint } from '../../../schema/names.js';
import type { ImportedItem, LeftOut } from '../imported.js';
import { ItemNames, kebabName } from '../item-names.js';
import type { Capture } from './capture.js';
import type { ServerEntry } from './entries.js';
import type { Axis } from './flag-axes.js';
import { mergeCaptures } from './merge-captures.js';
import { type Definition, type Loss, readDefinition } from './read-definition.js';
import { shorten } from './short-form.js';

interface ItemOptions {
  /** Of the backend. */
  readonly name: string;
  readonly proxy: boolean;
  readonly short: boolean;
  readonly site: Site;
}

interface MadeItems {
  readonly items: readonly ImportedItem[];
  readonly leftOut: readonly LeftOut[];
  readonly axes: readonly Axis[];
  readonly diagnostics: readonly Diagnostic[];
}

export function makeItems(captures: readonly Capture[], options: ItemOptions): MadeItems {
  const merged = mergeCaptures(captures, options.name, options.site);
  const items: ImportedItem[] = [];
  const diagnostics = [...merged.diagnostics];
  const leftOut = [...merged.leftOut];
  const names: Readonly<Record<HandledKind, ItemNames>> = {
    tool: new ItemNames(),
    prompt: new ItemNames(),
    resource: new ItemNames(),
  };
  const losses = new Losses();
  const called = new Map<string, string>();
  for (const { entry, when, suffix } of merged.entries) {
    const { kind, id } = entry;
    const form = suffix === undefined ? '' : ` (${suffix})`;
    const place = `${entry.place}${form}`;
    const from = { id: `${id}${form}`, place };
    const own = nameOf(entry);
    const wanted = own === undefined || suffix === undefined ? own : `${own}.${suffix}`;
    const read = wanted === undefined ? { problem: 'its name has no letter' } : readDefinition(entry);
    if ('problem' in read) {
      leftOut.push({ from, reason: read.problem });
      continue;
    }
    const name = names[kind].give(wanted ?? '');
    for (const loss of read.losses) losses.add(loss, place);
    // All forms of an entry are one item for clients.
    const shown = called.get(entry.place) ?? name;
    called.set(entry.place, shown);
    const wire = wireName(entry, shown);
    if (wire.isRenamed) diagnostics.push(diagnose('import/renamed', { place, name: wire.name }, options.site));
    const definition = options.short ? shorten(read.definition) : read.definition;
    items.push({
      kind,
      name,
      from,
      definition: {
        ...(wire.name === name ? {} : { name: wire.name }),
        ...definition,
        ...(when === undefined ? {} : { when }),
        ...(options.proxy ? { mcp: forward(entry, options.name) } : {}),
      },
    });
  }
  return {
    items,
    leftOut,
    axes: merged.axes,
    diagnostics: [...diagnostics, ...losses.diagnostics(options.site)],
  };
}

/** Files of resources are called as people call them, or as their address ends. */
function nameOf({ kind, id, raw }: ServerEntry): string | undefined {
  if (kind !== 'resource') return kebabName(id);
  return kebabName(asText(raw['name'])) ?? kebabName(id.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/*/, ''));
}

/** As it is, if clients take it. */
function wireName(
  { kind, id, raw }: ServerEntry,
  name: string,
): { readonly name: string; readonly isRenamed: boolean } {
  if (kind === 'resource') {
    const own = asText(raw['name']);
    return own === '' ? { name, isRenamed: true } : { name: own, isRenamed: false };
  }
  const isTaken = /^[A-Za-z0-9_./-]{1,128}$/.test(id);
  return isTaken ? { name: id, isRenamed: false } : { name, isRenamed: true };
}

/** Addresses of a template are handed on as they were asked for. */
function forward({ id, raw }: ServerEntry, backend: string): Definition {
  return { backend, ...(raw['uriTemplate'] === id ? {} : { name: id }) };
}

/** By key of a server definition. Without a list a server has all items in the order of their names. */
export function listsOf(items: readonly ImportedItem[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    handledKinds.flatMap(kind => {
      const names = items.filter(item => item.kind === kind).map(({ name }) => name);
      const isSorted = names.every((name, index) => index === 0 || byCodePoint(names[index - 1] ?? '', name) < 0);
      return isSorted ? [] : [[keyOf(kind), names]];
    }),
  );
}

/** One diagnostic for all items that lose the same. */
class Losses {
  readonly #places = new Map<string, { readonly loss: Loss; readonly places: string[] }>();

  add(loss: Loss, place: string): void {
    const id = JSON.stringify([loss.key, loss.reason]);
    const known = this.#places.get(id);
    if (known === undefined) this.#places.set(id, { loss, places: [place] });
    else known.places.push(place);
  }

  diagnostics(site: Site): readonly Diagnostic[] {
    return [...this.#places.values()].map(({ loss: { key, reason, isHarmless }, places }) =>
      diagnose('import/not-carried', { key, places, reason }, site, isHarmless === true ? { severity: 'info' } : {}),
    );
  }
}
