// In: a pack. Out: the mistakes behind which it may have any item: of a combined file, or of a folder that cannot be listed. What is in there would
// seem to be deleted, and its names free.
import { discover } from '../../runtime/load/discover.js';
import type { Folder } from '../../runtime/load/folder.js';
import type { LoadedPack } from '../../runtime/load/load.js';
import { createReader } from '../../runtime/load/read.js';
import { split } from '../../runtime/load/split.js';
import { type Diagnostic, hasErrors } from '../../schema/diagnostics.js';

export function findUnread(folder: Folder, { manifest, diagnostics }: LoadedPack): readonly Diagnostic[] {
  if (manifest?.root === undefined || !hasErrors(diagnostics)) return [];
  const reader = createReader(folder);
  const { value, diagnostics: found } = discover(folder, manifest.root);
  const combined = value.filter(({ item }) => item === undefined).flatMap(ref => split(ref, reader).diagnostics);
  return [...found, ...combined].filter(one => hasErrors([one]));
}
