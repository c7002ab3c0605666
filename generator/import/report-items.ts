// What is said about items and fields. In: what became of them. Out: reports, and a diagnostic for each conflict.
import { type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import { printPointer } from '../../schema/document.js';
import { shellLine } from '../../schema/print/shell-words.js';
import type { FieldReport, ItemReport, ItemState } from './import-plan.js';
import type { Imported, ItemOrigin } from './imported.js';
import type { SourceItem } from './match-items.js';
import type { FieldChange } from './merge-fields.js';
import type { PackItem } from './pack-items.js';
import type { RecordedKind } from './record/record.js';

export interface ReportParts {
  readonly kind: RecordedKind;
  readonly name: string;
  readonly state: ItemState;
  readonly from: ItemOrigin;
  readonly found?: PackItem | undefined;
  readonly was?: ItemOrigin | undefined;
  readonly called?: string | undefined;
}

export function makeReport({ kind, name, state, from, found, was, called }: ReportParts): ItemReport {
  return { kind, name, state, from, file: found?.file, was, called, updated: [], kept: [], conflicts: [] };
}

export function reportField(
  { path, ours, theirs }: FieldChange,
  { from, site }: SourceItem,
  found: PackItem,
): FieldReport {
  const field = `${found.name}:${printPointer(path)}`;
  return { path, field, ours, theirs, site: () => found.at.site(path), place: from.place, placeSite: site };
}

export function printConflict({ field, ours, theirs, site, place, placeSite }: FieldReport): Diagnostic {
  const related = placeSite === undefined ? [] : [{ ...placeSite(), message: `the source says so in ${place}` }];
  const word = shellLine([field]);
  const hint = `keep it with --ours ${word}, take the other with --theirs ${word}, or edit it to say what ${place} says`;
  return diagnose('import/conflict', { field, ours: printSide(ours), theirs: printSide(theirs) }, site(), {
    hint,
    related,
  });
}

/** Cut: the whole of it is in the report. */
function printSide(value: unknown): string {
  if (value === undefined) return 'removed';
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 197)}...` : text;
}

export function isSameOrigin(a: ItemOrigin, b: ItemOrigin): boolean {
  return a.id === b.id && a.place === b.place;
}

export function whyGone(
  from: ItemOrigin,
  { leftOut, notChosen = [], isPartial }: Imported,
): { readonly state: 'removed' | 'not-chosen' | 'left-out'; readonly reason?: string } {
  const isSame = (one: ItemOrigin): boolean => (from.id === undefined ? one.place === from.place : one.id === from.id);
  const out = leftOut.find(one => isSame(one.from));
  if (out !== undefined) return { state: 'left-out', reason: out.reason };
  if (isPartial === true) return { state: 'left-out', reason: 'the source could not be read whole' };
  return { state: notChosen.some(isSame) ? 'not-chosen' : 'removed' };
}
