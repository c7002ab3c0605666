// In: a folder and changes that nobody has written yet. Out: the mistakes that the pack would have only then.
import type { Folder } from '../../runtime/load/folder.js';
import { type Diagnostic, keyOfDiagnostic } from '../../schema/diagnostics.js';
import { generate } from '../compile/generate.js';
import { type FileChange, plannedFolder } from './change-book.js';

/** A missing handler is none: `generate`, which may be possible only then, writes its stub. */
export async function findBroken(folder: Folder, changes: readonly FileChange[]): Promise<readonly Diagnostic[]> {
  const [before, after] = [
    await generate(folder, { handlers: true }),
    await generate(plannedFolder(folder, changes), { handlers: true }),
  ];
  const known = new Set(before.diagnostics.map(keyOfDiagnostic));
  return after.diagnostics.filter(
    one => one.severity === 'error' && one.code !== 'generate/missing-handler' && !known.has(keyOfDiagnostic(one)),
  );
}
