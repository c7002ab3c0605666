// In: the files that define items of one kind. Out: the items in them, per-item or from the combined file's map.
import type { Kind } from '../../schema/definitions.js';
import { type Diagnostic, diagnose, hasErrors, type Site, startOf } from '../../schema/diagnostics.js';
import { type Document, isMap, type Locator, within } from '../../schema/document.js';
import { typeName } from '../../schema/validate/errors.js';
import type { SourceRef } from './discover.js';
import type { Reader } from './read.js';

/** One definition as written, and where. */
export interface Item {
  readonly kind: Kind;
  readonly name: string;
  readonly file: string;
  readonly form: 'per-item' | 'combined' | 'inline';
  /** The server that defines it inline. */
  readonly server?: string;
  readonly definition: unknown;
  /** Positions relative to the definition. */
  readonly at: Locator;
  /** The key in the combined file, or the start of the per-item file. */
  site(): Site;
}

/** A file that exists but could not be understood: its item is broken, not missing (W16). */
export interface Split {
  readonly items: readonly Item[];
  readonly diagnostics: readonly Diagnostic[];
  readonly isBroken: boolean;
}

export function split(ref: SourceRef, reader: Reader): Split {
  const read = reader.documents(ref.path, ref.format);
  const documents = read.value ?? [];
  const diagnostics = [...read.diagnostics];
  if (ref.item === undefined) {
    const isEmpty = diagnostics.length === 1 && diagnostics[0]?.code === 'parse/empty';
    const combined = splitCombined(ref, documents);
    // A combined file without entries defines nothing, which is fine until something is missing.
    if (isEmpty) return { items: [], diagnostics: [], isBroken: false };
    return {
      items: combined.items,
      diagnostics: [...diagnostics, ...combined.diagnostics],
      isBroken: hasErrors(diagnostics) || combined.diagnostics.length > 0,
    };
  }
  const [document, second] = documents;
  if (second !== undefined) diagnostics.push(diagnose('parse/multiple-documents', {}, second.site([])));
  if (document === undefined || hasErrors(diagnostics)) return { items: [], diagnostics, isBroken: true };
  const item: Item = {
    kind: ref.kind,
    name: ref.item,
    file: document.file,
    form: 'per-item',
    definition: document.value,
    at: document,
    site: () => startOf(document.file),
  };
  return { items: [item], diagnostics, isBroken: false };
}

/** W13, J73: each document is a map from item to definition; a name twice is an error. */
function splitCombined(ref: SourceRef, documents: readonly Document[]): Omit<Split, 'isBroken'> {
  const items = new Map<string, Item>();
  const diagnostics: Diagnostic[] = [];
  for (const document of documents) {
    if (!isMap(document.value)) {
      const params = {
        where: 'the combined file',
        expected: 'a map from item to definition',
        actual: typeName(document.value),
      };
      diagnostics.push(diagnose('validate/type', params, document.site([])));
      continue;
    }
    for (const [name, definition] of Object.entries(document.value)) {
      if (name === '$schema') continue;
      const first = items.get(name);
      if (first !== undefined) {
        const related = [{ ...first.site(), message: 'first defined here' }];
        const site = document.site([name], 'key');
        diagnostics.push(diagnose('resolve/duplicate-item', { kind: ref.kind, item: name }, site, { related }));
        continue;
      }
      items.set(name, {
        kind: ref.kind,
        name,
        file: document.file,
        form: 'combined',
        definition,
        at: within(document, [name]),
        site: () => document.site([name], 'key'),
      });
    }
  }
  return { items: [...items.values()], diagnostics };
}
