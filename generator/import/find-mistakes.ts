// In: a pack and what is planned for it. Out: the mistakes that it would have only then: what was deleted may be named somewhere.
import type { Folder } from '../../runtime/load/folder.js';
import { type LoadedPack, load } from '../../runtime/load/load.js';
import { type Diagnostic, keyOfDiagnostic } from '../../schema/diagnostics.js';
import { type ChangeBook, plannedFolder } from '../author/change-book.js';

export function findMistakes(folder: Folder, loaded: LoadedPack, book: ChangeBook): readonly Diagnostic[] {
  const known = new Set(loaded.diagnostics.map(keyOfDiagnostic));
  const after = load(plannedFolder(folder, book.changes())).diagnostics;
  const hint = 'what it names would be deleted: correct it, or leave out --prune';
  return after
    .filter(one => one.severity === 'error' && !known.has(keyOfDiagnostic(one)))
    .map(one => ({ ...one, hint }));
}
