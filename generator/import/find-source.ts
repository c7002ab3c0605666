// In: the record, and what is imported. Out: the name of the source in the record.

import type { SourceToImport } from './import-plan.js';
import type { Imported } from './imported.js';
import type { ImportRecord } from './record/record.js';

/** A document that has moved to another address is the same one as long as it has some of what was imported from it. */
export function findSource({ sources }: ImportRecord, { name, address }: SourceToImport, imported: Imported): string {
  if (name !== undefined) return name;
  const [same] = Object.entries(sources).find(([, one]) => one.address === address) ?? [];
  if (same !== undefined) return same;
  const base = imported.name === '' ? 'source' : imported.name;
  const origins = new Set(imported.items.flatMap(({ from }) => [from.id, from.place]));
  for (let count = 1; ; count += 1) {
    const one = count === 1 ? base : `${base}-${count}`;
    const known = Object.hasOwn(sources, one) ? sources[one] : undefined;
    if (known === undefined || known.items.some(({ from }) => origins.has(from.id ?? from.place))) return one;
  }
}
