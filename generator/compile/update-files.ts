// Planned files to disk. In: the files that should exist and a pack's folder. Out: an operation for each file, carried out where asked.
// The lock is held only where there is something to write: runs with nothing to do write nothing, not even a lock.
import { type Diagnostic, sortDiagnostics } from '../../schema/diagnostics.js';
import { type Applied, type ApplyOptions, apply, lockPack } from './apply.js';
import { diagnosticsOf, type FileOp } from './file-op.js';
import type { GeneratedFile } from './generated-file.js';
import { makePlaces } from './read-places.js';
import { isCurrent, type ReconcileOptions, reconcile } from './reconcile.js';
import { readLedgers, type Snapshot, takeSnapshot } from './snapshot.js';

export interface UpdateOptions extends ApplyOptions, ReconcileOptions {
  /** Brings the disk in line; else only what would happen is found out. */
  readonly write?: boolean | undefined;
}

export interface Updated extends Applied {
  readonly operations: readonly FileOp[];
}

/**
 * Brings the disk in line with the files, or tells what that would mean. Where one of them cannot be rendered, nothing happens.
 *
 * @example const { applied, diagnostics } = await updateFiles(files, '/packs/jira', { generated: 'generated', write: true })
 */
export async function updateFiles(
  files: readonly GeneratedFile[],
  folder: string,
  options: UpdateOptions,
): Promise<Updated> {
  const before = takeSnapshot(folder, options.generated, files);
  const decided = await decide(files, before, options);
  const { operations, diagnostics } = decided;
  const hasWork = operations.some(({ op }) => op !== 'keep' && op !== 'refuse');
  if (!options.write || !hasWork) return { ...decided, applied: [] };
  const lock = options.lock ?? (await lockPack(folder, options));
  if ('code' in lock) {
    return refuseUndone(operations, { applied: [], diagnostics: sortDiagnostics([...diagnostics, lock]) });
  }
  try {
    // Another run may have written while this one rendered or waited: then nothing known of the files counts any more.
    const now = readLedgers(makePlaces(folder), options.generated);
    const isStale = now.ledger !== before.ledger || now.journal !== before.journal;
    const current = isStale
      ? (await decide(files, takeSnapshot(folder, options.generated, files), options)).operations
      : operations;
    return refuseUndone(current, await apply(current, folder, { ...options, lock }));
  } finally {
    if (options.lock === undefined) lock.release();
  }
}

type Decided = Pick<Updated, 'operations' | 'diagnostics'>;

async function decide(
  files: readonly GeneratedFile[],
  snapshot: Snapshot,
  options: ReconcileOptions,
): Promise<Decided> {
  const texts = new Map<string, string>();
  const unusable: Diagnostic[] = [];
  for (const file of files) {
    if (isCurrent(file, snapshot)) continue;
    const rendered = await file.render();
    if (typeof rendered === 'string') texts.set(file.path, rendered);
    else unusable.push(rendered);
  }
  if (unusable.length > 0) return { operations: [], diagnostics: sortDiagnostics(unusable) };
  const operations = reconcile(files, texts, snapshot, options);
  return { operations, diagnostics: sortDiagnostics(diagnosticsOf(operations)) };
}

/** What was not done is refused, by the disk or by another run: nobody should read that it was. */
function refuseUndone(operations: readonly FileOp[], { applied, diagnostics }: Applied): Updated {
  const done = new Set(applied);
  // What is wrong with another file stops only that one, but without a ledger nothing is written.
  const ofOthers = new Set(diagnosticsOf(operations.filter(({ role }) => role !== 'ledger')));
  const causes = diagnostics.filter(one => !ofOthers.has(one));
  const outcome = operations.map((op): FileOp => {
    const isDone = op.op === 'keep' || op.op === 'refuse' || done.has(op);
    const diagnostic = causes.find(({ file }) => file === op.path) ?? causes[0];
    if (isDone || diagnostic === undefined || (op.role !== 'generated' && op.role !== 'stub')) return op;
    const { path, role, before } = op;
    return { op: 'refuse', path, role, diagnostic, ...(before === undefined ? {} : { before, after: before }) };
  });
  return { operations: outcome, applied, diagnostics };
}
