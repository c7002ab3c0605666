// The record of imports follows what other commands do with items. In: the text of toolwright.import.json. Out: the text as it should be;
// undefined where it cannot be read.
import { type Kind, keyOf } from '../../../schema/definitions.js';
import { setOwn } from '../../../schema/document.js';
import { type FieldTree, hashField, isFieldMap, replaceHashes } from './fields.js';
import { type ImportRecord, parseRecord, printRecord, type RecordedItem, type SourceRecord } from './record.js';

export interface Renaming {
  readonly kind: Kind;
  readonly from: string;
  readonly to: string;
}

/** Nobody has changed a field that names the item by its old name: in the pack it has the new one by now. */
export function renameInRecord(text: string, { kind, from, to }: Renaming): string | undefined {
  const hashes = new Map([[hashField(`schema:${from}`), hashField(`schema:${to}`)]]);
  const names = new Map([[hashField(from), hashField(to)]]);
  return changeItems(text, item => {
    const name = item.kind === kind && item.name === from && item.isDeleted !== true ? to : item.name;
    if (kind === 'schema') return { ...item, name, fields: replaceHashes(item.fields, hashes) };
    return { ...item, name, fields: item.kind === 'server' ? inList(item.fields, keyOf(kind), names) : item.fields };
  });
}

/** The next import leaves it deleted. */
export function removeFromRecord(
  text: string,
  { kind, item: name }: { readonly kind: Kind; readonly item: string },
): string | undefined {
  return changeItems(text, item => (item.kind === kind && item.name === name ? { ...item, isDeleted: true } : item));
}

function inList(fields: FieldTree, key: string, names: ReadonlyMap<string, string>): FieldTree {
  if (!isFieldMap(fields)) return fields;
  const next: Record<string, FieldTree> = {};
  for (const [one, tree] of Object.entries(fields)) setOwn(next, one, one === key ? replaceHashes(tree, names) : tree);
  return next;
}

function changeItems(text: string, change: (item: RecordedItem) => RecordedItem): string | undefined {
  const { value } = parseRecord(text);
  if (value === undefined) return undefined;
  const sources = Object.entries(value.sources).map(([name, source]): [string, SourceRecord] => [
    name,
    { ...source, items: source.items.map(change) },
  ]);
  const next: ImportRecord = { sources: Object.fromEntries(sources) };
  const printed = printRecord(next);
  return printed === printRecord(value) ? text : printed;
}
