// What the tests of merging share: a pack in memory, imports into it and what they change.

import type { Imported, ImportedItem } from '../../../generator/import/imported.js';
import { type ImportPlan, type ImportRequest, planImport } from '../../../generator/import/plan-import.js';
import { load } from '../../../runtime/load/load.js';
import { memoryFolder } from '../../harness/memory-folder.js';

export type Texts = Readonly<Record<string, string>>;

export const address = 'https://api.example/openapi.json';

export function source(items: readonly ImportedItem[], more: Partial<Imported> = {}): Imported {
  return { name: 'shop', items, backends: {}, config: {}, leftOut: [], diagnostics: [], ...more };
}

/** A tool of the operation `id`, at a place that is made of it unless there is one. */
export function tool(
  id: string,
  definition: Readonly<Record<string, unknown>>,
  { place = `GET /${id}`, ...more }: Partial<ImportedItem> & { readonly place?: string } = {},
): ImportedItem {
  return { kind: 'tool', name: id, from: { id, place }, definition, ...more };
}

export function schema(id: string, definition: Readonly<Record<string, unknown>>): ImportedItem {
  return { kind: 'schema', name: id, from: { id, place: `#/components/schemas/${id}` }, definition };
}

export function plan(texts: Texts, imported: Imported, more: Partial<ImportRequest> = {}): ImportPlan {
  const folder = memoryFolder(texts);
  return planImport({ folder, loaded: load(folder), imported, source: { address }, ...more });
}

/** The files after the changes. */
export function apply(texts: Texts, { changes }: Pick<ImportPlan, 'changes'>): Texts {
  const next: Record<string, string> = { ...texts };
  for (const { path, before, after } of changes) {
    if (next[path] !== before) throw new Error(`${path} was not as the plan saw it`);
    if (after === undefined) delete next[path];
    else next[path] = after;
  }
  return next;
}

/** The files after an import, which must have no conflict. */
export function importInto(texts: Texts, imported: Imported, more: Partial<ImportRequest> = {}): Texts {
  const planned = plan(texts, imported, more);
  const errors = planned.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return apply(texts, planned);
}

/** `conflict get-issue:/description`, `kept get-issue:/title`, `created get-issue`, in order. */
export function tell({ items }: ImportPlan): readonly string[] {
  return items.flatMap(({ kind, name, state, updated, kept, conflicts }) => [
    `${state} ${kind} ${name}`,
    ...updated.map(({ field }) => `  took ${field}`),
    ...kept.map(({ field }) => `  kept ${field}`),
    ...conflicts.map(({ field }) => `  conflict ${field}`),
  ]);
}
