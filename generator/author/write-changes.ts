// In: changes of an author's files. Out: the disk with all of them, or with none and the reason.
import type { Diagnostic } from '../../schema/diagnostics.js';
import { type Disk, nodeDisk } from '../compile/apply-disk.js';
import { makeWriter, type Written } from '../compile/apply-files.js';
import { hashText } from '../compile/ledger.js';
import type { FileChange } from './change-book.js';

/** Nothing is replaced that is not as it was seen: neither a file that was changed meanwhile nor one that appeared. */
export async function writeChanges(
  changes: readonly FileChange[],
  pack: string,
  disk: Disk = nodeDisk,
): Promise<readonly Diagnostic[]> {
  const writer = makeWriter(pack, disk, { isDurable: true });
  const done: FileChange[] = [];
  for (const change of changes) {
    const written = await writeOne(change);
    if (written.isDone) {
      done.push(change);
      continue;
    }
    await undo();
    return [written.diagnostic];
  }
  return [];

  function writeOne({ path, before, after }: FileChange): Promise<Written> {
    const role = 'generated';
    return writer.perform(
      before === undefined
        ? { op: 'create', role, path, text: after }
        : { op: 'replace', role, path, text: after, seen: hashText(before) },
    );
  }

  async function undo(): Promise<void> {
    for (const { path, before } of done.toReversed()) {
      if (before === undefined) writer.remove(path);
      else await writer.overwrite(path, before);
    }
    const made = done.filter(({ before }) => before === undefined).map(({ path }) => path);
    writer.removeEmptyFolders(
      made.map(path => path.slice(0, Math.max(path.lastIndexOf('/'), 0))),
      '',
    );
  }
}
