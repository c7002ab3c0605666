// The one stage that writes. In: operations. Out: the disk as they say, and what could not be done.
// Order: lock, journal, deletions, files, ledger, empty folders. Killed at any moment, the next run knows every file: its text
// is in the ledger (old) or in the journal (new).
import { codeOf, isBelow, parentOf } from '../../runtime/load/folder.js';
import { type Diagnostic, diagnose, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { type Disk, nodeDisk, reasonOf } from './apply-disk.js';
import { acquireLock, type Lock } from './apply-lock.js';
import { makeWriter, type WriteOp, type Writer } from './apply-writer.js';
import { bookkeepingOf, ledgerOf, printLedger } from './ledger.js';
import { diagnosticsOf, type FileOp } from './reconcile.js';

export interface ApplyOptions {
  /** The generated folder, relative to the pack. */
  readonly generated: string;
  /** A lock that the caller holds already; else apply takes one itself. */
  readonly lock?: Lock | undefined;
  /** Milliseconds to wait for another run; 5,000 unless told. */
  readonly wait?: number | undefined;
  readonly disk?: Disk | undefined;
}

export interface Applied {
  /** Also those of refused operations. */
  readonly diagnostics: readonly Diagnostic[];
  /** The operations that were carried out, housekeeping included. */
  readonly applied: readonly FileOp[];
}

/**
 * Carries out what reconcile decided. Files that cannot be written are reported, the others are written all the same.
 *
 * @example const { diagnostics } = await apply(ops, '/packs/jira', { generated: 'generated' })
 */
export async function apply(ops: readonly FileOp[], folder: string, options: ApplyOptions): Promise<Applied> {
  const refusals = diagnosticsOf(ops);
  const isForbidden = ops.some(({ role, op }) => role === 'ledger' && op === 'refuse');
  // Without a ledger nothing could be told from an author's file later.
  if (isForbidden || !ops.some(isWrite)) return { diagnostics: sortDiagnostics(refusals), applied: [] };
  const done = await underLock(folder, options, () =>
    write(ops, makeWriter(folder, options.disk ?? nodeDisk), options.generated),
  );
  const { diagnostics, applied } = 'code' in done ? { diagnostics: [done], applied: [] } : done;
  return { diagnostics: sortDiagnostics([...refusals, ...diagnostics]), applied };
}

/** Does the work while the pack's lock is held: the caller's, or one that is taken for it. A diagnostic where there is none to be had. */
export async function underLock<Result extends object>(
  folder: string,
  options: ApplyOptions,
  work: (lock: Lock) => Promise<Result>,
): Promise<Result | Diagnostic> {
  const lock = options.lock ?? (await lockPack(folder, options));
  if ('code' in lock) return lock;
  try {
    return await work(lock);
  } finally {
    if (options.lock === undefined) lock.release();
  }
}

/** Waits for the pack's lock; a diagnostic where somebody keeps it or the disk refuses. */
export async function lockPack(folder: string, options: Omit<ApplyOptions, 'lock'>): Promise<Lock | Diagnostic> {
  const { generated, wait = 5000, disk = nodeDisk } = options;
  const { lock: path } = bookkeepingOf(generated);
  const writer = makeWriter(folder, disk);
  const made = writer.makeFolder(generated);
  if (!made.isDone) return made.diagnostic;
  try {
    const lock = await acquireLock({ path: writer.full(path), temporary: writer.temporaryIn(generated), disk, wait });
    return 'holder' in lock ? diagnose('generate/locked', { path, holder: lock.holder }, startOf(path)) : lock;
  } catch (error) {
    // It is the first file that is written: what forbids it forbids all, unless only its own name is taken.
    const place = generated === '' || codeOf(error) === 'EISDIR' ? path : generated;
    return diagnose('generate/write-failed', { path: place, reason: reasonOf(error) }, startOf(place));
  }
}

async function write(ops: readonly FileOp[], writer: Writer, generated: string): Promise<Applied> {
  const paths = bookkeepingOf(generated);
  const wasKilled = ops.some(({ path }) => path === paths.journal);
  // Deletions first: where case makes no difference, a file may be deleted under its old name and made under its new one.
  const work = [...ops.filter(op => op.op === 'delete'), ...ops.filter(op => op.op !== 'delete')]
    .filter(isWrite)
    .filter(({ path }) => path !== paths.journal && path !== paths.ledger);
  const pending = ledgerOf(
    work.filter(({ op }) => op !== 'delete'),
    () => true,
  );
  const prepared = [
    // The journal of a killed run is about to be replaced: what it knows of the disk goes into the ledger first.
    ...(wasKilled ? [[paths.ledger, printLedger(ledgerOf(ops, () => false))] as const] : []),
    ...(pending.size > 0 ? [[paths.journal, printLedger(pending)] as const] : []),
  ];
  for (const [path, text] of prepared) {
    const written = await writer.overwrite(path, text);
    if (!written.isDone) return { diagnostics: [written.diagnostic], applied: [] };
  }
  const diagnostics: Diagnostic[] = [];
  const applied = new Set<FileOp>();
  for (const op of work) {
    const written = await writer.perform(op);
    if (written.isDone) applied.add(op);
    else diagnostics.push(written.diagnostic);
    if (!written.isDone && written.isFinal) break;
  }
  const undone = new Set<FileOp>(work.filter(op => !applied.has(op)));
  const isSettled = undone.size === 0 && !wasKilled && ops.some(({ role, op }) => role === 'ledger' && op === 'keep');
  // Where all is done, it is what reconcile printed.
  const printed = undone.size > 0 ? undefined : ops.find(({ role }) => role === 'ledger');
  const text = (): string =>
    printed?.op === 'create' || printed?.op === 'replace'
      ? printed.text
      : printLedger(ledgerOf(ops, op => !undone.has(op)));
  const ledger = isSettled ? undefined : await writer.overwrite(paths.ledger, text());
  // Without the ledger the journal is what the next run needs.
  if (ledger?.isDone === false) return { diagnostics: [...diagnostics, ledger.diagnostic], applied: [...applied] };
  const cleaned = writer.remove(paths.journal);
  const deleted = [...applied].filter(({ op }) => op === 'delete').map(({ path }) => path);
  const [ours, handlers] = [deleted.filter(isOurs), deleted.filter(path => !isOurs(path))];
  writer.removeEmptyFolders(ours.map(parentOf), generated);
  writer.removeEmptyFolders(handlers.map(parentOf), '');
  return { diagnostics: cleaned.isDone ? diagnostics : [...diagnostics, cleaned.diagnostic], applied: [...applied] };

  function isOurs(path: string): boolean {
    return isBelow(path, generated);
  }
}

function isWrite(op: FileOp): op is WriteOp {
  return op.op === 'create' || op.op === 'replace' || op.op === 'delete';
}
