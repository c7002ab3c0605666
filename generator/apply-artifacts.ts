// Artifacts to disk: snapshot, reconcile, apply, with the lock held only where there is something to write.
// In: artifacts and a pack's folder. Out: the operations, and what went wrong.
import { sortDiagnostics } from '../schema/diagnostics.js';
import { type Applied, type ApplyOptions, apply, lockPack } from './apply.js';
import type { Artifact } from './artifact.js';
import { diagnosticsOf, type FileOp } from './file-op.js';
import { makePlaces } from './read-places.js';
import { type ReconcileOptions, reconcile } from './reconcile.js';
import { readLedgers, type Snapshot, type SnapshotOptions, takeSnapshot } from './snapshot.js';

export interface ApplyArtifactsOptions extends ApplyOptions, ReconcileOptions, Pick<SnapshotOptions, 'generated'> {
  /** One that was just taken of these artifacts; else a new one is. */
  readonly snapshot?: Snapshot | undefined;
  /** Called before artifacts are rendered: loads what those that are not current (isCurrent) need. */
  readonly prepare?: ((snapshot: Snapshot) => Promise<void>) | undefined;
}

export interface AppliedArtifacts extends Applied {
  readonly ops: readonly FileOp[];
}

/**
 * Brings the disk in line with the artifacts. Runs with nothing to do write nothing, not even a lock.
 *
 * @example const { applied, diagnostics } = await applyArtifacts(artifacts, '/packs/jira', { generated: 'generated' })
 */
export async function applyArtifacts(
  artifacts: readonly Artifact[],
  folder: string,
  options: ApplyArtifactsOptions,
): Promise<AppliedArtifacts> {
  const look = { generated: options.generated, artifacts };
  const decide = async (snapshot: Snapshot): Promise<readonly FileOp[]> => {
    await options.prepare?.(snapshot);
    return reconcile(artifacts, snapshot, options);
  };
  const before = options.snapshot ?? takeSnapshot(folder, look);
  const ops = await decide(before);
  if (ops.every(({ op }) => op === 'keep' || op === 'refuse')) {
    return { ops, applied: [], diagnostics: sortDiagnostics(diagnosticsOf(ops)) };
  }
  const lock = options.lock ?? (await lockPack(folder, options));
  if ('code' in lock) {
    return tellUndone(ops, { applied: [], diagnostics: sortDiagnostics([...diagnosticsOf(ops), lock]) });
  }
  try {
    // Another run may have written while this one rendered or waited: then nothing known of the files counts any more.
    const now = readLedgers(makePlaces(folder), options.generated);
    const isStale = now.ledger !== before.ledger || now.journal !== before.journal;
    const current = isStale ? await decide(takeSnapshot(folder, look)) : ops;
    return tellUndone(current, await apply(current, folder, { ...options, lock }));
  } finally {
    if (options.lock === undefined) lock.release();
  }
}

/** What was not done is refused, by the disk or by another run: nobody should read that it was. */
function tellUndone(ops: readonly FileOp[], { applied, diagnostics }: Applied): AppliedArtifacts {
  const done = new Set(applied);
  // What is wrong with another file stops only that one, but without a ledger nothing is written.
  const ofOthers = new Set(diagnosticsOf(ops.filter(({ role }) => role !== 'ledger')));
  const causes = diagnostics.filter(one => !ofOthers.has(one));
  const told = ops.map((op): FileOp => {
    const isDone = op.op === 'keep' || op.op === 'refuse' || done.has(op);
    const diagnostic = causes.find(({ file }) => file === op.path) ?? causes[0];
    if (isDone || diagnostic === undefined || (op.role !== 'generated' && op.role !== 'stub')) return op;
    const { path, role, before } = op;
    return { op: 'refuse', path, role, diagnostic, ...(before === undefined ? {} : { before, after: before }) };
  });
  return { ops: told, applied, diagnostics };
}
